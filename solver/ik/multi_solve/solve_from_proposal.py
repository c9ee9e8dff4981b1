"""A solve from a given proposal: the exact stage and standing, with targets resolved again as the body moves.

Searches use it for the many poses that they try, and frames between keys for their proposals. A hand on the person's
own hip is on the hip of the pose found, not of the pose that was shown when the hand was put there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import NamedTuple

from solver.effectors.effector import Effector
from solver.effectors.resolve import Context, Figure, has_sources, resolved, tied_figures
from solver.ik.exact import Refined, refine
from solver.ik.memory import FRESH, AtPose, ChosenPose, Memory, state_at
from solver.ik.multi_solve.self_ties import hands_on_own_legs, stay_effectors
from solver.ik.multi_solve.shared_problem import SharedProblem, TiedFigure
from solver.ik.multi_solve.together import solve_together
from solver.ik.options import NO_OPTIONS, Options
from solver.ik.pipeline.pipeline import Solver
from solver.ik.problem import IKProblem
from solver.ik.solution import Answer, IKSolution
from solver.ik.standing_stage import before_standing, solve_with_standing, with_standing
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose


class Ties(NamedTuple):
    """Where the targets of one figure come from. figure: its id, as in its own ties. context: everything else; other
    figures stay as they are there."""

    figure: str
    context: Context

    def resolved_at(self, problem: IKProblem, pose: Pose) -> IKProblem:
        """The problem with targets where their sources are in a pose; joints that bear the figure's own are to stay."""
        world = forward_kinematics(problem.skeleton, pose)
        figures = {**self.context.figures, self.figure: Figure(problem.skeleton, world)}
        there = replace(self.context, figures=figures)
        asked = tuple(resolved(e, there) if e.is_active else e for e in problem.effectors)
        stays = stay_effectors(self.figure, asked, there, first=True)
        hands = hands_on_own_legs(self.figure, asked, there)
        return replace(problem, effectors=(*asked, *stays), arms_first=hands)

    def has_self_ties(self, effectors: tuple[Effector, ...]) -> bool:
        """Whether any of them has a target on the figure itself."""
        return self.figure in tied_figures(effectors)


class SolvedPose(NamedTuple):
    """A solved pose. effectors: the problem's, with targets where their sources are in that pose."""

    refined: Refined
    effectors: tuple[Effector, ...]


@dataclass(frozen=True)
class _FromProposal:
    """Solves from one fixed proposal, in place of a solver; each further solve starts where the last one ended."""

    proposal: Pose

    def solve(self, problem: IKProblem, memory: Memory = FRESH, options: Options = NO_OPTIONS) -> IKSolution:
        """The pose solved from the proposal."""
        started, start = perf_counter(), memory.warm_start_for("", len(problem.skeleton))
        found = solve_with_standing(problem, self.proposal, state_at(start.pose or self.proposal))
        seconds = perf_counter() - started
        return IKSolution(found.pose, AtPose(found.pose), found.residuals, found.iterations, seconds)

    def solve_reusing_proposal(
        self, problem: IKProblem, before: IKSolution, options: Options = NO_OPTIONS
    ) -> IKSolution:
        """The pose solved from the proposal, the search starting where the last one ended."""
        return self.solve(problem, before.memory, options)


@dataclass(frozen=True)
class _ColdStart:
    """A solver that starts cold: it remembers its own solves, but not the pose that was shown before them."""

    solver: Solver

    def solve(self, problem: IKProblem, memory: Memory = FRESH, options: Options = NO_OPTIONS) -> IKSolution:
        """What the solver answers."""
        return self.solver.solve(problem, FRESH if isinstance(memory, AtPose) else memory, options)

    def solve_reusing_proposal(
        self, problem: IKProblem, before: IKSolution, options: Options = NO_OPTIONS
    ) -> IKSolution:
        """What the solver answers about the same proposal."""
        return self.solver.solve_reusing_proposal(problem, before, options)


def solve_from_proposal(problem: IKProblem, proposal: Pose, ties: Ties | None = None) -> SolvedPose:
    """The problem solved from a proposal, its targets where their sources are in the end.

    ties: None if targets stay where they are. The skeleton is of the solvers' own kind.
    """
    if ties is None or not has_sources(problem.effectors):
        return SolvedPose(solve_with_standing(problem, proposal), problem.effectors)
    figure = TiedFigure(ties.figure, problem, _FromProposal(proposal), proposal, AtPose(proposal))
    solution, effectors = solve_together(SharedProblem((figure,), ties.context))[ties.figure]
    return SolvedPose(as_refined(solution), effectors)


def as_refined(solution: IKSolution) -> Refined:
    """A solution as if the exact stage had just found it."""
    pose = solution.pose
    return Refined(pose, state_at(pose), solution.residuals, solution.iterations, solution.elapsed_s)


def as_chosen_solution(found: SolvedPose) -> IKSolution:
    """The solved pose as a solution that the user chose: the solver goes on from it."""
    pose, _, left, iterations, seconds = found.refined
    return IKSolution(pose, ChosenPose(pose, found.effectors), left, iterations, seconds)


def try_from_proposal(
    problem: IKProblem, proposal: Pose, ties: Ties | None, accepts: Callable[[Refined], bool]
) -> SolvedPose | None:
    """As `solve_from_proposal`, but None if the result is not accepted.

    Usually that is known after one search, with targets as the proposal has them.
    """
    tied = ties is not None and has_sources(problem.effectors)
    asked = ties.resolved_at(problem, proposal) if ties and tied else problem
    first = refine(before_standing(asked), proposal, state_at(proposal))
    if not accepts(first._replace(residuals=first.residuals[: len(problem.effectors)])):
        return None
    stands = (
        solve_from_proposal(problem, proposal, ties)
        if tied
        else SolvedPose(with_standing(problem, first, proposal), problem.effectors)
    )
    return stands if accepts(stands.refined) else None


def cold_start_answer(
    solver: Solver, problem: IKProblem, shown: Pose, ties: Ties | None = None, options: Options = NO_OPTIONS
) -> Answer:
    """The answer of a solver without any memory, with targets where their sources are in the end.

    shown: the pose by which the targets on the figure itself are found first. Others stay where they are.
    """
    if ties is None or not has_sources(problem.effectors):
        return Answer(solver.solve(problem, FRESH, options), problem.effectors)
    figure = TiedFigure(ties.figure, problem, _ColdStart(solver), shown, FRESH, options)
    return solve_together(SharedProblem((figure,), ties.context))[ties.figure]
