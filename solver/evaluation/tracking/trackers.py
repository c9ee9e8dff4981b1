"""Who follows sensors: DragPoser, and strong baselines that solve each frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto

import numpy as np

from solver.effectors.effector import Effector
from solver.ik.memory import FRESH, AtPose, Memory
from solver.ik.options import NO_OPTIONS, PROPOSAL_ALONE, Options, with_option
from solver.ik.pipeline import Solver
from solver.ik.placement import placed
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton

Follow = Callable[[tuple[Effector, ...]], Pose]


class Base(Enum):
    """What a frame's base pose is."""

    NATURAL = auto()  # the natural mean pose, laid over the sensors
    FIRST = auto()  # where it is given, the first true pose, in the first frame; the natural one in all others
    LAST = auto()  # the pose of the frame before, or the natural one in the first


@dataclass(frozen=True)
class Tracker:
    """A row of the tables. keep: how firmly each joint keeps its shape of the last pose. remembers: whether a solve
    goes on from the last. alone: without the exact stage."""

    name: str
    solver: Solver
    base: Base = Base.NATURAL
    keep: float = 0.0
    remembers: bool = False
    alone: bool = False

    def begin(self, skeleton: Skeleton, step_s: float, first: Pose | None) -> Follow:
        """What solves one frame after another. first: the true pose of the frame before, where it is given."""
        options: Options = with_option(NO_OPTIONS, PROPOSAL_ALONE.id, True) if self.alone else NO_OPTIONS
        memory: Memory = AtPose(first) if first is not None and self.remembers else FRESH
        last = first if self.base is not Base.NATURAL else None
        keep = np.full(len(skeleton), self.keep, np.float32)

        def follow(effectors: tuple[Effector, ...]) -> Pose:
            nonlocal last, memory
            base = last if last is not None else placed(skeleton, natural_pose(skeleton), effectors)
            problem = replace(IKProblem.free(skeleton, effectors, base), step_s=step_s)
            if self.base is Base.LAST and last is not None:
                problem = replace(problem, preserve_orientation=keep)
            solved = self.solver.solve(problem, memory, options)
            last = solved.pose if self.base is Base.LAST else None
            memory = solved.memory if self.remembers else FRESH
            return solved.pose

        return follow


def trackers_of(id: str, solver: Solver) -> tuple[Tracker, ...]:
    """The rows of a solver: alone too where it proposes something.

    One that keeps a base pose is shown the last pose. The classical one goes on with where its search ended, DragPoser
    with its latents; others solve each frame by itself.
    """
    base = Base.FIRST if id == "dragposer" else Base.LAST if not solver.spec.preserves_again else Base.NATURAL
    rows = [Tracker(id, solver, base, remembers=id in REMEMBER)]
    if solver.spec.proposes:
        rows.append(replace(rows[0], name=f"{id}:raw", alone=True))
    return tuple(rows)


REMEMBER = frozenset({"dragposer", "dls"})
TRACKERS = ("dragposer", "dls", "smplik", "skelik")  # which solvers follow sensors, unless others are named
