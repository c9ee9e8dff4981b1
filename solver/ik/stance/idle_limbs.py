"""Limbs of which nothing is asked stay where they are shown, where a search throws them elsewhere in a small step.

A search that begins anew, or that falls into another pose on its way, brings arms and legs from wherever it started:
hands go right round thighs that they hung in front of, while the rest of the body has hardly moved.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.ik.stance.leans import joints_with
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised_on_value
from solver.rig.rig import rig_of
from solver.rig.roles import LIMBS

THROWN_M = 0.1  # metres that an end goes, as the joint that carries its limb sees it: more is a throw
NEARER = 0.5  # of that way is the most that it may still go


def with_idle_limbs_as_shown(
    skeleton: Skeleton, effectors: Sequence[Effector], found: Pose, shown: Pose
) -> Pose | None:
    """What was found with idle limbs as they are shown, for a search to start at; None if it throws none of them.

    shown: the pose before what is asked moved a little.
    """
    limbs = idle_limbs(skeleton, effectors)
    if _farthest(skeleton, limbs, shown, found) <= THROWN_M:
        return None
    rotations = np.array(found.rotations)
    for line in limbs:
        rotations[line] = shown.rotations[line]
    return Pose(found.root_position, rotations)


def keeps_idle_limbs_nearer(
    skeleton: Skeleton, effectors: Sequence[Effector], one: Pose, other: Pose, shown: Pose
) -> bool:
    """Whether a pose has idle limbs much nearer to where they are shown than another one."""
    limbs = idle_limbs(skeleton, effectors)
    return _farthest(skeleton, limbs, shown, one) < NEARER * _farthest(skeleton, limbs, shown, other)


def idle_limbs(skeleton: Skeleton, effectors: Sequence[Effector]) -> list[list[int]]:
    """The joints of each limb of which nothing is asked, from its girdle or root to its end."""
    asked = {skeleton.index(e.joint) for e in effectors if e.is_active}
    return [line for line in _lines(skeleton) if asked.isdisjoint(line)]


@memoised_on_value
def _lines(skeleton: Skeleton) -> tuple[list[int], ...]:
    """The joints of each limb that the skeleton has."""
    rig = rig_of(skeleton)
    return tuple(list(joints_with(rig, limb.joints)) for limb in LIMBS if not rig.lacking(limb.joints))


def _farthest(skeleton: Skeleton, limbs: list[list[int]], one: Pose, other: Pose) -> float:
    """Metres between the two places of the end that is furthest apart, as the joint that carries its limb sees it."""
    ends = [line[-1] for line in limbs]
    carriers = [skeleton.parents[line[0]] for line in limbs]
    seen: list[NDArray[np.float64]] = []
    for pose in (one, other):
        world = forward_kinematics(skeleton, pose)
        ways = (world.positions[ends] - world.positions[carriers]).astype(np.float64)
        seen.append(np.einsum("ni,nij->nj", ways, world.rotations[carriers]))
    return float(np.linalg.norm(seen[1] - seen[0], axis=1).max(initial=0.0))
