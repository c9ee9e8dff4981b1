"""Compiled functions of the exact stage."""
