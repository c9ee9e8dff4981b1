"""Checks what files say of their camera: what no camera has is refused, and what does not fit is told in notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.estimates.content import CORRECT, numbers
from solver.estimates.estimate import KeyPoints, Person

Array = NDArray[np.float64]
SAY_RATE = "save with them how many come in a second, as fps"
_NOT_SQUARE = 0.01  # by how much one focal length may miss the other
_FILM = 10  # people; fewer may stand close to one another
_STEP_M = 0.15  # from one frame of a film to the next

LONGEST_SIDE = 100_000  # pixels, as in scene files
_SHORTEST_FOCAL, _LONGEST_FOCAL = 1.0, 1e6  # pixels, the shortest itself excluded


def picture_side(value: Any, source: object, place: str) -> int:
    """Width or height in pixels. InputRefused unless the file holds a single number there, and a possible one."""
    side = _one(value, "side of a picture", "Save its width and height in pixels", source, place)
    if not 1 <= side <= LONGEST_SIDE:
        reason = f"has a picture with a side of {side:g} pixels"
        raise InputRefused(source, reason, "Save its width and height in pixels", place)
    return int(side)


def focal_length(value: Any, source: object, place: str) -> float:
    """Pixels. InputRefused unless the file holds a single number there, and one that a lens can have."""
    focal = _one(value, "focal length", "Save one, in pixels", source, place)
    if not _SHORTEST_FOCAL < focal <= _LONGEST_FOCAL:
        raise InputRefused(source, f"has a focal length of {focal:g} pixels", "Save it in pixels", place)
    return focal


def _one(value: Any, what: str, way_out: str, source: object, place: str) -> float:
    held = numbers(value, source, place, CORRECT).ravel()
    if len(held) != 1:
        raise InputRefused(source, f"holds {len(held)} numbers, not one {what}", way_out, place)
    return float(held[0])


def camera_doubts(k: Array, size: tuple[int, int] | None) -> tuple[str, ...]:
    """About a camera matrix (3, 3), and the width and height of its picture if they are known."""
    told = []
    if abs(k[1, 1] / k[0, 0] - 1.0) > _NOT_SQUARE:
        told.append(f"its camera has two focal lengths ({k[0, 0]:g} and {k[1, 1]:g}), of which the first was taken")
    if size is not None and not (0 <= k[0, 2] <= size[0] and 0 <= k[1, 2] <= size[1]):
        middle, sides = f"({k[0, 2]:g}, {k[1, 2]:g})", f"{size[0]} × {size[1]}"
        told.append(f"its camera's middle {middle} is outside its picture of {sides} pixels: one of the two is wrong")
    return tuple(told)


def outside_doubt(people: Sequence[Person], size: tuple[int, int] | None) -> tuple[str, ...]:
    """About people most of whose key points are outside a picture of that width and height, in pixels."""
    points = [one.content.pixels for one in people if isinstance(one.content, KeyPoints)]
    if size is None or not points:
        return ()
    every = np.concatenate(points)
    every = every[~np.isnan(every[:, 0])]
    outside = ((every < 0) | (every > size)).any(axis=1)
    if outside.mean() <= 0.5:
        return ()
    return (f"most key points are outside its picture of {size[0]} × {size[1]} pixels: one of the two is wrong",)


def film_doubt(places: Array) -> tuple[str, ...]:
    """About people at these places (N, 3), in metres, who may be one person in the frames of a film."""
    if len(places) < _FILM or np.median(np.linalg.norm(np.diff(places, axis=0), axis=1)) > _STEP_M:
        return ()
    return (f"its {len(places)} people stand inside one another: if they are the frames of a film, {SAY_RATE}",)


def whole_rows(
    content: Mapping[str, Any], count: int, tables: Sequence[str], lists: Sequence[str]
) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    """Arrays with people along the first axis without those of whom a number is not finite, and notes on whom. The
    content as it is where that is everybody: its reader refuses it.

    tables, lists: names of arrays, and of those with one number for each person.
    """
    found = {}
    for name in (*tables, *lists):
        table = _table(content.get(name))
        if table is not None and len(table) == count and (table.ndim > 1 or name in lists):
            found[name] = table
    wrong: dict[int, str] = {}
    for name, table in found.items():
        for row in np.flatnonzero(~_whole(table)):
            wrong.setdefault(int(row), name)
    if not 0 < len(wrong) < count:
        return content, ()
    kept = [row for row in range(count) if row not in wrong]
    notes = tuple(_not_finite(row, count, name) for row, name in sorted(wrong.items()))
    return {**content, **{name: table[kept] for name, table in found.items()}}, notes


def held_frames(tables: Sequence[Any], whose: str = "") -> tuple[list[Any], tuple[str, ...]]:
    """Arrays with the frames of a film along the first axis, and notes. Where a number is not finite all have the last
    whole frame before it, or the first one after it.

    As they are where that is every frame, or they are not of the same frames: their reader refuses them.
    """
    whole = _whole_frames(tables)
    if whole is None or whole.all() or not whole.any():
        return list(tables), ()
    left, wrong, count = np.flatnonzero(whole), np.flatnonzero(~whole), len(whole)
    at = left[np.maximum(np.searchsorted(left, np.arange(count), side="right") - 1, 0)]
    which = f"frame {wrong[0] + 1}" if len(wrong) == 1 else f"{len(wrong)} frames, the first of them {wrong[0] + 1},"
    note = f"{which} of {count}{whose} held a number that is not finite (NaN or infinite): the pose before stands in"
    return [np.asarray(table, dtype=np.float64)[at] for table in tables], (note,)


def has_whole_frame(tables: Sequence[Any]) -> bool:
    """Whether in some frame of such arrays all numbers are finite; true as well where that cannot be told."""
    whole = _whole_frames(tables)
    return whole is None or bool(whole.any())


def _whole_frames(tables: Sequence[Any]) -> NDArray[np.bool_] | None:
    """(T,) in which frames all numbers are finite; None for what is not of the same frames."""
    arrays = [_table(table) for table in tables]
    found = [array for array in arrays if array is not None and array.ndim > 1]
    if len(found) < len(tables) or len(set(map(len, found))) != 1:
        return None
    return np.asarray(np.stack([_whole(array) for array in found]).all(axis=0))


def people_missing(left_out: int, count: int) -> tuple[str, ...]:
    """A note on how many people of a film were left out, as they have no whole frame."""
    were = "was" if left_out == 1 else "were"
    return (f"{left_out} of {count} people {were} left out: in each frame a number is not finite",) * bool(left_out)


def film_gaps(left_out: int, count: int, what: str = "poses in its frames") -> tuple[str, ...]:
    """A note on how many of a film's poses or frames were left out, as a number in each is not finite."""
    if not left_out:
        return ()
    were = "was" if left_out == 1 else "were"
    return (f"{left_out} of {count} {what} {were} left out: a number is not finite (NaN, infinite or null)",)


