"""Paints over people already found, so that those beside or behind them can be found and looked at alone.

Of several people close together the detector marks the clearest, and the landmark networks take a limb of one for the
other's. Painted over in the colours around them, people who are known no longer draw attention.

The first of a couple is found while the other is still in the picture, and the other where the first is painted over
with all that lies in front of them. Once both are known, each can be looked at `alone`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from solver.photo.detection.blazepose import Landmarks, Region, region_of
from solver.photo.detection.plausibility import extent

Array = NDArray[np.float64]
_LINES = (
    (11, 13, 15, 19), (12, 14, 16, 20), (23, 25, 27, 31), (24, 26, 28, 32), (27, 29), (28, 30),
)  # fmt: skip
_TRUNK, _EARS, _SHOULDERS = (11, 12, 24, 23), (7, 8), (11, 12)
_LIMB, _HEAD, _BLUR = 0.075, 0.07, 0.08  # shares of the extent: width, radius, how far colours come from
_BONE = 0.02  # share of the extent: as thin as this, lines between landmarks lie within the limbs
_COARSE = 8  # pixels of the picture to one pixel of the blurred colours
_LEAST = 0.02  # share of pixels known, from which a colour can be told
_REACH = 0.85  # of the side of somebody's square, from its middle: the corners of the largest square of a look
_AIR = 0.07  # of the extent, about landmarks: limbs have a thickness


def without_people(picture: Image.Image, people: Sequence[Landmarks]) -> Image.Image:
    """A copy of an RGB picture with people painted over; the picture itself where there are none."""
    return _painted(picture, (0, 0, *picture.size), people) if people else picture


def partners(person: Landmarks, people: Sequence[Landmarks]) -> list[Landmarks]:
    """Those of the people, but for the person, whom looks at the person show too; in the same order."""
    low, high = _sight(person)

    def is_in_sight(other: Landmarks) -> bool:
        marks, air = other.pixels[:33], _AIR * extent(other)
        return bool((marks.max(axis=0) + air > low).all() and (marks.min(axis=0) - air < high).all())

    return [other for other in people if other is not person and is_in_sight(other)]


def alone(picture: Image.Image, person: Landmarks, others: Sequence[Landmarks]) -> Image.Image:
    """A copy of an RGB picture in which others are painted over as far as looks at the person reach, except where the
    person is, before or behind them."""
    low, high = (np.clip(corner, 0, picture.size).astype(int) for corner in _sight(person))
    if (high - low < 1).any():
        return picture
    return _painted(picture, (int(low[0]), int(low[1]), int(high[0]), int(high[1])), others, except_for=person)


def _sight(person: Landmarks) -> tuple[Array, Array]:
    """The left top and right bottom corner of what looks at a person reach, pixels (2,) each."""
    square = region_of(person.pixels[33], person.pixels[34])
    middle = np.array(square.centre)
    return middle - _REACH * square.side, middle + _REACH * square.side


def _painted(
    picture: Image.Image,
    box: tuple[int, int, int, int],
    people: Sequence[Landmarks],
    except_for: Landmarks | None = None,
) -> Image.Image:
    """`without_people` within a box (left, top, right, bottom) of a picture, whose colours alone count.

    except_for: somebody whose limbs, trunk and head stay, where others are before or behind them.
    """
    left, top, right, bottom = box
    size = (right - left, bottom - top)
    gone = _outline(size, _shifted(people, left, top))
    if except_for is not None:
        gone = ImageChops.subtract(gone, _outline(size, _shifted([except_for], left, top)))
    return painted_over(picture, gone, max(extent(person) for person in people), box)


def painted_over(
    picture: Image.Image, gone: Image.Image, size: float, box: tuple[int, int, int, int] | None = None
) -> Image.Image:
    """A copy of an RGB picture with what is white in `gone` painted over in the colours around it.

    size: pixels, the extent of the largest who is. box: left, top, right, bottom of the part of the picture that `gone`
    is about, whose colours alone count; by default all.
    """
    left, top, right, bottom = box = box or (0, 0, *picture.size)
    painted, (width, height) = picture.copy(), (right - left, bottom - top)
    bounds = gone.getbbox()
    if bounds is None:
        return painted
    coarse = max(width // _COARSE, 1), max(height // _COARSE, 1)
    pixels = np.asarray(picture.resize(coarse, Image.Resampling.BOX, box), dtype=np.float32)
    seen = (np.asarray(gone.resize(coarse, Image.Resampling.BOX)) == 0)[..., None].astype(np.float32)
    radius = _BLUR * size / _COARSE
    colours, known = _smooth(pixels * seen, radius), _smooth(255 * seen, radius) / 255
    around = np.where(known > _LEAST, colours / np.maximum(known, _LEAST), pixels.mean(axis=(0, 1)))
    # Only as much is enlarged as is painted: in a large picture the rest would take most of the time.
    x0, y0, x1, y1 = bounds
    across, down = coarse[0] / width, coarse[1] / height
    paint = Image.fromarray(around.clip(0, 255).astype(np.uint8)).resize(
        (x1 - x0, y1 - y0), box=(x0 * across, y0 * down, x1 * across, y1 * down)
    )
    painted.paste(paint, (left + x0, top + y0), gone.crop(bounds))
    return painted


def _shifted(people: Sequence[Landmarks], left: int, top: int) -> list[Landmarks]:
    """People in the pixels of a part of the picture with this left and top edge."""
    return [replace(person, pixels=person.pixels - [left, top]) for person in people]


def limbs_drawn(size: tuple[int, int], people: Sequence[Landmarks], square: Region) -> Image.Image:
    """Limbs, trunks and heads of people in a square of the picture, drawn at a size; white on black."""
    return _outline(size, _in_square(people, square, size[0]))


def bones_drawn(size: tuple[int, int], people: Sequence[Landmarks], square: Region) -> Image.Image:
    """`limbs_drawn`, so thin that all of it is the people's own."""
    return _outline(size, _in_square(people, square, size[0]), _BONE, _BONE)


