"""Photos and their people set apart, so that each photo has only its own people shown over it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character, Photo
from app.document.model.figure import joints_of
from solver.camera import PinholeCamera

Array = NDArray[np.float64]
FLESH = 0.25  # metres around joints
STEP, MOST = 0.5, 40  # metres, and how many steps to either side


def shift_to_separate(
    there: Sequence[Character],
    seen_by: Sequence[Photo],
    new: Sequence[Character],
    photos: Sequence[Photo],
    shift: Array,
) -> Array:
    """(3,) metres: where newcomers go with their photos, as far to the side of `shift` as keeps the pictures apart.

    there, seen_by: the people and photos already in the scene. new, photos: those that come. `shift` itself where
    neither shows in the other's pictures, or where no place within 20 m would do.
    """
    if not photos:
        return shift
    old, come = (_joints(people) for people in (there, new))
    right = photos[0].camera.rotation[:, 0].astype(np.float64) * [1.0, 0.0, 1.0]
    right /= np.linalg.norm(right)

    def free(move: Array) -> bool:
        return not any(_shows(photo.camera, old - move) for photo in photos) and not any(
            _shows(photo.camera, come + move) for photo in seen_by
        )

    steps = sorted(range(-MOST, MOST + 1), key=lambda step: (abs(step), step < 0))
    moves = (shift + STEP * step * right for step in steps)
    return next((move for move in moves if free(move)), shift)


def _joints(people: Sequence[Character]) -> Array:
    shown = [joints_of(one).positions.astype(np.float64) for one in people if one.visible]
    return np.concatenate(shown) if shown else np.zeros((0, 3))


def _shows(camera: PinholeCamera, joints: Array) -> bool:
    """Whether flesh around any of (N, 3) joints is in the picture."""
    depth = -camera.in_frame(joints)[:, 2]
    pixels, near = camera.project(joints), camera.focal_px * FLESH / np.maximum(depth, FLESH)
    inside = (pixels >= -near[:, None]) & (pixels <= np.array(camera.image_size) + near[:, None])
    return bool(inside.all(axis=1).any())  # NaN behind the camera