def are_whole(*values: Any) -> bool:
    """Whether every number in arrays or lists is finite; true for what is no numbers."""
    return all(table is None or bool(np.isfinite(table).all()) for table in map(_table, values))


def _table(value: Any) -> Array | None:
    """What has rows of numbers; None for anything else, of which its reader says what is wrong."""
    try:
        table = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        return None
    return table if table.size and table.ndim else None


def _whole(table: Array) -> NDArray[np.bool_]:
    """(N,) in which rows all numbers are finite."""
    return np.asarray(np.isfinite(table).reshape(len(table), -1).all(axis=1))


def whole_people(people: Sequence[Mapping[str, Any]], names: Sequence[str]) -> tuple[set[int], tuple[str, ...]]:
    """The numbers of people in a list, from 0, of whom a number under these names is not finite, and notes on them;
    none where that is everybody."""
    wrong: dict[int, str] = {}
    for place, one in enumerate(people):
        for name in names:
            if not are_whole(one.get(name)):
                wrong.setdefault(place, name)
    if len(wrong) == len(people):
        return set(), ()
    return set(wrong), tuple(_not_finite(place, len(people), name) for place, name in wrong.items())


def _not_finite(place: int, count: int, name: str) -> str:
    return f"person {place + 1} of {count} was left out: a number in {name} is not finite (NaN, infinite or null)"
