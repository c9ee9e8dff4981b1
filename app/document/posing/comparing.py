"""What each solver makes of the same question: a character's effectors, base pose, what it keeps, and its options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from app.document.model.document import Character, Document
from app.document.posing.around import solids_around
from app.document.posing.solving import problem_of
from app.document.posing.sources import ties_in
from solver.ik.beyond.about import answer_with
from solver.ik.solution import IKSolution
from solver.solvers.catalog import usable_solver

TIMES = 5  # that a solver is measured, after a first solve that may load or compile something


@dataclass(frozen=True)
class SolverAnswer:
    """What came of one solver. solver: its id. solution: None where it refused. refusal: why, "" if it did not."""

    solver: str
    solution: IKSolution | None = None
    refusal: str = ""


def answer_of(document: Document, character: Character, solver: str, cancelled: Callable[[], bool]) -> SolverAnswer:
    """What a solver makes of the character, as if nothing had been posed before; who refuses has nobody stand in.

    Every solver starts from the same, the base pose: what was shown before is nearer to some than to others. The
    character's targets are where its sources are in the end, everybody else in the document staying as they are. The
    solution's time is the shortest of TIMES solves, for others use the machine too. cancelled: asked between them; none
    are made after that.
    """
    problem, options = problem_of(character, around=solids_around(document, character)), character.solver_options
    able = usable_solver(solver, problem)
    if able.refusal:
        return SolverAnswer(solver, refusal=able.refusal)
    ties, times = ties_in(document, character), list[float]()

    def solution_now() -> IKSolution:
        return answer_with(able.solver, problem, problem.base_pose, ties, options).solution

    solution = solution_now()
    while len(times) < TIMES and not cancelled():
        times.append(solution_now().elapsed_s)
    return SolverAnswer(solver, replace(solution, elapsed_s=min(times, default=solution.elapsed_s)))
