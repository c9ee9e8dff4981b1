"""Cameras as values, and how mouse and trackpad move them."""
