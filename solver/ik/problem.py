"""The problem put to a solver, and how far its answer may be off and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from solver.body.body import BodyShape
from solver.effectors.effector import Effector
from solver.ik.anchor import effector_key
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.values import ArrayValue, FloatArray, frozen_array

if TYPE_CHECKING:
    from solver.contact.floor_points import FloorPoints
    from solver.contact.obstacles import Obstacles
    from solver.ik.stance.leans import Lean
    from solver.ik.stance.stance import Stance


@dataclass(frozen=True, eq=False)
class IKProblem(ArrayValue):
    """One pose to complete.

    skeleton: already shaped by `shape`. effectors: in any order, several on a joint allowed, disabled ones ignored.
    base_pose: what to stay near. preserve_position, preserve_orientation: (J,) in [0, 1], how firmly each joint keeps
    its global position and its local orientation of the base pose (0 = free). body: id of the body that the skeleton is
    of, "" if unknown. step_s: seconds since the solve that the memory is of; 0 where time plays no part. frozen: names
    of joints that the exact stage leaves exactly where the base pose has them, whatever else is asked
    (`solver.ik.frozen`). floor: the points of the body's skin that the exact stage keeps above the floor y = 0, given
    in the first joints of the skeleton as solvers see it; None if people may sink into it. obstacles: what the body may
    not pass through, given likewise; None if it may pass through everything. stance: how the body is to stand once it
    is solved (`solver.ik.standing_stage`), given likewise. leans: what the exact stage leans to beside the effectors.
    fixed: names of joints that it leaves where the base pose has them as well, for as long as nothing needs them to
    move (`solver.ik.fixed`); the body still stands and looks. dragged: ids of effectors that are being moved,
    over several solves of one step; they alone are not held where they have been met. arms_first: ids of effectors,
    beside those that grip, for which arms bend before the trunk does. slid: joints whose patches are taken along a
    slope, a wall or a ceiling, so that the body comes after little by little (`solver.ik.pipeline.led`). seen: the pose
    shown of somebody whose solve goes on from another one, as in a drag that begins anew: they are led from it.
    """

    skeleton: Skeleton
    shape: BodyShape
    effectors: tuple[Effector, ...]
    base_pose: Pose
    preserve_position: FloatArray
    preserve_orientation: FloatArray
    body: str = ""
    step_s: float = 0.0
    frozen: frozenset[str] = frozenset()
    floor: FloorPoints | None = None
    obstacles: Obstacles | None = None
    stance: Stance | None = None
    leans: tuple[Lean, ...] = ()
    fixed: frozenset[str] = frozenset()
    dragged: frozenset[str] = frozenset()
    arms_first: frozenset[str] = frozenset()
    slid: frozenset[str] = frozenset()
    seen: Pose | None = None

    def __post_init__(self) -> None:
        joints = len(self.skeleton)
        for name in ("preserve_position", "preserve_orientation"):
            object.__setattr__(self, name, frozen_array(getattr(self, name), (joints,), name))
        if len(self.base_pose.rotations) != joints:
            raise ValueError(f"the base pose has {len(self.base_pose.rotations)} joints, the skeleton {joints}")
        for effector in self.effectors:
            self.skeleton.index(effector.joint)
        for name in self.frozen:
            self.skeleton.index(name)

    @cached_property
    def has_masks(self) -> bool:
        """Whether anything is to be kept of the base pose."""
        return bool(np.count_nonzero(self.preserve_position) or np.count_nonzero(self.preserve_orientation))

    def is_entered_by(self, pose: Pose) -> bool:
        """Whether the pose has skin below the solid floor, or passes through the obstacles."""
        if self.floor is None and self.obstacles is None:
            return False
        joints = forward_kinematics(self.skeleton, pose)
        sunk = self.floor is not None and self.floor.lowest(joints) < -self.floor.ground.gives
        return sunk or (self.obstacles is not None and self.obstacles.least_gap(joints) < 0.0)

    @classmethod
    def without_masks(
        cls,
        skeleton: Skeleton,
        effectors: Sequence[Effector],
        base_pose: Pose,
        shape: BodyShape | None = None,
        body: str = "",
    ) -> IKProblem:
        """A problem that preserves nothing of its base pose; the average shape if none is given."""
        masks = np.zeros(len(skeleton), np.float32)
        return cls(skeleton, shape or BodyShape(), tuple(effectors), base_pose, masks, masks, body)


@dataclass(frozen=True)
class Residual:
    """How far one effector is from its target. value: metres or radians, by its kind's unit.

    state: "met", "tolerated" (off target by no more than its tolerance allows), "unreachable" or "disabled"; "" where
    nobody knows yet, the value being nan.
    """

    value: float
    state: str


class Cause(Enum):
    """What keeps an effector from its target."""

    OUT_OF_REACH = auto()  # the bones between it and what holds the body are too short
    EFFECTOR = auto()  # without one other effector it would be met, or without those of one joint and its counterpart
    KEPT = auto()  # without what is kept of the base pose
    FLOOR = auto()  # without a solid floor, which the skin touches
    BODY = auto()  # if the body could pass through itself
    PROP = auto()  # if it could pass through what stands around, things and people
    LIMITS = auto()  # if joints turned further than a human's
    SEVERAL = auto()  # no single one of these: others together
    RIDES = auto()  # what it lies on is the body's own skin, and moves as the body moves to get there
    STANDING = auto()  # if people did not stand, sit and look as they do
    WAY = auto()  # nothing where it is to go, but what the search met on its way there
    WIDE = auto()  # what a hand is to be around is wider than it opens
    TURN = auto()  # a patch keeps its place, but its limb turns no further, so that it does not lie flat


@dataclass(frozen=True)
class Reason:
    """Why an effector is not reachable, or why what it holds does not lie flat.

    joint, kind: of the other effector that is the cause; joint alone: the one that is kept, "" for several of them.
    other: a second joint, where all that is asked of both together is the cause. part: "arm" or "leg", what turns no
    further. angle: radians by which a patch in its place lies tilted; 0 of what is not reachable.
    """

    cause: Cause
    joint: str = ""
    kind: str = ""
    other: str = ""
    part: str = ""
    angle: float = 0.0


def asks_alike(one: IKProblem, other: IKProblem) -> bool:
    """Whether two problems on a skeleton differ in nothing but where targets and obstacles are."""
    if len(one.effectors) != len(other.effectors):
        return False
    pairs = zip(one.effectors, other.effectors, strict=True)
    return (
        all(a is b or _demand(a) == _demand(b) for a, b in pairs)
        and (one.floor is other.floor and one.frozen == other.frozen and one.base_pose == other.base_pose)
        and np.array_equal(one.preserve_position, other.preserve_position)
        and np.array_equal(one.preserve_orientation, other.preserve_orientation)
    )


def _demand(effector: Effector) -> tuple[object, ...]:
    """What an effector asks for, and of which joint, apart from its target."""
    return effector_key(effector), effector.is_active, effector.pinned, effector.tolerance
