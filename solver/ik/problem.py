"""What a solver is asked and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from solver.body.body import BodyShape
from solver.ik.effectors import Effector
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.values import ArrayValue, FloatArray, frozen_array


@dataclass(frozen=True, eq=False)
class IKProblem(ArrayValue):
    """One pose to complete.

    skeleton: already shaped by `shape`. effectors: in any order, several on a joint allowed, disabled ones ignored.
    base_pose: what to stay near. preserve_position, preserve_orientation: (J,) in [0, 1], how firmly each joint
    keeps its global position and its local orientation of the base pose (0 = free).
    """

    skeleton: Skeleton
    shape: BodyShape
    effectors: tuple[Effector, ...]
    base_pose: Pose
    preserve_position: FloatArray
    preserve_orientation: FloatArray

    def __post_init__(self) -> None:
        joints = len(self.skeleton)
        for name in ("preserve_position", "preserve_orientation"):
            object.__setattr__(self, name, frozen_array(getattr(self, name), (joints,), name))
        if len(self.base_pose.rotations) != joints:
            raise ValueError(f"the base pose has {len(self.base_pose.rotations)} joints, the skeleton {joints}")
        for effector in self.effectors:
            self.skeleton.index(effector.joint)


@dataclass(frozen=True)
class Residual:
    """How far one effector is from its target. value: metres (position) or radians (rotation, look-at).

    state: "met", "tolerated" (off target by no more than its tolerance allows), "unreachable" or "disabled".
    """

    value: float
    state: str


class Cause(Enum):
    """What keeps an effector from its target."""

    OUT_OF_REACH = auto()  # the bones between it and what holds the body are too short
    EFFECTOR = auto()  # without one other effector it would be met
    KEPT = auto()  # without what is kept of the base pose
    LIMITS = auto()  # if joints turned further than a human's
    SEVERAL = auto()  # no single one of these: others together


@dataclass(frozen=True)
class Reason:
    """Why an effector is not reachable.

    joint, kind: of the other effector that is the cause; joint alone: the one that is kept, "" for several of them.
    """

    cause: Cause
    joint: str = ""
    kind: str = ""


@dataclass(frozen=True)
class IKSolution:
    """A solver's answer. residuals: one for each effector of the problem, in order. state: goes into the next solve."""

    pose: Pose
    state: Any
    residuals: tuple[Residual, ...]
    iterations: int
    elapsed_s: float
