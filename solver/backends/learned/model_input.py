"""From a problem's effectors to a network's arrays, and from its answer to a pose; numpy alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.body.body import GENDERS, BodyShape
from solver.ik.effectors import Effector, LookAt, Position, Rotation
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_6d, to_6d
from solver.kinematics.skeleton import Skeleton

KINDS = (Position.kind, Rotation.kind, LookAt.kind)


def model_effectors(
    skeleton: Skeleton, base: Pose, effectors: Sequence[Effector], joints: int, near: Pose | None = None
) -> tuple[Effector, ...]:
    """The enabled effectors on the network's first `joints` joints.

    One on a hand goes to the wrist, which carries the hand rigidly: a hand's place is moved to the wrist's by what lies
    between them in `near`. Without any position effector the root stays where the base pose has it.
    """
    at = forward_kinematics(skeleton, near).positions if near is not None else None
    taken = [_carried(skeleton, effector, joints, at) for effector in effectors if effector.asks]
    if taken and not any(isinstance(e, Position) for e in taken):
        taken.append(Position(skeleton.names[0], base.root_position))
    return tuple(taken)


def _carried(skeleton: Skeleton, effector: Effector, joints: int, at: NDArray | None) -> Effector:
    """The effector on the nearest joint above that the network knows; at: (J, 3) where the joints are about to be."""
    joint = carrier = skeleton.index(effector.joint)
    while carrier >= joints:
        carrier = skeleton.parents[carrier]
    if carrier == joint:
        return effector
    moved = replace(effector, joint=skeleton.names[carrier])
    if at is None or not isinstance(moved, Position):
        return moved
    return replace(moved, target=moved.target - (at[joint] - at[carrier]))


def model_arrays(skeleton: Skeleton, effectors: Sequence[Effector], shape: BodyShape) -> dict[str, NDArray]:
    """The network's inputs for one problem: data (1, N, 6), tolerance, joint and kind (1, N), betas, gender."""
    data = np.zeros((1, len(effectors), 6), np.float32)
    for row, effector in enumerate(effectors):
        if isinstance(effector, Rotation):
            data[0, row] = to_6d(effector.target)
        else:
            data[0, row, :3] = effector.target  # type: ignore[attr-defined]
        if isinstance(effector, LookAt):
            data[0, row, 3:] = effector.local_axis
    tolerances = [0.0 if e.pinned else e.tolerance for e in effectors]
    return {
        "data": data,
        "tolerance": np.array([tolerances], np.float32),
        "joint": np.array([[skeleton.index(e.joint) for e in effectors]], np.int64),
        "kind": np.array([[KINDS.index(e.kind) for e in effectors]], np.int64),
        "betas": shape.betas[None],
        "gender": np.array([GENDERS.index(shape.gender)], np.int64),
    }


def pose_of(draft: NDArray, rotations_6d: NDArray, joints: int) -> Pose:
    """The pose of one answer, draft (J, 3) and rotations_6d (J, 6); joints beyond the network's stay as at rest."""
    return poses_of(draft[None], rotations_6d[None], joints)[0]


def poses_of(draft: NDArray, rotations_6d: NDArray, joints: int) -> list[Pose]:
    """The poses of many answers, draft (B, J, 3) and rotations_6d (B, J, 6)."""
    rotations = np.empty((len(draft), joints, 3, 3), np.float32)
    rotations[:] = np.eye(3)
    rotations[:, : rotations_6d.shape[1]] = from_6d(rotations_6d)
    return [Pose(root, turns) for root, turns in zip(draft[:, 0], rotations, strict=True)]
