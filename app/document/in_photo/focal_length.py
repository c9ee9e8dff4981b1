"""Setting the focal length of the photo's camera: people keep their size in the picture and their feet on the floor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import SET, Character, Document
from app.document.model.history import Edit
from app.document.posing.placing import moved
from solver.camera import PinholeCamera
from solver.errors import PoserError
from solver.kinematics.rotations import rotation_between

Array = NDArray[np.float64]


def set_focal(focal_px: float) -> Edit:
    """Change the photo's focal length, in pixels.

    With a lens k times as long everyone must be k times as deep in the picture to look the same. That stretches the
    floor in depth too; the camera is tilted and lowered so that the stretched floor is level again at y = 0. The spot
    below each person's pelvis stays at its pixel and on the floor; people keep their poses and are not turned. People
    of other photos stay where they are.
    """

    def edit(document: Document) -> Document:
        from app.document.in_photo.photo_membership import belongs_to_photo  # the start does without it

        photo = document.photo
        if photo is None:
            raise PoserError("The scene has no photo. Open one first.")
        if not (np.isfinite(focal_px) and focal_px > 1.0):
            raise PoserError(f"A focal length of {focal_px:g} pixels is not possible.")
        camera = photo.camera
        k = focal_px / camera.focal_px
        if k == 1.0:
            return document
        move, lens = _stretched(camera, k)
        after = document.with_characters(
            _moved(c, move) if belongs_to_photo(c, document) else c for c in document.characters
        )
        return replace(after, photos=(replace(photo, camera=lens, focal_from=SET), *document.photos[1:]))

    return edit


def _stretched(camera: PinholeCamera, k: float) -> tuple[Callable[[Array], Array], PinholeCamera]:
    """Where spots (3,) on the floor go when all depths grow k times, and the camera that sees them as before."""
    old, rotation = np.asarray(camera.position, dtype=np.float64), np.asarray(camera.rotation, dtype=np.float64)
    stretch = np.array([1.0, 1.0, k])
    floor = rotation.T[:, 1] / stretch  # the floor's normal in the camera's frame, after stretching
    length = float(np.linalg.norm(floor))
    turned = rotation @ rotation_between(floor / length, rotation.T[:, 1])
    new = np.array([old[0], old[1] / length, old[2]])

    def move(spot: Array) -> Array:
        return np.asarray(new + turned @ (stretch * (rotation.T @ (spot - old))))

    return move, replace(
        camera, position=new.astype(np.float32), rotation=turned.astype(np.float32), focal_px=camera.focal_px * k
    )


def _moved(character: Character, move: Callable[[Array], Array]) -> Character:
    root = np.asarray(character.pose.root_position, dtype=np.float64)
    spot = np.array([root[0], 0.0, root[2]])
    return moved(character, move(spot) - spot)
