"""Focal lengths in pixels, and in millimetres on the 36 x 24 mm film by which lenses are compared."""

from __future__ import annotations

import math

FILM_MM = (36.0, 24.0)
FILM_DIAGONAL_MM = math.hypot(*FILM_MM)


def equivalent_mm(focal_px: float, image_size: tuple[int, int]) -> float:
    """The focal length that sees the same diagonal angle on film. focal_px: pixels. image_size: width, height."""
    return focal_px / math.hypot(*image_size) * FILM_DIAGONAL_MM


def focal_px(millimetres: float, image_size: tuple[int, int]) -> float:
    """The focal length in pixels of a picture of (width, height) pixels, from its equivalent on film."""
    return millimetres / FILM_DIAGONAL_MM * math.hypot(*image_size)
