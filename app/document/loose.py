"""Targets that go along with the body: where a pose has an effector's joint, and loose effectors that follow it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from solver.ik.effectors import Effector, LookAt, Position, Rotation
from solver.kinematics.fk import WorldJoints
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import nearest_rotation
from solver.kinematics.skeleton import Skeleton

AT_REST = 1e-6  # metres: a target as near as this stays as it is, so that settling again changes nothing
NEAREST_LOOK = 0.1  # metres


def moved_to(effector: Effector, skeleton: Skeleton, before: WorldJoints, after: WorldJoints) -> Effector:
    """The effector with its target where the joint is in `after`; a look-at target keeps the distance of `before`."""
    j = skeleton.index(effector.joint)
    if isinstance(effector, Position):
        return replace(effector, target=after.positions[j])
    if isinstance(effector, Rotation):
        return replace(effector, target=nearest_rotation(after.rotations[j]))
    if isinstance(effector, LookAt):
        distance = max(float(np.linalg.norm(effector.target - before.positions[j])), NEAREST_LOOK)
        return replace(effector, target=after.positions[j] + distance * (after.rotations[j] @ effector.local_axis))
    raise TypeError(f"no effector: {effector!r}")


def settled(effectors: tuple[Effector, ...], skeleton: Skeleton, before: Pose, after: Pose) -> tuple[Effector, ...]:
    """The effectors, loose ones gone along from one pose to the other; the same tuple where none has to move."""
    if not any(effector.loose for effector in effectors):
        return effectors
    old, new = world_joints(skeleton, before), world_joints(skeleton, after)
    result = tuple(_resting(e, moved_to(e, skeleton, old, new)) if e.loose else e for e in effectors)
    return effectors if all(a is b for a, b in zip(result, effectors, strict=True)) else result


def world_joints(skeleton: Skeleton, pose: Pose) -> WorldJoints:
    """What forward_kinematics says, by the compiled function: it comes with every solution of a drag."""
    from solver.ik.packing import tree_of  # once there is a solution, the compiled part is there as well
    from solver.kinematics.fk_kernels import forward

    tree, joints = tree_of(skeleton), len(skeleton)
    positions, world = np.empty((joints, 3)), np.empty((joints, 3, 3))
    root, local = pose.root_position.astype(np.float64), pose.rotations.astype(np.float64)
    forward(tree.parents, tree.offsets, root, local, positions, world)
    return WorldJoints(positions.astype(np.float32), world.astype(np.float32))


def _resting(before: Effector, after: Effector) -> Effector:
    way = np.abs(after.target - before.target).max()  # type: ignore[attr-defined]
    return before if way < AT_REST else after
