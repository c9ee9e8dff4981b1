"""Paints over people already found, so that those beside or behind them can be found and looked at alone.

Of several people close together the detector marks the clearest, and the landmark networks take a limb of one for the
other's. Painted over in the colours around them, people who are known no longer draw attention.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.plausibility import extent

Array = NDArray[np.float64]
_LINES = (
    (11, 13, 15, 19), (12, 14, 16, 20), (23, 25, 27, 31), (24, 26, 28, 32), (27, 29), (28, 30),
)  # fmt: skip
_TRUNK, _EARS, _SHOULDERS = (11, 12, 24, 23), (7, 8), (11, 12)
_LIMB, _HEAD, _BLUR = 0.075, 0.07, 0.08  # shares of the extent: width, radius, how far colours come from
_COARSE = 8  # pixels of the picture to one pixel of the blurred colours
_LEAST = 0.02  # share of pixels known, from which a colour can be told


def without_people(picture: Image.Image, people: Sequence[Landmarks]) -> Image.Image:
    """A copy of an RGB picture with people painted over; the picture itself where there are none."""
    if not people:
        return picture
    gone = _outline(picture.size, people)
    width, height = (max(side // _COARSE, 1) for side in picture.size)
    coarse = width, height
    pixels = np.asarray(picture.resize(coarse, Image.Resampling.BOX), dtype=np.float32)
    seen = (np.asarray(gone.resize(coarse, Image.Resampling.BOX)) == 0)[..., None].astype(np.float32)
    radius = _BLUR * max(extent(person) for person in people) / _COARSE
    colours, known = _smooth(pixels * seen, radius), _smooth(255 * seen, radius) / 255
    around = np.where(known > _LEAST, colours / np.maximum(known, _LEAST), pixels.mean(axis=(0, 1)))
    paint = Image.fromarray(around.clip(0, 255).astype(np.uint8)).resize(picture.size)
    return Image.composite(paint, picture, gone)


def _outline(size: tuple[int, int], people: Sequence[Landmarks]) -> Image.Image:
    """Limbs as thick lines, the trunk, and a disc for the head; white on black."""
    outline = Image.new("L", size, 0)
    draw = ImageDraw.Draw(outline)
    for person in people:
        at, width = person.pixels, max(int(_LIMB * extent(person)), 2)
        for line in _LINES:
            for start, end in pairwise(line):
                draw.line([*at[start], *at[end]], fill=255, width=width)
        trunk = [tuple(at[mark]) for mark in _TRUNK]
        draw.polygon(trunk, fill=255)
        draw.line([*trunk, trunk[0]], fill=255, width=width)
        head, neck = at[list(_EARS)].mean(axis=0), at[list(_SHOULDERS)].mean(axis=0)
        radius = _HEAD * extent(person)
        draw.ellipse([*(head - radius), *(head + radius)], fill=255)
        draw.line([*head, *neck], fill=255, width=width)
    return outline


def _smooth(values: NDArray[np.floating], radius: float) -> NDArray[np.float32]:
    """(H, W, C) of 0..255, blurred by a radius in pixels."""
    image = Image.fromarray((values[..., 0] if values.shape[2] == 1 else values).clip(0, 255).astype(np.uint8))
    blurred = image.filter(ImageFilter.GaussianBlur(max(radius, 1)))
    return np.asarray(blurred, dtype=np.float32).reshape(values.shape)
