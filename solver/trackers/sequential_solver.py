"""A solver run frame by frame: which base pose and what memory of earlier frames it is given."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto

import numpy as np

from solver.body.body import BodyShape
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.effectors.placement import placed
from solver.ik.memory import FRESH, AtPose, Memory
from solver.ik.options import NO_OPTIONS, PROPOSAL_ALONE, Options
from solver.ik.pipeline.pipeline import Solver
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.ik.solver import SolverSpec
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import LIMBS, Role

WITH_MEMORY = frozenset({"dragposer", "dls"})  # ids of solvers that go on from what they left behind
FRAME_S = 1 / 30  # of recorded motions
HELD_TOLERANCE = (
    0.5  # tolerance with which a body on its way holds what no tracker holds, so that its far ends do not swing
)
TRAILING_TOLERANCE, TRAILING_SHARE = 0.3, 0.8  # tolerance of far ends that trail; what share of the body's way they go
HELD_ROLES = (Role.PELVIS, Role.HEAD, *(role for limb in LIMBS for role in (limb.hinge, limb.end)))


class BasePoseChoice(Enum):
    """What a frame's base pose is."""

    NATURAL = auto()  # the natural mean pose, laid over the sensors
    FIRST = auto()  # in the first frame the first true pose, if it is given; the natural one in all others
    LAST = auto()  # the pose of the frame before, or the natural one in the first


@dataclass(frozen=True)
class SequenceSettings:
    """keep: how firmly joints keep their shape in the last pose. remembers: whether a solve goes on from the last."""

    base: BasePoseChoice = BasePoseChoice.NATURAL
    keep: float = 0.0
    remembers: bool = False


EACH_FRAME_ALONE = SequenceSettings()  # each frame


def sequence_settings(spec: SolverSpec) -> SequenceSettings:
    """The settings that suit a solver best, by protocol D of the benchmark.

    One that keeps a base pose is shown the last pose. The classical one goes on with where its search ended, DragPoser
    with its latents; others solve each frame by itself.
    """
    base = (
        BasePoseChoice.FIRST
        if spec.id == "dragposer"
        else BasePoseChoice.LAST
        if not spec.preserves_again
        else BasePoseChoice.NATURAL
    )
    return SequenceSettings(base, remembers=spec.id in WITH_MEMORY)


class SequentialSolver:
    """A solver that poses one body frame after frame.

    first: the pose of the frame before, if it is given. options: the solver's. shape, body: of the skeleton, as in
    `IKProblem`.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        solver: Solver,
        settings: SequenceSettings,
        first: Pose | None = None,
        options: Options = NO_OPTIONS,
        shape: BodyShape | None = None,
        body: str = "",
    ) -> None:
        self._skeleton, self._solver, self._settings = skeleton, solver, settings
        self.options, self._shape, self._body = options, shape, body
        self._memory: Memory = AtPose(first) if first is not None and settings.remembers else FRESH
        self._last = first if settings.base is not BasePoseChoice.NATURAL else None
        self._holds = rig_of(skeleton).names_of(HELD_ROLES)
        self._far = frozenset(rig_of(skeleton).names_of((Role.PELVIS, Role.HEAD, *(limb.end for limb in LIMBS))))
        self._keep = np.full(len(skeleton), settings.keep, np.float32)

    def pose(self, effectors: tuple[Effector, ...], step_s: float) -> Pose:
        """The pose of the next frame. step_s: seconds since the last."""
        skeleton, last, settings = self._skeleton, self._last, self._settings
        base = last if last is not None else placed(skeleton, natural_pose(skeleton), effectors)
        problem = replace(IKProblem.without_masks(skeleton, effectors, base, self._shape, self._body), step_s=step_s)
        if settings.base is BasePoseChoice.LAST and last is not None:
            problem = replace(problem, preserve_orientation=self._keep)
        solved = self._solver.solve(problem, self._memory, self.options)
        self._last = solved.pose if settings.base is BasePoseChoice.LAST else None
        self._memory = solved.memory if settings.remembers else FRESH
        return solved.pose

    def refined_to_meet(
        self, effectors: tuple[Effector, ...], pose: Pose, after: Pose | None = None, furthest: float = 0.0
    ) -> Pose:
        """The pose nearby that meets effectors, by the solver's exact stage; the pose itself if it has none, or is to
        leave what was found as it is.

        after: the pose of the frame before, if far ends that no tracker holds are to trail: as the body turns they go
        TRAILING_SHARE of the way from there, but `furthest` (metres) in any case.
        """
        if not effectors or PROPOSAL_ALONE.of(self.options):
            return pose
        skeleton, asked = self._skeleton, {effector.joint for effector in effectors}
        pose = self._going_along(pose, effectors)
        joints = forward_kinematics(skeleton, pose)
        held = [
            replace(Position.on(skeleton, name, joints), tolerance=HELD_TOLERANCE)
            for name in self._holds
            if name not in asked
        ]
        if after is not None:
            held = self._trailing(held, forward_kinematics(skeleton, after), furthest)
        problem = IKProblem.without_masks(skeleton, (*effectors, *held), pose, self._shape, self._body)
        problem = replace(problem, step_s=FRAME_S)  # of a motion, as is the pose that it is to be near
        return self._solver.finish([problem], [pose], self.options)[0]

    def _going_along(self, pose: Pose, effectors: tuple[Effector, ...]) -> Pose:
        """The pose with what is not asked going along: with the pelvis if that is asked, else with all together."""
        pelvis = tuple(effector for effector in effectors if effector.joint == self._skeleton.names[0])
        return placed(self._skeleton, pose, pelvis if any(isinstance(e, Position) for e in pelvis) else effectors)

    def _trailing(self, held: list[Position], before: WorldJoints, furthest: float) -> list[Position]:
        return [self._behind(each, before, furthest) if each.joint in self._far else each for each in held]

    def _behind(self, end: Position, before: WorldJoints, furthest: float) -> Position:
        was = end.at_pose(self._skeleton, before).target
        way = end.target - was
        share = min(max(furthest / max(float(np.linalg.norm(way)), 1e-9), TRAILING_SHARE), 1.0)
        return replace(end, target=(was + share * way).astype(np.float32), tolerance=TRAILING_TOLERANCE)
