"""A person's pose, place and proportions by damped Gauss–Newton, against landmarks, the prior and the floor.

The descent is not the solver's (ik/minimise_kernels): that one has only as many rows as there are effectors, over
joints that priors hold one by one, while here hundreds of rows and a prior of the whole pose also move proportions and
the camera, so the system to solve is a different one. Both share the code of the Cholesky solve, the differences
between rotations and the joints' ranges.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from numpy.typing import NDArray

from solver.body.body import SHAPE_COMPONENTS, Body, BodyShape
from solver.ik.kernels.prior_kernels import quaternions
from solver.ik.pose_prior import pose_prior, whole_pose_stiffness
from solver.kinematics.limits import joint_limits
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS
from solver.memoise import memoised
from solver.photo.fit.evidence import Evidence
from solver.photo.fit.evidence_kernels import Contacts, Landmarks, Prior, Spread, Trunk
from solver.photo.fit.fit_kernels import linearise, step
from solver.photo.fit.observed_rotation_kernels import ObservedRotations
from solver.photo.fit.system_kernels import HEIGHT, Bones, Unknowns, Work, pose_bones
from solver.rig.roles import ARMS, Role

Array = NDArray[np.float64]
J = len(SMPL_JOINTS)
_FIRST_DAMPING, _LEAST_DAMPING, _MOST_DAMPING = 1e-2, 1e-5, 1e4
_GAIN = 1e-3  # a step that reduces the cost by a smaller share is the last
_LIMB_RADIUS = 0.045  # metres
UNKNOWNS = 3 * J + 3 + SHAPE_COMPONENTS + HEIGHT


@dataclass(frozen=True)
class Weights:
    """How much each kind of evidence counts, as standard deviations.

    pixel: of a landmark in the picture, as a share of the person's size there. lateral, depth: of the landmark
    networks' metres across and along the view; depth is heavy-tailed, since limbs pointing at the camera mislead it.
    prior: how many standard deviations of the whole pose's natural spread count as one; tail: the sum of squares of the
    plain ones from which it loses its grip. limit: radians beyond a joint's range. shape: betas. floor, below: metres
    over and below it. pitch: radians, how level cameras are held. inside: metres that an arm is in the trunk. turn:
    radians by which the landmark networks' metres are turned as a whole; 0.11 to 0.16 on renderings.
    """

    pixel: float = 0.015
    lateral: float = 0.15
    depth: float = 0.15
    prior: float = 1.6
    tail: float = 60.0
    limit: float = 0.06
    shape: float = 1.5
    floor: float = 0.06
    below: float = 0.04
    pitch: float = 0.2
    inside: float = 0.03
    turn: float = 0.15


@dataclass(frozen=True, eq=False)
class Fit:
    """root: (3,) metres, the pelvis in the camera's frame. rotations: (24, 3, 3) local. betas: (10,). cost: the misfit.

    ground: (2,): the floor's height before the camera, and by how much the camera is turned down. turn: (2,) radians by
    which the landmarks' metres are turned about x, then y.
    """

    root: Array
    rotations: Array
    betas: Array
    ground: Array = field(default_factory=lambda: np.zeros(2))
    turn: Array = field(default_factory=lambda: np.zeros(2))
    cost: float = np.inf


def posed_joints(body: Body, fit: Fit) -> tuple[Array, Array]:
    """(24, 3) places and (24, 3, 3) world rotations of the joints in the camera's frame."""
    work = _work()
    pose_bones(_bones(cast(Hashable, body)), fit.root, fit.rotations, fit.betas, work)
    return work.positions, work.world


def minimise(
    body: Body, seen: Evidence, start: Fit, weights: Weights, steps: int, around: BodyShape | None = None
) -> Fit:
    """The best fit within `steps` damped Gauss–Newton steps from `start`; costs are comparable between starts.

    around: the shape that betas are measured from; the mean body by default.
    """
    problem, work = _problem(body, seen, weights), _work()
    if around is not None:
        template = body.skeleton(around).offsets.astype(np.float64)
        template[0] = 0.0
        problem = (problem[0]._replace(template=template), *problem[1:])
    here, there = _unknowns(start), _unknowns(start)
    room = np.empty((UNKNOWNS, UNKNOWNS)), np.empty(UNKNOWNS)
    cost = linearise(*problem, here, work)
    normal, slope = work.normal.copy(), work.gradient.copy()
    damping = _FIRST_DAMPING
    for _ in range(steps):
        step(normal, slope, damping, here, there, *room)
        tried = linearise(*problem, there, work)
        if tried < cost:
            gain, cost = cost - tried, tried
            here, there = there, here
            normal[:], slope[:] = work.normal, work.gradient
            damping = max(damping / 4.0, _LEAST_DAMPING)
            if gain < _GAIN * cost:
                break
        else:
            damping *= 8.0
            if damping > _MOST_DAMPING:
                break
    return Fit(*here, cost)


