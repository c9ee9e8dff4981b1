"""What each solver makes of the same question: a character's effectors, base pose, what it keeps, and its options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from app.document.model.document import Character
from app.document.posing.solving import problem_of
from solver.ik.memory import FRESH
from solver.ik.solution import IKSolution
from solver.solvers.catalog import usable_solver

TIMES = 5  # that a solver is measured, after a first solve that may load or compile something


@dataclass(frozen=True)
class SolverAnswer:
    """What came of one solver. solver: its id. solution: None where it refused. refusal: why, "" if it did not."""

    solver: str
    solution: IKSolution | None = None
    refusal: str = ""


def answer_of(character: Character, solver: str, cancelled: Callable[[], bool]) -> SolverAnswer:
    """What a solver makes of the character, as if nothing had been posed before; who refuses has nobody stand in.

    Every solver starts from the same, the base pose: what was shown before is nearer to some than to others. The
    solution's time is the shortest of TIMES solves, for others use the machine too. cancelled: asked between them; none
    are made after that.
    """
    problem, options = problem_of(character), character.solver_options
    able = usable_solver(solver, problem)
    if able.refusal:
        return SolverAnswer(solver, refusal=able.refusal)
    solution = able.solver.solve(problem, FRESH, options)
    times: list[float] = []
    while len(times) < TIMES and not cancelled():
        times.append(able.solver.solve(problem, FRESH, options).elapsed_s)
    return SolverAnswer(solver, replace(solution, elapsed_s=min(times, default=solution.elapsed_s)))
