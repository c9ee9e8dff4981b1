"""What is in a box of a picture, looked at upright and turned by quarters: networks know people upright."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from PIL import Image

from solver.photo.detection.blazepose import Landmarks, Region
from solver.photo.detection.regions import distinct_looks, looks_at
from solver.photo.detection.repeated_looks import with_quick_looks

Box = tuple[float, float, float, float]
AROUND = (1.25, 1.5)  # of the box's longer side: squares that the networks look at


def readings_of(
    picture: Image.Image, box: Box, quarters: float, around: Sequence[float] = AROUND,
    worth: Callable[[Landmarks], bool] | None = None,
) -> list[Landmarks]:  # fmt: skip
    """People seen in a box of pixels with the head this many quarter turns round, by several looks each.

    box: left, top, right, bottom. around: sizes of the squares that are looked at, in units of the box's longer side.
    worth: as in `with_quick_looks`.
    """
    looks = [look for region in _regions(box, quarters, around) for look in looks_at(picture, region)]
    seen = [with_quick_looks(picture, look, worth) for look in distinct_looks(looks)]
    return [person for person in seen if person.looks]


def _regions(box: Box, quarters: float, around: Sequence[float]) -> list[Region]:
    """Squares round a box, the head this many quarter turns round."""
    left, top, right, bottom = box
    centre, side = ((left + right) / 2, (top + bottom) / 2), max(right - left, bottom - top)
    return [Region(centre, side * scale, quarters * np.pi / 2) for scale in around]


def box_of(person: Landmarks, size: tuple[int, int]) -> Box:
    """Left, top, right, bottom of a person in a picture of that size (width, height), with a small margin."""
    seen = person.pixels[:33][person.visibility > 0.3]
    points = seen if len(seen) > 3 else person.pixels[:33]
    air = 0.06 * float(np.linalg.norm(np.ptp(points, axis=0)))
    low, high = points.min(axis=0) - air, points.max(axis=0) + air
    low, high = np.clip(low, 0, size), np.clip(high, 0, size)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])
