"""All joints that a body has: the 24 that poses move, and behind them the rigid ones: jaw, eyes and fingers.

A pose names SMPL's 24 joints. SMPL-X knows 33 more, which stay at rest relative to the joint that carries them: the
jaw and the eyes go with the head, and the fingers with SMPL's left_hand and right_hand, which stand at the middle
fingers' knuckles. Together that is SMPL-X's 55 joints by its names, and SMPL's two hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.kinematics.pose import Motion, Pose
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS, Skeleton
from solver.rig.rig import Rig
from solver.rig.roles import ARMS, SMPL_ROLES, Role
from solver.values import FloatArray

Array = NDArray[np.floating]

BODY_22 = SMPL_JOINTS[:22]
HANDS = SMPL_JOINTS[22:]
FACE_JOINTS = ("jaw", "left_eye_smplhf", "right_eye_smplhf")
FINGER_JOINTS = tuple(role.value for arm in ARMS for role in arm.fingers)
RIGID_JOINTS: tuple[str, ...] = (*FACE_JOINTS, *FINGER_JOINTS)
AT_REST: Mapping[str, FloatArray] = MappingProxyType({})
KNUCKLES = ("left_middle1", "right_middle1")  # where SMPL has its hands

SMPLH_JOINTS: tuple[str, ...] = (*BODY_22, *FINGER_JOINTS)
SMPLX_JOINTS: tuple[str, ...] = (*BODY_22, *RIGID_JOINTS)
JOINTS_OF_MODEL: dict[int, tuple[str, ...]] = {24: SMPL_JOINTS, 52: SMPLH_JOINTS, 55: SMPLX_JOINTS}


def carrier(joint: str) -> str:
    """The joint that carries a rigid one: “left_index2” hangs from “left_index1”, and that from “left_hand”."""
    if joint in FACE_JOINTS:
        return "head"
    name, number = joint[:-1], int(joint[-1])
    return f"{name}{number - 1}" if number > 1 else f"{joint.partition('_')[0]}_hand"


def whole_tree(rigid: Sequence[str] = RIGID_JOINTS) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Names and parents of SMPL's 24 joints with these rigid ones behind them."""
    names = (*SMPL_JOINTS, *rigid)
    return names, (*SMPL_PARENTS, *(names.index(carrier(joint)) for joint in rigid))


def smplx_parents() -> tuple[int, ...]:
    """SMPL-X's own parents, in which the fingers hang from the wrists."""
    above = {joint: carrier(joint).replace("hand", "wrist") for joint in RIGID_JOINTS}
    above |= {BODY_22[j]: BODY_22[p] for j, p in enumerate(SMPL_PARENTS[:22]) if p >= 0}
    return tuple(SMPLX_JOINTS.index(above[joint]) if joint in above else -1 for joint in SMPLX_JOINTS)


def smpl_rig(rest: ArrayLike, merged: frozenset[Role] = frozenset()) -> Rig:
    """The rig of SMPL's 24 joints. rest: (24, 3) metres, their places at rest. merged: as `Rig` has them."""
    offsets = np.array(rest)
    offsets[1:] -= offsets[list(SMPL_PARENTS[1:])]
    return Rig(SMPL_JOINTS, SMPL_PARENTS, offsets, SMPL_ROLES, merged=merged)


def whole_rig(rig: Rig, rigid: Sequence[str], rest: ArrayLike) -> Rig:
    """The rig of SMPL's 24 joints with rigid ones behind them. rest: (R, 3) metres, the rigid ones' places at rest."""
    names, parents = whole_tree(rigid)
    places = np.concatenate([rig.rest_positions, np.asarray(rest, dtype=np.float32).reshape(-1, 3)])
    offsets = places - places[list(parents)]
    offsets[: len(rig)] = rig.offsets
    return Rig(names, parents, offsets, (*rig.roles, *(Role(name.removesuffix("_smplhf")) for name in rigid)))


def as_whole_pose(whole: Skeleton, pose: Pose, turned: Mapping[str, FloatArray] = AT_REST) -> Pose:
    """The pose of all joints of `whole`: those that the pose does not have are at rest, or as `turned` says by name."""
    return Pose(pose.root_position, _with_rest(whole, pose.rotations, turned))


def as_whole_motion(whole: Skeleton, motion: Motion, turned: Mapping[str, FloatArray] = AT_REST) -> Motion:
    """The motion of all joints of `whole`, as `as_whole_pose` has each pose. turned: for all frames, or (F, 3, 3)
    each."""
    return Motion(motion.root_positions, _with_rest(whole, motion.rotations, turned), motion.fps)


def _with_rest(whole: Skeleton, rotations: FloatArray, turned: Mapping[str, FloatArray]) -> FloatArray:
    """(..., J, 3, 3) -> (..., W, 3, 3)."""
    names = whole.names[rotations.shape[-3] :]
    behind = np.empty((*rotations.shape[:-3], len(names), 3, 3), np.float32)
    for j, name in enumerate(names):
        behind[..., j, :, :] = turned.get(name, np.eye(3))
    return np.concatenate([rotations, behind], axis=-3)


def folded_weights(weights: Array, names: Sequence[str]) -> Array:
    """(V, 24) weights of SMPL's joints, from (V, J) weights of these: a rigid joint's share goes to its carrier."""
    result = np.zeros((len(weights), len(SMPL_JOINTS)), dtype=weights.dtype)
    for j, name in enumerate(names):
        result[:, SMPL_JOINTS.index(moving_joint(name))] += weights[:, j]
    return result


def moving_joint(joint: str) -> str:
    """Which of SMPL's 24 joints moves this one."""
    while joint not in SMPL_JOINTS:
        joint = carrier(joint)
    return joint


def unfolded_weights(weights: Array, names: Iterable[str]) -> Array:
    """(V, W) weights of the whole tree's joints, from (V, J) weights of a model's joints by name."""
    order = [*names]
    whole, _ = whole_tree([name for name in order if name not in SMPL_JOINTS])
    result = np.zeros((len(weights), len(whole)), dtype=weights.dtype)
    result[:, [whole.index(name) for name in order]] = weights
    return result
