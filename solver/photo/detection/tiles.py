"""Where the detector looks: the whole picture and tiles of it, upright and turned, since it knows people upright."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from solver.focal_length import is_panorama
from solver.photo.detection.blazepose import Answers, Detections, Region, detect

Array = NDArray[np.float64]
Box = tuple[float, float, float, float]
TileSearch = Callable[[], list[Detections]]  # somewhere to look: a call returns what is detected there
DETECTION_THRESHOLD = 0.4
SEARCH_SIDE = (
    1024  # pixels of the longest side: a tile of the smallest share still has more than the detector's own side
)
DEFAULT_GRIDS = (1, 2, 3)  # shares of the longest side
_TILE_OVERLAP = 1.3
_TURNS = {1: Image.Transpose.ROTATE_90, 2: Image.Transpose.ROTATE_180, 3: Image.Transpose.ROTATE_270}


@dataclass(frozen=True)
class SearchPattern:
    """How a picture is searched. quarters: rotated to the left by this many. grids: shares of its longest side."""

    quarters: int
    grids: tuple[int, ...] = DEFAULT_GRIDS


def downscaled_for_search(picture: Image.Image) -> tuple[Image.Image, int]:
    """The picture as small as the detector needs it, and how many of the original pixels make one of its own."""
    factor = max(min(max(picture.size) // SEARCH_SIDE, min(picture.size) // (SEARCH_SIDE // max(DEFAULT_GRIDS))), 1)
    return (picture.reduce(factor) if factor > 1 else picture), factor


def rescaled(found: Detections, factor: int) -> Detections:
    """Detections in a picture `factor` times as large."""
    return Detections(found.scores, found.boxes * factor, found.points * factor)


def tile_searches(
    picture: Image.Image, pattern: SearchPattern, factor: int, answers: Answers | None = None
) -> list[TileSearch]:
    """A search of each tile of a picture. Detections are in pixels of the upright picture, made `factor` times
    as large. answers: see `detect`."""
    turned = rotated_picture(picture, pattern.quarters)

    def detected(tile: Box) -> list[Detections]:
        found = detect(turned, tile, DETECTION_THRESHOLD, answers)
        return [rescaled(rotated_back(found, pattern.quarters, picture.size), factor)]

    return [partial(detected, tile) for tile in tile_boxes(*turned.size, pattern.grids)]


def rotated_picture(picture: Image.Image, quarters: int) -> Image.Image:
    """The picture turned to the left by this many quarters."""
    return picture.transpose(_TURNS[quarters]) if quarters else picture


def rotated_back(found: Detections, quarters: int, size: tuple[int, int]) -> Detections:
    """Detections in a picture of a size that was turned by quarters, to the left, in that picture's own pixels."""
    if not quarters:
        return found
    width, height = size
    centre = np.array([(height if quarters % 2 else width) / 2, (width if quarters % 2 else height) / 2])
    turn = np.round(Region((0.0, 0.0), 1.0, quarters * np.pi / 2).turn)
    corners = (found.boxes.reshape(-1, 2, 2) - centre) @ turn.T + [width / 2, height / 2]
    boxes = np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)
    return Detections(found.scores, boxes, (found.points - centre) @ turn.T + [width / 2, height / 2])


def tile_boxes(width: int, height: int, grids: Sequence[int] = DEFAULT_GRIDS) -> Iterator[Box]:
    """The whole picture, then overlapping tiles of a half and a third of its longest side, or of other shares.

    For a panorama, squares of its whole height as well.
    """
    longest, shortest = max(width, height), min(width, height)
    sides = [longest / grid * _TILE_OVERLAP for grid in grids if grid > 1]
    if 1 in grids:
        yield 0.0, 0.0, float(width), float(height)
        if is_panorama((width, height)):  # whose tiles by those shares are mostly empty
            sides.append(float(shortest))
    for side in sides:
        for top in _starts(height, side):
            for left in _starts(width, side):
                yield left, top, min(left + side, width), min(top + side, height)


def _starts(length: float, side: float) -> Array:
    if side >= length:
        return np.zeros(1)
    count = int(np.ceil(length / side * 1.15))
    return np.linspace(0.0, length - side, max(count, 2))
