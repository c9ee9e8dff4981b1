"""A character seen in the mirror that stands in its own middle: it stays where it is and faces where it faced."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.document.problem import skeleton_of
from app.document.state import Character, Preserve
from solver.ik.effectors import Effector, LookAt, Rotation
from solver.kinematics.mirror import mirror_permutation
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rotations import nearest_rotation
from solver.kinematics.skeleton import mirrored_name

_FLIP = np.diag([-1.0, 1.0, 1.0])


def heading(rotation: NDArray[np.floating]) -> float:
    """The turn about the vertical within a (3, 3) world rotation, radians: 0 faces +Z, positive turns to +X."""
    r = np.asarray(rotation, dtype=np.float64)
    return float(np.arctan2(r[0, 2] - r[2, 0], r[0, 0] + r[2, 2]))


def mirrored(character: Character) -> Character:
    """Pose, base pose, motion, effectors and preserved joints with left and right exchanged; twice gives it back.

    The mirror is the vertical plane through the pelvis along its heading.
    """
    angle = heading(character.pose.rotations[0])
    normal = np.array([np.cos(angle), 0.0, -np.sin(angle)])  # the heading's left
    plane = np.eye(3) - 2.0 * np.outer(normal, normal)
    centre = character.pose.root_position.astype(np.float64)
    order = list(mirror_permutation(skeleton_of(character).names))

    def point(p: NDArray[np.floating]) -> NDArray[np.floating]:
        return centre + (p - centre) @ plane  # the plane's matrix is symmetric

    def local(rotations: NDArray[np.floating]) -> NDArray[np.floating]:
        flipped = (_FLIP @ rotations @ _FLIP)[..., order, :, :]
        flipped[..., 0, :, :] = plane @ rotations[..., 0, :, :] @ _FLIP
        return flipped

    def pose(p: Pose) -> Pose:
        return Pose(point(p.root_position), local(p.rotations))

    def motion(m: Motion) -> Motion:
        return Motion(point(m.root_positions), local(m.rotations), m.fps)

    def effector(e: Effector) -> Effector:
        joint = mirrored_name(e.joint)
        if isinstance(e, Rotation):
            return replace(e, joint=joint, target=nearest_rotation(plane @ e.target @ _FLIP))
        if isinstance(e, LookAt):
            return replace(e, joint=joint, target=point(e.target), local_axis=_FLIP @ e.local_axis)
        return replace(e, joint=joint, target=point(e.target))  # type: ignore[attr-defined, call-arg]

    kept = character.preserve
    return replace(
        character,
        pose=pose(character.pose),
        base_pose=pose(character.base_pose),
        motion=character.motion and motion(character.motion),
        effectors=tuple(effector(e) for e in character.effectors),
        preserve=Preserve(
            kept.strength,
            frozenset(mirrored_name(name) for name in kept.place),
            frozenset(mirrored_name(name) for name in kept.shape),
        ),
        solver_state=None,
    )
