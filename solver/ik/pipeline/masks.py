"""What a solver keeps of the base pose, before and after the exact stage, as its spec declares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from solver.ik.anchor import effectors_at_pose
from solver.ik.exact import refined_pose
from solver.ik.fixed import with_fixed
from solver.ik.kept_places import bring_ends_home, free_limbs, kept_place_leans
from solver.ik.preserve import held_still, proposed_place_leans, with_soft_masks, without_masks
from solver.ik.problem import IKProblem, Residual
from solver.ik.solver import SolverSpec
from solver.kinematics.pose import Pose
from solver.values import changed

Found = TypeVar("Found")  # what the exact stage answers


def exact_problem(spec: SolverSpec, problem: IKProblem) -> IKProblem:
    """The problem as the exact stage is given it: if the proposer has heeded the masks, only what holds still."""
    return problem if spec.preserves_again else with_soft_masks(problem)


def solved_with_masks(
    spec: SolverSpec,
    problem: IKProblem,
    proposal: Pose,
    solve: Callable[[IKProblem], Found],
    left: Callable[[Found], Sequence[Residual]],
) -> tuple[IKProblem, Found]:
    """The problem that the exact stage was given in the end, and the answer: after a proposer that has heeded the
    masks, what nothing moves stays as it is, and kept ends stay in their places.

    solve: the exact stage. left: an answer's residuals.
    """
    exact = exact_problem(spec, problem)
    if not spec.holds_kept or not problem.has_masks:
        return exact, solve(exact)
    return with_fixed(problem, free_limbs(problem, exact, proposal), kept_place_leans(problem, proposal), solve, left)


def prepared(spec: SolverSpec, problem: IKProblem, pose: Pose) -> Pose:
    """A proposal as continuity and the exact stage are given it: what holds still stays, as no mask will keep it.

    What it keeps in place stays there while joints are brought within their limits, and ends come home.
    """
    if spec.preserves_again:
        return pose
    said = held_still(problem, _within_limits(problem, pose))
    return bring_ends_home(problem, said) if spec.holds_kept else said


def _within_limits(problem: IKProblem, pose: Pose) -> Pose:
    """A proposal that heeds the masks, brought within the limits of joints while the places that it keeps are held.

    A network that keeps places may turn joints further than people can, and the exact stage, which turns them back one
    by one, would lose those places. Its effectors stay where the proposal has them. Itself if no place is kept.
    """
    leans = () if problem.frozen else proposed_place_leans(problem, pose)
    if not leans:
        return pose
    there = effectors_at_pose(problem.skeleton, pose, problem.effectors)
    alone = changed(without_masks(problem), effectors=there, leans=leans, floor=None, obstacles=None, stance=None)
    return refined_pose(alone, pose)
