"""Labels of a folder as COCO has key points: 17 of each person, in pixels, with their visibility."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character, Document
from app.document.posing.solving import body_of, joints_of
from app.document.scene_file.photos import relative_path
from solver.camera import PinholeCamera
from solver.photo.fit.evidence import body_points

_PAIRS = ("eye", "ear", "shoulder", "elbow", "wrist", "hip", "knee", "ankle")
KEY_POINTS = ("nose", *(f"{side}_{part}" for part in _PAIRS for side in ("left", "right")))  # COCO's names and order
# Which of BlazePose's marks they are; the body has no marks for eyes.
_MARKS = (0, None, None, 7, 8, *range(11, 17), *range(23, 29))
_LIMBS = (
    (16, 14), (14, 12), (17, 15), (15, 13), (12, 13), (6, 12), (7, 13), (6, 7), (6, 8), (7, 9), (8, 10), (9, 11),
    (2, 3), (1, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7),
)  # fmt: skip
SEEN, NOT_LABELLED = 2, 0


def coco_of(pictures: Sequence[tuple[Path, Document, bool]], folder: Path) -> dict[str, Any]:
    """The whole file. pictures: each with its people and camera, and whether it was checked; told as from `folder`."""
    images: list[dict[str, Any]] = []
    people: list[dict[str, Any]] = []
    for number, (path, document, checked) in enumerate(pictures, start=1):
        if document.photo is None:
            continue
        camera = document.photo.camera
        width, height = camera.image_size
        name = relative_path(str(path.absolute()), folder.absolute())
        images.append({"id": number, "file_name": name, "width": width, "height": height, "checked": checked})
        for character in document.characters:
            points = key_points(character, camera)
            people.append({"id": len(people) + 1, "image_id": number, "category_id": 1, **_measured(points)})
    category = {"id": 1, "name": "person", "supercategory": "person", "keypoints": list(KEY_POINTS)}
    return {"images": images, "annotations": people, "categories": [{**category, "skeleton": [*map(list, _LIMBS)]}]}


def key_points(character: Character, camera: PinholeCamera) -> NDArray[np.float64]:
    """(17, 3): x and y in pixels and COCO's visibility: 2 within the picture, else all three 0."""
    points, posed = body_points(body_of(character)), joints_of(character)
    pixels = camera.project(points.places(posed.positions, posed.rotations))
    order, found = list(points.landmark), np.zeros((len(KEY_POINTS), 3))
    for row, mark in zip(found, _MARKS, strict=True):
        if mark is None:
            continue
        place = pixels[order.index(mark)]
        if ((place >= 0) & (place < camera.image_size)).all():  # false for NaN, too
            row[:] = *place, SEEN
    return found


def _measured(points: NDArray[np.float64]) -> dict[str, Any]:
    seen = points[points[:, 2] > NOT_LABELLED, :2]
    low, high = (seen.min(axis=0), seen.max(axis=0)) if len(seen) else (np.zeros(2), np.zeros(2))
    width, height = (float(side) for side in high - low)
    return {
        "keypoints": [int(v) if i % 3 == 2 else round(float(v), 3) for i, v in enumerate(points.ravel())],
        "num_keypoints": len(seen),
        "bbox": [*(round(float(v), 3) for v in low), round(width, 3), round(height, 3)],
        "area": round(width * height, 3),
        "iscrowd": 0,
    }
