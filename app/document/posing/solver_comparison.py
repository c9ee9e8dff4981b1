"""What each solver answers to the same question: a character's effectors, base pose, preservation and options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from app.document.model.document import Character, Document
from app.document.posing.solving import problem_of
from app.document.posing.sources import ties_in
from app.document.posing.surroundings import solid_surroundings
from app.document.posing.touched_surfaces import props_of, with_square_hands
from solver.ik.multi_solve.solve_from_proposal import cold_start_answer
from solver.ik.solution import IKSolution
from solver.solvers.catalog import usable_solver

TIMES = 5  # how often a solver is timed, after a first solve that may load or compile something


@dataclass(frozen=True)
class SolverAnswer:
    """One solver's answer. solver: its id. solution: None if it refused. refusal: why, "" if it did not."""

    solver: str
    solution: IKSolution | None = None
    refusal: str = ""


def answer_of(document: Document, character: Character, solver: str, cancelled: Callable[[], bool]) -> SolverAnswer:
    """What a solver makes of the character, as if nothing had been posed before; no stand-in for one that refuses.

    Every solver starts from the base pose: the pose shown is nearer to some solvers than to others. The character's
    targets end up where their sources are, with everybody else in the document staying as they are. The solution's time
    is the shortest of TIMES solves, as others use the machine too. cancelled: asked between solves, and ends them.
    """
    asked = problem_of(character, surroundings=solid_surroundings(document, character))
    problem = with_square_hands(asked, character, props_of(document), character.pose, 1.0)
    options = character.solver_options
    able = usable_solver(solver, problem)
    if able.refusal:
        return SolverAnswer(solver, refusal=able.refusal)
    ties, times = ties_in(document, character), list[float]()

    def solution_now() -> IKSolution:
        return cold_start_answer(able.solver, problem, problem.base_pose, ties, options).solution

    solution = solution_now()
    while len(times) < TIMES and not cancelled():
        times.append(solution_now().elapsed_s)
    return SolverAnswer(solver, replace(solution, elapsed_s=min(times, default=solution.elapsed_s)))
