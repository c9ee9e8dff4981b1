"""Films by person, seen by a camera: VIBE's, PARE's and the like, and WHAM's of several people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver import focal_length
from solver.errors import InputRefused
from solver.estimates.checks import has_whole_frame, held_frames, people_missing
from solver.estimates.content import numbers
from solver.estimates.estimate import Estimate, Person
from solver.estimates.smpl_parameters import hmr2_person

Array = NDArray[np.float64]
Content = Mapping[str, Any]
WHAM_FOCAL = 1.147  # of a film's longer side: as long as its diagonal, of 16 to 9
_HELD = ("pose", "orig_cam", "trans", "joints3d", "betas")  # each with a row for each frame
_USUAL = focal_length.guessed_px((1600, 900)) / 1600


def read_person_films(content: Any, source: str) -> Estimate | None:
    """A person's number -> `pose` (T, 72) or (T, 24, 3, 3) and `frame_ids` (T), with VIBE's `orig_cam` (T, 4) or WHAM's
    `trans` (T, 3)."""
    if not isinstance(content, Mapping) or not content:
        return None
    if not all(isinstance(one, Mapping) and "pose" in one for one in content.values()):
        return None
    weak = [name for name, one in content.items() if "orig_cam" in one]
    bare = [name for name, one in content.items() if "orig_cam" not in one and "trans" not in one]
    if len(bare) == len(content):
        return None
    if bare or 0 < len(weak) < len(content):
        way_out = "Save orig_cam, as VIBE does, or trans, as WHAM does, for each person"
        raise InputRefused(source, "does not say where that person is seen", way_out, str((bare or weak)[0]))
    seen = {name: one for name, one in content.items() if has_whole_frame(_rows_of(one))} or content
    films = {str(name): _held(one, f" of person {name}") for name, one in seen.items()}
    people = [person for name, (one, _) in films.items() for person in _person(name, one, source)]
    told = tuple(note for _, held in films.values() for note in held)
    told += people_missing(len(content) - len(seen), len(content))
    if weak:
        note = "its camera has no perspective: how far people are away is a guess"
        return Estimate(source, "VIBE or PARE", tuple(people), focal_share=_USUAL, notes=(*told, note))
    return Estimate(source, "WHAM", tuple(people), focal_share=WHAM_FOCAL, notes=told)


def _rows_of(one: Content) -> list[Any]:
    return [one[name] for name in _HELD if name in one]


def _held(one: Content, whose: str) -> tuple[Content, tuple[str, ...]]:
    """A person with whole frames in place of those that hold numbers that are not finite, and notes on them."""
    rows, notes = held_frames(_rows_of(one), whose)
    return {**one, **dict(zip([name for name in _HELD if name in one], rows, strict=True))}, notes


def _person(name: str, one: Content, source: str) -> list[Person]:
    poses = numbers(one["pose"], source, f"{name}, pose")
    count = len(poses) if poses.ndim > 1 else 0
    if not count:
        raise InputRefused(source, f"has the shape {poses.shape}, not (T, 72)", "Save it again", f"{name}, pose")
    turns = poses.reshape(count, -1)
    root = 9 if turns.shape[1] > 72 else 3
    if turns.shape[1] not in (72, 216):
        reason = f"has {turns.shape[1]} numbers a frame, not 72 or 216"
        raise InputRefused(source, reason, "Save SMPL's 24 joints", f"{name}, pose")
    places = _places(name, one, count, source)
    frames = _rows(one.get("frame_ids", np.arange(count)), count, 1, source, f"{name}, frame_ids")[:, 0]
    joints = numbers(one.get("joints3d", ()), source, f"{name}, joints3d")
    betas = numbers(one.get("betas", ()), source, f"{name}, betas")
    people = []
    for i in range(count):
        told = {"global_orient": turns[i, :root], "body_pose": turns[i, root:]}
        if betas.shape == (count, 10):
            told["betas"] = betas[i]
        seen = joints[i] if joints.ndim == 3 and len(joints) == count else None
        content = hmr2_person(told, places[i], seen, source, f"{name}, frame {i + 1}")
        people.append(Person(content, track=name, frame=int(frames[i])))
    return people


def _places(name: str, one: Content, count: int, source: str) -> Array:
    """(T, 3) metres in the camera's frame."""
    if "orig_cam" not in one:
        return _rows(one["trans"], count, 3, source, f"{name}, trans")
    across, down, x, y = _rows(one["orig_cam"], count, 4, source, f"{name}, orig_cam").T
    if min(across.min(), down.min()) <= 1e-6:
        raise InputRefused(source, "has a scale of 0", "Leave that person out", f"{name}, orig_cam")
    return np.column_stack([x, y, 2 * _USUAL / np.minimum(across, down)])


def _rows(value: Any, count: int, width: int, source: str, place: str) -> Array:
    table = numbers(value, source, place)
    if table.size != count * width:
        reason = f"has the shape {table.shape}, not {(count, width)}"
        raise InputRefused(source, reason, "Save a row for each frame", place)
    return table.reshape(count, width)
