"""The points of a person on their photo, and the person with some of them put elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character
from solver.body.catalog import load_body
from solver.camera import PinholeCamera
from solver.errors import PoserError
from solver.kinematics.pose import Pose
from solver.photo.refit import marked_points, refit
from solver.photo.sighting import NAMES, SeenPoint, Sighting

Array = NDArray[np.float64]
TITLES = {
    0: "Nose", 7: "Left ear", 8: "Right ear", 11: "Left shoulder", 12: "Right shoulder", 13: "Left elbow",
    14: "Right elbow", 15: "Left wrist", 16: "Right wrist", 19: "Left fingers", 20: "Right fingers", 23: "Left hip",
    24: "Right hip", 25: "Left knee", 26: "Right knee", 27: "Left ankle", 28: "Right ankle", 29: "Left heel",
    30: "Right heel", 31: "Left toes", 32: "Right toes",
}  # fmt: skip
# Pairs of points joined by a line to show what belongs together.
LINES = (
    (7, 0), (0, 8), (11, 12), (11, 13), (13, 15), (15, 19), (12, 14), (14, 16), (16, 20), (11, 23), (12, 24), (23, 24),
    (23, 25), (25, 27), (27, 29), (29, 31), (24, 26), (26, 28), (28, 30), (30, 32),
)  # fmt: skip

# The joint of our skeletons at, or next to, a point of an arm or a leg.
JOINTS: Mapping[int, str] = MappingProxyType(
    {
        mark: name.replace("fingers", "hand").replace("heel", "ankle").replace("toes", "foot")
        for mark, name in NAMES.items()
        if name != "nose" and not name.endswith("ear")
    }
)


def photo_points(character: Character, camera: PinholeCamera) -> dict[int, Array]:
    """(2,) pixels of the photo by BlazePose's number; none of a character of another skeleton."""
    try:
        found = marked_points(load_body(character.body), character.shape, character.pose, camera)
    except PoserError:
        return {}
    return {int(mark): at for mark, at in zip(found.landmark, found.pixels, strict=True) if int(mark) in TITLES}


def from_marks(character: Character, camera: PinholeCamera) -> dict[int, Array]:
    """(2,) pixels from where networks mark points to where these are shown; empty for another skeleton."""
    try:
        marks = marked_points(load_body(character.body), character.shape, character.pose, camera, by_networks=True)
    except PoserError:
        return {}
    at, shown = dict(zip(marks.landmark.tolist(), marks.pixels, strict=True)), photo_points(character, camera)
    return {mark: place - at[mark] for mark, place in shown.items()}


def with_points(character: Character, camera: PinholeCamera, put: Mapping[int, Array]) -> Pose:
    """The character's pose with these points at these (2,) pixels of the photo."""
    return refit(load_body(character.body), character.shape, character.pose, camera, put)


def surely_seen(sighting: Sighting | None, photo: str, put: Mapping[int, Array]) -> Sighting:
    """What was seen in a photo, with points where the user put them, which count as entirely sure.

    photo: the SHA-256 of its file; what was seen in another photo stays as it is. put: (2,) pixels by BlazePose's
    numbers. Their depths, which nobody put, are as unsure as before.
    """
    before = sighting if sighting is not None else Sighting(photo)
    if before.photo != photo:
        return before
    points = {point.name: point for point in before.points}
    for mark, (x, y) in put.items():
        pixel = (round(float(x), 2), round(float(y), 2))
        known = points.get(NAMES[mark], SeenPoint(NAMES[mark], pixel))
        points[known.name] = replace(known, pixel=pixel, confidence=1.0, pixel_spread=None)
    return replace(before, points=tuple(points.values()))
