"""Which faces are surely real, and which of them are the same."""

from __future__ import annotations

import numpy as np

from solver.photo.detection.blazepose import Face, Landmarks

_PRESENT, _LEAST = 0.5, 20.0  # of the network's presence; pixels
_SAME = 0.4  # of a face's size: two nearer than this are one
_EYES_OFF = 0.3  # of the face's size: how far eyes may be from where the whole person's landmarks have them
_EYES = [2, 5]  # of the whole person's landmarks: left and right
EYE_CORNERS = [263, 33]  # of the face mesh: the left eye's outer one, then the right one's


def is_clear_face(face: Face) -> bool:
    """Whether a face is there and large enough to tell where it looks."""
    return face.presence > _PRESENT and face_size(face) > _LEAST


def is_own_face(face: Face | None, person: Landmarks) -> bool:
    """Whether a face is surely real, and where the landmarks of the whole person have it."""
    if face is None or not is_clear_face(face):
        return False
    apart = face.points[EYE_CORNERS, :2].mean(axis=0) - person.pixels[_EYES].mean(axis=0)
    return float(np.linalg.norm(apart)) < _EYES_OFF * face_size(face)


def is_same_face(a: Face | None, b: Face | None) -> bool:
    """Whether two faces are surely real and the same one in the picture."""
    if a is None or b is None or not (is_clear_face(a) and is_clear_face(b)):
        return False
    apart = float(np.linalg.norm((a.points - b.points)[:, :2].mean(axis=0)))
    return apart < _SAME * max(face_size(a), face_size(b))


def face_size(face: Face) -> float:
    """The longer side of a face in pixels."""
    return float(np.ptp(face.points[:, :2], axis=0).max())
