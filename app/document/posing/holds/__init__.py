"""Holds: common ones by name, and hands around things."""
