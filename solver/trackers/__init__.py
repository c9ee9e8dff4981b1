"""Trackers that somebody wears: what they say, where they sit on the body, and following them."""
