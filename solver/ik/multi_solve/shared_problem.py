"""Figures to be solved together: the problem of each, its solver, and what its last solve left behind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

from solver.contact.solid_body import SolidBody
from solver.effectors.effector import Effector
from solver.effectors.resolve import Context
from solver.ik.memory import FRESH, AtPose, Memory
from solver.ik.multi_solve.drag_return import memory_as_shown
from solver.ik.options import NO_OPTIONS, Options
from solver.ik.problem import IKProblem
from solver.ik.solution import IKSolution
from solver.kinematics.pose import Pose


class FigureSolver(Protocol):
    """What answers a figure's problem: a solver, or what stands in its place."""

    def solve(self, problem: IKProblem, memory: Memory, options: Options) -> IKSolution:
        """The pose for the problem, going on from the memory."""
        ...

    def solve_reusing_proposal(self, problem: IKProblem, before: IKSolution, options: Options) -> IKSolution:
        """The pose for a problem whose targets have hardly moved since `before`."""
        ...


Refit = Callable[[tuple[Effector, ...], Pose], tuple[Effector, ...]]


def unchanged(effectors: tuple[Effector, ...], pose: Pose) -> tuple[Effector, ...]:
    """The refit of a figure whose skin stays as it is."""
    return effectors


@dataclass(frozen=True)
class TiedFigure:
    """One figure of a problem: its own problem, its solver, the pose shown, and what its last solve left behind.

    id: the name by which the ties of others refer to it. beside: figures that its body may not pass through, with the
    balls that count; the problem's obstacles hold them, in this order. refit: the effectors as a pose has their skin,
    the same tuple if none changes.
    """

    id: str
    problem: IKProblem
    solver: FigureSolver
    shown: Pose
    memory: Memory = FRESH
    options: Options = field(default_factory=lambda: NO_OPTIONS)
    beside: tuple[tuple[str, SolidBody], ...] = ()
    refit: Refit = unchanged

    def refitted(self, pose: Pose) -> TiedFigure:
        """The figure with its effectors as the pose has its skin; itself if none changes."""
        effectors = self.refit(self.problem.effectors, pose)
        same = effectors is self.problem.effectors
        return self if same else replace(self, problem=replace(self.problem, effectors=effectors))

    def with_known_start(self) -> TiedFigure:
        """The figure with what was asked of the pose shown, where no solve of it is known."""
        memory = self.memory
        if not isinstance(memory, AtPose) or not memory.asked or self.problem.step_s > 0.0:
            return self
        return replace(self, memory=memory_as_shown(memory, self.problem, self.shown, self.solver, self.options))


@dataclass(frozen=True)
class SharedProblem:
    """Figures to be solved together. context: what else targets may come from, photos' cameras and streams."""

    figures: tuple[TiedFigure, ...]
    context: Context = field(default_factory=Context)

    def __post_init__(self) -> None:
        if len({figure.id for figure in self.figures}) < len(self.figures):
            raise ValueError("two figures of a problem have the same id")
