"""What follows sensors: DragPoser, and strong baselines that solve each frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from solver.effectors.effector import Effector
from solver.ik.options import NO_OPTIONS, PROPOSAL_ALONE, with_option
from solver.ik.pipeline import Solver
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.trackers.manner import BY_ITSELF, Led, Manner, manner_of

Follow = Callable[[tuple[Effector, ...]], Pose]


@dataclass(frozen=True)
class Tracker:
    """A row of the tables. alone: without the exact stage."""

    name: str
    solver: Solver
    manner: Manner = BY_ITSELF
    alone: bool = False

    def begin(self, skeleton: Skeleton, step_s: float, first: Pose | None) -> Follow:
        """A function that solves one frame after another. first: the true pose of the frame before, if given."""
        options = with_option(NO_OPTIONS, PROPOSAL_ALONE.id, True) if self.alone else NO_OPTIONS
        led = Led(skeleton, self.solver, self.manner, first, options)
        return lambda effectors: led.pose(effectors, step_s)


def trackers_of(id: str, solver: Solver) -> tuple[Tracker, ...]:
    """The rows of a solver, named after `id`; also one alone if it proposes something."""
    rows = [Tracker(id, solver, manner_of(solver.spec))]
    if solver.spec.proposes:
        rows.append(replace(rows[0], name=f"{id}:raw", alone=True))
    return tuple(rows)


TRACKERS = ("dragposer", "dls", "smplik", "skelik")  # which solvers follow sensors, unless others are named
