"""Labels of a folder as COCO key points: 17 of each person, in pixels, with their visibility."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character
from app.document.model.figure import body_of, joints_of
from solver.camera import PinholeCamera
from solver.estimates.points_of_body import seen_points
from solver.size_limits import MAX_PEOPLE

_PAIRS = ("eye", "ear", "shoulder", "elbow", "wrist", "hip", "knee", "ankle")
KEY_POINTS = ("nose", *(f"{side}_{part}" for part in _PAIRS for side in ("left", "right")))  # COCO's names and order
# Which of BlazePose's marks they are.
_MARKS = (0, 2, 5, 7, 8, *range(11, 17), *range(23, 29))
_LIMBS = (
    (16, 14), (14, 12), (17, 15), (15, 13), (12, 13), (6, 12), (7, 13), (6, 7), (6, 8), (7, 9), (8, 10), (9, 11),
    (2, 3), (1, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7),
)  # fmt: skip
SEEN, NOT_LABELLED = 2, 0


@dataclass(frozen=True)
class CocoRow:
    """One picture's part of the file, ready to be written: an image, and its people."""

    image: str
    people: tuple[str, ...]


def coco_row(
    number: int, file_name: str, size: tuple[int, int], checked: bool, people: Sequence[NDArray[np.float64]]
) -> CocoRow:
    """A picture's part of the file. number: its place in the folder, from 1. people: the (17, 3) key points of each.

    Ids follow from the place alone, so that one picture's part can be rewritten without the others. People of whom
    nothing spans a box in the picture are left out: what reads such files refuses boxes without an area.
    """
    width, height = size
    image = {"id": number, "file_name": file_name, "width": width, "height": height, "checked": checked}
    first = (number - 1) * MAX_PEOPLE + 1
    rows = [
        {"id": first + place, "image_id": number, "category_id": 1, **_measured(points)}
        for place, points in enumerate(people)
        if _in_picture(points)
    ]
    return CocoRow(_line(image), tuple(map(_line, rows)))


def coco_text(rows: Iterable[CocoRow]) -> str:
    """The whole file, one picture or person to a line."""
    every = tuple(rows)
    category = {"id": 1, "name": "person", "supercategory": "person", "keypoints": list(KEY_POINTS), "skeleton": _LIMBS}
    lists = {
        "images": [row.image for row in every],
        "annotations": [person for row in every for person in row.people],
        "categories": [_line(category)],
    }
    parts = (f'"{name}": [' + ",".join(f"\n{line}" for line in lines) + "\n]" for name, lines in lists.items())
    return "{" + ",\n".join(parts) + "}\n"


def key_points(character: Character, camera: PinholeCamera) -> NDArray[np.float64]:
    """(17, 3): x and y in pixels and COCO's visibility: 2 within the picture, else all three 0."""
    points, posed = seen_points(body_of(character)), joints_of(character)
    pixels = camera.project(points.places(posed.positions, posed.rotations))
    order, found = list(points.landmark), np.zeros((len(KEY_POINTS), 3))
    for row, mark in zip(found, _MARKS, strict=True):
        if mark not in order:  # a body without eyes
            continue
        place = pixels[order.index(mark)]
        if ((place >= 0) & (place < camera.image_size)).all():  # false for NaN, too
            row[:] = *place, SEEN
    return found


def rounded(points: NDArray[np.float64]) -> list[list[float]]:
    """Key points as in a label: pixels to a thousandth, visibility as a whole number."""
    return [[round(float(x), 3), round(float(y), 3), int(seen)] for x, y, seen in points]


def _in_picture(points: NDArray[np.float64]) -> bool:
    seen = points[points[:, 2] > NOT_LABELLED, :2]
    return len(seen) > 1 and bool((np.ptp(seen, axis=0) > 0).all())


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _measured(points: NDArray[np.float64]) -> dict[str, Any]:
    seen = points[points[:, 2] > NOT_LABELLED, :2]
    low, high = seen.min(axis=0), seen.max(axis=0)
    width, height = (float(side) for side in high - low)
    return {
        "keypoints": [value for row in rounded(points) for value in row],
        "num_keypoints": len(seen),
        "bbox": [*(round(float(v), 3) for v in low), round(width, 3), round(height, 3)],
        "area": round(width * height, 3),
        "iscrowd": 0,
    }
