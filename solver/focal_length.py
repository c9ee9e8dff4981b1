"""Focal lengths in pixels, and in millimetres on the 36 x 24 mm film by which lenses are compared."""

from __future__ import annotations

import math

FILM_MM = (36.0, 24.0)
FILM_DIAGONAL_MM = math.hypot(*FILM_MM)
USUAL_MM, PANORAMA_MM = 50.0, 28.0  # on film, of a lens that nobody knows; docs/photo.md says why
NO_LENS = (
    "A stitched panorama bends straight lines, as no lens does: people lie on the picture, but walls, the floor and "
    "distances are only roughly right."
)
PANORAMA_RATIO = 2.5  # a picture this many times as long as wide is a panorama; films for the cinema stay below


def equivalent_mm(focal_px: float, image_size: tuple[int, int]) -> float:
    """The focal length that sees the same diagonal angle on film. focal_px: pixels. image_size: width, height."""
    return focal_px / math.hypot(*image_size) * FILM_DIAGONAL_MM


def focal_px(millimetres: float, image_size: tuple[int, int]) -> float:
    """The focal length in pixels of a picture of (width, height) pixels, from its equivalent on film."""
    return millimetres / FILM_DIAGONAL_MM * math.hypot(*image_size)


def is_panorama(image_size: tuple[int, int]) -> bool:
    """Whether a picture of (width, height) pixels is so long that it was probably stitched from several."""
    return max(image_size) > PANORAMA_RATIO * min(image_size)


def guessed_px(image_size: tuple[int, int]) -> float:
    """The focal length in pixels that a picture is taken to have where nothing is known of its lens."""
    return focal_px(PANORAMA_MM if is_panorama(image_size) else USUAL_MM, image_size)