def _in_square(people: Sequence[Landmarks], square: Region, side: int) -> list[Landmarks]:
    corner, scale = square.to_picture(np.zeros(2)), side / square.side
    return [replace(person, pixels=(person.pixels - corner) * scale) for person in people]


def _outline(
    size: tuple[int, int], people: Sequence[Landmarks], limb: float = _LIMB, head_radius: float = _HEAD
) -> Image.Image:
    """Limbs as thick lines, the trunk, and a disc for the head; white on black. limb, head_radius: shares of the
    extent."""
    outline = Image.new("L", size, 0)
    draw = ImageDraw.Draw(outline)
    for person in people:
        at, width = person.pixels, max(int(limb * extent(person)), 2)
        for line in _LINES:
            for start, end in pairwise(line):
                draw.line([*at[start], *at[end]], fill=255, width=width)
        trunk = [tuple(at[mark]) for mark in _TRUNK]
        draw.polygon(trunk, fill=255)
        draw.line([*trunk, trunk[0]], fill=255, width=width)
        head, neck = at[list(_EARS)].mean(axis=0), at[list(_SHOULDERS)].mean(axis=0)
        radius = head_radius * extent(person)
        draw.ellipse([*(head - radius), *(head + radius)], fill=255)
        draw.line([*head, *neck], fill=255, width=width)
    return outline


def _smooth(values: NDArray[np.floating], radius: float) -> NDArray[np.float32]:
    """(H, W, C) of 0..255, blurred by a radius in pixels."""
    image = Image.fromarray((values[..., 0] if values.shape[2] == 1 else values).clip(0, 255).astype(np.uint8))
    blurred = image.filter(ImageFilter.GaussianBlur(max(radius, 1)))
    return np.asarray(blurred, dtype=np.float32).reshape(values.shape)
