"""MediaPipe's landmarks of whole people, as its users save them in JSON.

MediaPipe itself writes no file: these are its results by their own names. The layouts are in docs/estimates.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.estimates.checks import picture_side
from solver.estimates.content import numbers
from solver.estimates.estimate import Estimate, KeyPoints, Person
from solver.estimates.key_points import in_camera
from solver.estimates.picture_shares import are_shares

Array = NDArray[np.float64]
IMAGE = ("pose_landmarks", "poseLandmarks", "landmarks")
WORLD = ("pose_world_landmarks", "poseWorldLandmarks", "world_landmarks", "worldLandmarks")
_SIZES = (("image_width", "image_height"), ("imageWidth", "imageHeight"), ("width", "height"))
_COUNT = 33
_FAR, _FOCAL = 4.0, 1400.0  # metres and pixels, for people of whom only landmarks in metres are known
_SMALLEST = 0.002  # extent of a person in the picture, as a share of it
_WAY_OUT = "Save x, y, z and visibility of MediaPipe's 33 landmarks for each person"


def read_mediapipe(content: Any, source: str) -> Estimate | None:
    """`pose_landmarks` and `pose_world_landmarks` of one or several people, or a bare list of 33 landmarks."""
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], Mapping):
        content = content[0] if _named(content[0], (*IMAGE, *WORLD)) else content
    told = content if isinstance(content, Mapping) else {}
    if not told and _are_landmarks(content) and len(content):
        told = {IMAGE[0]: content}
    image, world = _named(told, IMAGE), _named(told, WORLD)
    if image is None and world is None:
        return None
    seen, metres = (_people(told, name, source) if name else [] for name in (image, world))
    if seen and metres and len(seen) != len(metres):
        reason = f"has {len(metres)} people, not {len(seen)} as {image}"
        raise InputRefused(source, reason, "Save both of the same people", str(world))
    if not seen:
        people = [Person(in_camera(one[:, :3] + [0.0, 0.0, _FAR], _FOCAL, one[:, 3])) for one in metres]
        note = "the file does not say where people stand in the picture"
        return Estimate(source, "MediaPipe landmarks", tuple(people), _FOCAL, notes=(note,) if people else ())
    people = []
    for i, one in enumerate(seen):
        pixels, depths, sure = one[:, :2], one[:, 2], one[:, 3]
        if np.ptp(pixels, axis=0).max() < _SMALLEST:
            raise InputRefused(source, "has all landmarks at one place", "Leave that person out", f"{image}[{i}]")
        deep = {"world": metres[i][:, :3]} if metres else {"depths": depths}
        people.append(Person(KeyPoints(pixels, sure, **deep), float(sure.mean())))
    size = _size(told, source)
    return Estimate(source, "MediaPipe landmarks", tuple(people), image_size=size, shares=are_shares(people))


def are_frames(frames: list[Any]) -> bool:
    """Whether these are the landmarks of a film, frame by frame."""
    return all(isinstance(one, Mapping) and _named(one, (*IMAGE, *WORLD)) is not None for one in frames)


def _named(told: Mapping[str, Any], names: tuple[str, ...]) -> str | None:
    return next((name for name in names if name in told and _are_landmarks(told[name])), None)


def _are_landmarks(value: Any) -> bool:
    """Whether something is a list of 33 landmarks, or of people with so many."""
    if isinstance(value, Mapping):
        value = value.get("landmark")
        return isinstance(value, list) and (not value or _is_person(value))
    if isinstance(value, np.ndarray):
        return value.ndim in (2, 3) and value.shape[-2] == _COUNT and value.shape[-1] in (3, 4, 5)
    if not isinstance(value, list):
        return False
    return not value or _is_person(value) or all(isinstance(one, list) and _is_person(one) for one in value)


def _is_person(value: list[Any]) -> bool:
    return len(value) == _COUNT and (all(map(_is_point, value)) or all(map(_is_row, value)))


def _is_point(value: Any) -> bool:
    return isinstance(value, Mapping) and "x" in value and "y" in value


def _is_row(value: Any) -> bool:
    return isinstance(value, list) and len(value) in (3, 4, 5) and all(isinstance(n, int | float) for n in value)


def _people(told: Mapping[str, Any], name: str, source: str) -> list[Array]:
    """(33, 4) x, y, z and visibility of each person."""
    value = told[name]
    value = value["landmark"] if isinstance(value, Mapping) else value
    if len(value) == 0:
        return []
    alone = value.ndim == 2 if isinstance(value, np.ndarray) else _is_person(value)
    people = [value] if alone else value
    return [_landmarks(one, source, name if alone else f"{name}[{i}]") for i, one in enumerate(people)]


def _landmarks(person: Any, source: str, place: str) -> Array:
    if isinstance(person[0], Mapping):
        person = [[one["x"], one["y"], one.get("z", 0.0), one.get("visibility", 1.0)] for one in person]
    rows = numbers(person, source, place)
    if rows.ndim != 2 or len(rows) != _COUNT or rows.shape[1] < 3:
        raise InputRefused(source, f"has the shape {rows.shape}, not ({_COUNT}, 4)", _WAY_OUT, place)
    sure = np.clip(rows[:, 3], 0.0, 1.0) if rows.shape[1] > 3 else np.ones(_COUNT)
    return np.column_stack([rows[:, :3], sure])


def _size(told: Mapping[str, Any], source: str) -> tuple[int, int] | None:
    for names in _SIZES:
        if all(name in told for name in names):
            width, height = (picture_side(told[name], source, name) for name in names)
            return width, height
    return None
