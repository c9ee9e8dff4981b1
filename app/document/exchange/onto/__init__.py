"""Poses and motions back onto characters of other programs."""
