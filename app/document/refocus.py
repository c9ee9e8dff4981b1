"""Another focal length for the photo's camera: people keep their size on the picture and their feet on the floor."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.document.history import Edit
from app.document.state import Character, Document
from solver.errors import PoserError
from solver.ik.effectors import Effector, LookAt, Position
from solver.kinematics.pose import Motion, Pose


def set_focal(focal_px: float) -> Edit:
    """Change the photo's focal length, in pixels.

    With a lens k times as long everyone must stand k times as far away to look the same. The camera's height is scaled
    with the distance, so that the spot below each person's pelvis stays at the same pixel and on the floor.
    """

    def edit(document: Document) -> Document:
        photo = document.photo
        if photo is None:
            raise PoserError("The scene has no photo. Open one first.")
        if not (np.isfinite(focal_px) and focal_px > 1.0):
            raise PoserError(f"A focal length of {focal_px:g} pixels is not possible.")
        camera = photo.camera
        k = focal_px / camera.focal_px
        if k == 1.0:
            return document
        old = np.asarray(camera.position, dtype=np.float64)
        new = np.array([old[0], old[1] * k, old[2]])
        characters = tuple(_moved(c, old, new, k) for c in document.characters)
        lens = replace(camera, position=new, focal_px=float(focal_px))
        return replace(document, characters=characters, photo=replace(photo, camera=lens))

    return edit


def _moved(character: Character, old: NDArray[np.float64], new: NDArray[np.float64], k: float) -> Character:
    root = np.asarray(character.pose.root_position, dtype=np.float64)
    spot = np.array([root[0], 0.0, root[2]])
    shift = (new + k * (spot - old) - spot).astype(np.float32)

    def pose(p: Pose) -> Pose:
        return Pose(p.root_position + shift, p.rotations)

    def effector(e: Effector) -> Effector:
        return replace(e, target=e.target + shift) if isinstance(e, Position | LookAt) else e

    motion = character.motion
    return replace(
        character,
        pose=pose(character.pose),
        base_pose=pose(character.base_pose),
        effectors=tuple(effector(e) for e in character.effectors),
        motion=motion and Motion(motion.root_positions + shift, motion.rotations, motion.fps),
        solver_state=None,
    )
