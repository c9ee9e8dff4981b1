"""Trackers in the application: what receives them from other programs."""