def gradient(body: Body, seen: Evidence, fit: Fit, weights: Weights) -> tuple[float, Array]:
    """The cost and half its gradient (89,) by joint turns, root, betas, floor's height, pitch and the metres' turn."""
    work = _work()
    cost = linearise(*_problem(body, seen, weights), _unknowns(fit), work)
    return cost, work.gradient


def _unknowns(fit: Fit) -> Unknowns:
    """Copies that steps may change."""
    return Unknowns(*(part.copy() for part in (fit.root, fit.rotations, fit.betas, fit.ground, fit.turn)))


def _problem(
    body: Body, seen: Evidence, w: Weights
) -> tuple[Bones, Prior, Landmarks, ObservedRotations, Contacts, Trunk, Spread]:
    points = seen.points
    landmarks = Landmarks(
        points.joint, points.carrier, points.offset, seen.pixels, seen.world, seen.pixel_weights, seen.world_weights,
        points.hips, float(seen.focal_px), float(w.pixel * seen.size_px),
    )  # fmt: skip
    contacts = Contacts(points.contact_joint, points.contact_offset, points.contact_share)
    spread = Spread(w.lateral, w.depth, w.prior, w.tail, w.limit, w.shape, w.floor, w.below, w.pitch, w.inside, w.turn)
    return _bones(cast(Hashable, body)), _prior(), landmarks, seen.turns, contacts, _trunk(cast(Hashable, body)), spread


def _work() -> Work:
    n = UNKNOWNS
    return Work(
        np.empty((J, 3)), np.empty((J, 3, 3)), np.empty((J, 3, SHAPE_COMPONENTS)), np.empty((n, n)), np.empty(n),
        np.empty((3, n)), np.empty((3, n)), np.empty((3, n)), np.empty(n, dtype=np.int64),
    )  # fmt: skip


@memoised(4)
def _bones(body: Body) -> Bones:
    """Bone offsets as an affine function of betas, measured, so that any body will do."""
    template = body.skeleton(BodyShape()).offsets.astype(np.float64)
    unit = np.eye(SHAPE_COMPONENTS)
    moved = [body.skeleton(BodyShape(unit[k])).offsets - template for k in range(SHAPE_COMPONENTS)]
    directions = np.ascontiguousarray(np.stack(moved, axis=-1), dtype=np.float64)
    template[0], directions[0] = 0.0, 0.0
    paths, depths = np.zeros((J, J), dtype=np.int64), np.zeros(J, dtype=np.int64)
    for j, p in enumerate(SMPL_PARENTS):
        way = [*paths[p, : depths[p]], j] if p >= 0 else [j]
        paths[j, : len(way)], depths[j] = way, len(way)
    return Bones(np.array(SMPL_PARENTS, dtype=np.int64), template, directions, paths, depths)


@memoised(1)
def _prior() -> Prior:
    prior, limits = pose_prior(SMPL_JOINTS), joint_limits(SMPL_JOINTS)
    mean = np.empty((J, 4))
    quaternions(np.ascontiguousarray(prior.mean), mean)
    ranges = (np.array(part) for part in (limits.frames, limits.low, limits.high))
    return Prior(mean, whole_pose_stiffness(SMPL_JOINTS), *ranges)


@memoised(4)
def _trunk(body: Body) -> Trunk:
    skin, joints = body.vertices(BodyShape()), body.skeleton(BodyShape()).rest_positions
    strongest = body.weights.argmax(axis=1)
    carriers, centres, radii = [], [], []
    for carrier, parts in (
        (Role.PELVIS, (Role.PELVIS, Role.SPINE1)),
        (Role.SPINE2, (Role.SPINE1, Role.SPINE2)),
        (Role.SPINE3, (Role.SPINE2, Role.SPINE3)),
    ):
        patch = skin[np.isin(strongest, [SMPL_JOINTS.index(part) for part in parts])]
        low, high = np.quantile(patch, [0.02, 0.98], axis=0)
        carriers.append(SMPL_JOINTS.index(carrier))
        centres.append((low + high) / 2 - joints[carriers[-1]])
        radii.append((high - low) / 2 * [1.0, 1.3, 1.0] + _LIMB_RADIUS)
    arms = [SMPL_JOINTS.index(role) for arm in ARMS for role in (arm.hinge, arm.end, arm.tip)]
    fore = [SMPL_JOINTS.index(arm.hinge) for arm in ARMS]
    middle = [(joints[SMPL_JOINTS.index(arm.end)] - joints[j]) / 2 for arm, j in zip(ARMS, fore, strict=True)]
    offsets = np.concatenate([np.zeros((len(arms), 3)), np.stack(middle)])
    return Trunk(
        np.array(carriers), np.array(centres, dtype=np.float64), np.array(radii, dtype=np.float64),
        np.array(arms + fore), offsets.astype(np.float64),
    )  # fmt: skip
