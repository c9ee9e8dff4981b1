"""Checks what files say about their picture's camera: a side in pixels, and a focal length."""

from __future__ import annotations

from typing import Any

from solver.errors import InputRefused
from solver.estimates.content import numbers

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
    held = numbers(value, source, place).ravel()
    if len(held) != 1:
        raise InputRefused(source, f"holds {len(held)} numbers, not one {what}", way_out, place)
    return float(held[0])
