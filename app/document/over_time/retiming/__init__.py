"""Motions that are cut, or made faster or slower."""
