"""Postures that the program can make by itself: legs that stand, step, squat, kneel or kick, under upper bodies that
reach, lean, fold their arms. Each is a few places for hands, feet and hips, solved once for a skeleton.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from solver.effectors.kinds import Position
from solver.ik.exact import refine
from solver.ik.pose_prior import natural_pose, pose_prior
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.limits import joint_limits
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS, Role

Shifts = Mapping[Role, tuple[float, float, float]]  # from the natural pose, in lengths of a leg

_LA, _RA, _LK, _RK = Role.LEFT_ANKLE, Role.RIGHT_ANKLE, Role.LEFT_KNEE, Role.RIGHT_KNEE
_LW, _RW, _HIPS, _HEAD = Role.LEFT_WRIST, Role.RIGHT_WRIST, Role.PELVIS, Role.HEAD
_O = (0.0, 0.0, 0.0)
LOWER: tuple[Shifts, ...] = (
    {},
    {_HIPS: (0.0, -0.10, 0.0), _LA: (0.25, 0.0, 0.0), _RA: (-0.25, 0.0, 0.0)},  # astride
    {_HIPS: (0.0, -0.08, 0.05), _LA: (0.0, 0.0, 0.40), _RA: (0.0, 0.08, -0.35)},  # a step
    {_HIPS: (0.0, -0.08, 0.05), _RA: (0.0, 0.0, 0.40), _LA: (0.0, 0.08, -0.35)},
    {_HIPS: (0.0, -0.35, 0.0), _LA: (0.05, 0.0, 0.55), _RA: (-0.05, 0.10, -0.60)},  # a lunge
    {_HIPS: (0.0, -0.35, 0.0), _RA: (-0.05, 0.0, 0.55), _LA: (0.05, 0.10, -0.60)},
    {_HIPS: (0.25, -0.30, 0.0), _LA: (0.30, 0.0, 0.0), _RA: (-0.45, 0.0, 0.0)},  # to the side
    {_HIPS: (-0.25, -0.30, 0.0), _RA: (-0.30, 0.0, 0.0), _LA: (0.45, 0.0, 0.0)},
    {_HIPS: (0.0, -0.45, -0.25), _LA: (0.05, 0.0, 0.10), _RA: (-0.05, 0.0, 0.10)},  # as on a chair
    {_HIPS: (0.0, -0.70, -0.10), _LA: (0.12, 0.0, 0.0), _RA: (-0.12, 0.0, 0.0)},  # a squat
    {_HIPS: (0.0, -0.48, 0.0), _LA: (0.0, 0.0, 0.38), _RK: (0.0, -0.48, 0.0), _RA: (0.0, 0.02, -0.45)},  # one knee
    {_HIPS: (0.0, -0.48, 0.0), _RA: (0.0, 0.0, 0.38), _LK: (0.0, -0.48, 0.0), _LA: (0.0, 0.02, -0.45)},
    {_HIPS: (0.0, -0.60, -0.15), _LK: (0.05, -0.48, 0.1), _RK: (-0.05, -0.48, 0.1),
     _LA: (0.05, 0.02, -0.38), _RA: (-0.05, 0.02, -0.38)},  # on both knees
    {_HIPS: _O, _LA: (0.05, 0.55, 0.55), _RA: _O},  # a kick
    {_HIPS: _O, _RA: (-0.05, 0.55, 0.55), _LA: _O},
)  # fmt: skip
UPPER: tuple[Shifts, ...] = (
    {},
    {_LW: (-0.10, 1.20, 0.10), _RW: (0.10, 1.20, 0.10)},  # hands up
    {_LW: (0.35, 0.60, 0.0), _RW: (-0.35, 0.60, 0.0)},  # arms out
    {_LW: (-0.05, 0.55, 0.60), _RW: (0.05, 0.55, 0.60)},  # reaching forward
    {_LW: (-0.30, 0.35, 0.30), _RW: (0.30, 0.40, 0.30)},  # arms folded
    {_LW: (0.05, 0.18, 0.05), _RW: (-0.05, 0.18, 0.05)},  # on the hips
    {_LW: (-0.10, 0.0, 0.50), _RW: (0.10, 0.0, 0.50), _HEAD: (0.0, -0.40, 0.50)},  # bent forward
    {_LW: (0.10, 0.15, -0.20), _RW: (-0.10, 0.15, -0.20), _HEAD: (0.0, -0.05, -0.22)},  # leaning back
    {_LW: (-0.05, 1.15, 0.20), _RW: (-0.05, 0.10, -0.20)},  # one hand up
    {_RW: (0.05, 1.15, 0.20), _LW: (0.05, 0.10, -0.20)},
    {_LW: (0.45, 0.45, 0.10), _RW: (0.30, 0.55, 0.40), _HEAD: (0.10, -0.02, 0.0)},  # both to a side
    {_RW: (-0.45, 0.45, 0.10), _LW: (-0.30, 0.55, 0.40), _HEAD: (-0.10, -0.02, 0.0)},
    {_LW: (0.15, 0.30, 0.10), _HEAD: (0.28, -0.10, 0.0), _RW: (0.10, 0.95, 0.0)},  # bent to a side
    {_RW: (-0.15, 0.30, 0.10), _HEAD: (-0.28, -0.10, 0.0), _LW: (-0.10, 0.95, 0.0)},
)
SPREAD = 1.2  # of motion capture's, for poses drawn at random
SHARES = (0.35, 0.6)  # of the way from a pose to another, for poses like it


@memoised(4, by_identity=True)
def postures(skeleton: Skeleton) -> tuple[Pose, ...]:
    """Every lower body under every upper one, first those that share neither; facing +Z, feet about on the floor.

    Made once for each skeleton object among the last few. Only the natural pose for a skeleton without these joints.
    """
    rig, natural = rig_of(skeleton), natural_pose(skeleton)
    if rig.lacking((_LA, _RA, _LK, _RK, _LW, _RW, _HIPS, _HEAD)):
        return (natural,)
    lower = [_solved(skeleton, natural, shifts) for shifts in LOWER]
    upper = [_solved(skeleton, natural, {_HIPS: _O, _LA: _O, _RA: _O} | dict(shifts)) for shifts in UPPER]
    above = [j for j in range(1, len(skeleton)) if j not in _legs(skeleton)]
    rounds = range(len(upper))  # in each, every lower body once
    return tuple(_with(low, upper[(i + turn) % len(upper)], above) for turn in rounds for i, low in enumerate(lower))


def random_poses(skeleton: Skeleton, count: int, seed: int = 0) -> list[Pose]:
    """Poses drawn at random about the natural one, as far from it as in motion capture, within the joints' range."""
    rng, prior, limits = np.random.default_rng(seed), pose_prior(skeleton.names), joint_limits(skeleton.names)
    factors, natural = np.linalg.cholesky(prior.covariance + 1e-8 * np.eye(3)), natural_pose(skeleton)
    poses: list[Pose] = []
    for _ in range(20 * count):
        if len(poses) == count:
            break
        turns = SPREAD * np.einsum("jik,jk->ji", factors, rng.standard_normal((len(skeleton), 3)))
        rotations = prior.mean @ from_rotation_vector(turns)
        if limits.excess(rotations).max() < 0.3:
            poses.append(Pose(natural.root_position, rotations.astype(np.float32)))
    return poses


