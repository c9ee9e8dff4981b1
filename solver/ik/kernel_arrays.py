"""From frozen values to the plain float64 arrays that the compiled functions take; constant parts are kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.effectors.residual_kernels import Rows
from solver.ik.kernels.prior_kernels import JointModel, quaternions
from solver.ik.memory import ExactState
from solver.ik.pose_prior import pose_prior
from solver.ik.stance.leans import Lean
from solver.kinematics.curves import eased_between
from solver.kinematics.fk_kernels import PlainPose, Tree
from solver.kinematics.limits import BEND, KNEES, joint_limits
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised, memoised_on_value
from solver.rig.movable import is_carried
from solver.rig.rig import rig_of
from solver.rig.roles import SPINE, TRUNK
from solver.values import FloatArray, read_only

Indices = NDArray[np.int64]

RIGID_STIFFNESS = 1e7  # per rad²: a joint that is carried or merged turns with the one above it
FIRM_TRUNK = 10.0  # times as stiff: with a hand that grips something, arms and knees bend before the back
# Radians that a proposal has joints of the spine off the base pose: up to the first it has them as posed, from the
# second on it does not.
AS_POSED = (0.03, 0.07)
# Standard deviations of the spine off the natural pose, at the joint that is furthest: from the first to the second
# on the natural pose leaves it alone. From the third to the fourth it is drawn again: nobody holds a spine like that.
BOWED, UNLIKELY = (1.3, 2.0), (5.0, 6.0)
TRUNKS = 5  # from the firmest to one as supple as people's


@memoised_on_value
def tree_of(skeleton: Skeleton) -> Tree:
    """The skeleton as arrays."""
    joints = len(skeleton)
    paths, depths = np.zeros((joints, joints), np.int64), np.zeros(joints, np.int64)
    for j, parent in enumerate(skeleton.parents):
        depth = depths[parent] if parent >= 0 else 0
        paths[j, :depth] = paths[parent, :depth]
        paths[j, depth] = j
        depths[j] = depth + 1
    return Tree(np.array(skeleton.parents, np.int64), skeleton.offsets.astype(np.float64), paths, depths)


@memoised_on_value
def joint_model_of(skeleton: Skeleton) -> JointModel:
    """The joints by their names, as the kernels take them.

    Knees bend back no further than straight, though ranges of motion leave recordings more: a leg that is a little too
    long for its way would as soon bend backwards as ahead. A base pose whose knees bend back widens that, as any range.
    """
    recorded = recorded_joint_model_of(skeleton)
    low = recorded.low.copy()
    low[[name in KNEES for name in skeleton.names], BEND] = 0.0
    return recorded._replace(low=low)


@memoised_on_value
def recorded_joint_model_of(skeleton: Skeleton) -> JointModel:
    """As `joint_model_of`, but knees bend back as far as recordings have them: who is followed over time goes through
    straight with each stride, where a limit would stop the knee and let it jump."""
    names = skeleton.names
    prior, limits = pose_prior(names), joint_limits(names)
    mean = np.empty((len(names), 4))
    quaternions(np.ascontiguousarray(prior.mean), mean)
    stiffness = np.ascontiguousarray(prior.stiffness)
    stiff = [*np.flatnonzero(list(map(is_carried, names))), *rig_of(skeleton).merged_joints]
    stiffness[stiff], mean[stiff] = RIGID_STIFFNESS * np.eye(3), (1.0, 0.0, 0.0, 0.0)
    return JointModel(mean, stiffness, limits.frames, limits.low, limits.high)


@memoised_on_value
def trunks_of(skeleton: Skeleton) -> tuple[JointModel, ...]:
    """As `joint_model_of`, with trunks that leave the proposal less readily than people's do, by equal factors from the
    firmest to the last, which is as supple as theirs."""
    model, rig = joint_model_of(skeleton), rig_of(skeleton)
    trunk, models = list(map(rig.index, rig.names_of(TRUNK))), []
    for firmer in np.geomspace(FIRM_TRUNK, 1.0, TRUNKS):
        stiffness = model.stiffness.copy()
        stiffness[trunk] *= firmer
        models.append(model._replace(stiffness=stiffness))
    return tuple(models)


def with_supple_joints(skeleton: Skeleton, model: JointModel, how: Mapping[str, float]) -> JointModel:
    """As the model, with joints that leave the proposal more readily. how: the share of its stiffness that each loses,
    by name."""
    if not how:  # as nearly always
        return model
    stiffness = model.stiffness.copy()
    for name, share in how.items():
        stiffness[skeleton.index(name)] *= 1.0 - share
    return model._replace(stiffness=stiffness)


class _Spine(NamedTuple):
    """joints (S,). square (S, 4, 4): of a joint's quaternion q, q · square q is how far it is turned off the natural
    pose: squared, in standard deviations."""

    joints: Indices
    square: NDArray[np.float64]


@memoised_on_value
def _spine_of(skeleton: Skeleton) -> _Spine:
    rig, model = rig_of(skeleton), joint_model_of(skeleton)
    joints = np.array(list(map(rig.index, rig.names_of(SPINE))), np.int64)
    w, x, y, z = model.mean[joints].T
    turn = np.stack([[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]]).transpose(2, 0, 1)  # half of that from the mean
    return _Spine(joints, 4.0 * turn.transpose(0, 2, 1) @ model.stiffness[joints] @ turn)


def with_spine_near(skeleton: Skeleton, model: JointModel, proposal: Pose, base: Pose) -> JointModel:
    """The joints with a spine whose natural pose is the proposal, so that nothing draws it elsewhere, where the base
    pose is far from natural, and the proposal has the spine as that does. The less it does, the more the natural pose
    stays: a network's own proposal may be drawn.

    For joints as stiff as these, far from the natural pose, there are two valleys with a ridge between. Bent ever
    further out of the one they fell into the other at once, with the whole trunk. Near it there is one.
    """
    bowed = _bowed(skeleton, base)
    if bowed <= 0.0:  # as of most who stand
        return model
    spine = _spine_of(skeleton).joints
    there = proposal.rotations[spine]
    off = 1.0 - bowed * (1.0 - eased_between(float(np.abs(there - base.rotations[spine]).max()), *AS_POSED))
    if off >= 1.0:
        return model
    mean, near = model.mean.copy(), np.empty((len(spine), 4))
    quaternions(there.astype(np.float64), near)
    if off > 0.0:
        near *= np.where((near * mean[spine]).sum(axis=1, keepdims=True) < 0.0, -1.0, 1.0)  # the same turns
        near += off * (mean[spine] - near)
        near /= np.linalg.norm(near, axis=1, keepdims=True)
    mean[spine] = near
    return model._replace(mean=mean)


@memoised(16, by_identity=True)  # a drag asks with one base pose in every step
def _bowed(skeleton: Skeleton, pose: Pose) -> float:
    """How much the natural pose leaves a spine alone that is posed so, 0..1; 0 without one."""
    joints, square = _spine_of(skeleton)
    turns = np.empty((len(joints), 4))
    quaternions(pose.rotations[joints].astype(np.float64), turns)
    squares = np.einsum("si,sij,sj->s", turns, square, turns)
    far = float(np.sqrt(max(squares.max(initial=0.0), 0.0)))
    return eased_between(far, *BOWED) * (1.0 - eased_between(far, *UNLIKELY))


def plain_pose(pose: Pose | ExactState) -> PlainPose:
    """A copy in the one layout that kernels are compiled for: float64, writeable, rows in order."""
    root = pose.root_position if isinstance(pose, Pose) else pose.root
    return PlainPose(root.astype(np.float64), pose.rotations.astype(np.float64, order="C"))


def room_for(pose: PlainPose) -> PlainPose:
    """Room for another pose like it, not a number as yet."""
    return PlainPose(np.full(3, np.nan), np.full(pose.local.shape, np.nan))


def frozen_pose(plain: PlainPose) -> Pose:
    """The pose, float32 and read-only."""
    return Pose(_single(plain.root), _single(plain.local))


def frozen_state(plain: PlainPose) -> ExactState:
    """The state of a search that ended at the pose, float32 and read-only."""
    return ExactState(_single(plain.root), _single(plain.local))


def _single(array: NDArray[np.float64]) -> FloatArray:
    single = array.astype(np.float32)
    read_only(single)
    return single


def rows_of(skeleton: Skeleton, effectors: Sequence[Effector]) -> Rows:
    """The effectors as arrays, in their order."""
    index = skeleton.index
    targets = np.zeros((len(effectors), 3, 3))
    for row, effector in zip(targets, effectors, strict=True):
        effector.encode_into(row)
    kinds = np.array([effector.form for effector in effectors], np.int64)
    return Rows(kinds, np.array([index(effector.joint) for effector in effectors], np.int64), targets)


def strengths_of(effectors: Sequence[Effector]) -> NDArray[np.float64]:
    """(E, 3): weight, knee and fading of each effector's pull, see minimise_kernels."""
    return np.array([e.spec.strength(e.pinned, e.tolerance) for e in effectors]).reshape(-1, 3)


def with_leans(
    skeleton: Skeleton, leans: Sequence[Lean], rows: Rows, strengths: NDArray[np.float64]
) -> tuple[Rows, NDArray[np.float64]]:
    """Effectors' rows and their strengths (E, 3), followed by those of what a solve leans to."""
    if not leans:
        return rows, strengths
    more = rows_of(skeleton, [lean.effector for lean in leans])
    firm = np.array([(weight, force / weight, fading) for _, (weight, force, fading) in leans])
    both = Rows(*(np.concatenate(parts) for parts in zip(rows, more, strict=True)))
    return both, np.concatenate([strengths, firm])
