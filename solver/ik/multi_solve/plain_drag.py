"""Solves of a figure that is tied to nothing, in a drag that may come back to where it started.

The pose at the start is the pose that is shown there again, to the bit. On the way back the search begins nearer to it,
step by step, as it does with tied figures (`drag_return`): else a body that has fallen into another pose far out would
bring that along.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import Any

from solver.ik.continuity_kinds import contact_was_released
from solver.ik.memory import AtPose, DragStart, Memory, SettledMemory, SolveRecord, SolverMemory
from solver.ik.multi_solve.drag_return import (
    blended_with,
    drag_start_of,
    effectors_dragged,
    memory_as_shown,
    with_first_solve,
)
from solver.ik.options import NO_OPTIONS, Options
from solver.ik.pipeline.pipeline import Solver
from solver.ik.problem import IKProblem, asks_alike
from solver.ik.solution import IKSolution
from solver.ik.standing_stage import residuals_standing
from solver.kinematics.pose import Pose


def solve_in_drag(
    solver: Solver[Any], problem: IKProblem, memory: Memory, shown: Pose, options: Options = NO_OPTIONS
) -> IKSolution:
    """The pose for a figure's problem, going on from the pose shown. Raises what the solver raises."""
    if problem.step_s > 0.0 or not solver.spec.exact or solver.shows_proposal_alone(options):
        inner = memory.inner if isinstance(memory, SettledMemory) else memory
        return solver.solve(problem, inner.with_default_pose(shown), options)
    started = perf_counter()
    known = memory if isinstance(memory, SettledMemory) else memory_as_shown(memory, problem, shown, solver, options)
    if known.record.options != options or not asks_alike(known.record.problem, problem):
        known = replace(known, drag_start=None)
    begun, moved = drag_start_of(known, problem, solver, problem.effectors), effectors_dragged(known, problem)
    if begun is not None and known.drag_start is not None and moved:  # all that was missed had looked as if dragged
        begun = begun._replace(dragged=tuple(e for e in begun.dragged if e.id in moved))
    back = blended_with(begun, known, problem, shown, alone=True) if begun is not None else None
    if back is not None and begun is not None and back[1] is begun.pose:
        if not moved:  # something else was changed there
            return _solved(solver, problem, known.inner, shown, options, None)
        left = residuals_standing(problem, begun.pose)
        return IKSolution(begun.pose, replace(begun.settled, drag_start=begun), left, 0, perf_counter() - started)
    return _solved(solver, problem, (back[0] if back is not None else known).inner, shown, options, begun)


def _solved(
    solver: Solver[Any], problem: IKProblem, inner: Memory, shown: Pose, options: Options, begun: DragStart | None
) -> IKSolution:
    solution = solver.solve(problem, inner.with_default_pose(shown), options)
    if begun is not None and _begins(begun.settled.inner, problem):
        begun = with_first_solve(begun, problem, solution.memory)
    record = SolveRecord(replace(problem, obstacles=None), options, solver, solution.pose)  # they are large
    return replace(solution, memory=SettledMemory(solution.memory, record, solution.residuals, begun))


def _begins(inner: Memory, problem: IKProblem) -> bool:
    """Whether continuity went on from the pose shown alone in the first solve."""
    if isinstance(inner, AtPose):
        return True
    last = inner.warm_start.last_solve if isinstance(inner, SolverMemory) else None
    return last is not None and contact_was_released(last, problem)