def poses_like(skeleton: Skeleton, model: Pose, others: Sequence[Pose]) -> list[Pose]:
    """Poses like `model`: part of the way to each of the others, or with its legs or its upper body."""
    legs = _legs(skeleton)
    above = [j for j in range(1, len(skeleton)) if j not in legs]
    made: list[Pose] = []
    for other in others:
        made += [_with(model, other, legs), _with(model, other, above)]
        made += [_between(model, other, share) for share in SHARES]
    return made


def _legs(skeleton: Skeleton) -> list[int]:
    rig = rig_of(skeleton)
    return [rig.index(name) for name in rig.names_of(role for leg in LEGS for role in leg.joints)]


def _with(pose: Pose, other: Pose, joints: Sequence[int]) -> Pose:
    """A pose with some joints as in another one."""
    rotations = np.array(pose.rotations)
    rotations[joints] = other.rotations[joints]
    return Pose(pose.root_position, rotations)


def _between(a: Pose, b: Pose, share: float) -> Pose:
    turns = to_rotation_vector(np.swapaxes(a.rotations, -1, -2) @ b.rotations)
    rotations = np.array(a.rotations @ from_rotation_vector(share * turns), np.float32)
    rotations[0] = a.rotations[0]
    return Pose(a.root_position, rotations)


def _solved(skeleton: Skeleton, natural: Pose, shifts: Shifts) -> Pose:
    if not shifts:
        return natural
    rig, places = rig_of(skeleton), forward_kinematics(skeleton, natural).positions
    unit = rig.limb_length(LEGS[0])
    effectors = tuple(
        Position(rig.name(role), places[rig.joint(role)] + np.array(shift, np.float32) * unit, tolerance=0.2)
        for role, shift in shifts.items()
    )
    return refine(IKProblem.without_masks(skeleton, effectors, natural), natural).pose
