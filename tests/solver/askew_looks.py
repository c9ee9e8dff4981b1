"""Somebody seen in a square that lies askew about them, so that the heavy network's looks disagree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PIL import Image

from solver.photo.detection.blazepose import Landmarks, Region, landmarks
from solver.photo.detection.plausibility import limbs_apart
from solver.photo.detection.repeated_looks import close_looks, sides_united, with_close_looks, with_quick_looks

BOX = (437.0, 58.0, 854.0, 661.0)  # of one of the two people of `sample_files.TWO_PEOPLE`


def apart(person: Landmarks) -> float:
    """How far the heavy network's looks disagree, a share of the extent."""
    return limbs_apart(sides_united(person.looks)) or 0.0


def seen_from(picture: Image.Image, square: Region) -> Landmarks:
    """Somebody whose looks are all in a square that was put there, wherever they are in it."""
    first = landmarks(picture, square)
    pixels, up = first.pixels.copy(), np.array([np.sin(square.angle), -np.cos(square.angle)])
    pixels[33] = square.centre
    pixels[34] = pixels[33] + square.side / 2.5 * up
    quick = with_quick_looks(picture, replace(first, pixels=pixels))
    return with_close_looks(quick, close_looks(picture, quick))


def seen_askew(picture: Image.Image, box: Sequence[float]) -> Landmarks:
    """Whoever is in a box, seen in a square half as large again, aside and turned by 30°; nothing beside the box."""
    left, top, right, bottom = (round(value) for value in box)
    alone = Image.new("RGB", picture.size)
    alone.paste(picture.crop((left, top, right, bottom)), (left, top))
    side = 1.25 * max(right - left, bottom - top)
    return seen_from(alone, Region(((left + right) / 2 + 0.1 * side, (top + bottom) / 2), 1.5 * side, 0.5))
