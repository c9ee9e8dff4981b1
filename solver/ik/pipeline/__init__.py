"""A solver at work, from the proposal to what stands, and what calms it: bodies that are led, patches on slopes."""
