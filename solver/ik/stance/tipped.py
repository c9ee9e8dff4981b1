"""How far somebody is tipped over: upside down, bent over backwards, or as stiff and aslant as a felled tree.

Networks have hardly seen anybody so, and propose to get up. The difference to the pose shown fades as a handle is
dragged, and the body turns over with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.ik.stance.leans import joints_with
from solver.ik.stance.lying import trunk_raised
from solver.kinematics.curves import eased_between
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS, Role

HANGS = (0.0, 0.25)  # how far down a trunk points, as a sine
FEET_UP = (0.0, 0.3)  # lengths of the trunk that both ankles are above the pelvis
FRONT_UP = (0.3, 0.7)  # how far up the pelvis faces, as a sine
STIFF = (0.8, 0.95)  # cosine of the angle between the trunk and each leg
ASLANT = (0.8, 0.6)  # cosine of the angle between the line from ankles to neck and the vertical

RAISED = (0.2, 0.9)  # metres that the trunk is taken up: whoever is stiff and aslant gets up little by little


class _Line(NamedTuple):
    """(3,) metres: from the pelvis to the neck, and to each ankle. front: how far up the pelvis faces, as a sine."""

    trunk: NDArray[np.float64]
    legs: NDArray[np.float64]
    front: float

    @property
    def length(self) -> float:
        """Of the trunk."""
        return max(float(np.linalg.norm(self.trunk)), 1e-6)

    @property
    def hangs(self) -> float:
        """How far the trunk points down, 0..1."""
        return eased_between(-float(self.trunk[1]) / self.length, *HANGS)


def how_tipped(skeleton: Skeleton, effectors: Sequence[Effector], base: Pose) -> float:
    """How far somebody is tipped over, 0..1: 1 in a handstand, in a bridge, and for who was tipped by 60° as they
    stood, of these the less, the further up the trunk is taken. 0 for a rig without neck or ankles."""
    upside_down, stiff = _how_posed(skeleton, base)
    if stiff <= upside_down:  # as of nearly all
        return upside_down
    return max(upside_down, stiff * (1.0 - eased_between(trunk_raised(skeleton, effectors, base), *RAISED)))


@memoised(16, by_identity=True)
def _how_posed(skeleton: Skeleton, base: Pose) -> tuple[float, float]:
    """How far somebody is upside down or bent over backwards, and how far stiff and aslant."""
    line = _line(skeleton, base)
    return (0.0, 0.0) if line is None else (max(_upside_down(line), _bent_back(line)), _stiff(line))


def _line(skeleton: Skeleton, base: Pose) -> _Line | None:
    rig = rig_of(skeleton)
    ends = joints_with(rig, (Role.PELVIS, Role.NECK, *(leg.end for leg in LEGS)))
    if len(ends) < 2 + len(LEGS):
        return None
    was = forward_kinematics(skeleton, base)
    pelvis, neck, *ankles = was.positions[list(ends)].astype(np.float64)
    return _Line(neck - pelvis, np.stack(ankles) - pelvis, float(was.rotations[0][1, 2]))


def _upside_down(line: _Line) -> float:
    """With the trunk hanging and both ankles above the pelvis."""
    return line.hangs * eased_between(float(line.legs[:, 1].min()) / line.length, *FEET_UP)


def _bent_back(line: _Line) -> float:
    """With the trunk hanging and the front up."""
    return line.hangs * eased_between(line.front, *FRONT_UP)


def _stiff(line: _Line) -> float:
    """With the legs in line with the trunk, aslant."""
    along = -line.legs @ line.trunk / (np.linalg.norm(line.legs, axis=1) * line.length)
    whole = line.trunk - line.legs.mean(axis=0)
    tilt = float(whole[1]) / max(float(np.linalg.norm(whole)), 1e-6)
    return eased_between(float(along.min()), *STIFF) * eased_between(-tilt, *(-each for each in ASLANT))
