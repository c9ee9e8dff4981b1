"""The searches that the exact stage is made of: one descent, and the ways past what a body lies on."""
