"""Left and right exchanged: which joint is whose counterpart, by role."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.kinematics.mirror import BODY_PLANE, MirrorPlane
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.movable import in_own_axes, in_world_axes
from solver.rig.rig import rig_of
from solver.rig.roles import Role
from solver.values import FloatArray


def mirror_order(roles: Sequence[str]) -> tuple[int, ...]:
    """For each of these roles the index of the one on the other side; its own if that is not among them."""
    index = {role: j for j, role in enumerate(roles)}
    return tuple(index.get(Role(role).mirrored, j) for j, role in enumerate(roles))


def mirror_pose(skeleton: Skeleton, pose: Pose, plane: MirrorPlane = BODY_PLANE) -> Pose:
    """The pose with left and right exchanged, whatever the joints' frames at rest; its own inverse."""
    return Pose(plane.points(pose.root_position), _mirrored(skeleton, pose.rotations, plane))


def mirror_motion(skeleton: Skeleton, motion: Motion, plane: MirrorPlane = BODY_PLANE) -> Motion:
    """The motion with left and right exchanged, pose by pose."""
    return Motion(plane.points(motion.root_positions), _mirrored(skeleton, motion.rotations, plane), motion.fps)


def _mirrored(skeleton: Skeleton, rotations: FloatArray, plane: MirrorPlane) -> FloatArray:
    rig = rig_of(skeleton)
    seen = plane.local_rotations(in_world_axes(rig, rotations), rig.mirror_order)
    return in_own_axes(rig, seen.astype(np.float64)).astype(np.float32)
