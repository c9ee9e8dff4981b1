"""What follows sensors: DragPoser, and strong baselines that solve each frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from solver.effectors.effector import Effector
from solver.ik.options import NO_OPTIONS, PROPOSAL_ALONE, with_option
from solver.ik.pipeline.pipeline import Solver
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.trackers.sequential_solver import EACH_FRAME_ALONE, SequenceSettings, SequentialSolver, sequence_settings

Follow = Callable[[tuple[Effector, ...]], Pose]


@dataclass(frozen=True)
class Tracker:
    """A row of the tables. alone: without the exact stage."""

    name: str
    solver: Solver
    settings: SequenceSettings = EACH_FRAME_ALONE
    alone: bool = False

    def begin(self, skeleton: Skeleton, step_s: float, first: Pose | None) -> Follow:
        """A function that solves one frame after another. first: the true pose of the frame before, if given."""
        options = with_option(NO_OPTIONS, PROPOSAL_ALONE.id, True) if self.alone else NO_OPTIONS
        solver = SequentialSolver(skeleton, self.solver, self.settings, first, options)
        return lambda effectors: solver.pose(effectors, step_s)


def trackers_of(id: str, solver: Solver) -> tuple[Tracker, ...]:
    """The rows of a solver, named after `id`; also one alone if it proposes something."""
    rows = [Tracker(id, solver, sequence_settings(solver.spec))]
    if solver.spec.proposes:
        rows.append(replace(rows[0], name=f"{id}:raw", alone=True))
    return tuple(rows)


TRACKERS = ("dragposer", "dls", "smplik", "skelik")  # which solvers follow sensors, unless others are named
