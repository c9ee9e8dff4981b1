"""Faces that are surely ones, and which of them are the same."""

from __future__ import annotations

import numpy as np

from solver.photo.detection.blazepose import Face

_PRESENT, _LEAST = 0.5, 20.0  # of the network's presence; pixels
_SAME = 0.4  # of a face's size between two that are one


def sure_face(face: Face) -> bool:
    """Whether a face is there and large enough to tell where it looks."""
    return face.presence > _PRESENT and size_of(face) > _LEAST


def same_face(a: Face | None, b: Face | None) -> bool:
    """Whether two faces that are surely ones are the same in the picture."""
    if a is None or b is None or not (sure_face(a) and sure_face(b)):
        return False
    apart = float(np.linalg.norm((a.points - b.points)[:, :2].mean(axis=0)))
    return apart < _SAME * max(size_of(a), size_of(b))


def size_of(face: Face) -> float:
    """The longer side of a face in pixels."""
    return float(np.ptp(face.points[:, :2], axis=0).max())
