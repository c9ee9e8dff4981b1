"""From a problem's effectors to a network's arrays, and from its answer to a pose; numpy alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.body.body import GENDERS, BodyShape
from solver.effectors.effector import Effector
from solver.effectors.form_ids import POINT
from solver.effectors.forms import NO_OFFSET, PointEffector
from solver.effectors.kinds import Position
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_6d
from solver.kinematics.skeleton import Skeleton
from solver.values import changed, read_only


def model_effectors(
    skeleton: Skeleton,
    base: Pose,
    effectors: Sequence[Effector],
    joints: int,
    near: Pose | None = None,
    rooted: bool = True,
) -> tuple[Effector, ...]:
    """The enabled effectors on the network's first `joints` joints, each for the joint itself.

    One on a hand goes to the wrist, which carries the hand rigidly: a hand's place is moved to the wrist's by how the
    two lie apart in `near`, and so is the place of a point off its joint. Without any point effector the root stays
    where the base pose has it, if it is `rooted`: networks that read no base pose know of no other place. Effectors of
    a kind that no network reads are left to the exact stage.
    """
    at = forward_kinematics(skeleton, near) if near is not None else None
    read = [one for e in effectors if e.is_active for one in e.as_networks_read()]
    taken = [_carried(skeleton, effector, joints, at) for effector in read]
    if rooted and taken and all(e.form != POINT for e in taken):
        taken.append(Position(skeleton.names[0], base.root_position))
    return tuple(taken)


def _carried(skeleton: Skeleton, effector: Effector, joints: int, at: WorldJoints | None) -> Effector:
    """The effector for the nearest joint above it that the network knows. at: where the joints will be."""
    joint = carrier = skeleton.index(effector.joint)
    while carrier >= joints:
        carrier = skeleton.parents[carrier]
    if carrier == joint and (at is None or effector.holds_joint or effector.form != POINT):
        return effector
    if at is None or not isinstance(effector, PointEffector):
        return changed(effector, joint=skeleton.names[carrier])
    way = effector.held_at(skeleton, at) - at.positions[carrier]
    return changed(effector, joint=skeleton.names[carrier], target=effector.target - way, offset=NO_OFFSET)


def is_carried(skeleton: Skeleton, effector: Effector, joints: int) -> bool:
    """Whether it asks for the place of something that a network's joint carries, and not of such a joint itself."""
    for e in effector.as_networks_read() if effector.is_active else ():
        if e.form == POINT and (skeleton.index(e.joint) >= joints or not e.holds_joint):
            return True
    return False


def model_arrays(skeleton: Skeleton, effectors: Sequence[Effector], shape: BodyShape) -> dict[str, NDArray]:
    """The network's inputs for one problem: data (1, N, 6), tolerance, joint and kind (1, N), betas, gender."""
    data = np.zeros((1, len(effectors), 6), np.float32)
    for row, effector in zip(data[0], effectors, strict=True):
        effector.numbers_into(row)
    tolerances = [e.effective_tolerance for e in effectors]
    return {
        "data": data,
        "tolerance": np.array([tolerances], np.float32),
        "joint": np.array([[skeleton.index(e.joint) for e in effectors]], np.int64),
        "kind": np.array([[e.spec.network for e in effectors]], np.int64),
        "betas": shape.betas[None],
        "gender": np.array([GENDERS.index(shape.gender)], np.int64),
    }


def pose_of(draft: NDArray, rotations_6d: NDArray, joints: int) -> Pose:
    """The pose of one answer, draft (J, 3) and rotations_6d (J, 6); joints beyond the network's stay at rest."""
    return poses_of(draft[:1], from_6d(rotations_6d[None]), joints)[0]


def poses_of(roots: NDArray, turns: NDArray, joints: int) -> list[Pose]:
    """The poses of many answers, roots (B, 3) and local rotations (B, J, 3, 3); further joints stay at rest."""
    count = turns.shape[1]
    rotations = np.empty((len(roots), joints, 3, 3), np.float32)
    rotations[:, :count] = turns
    rotations[:, count:] = np.eye(3)
    read_only(rotations)
    return [Pose(root, own) for root, own in zip(roots, rotations, strict=True)]
