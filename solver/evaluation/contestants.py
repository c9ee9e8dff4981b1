"""The contestants: each registered solver, with the exact stage as the application uses it, and alone as “name:raw”."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from solver.errors import PoserError, UnknownName
from solver.ik.pipeline.pipeline import Solver
from solver.ik.problem import IKProblem
from solver.kinematics.pose import Pose
from solver.solvers.catalog import SOLVERS, load_solver

RAW = ":raw"


class Named(Protocol):
    """Anything with a row's name."""

    @property
    def name(self) -> str:
        """The name, “SOLVER” or “SOLVER:raw”."""


Row = TypeVar("Row", bound=Named)


@dataclass(frozen=True)
class Contestant:
    """A row of the tables. kinds: the effectors it takes. solve: from a problem to a pose.

    solver: the one whose row this is, as the application uses it, with the exact stage; None for a proposal alone, and
    if there is no solver. places: the joints that it can place, None for all. size_bytes: of its model, 0 without one.
    """

    name: str
    kinds: frozenset[str]
    solve: Callable[[IKProblem], Pose]
    solver: Solver[Any] | None = None
    places: frozenset[str] | None = None
    size_bytes: int = 0


@dataclass(frozen=True)
class Contestants:
    """The contestants, and why each of the others cannot take part."""

    contestants: tuple[Contestant, ...]
    left_out: dict[str, str]


def contestants_of(solvers: str) -> Contestants:
    """The contestants of a comma list of ids, each with or without “:raw”, or of “all”.

    With “all”, a solver that cannot be loaded here is left out with the reason; one that was named is refused.
    """

    def rows(id: str) -> list[Contestant]:
        return rows_of(id, load_solver(id))

    found, left_out = chosen(solvers, [spec.id for spec in SOLVERS], rows)
    return Contestants(tuple(found), left_out)


def chosen(
    solvers: str, every: Iterable[str], rows: Callable[[str], Sequence[Row]]
) -> tuple[list[Row], dict[str, str]]:
    """The rows of a comma list, with or without “:raw”, or of “all” in `every`; and why others are left out.

    rows: all of a solver's, by its id. If it raises, a solver that was named is refused, and one of “all” is left out.
    Raises UnknownName for a row that its solver does not have.
    """
    found: list[Row] = []
    left_out: dict[str, str] = {}
    wanted = None if solvers == "all" else names_in(solvers)
    for id in every if wanted is None else dict.fromkeys(name.removesuffix(RAW) for name in wanted):
        try:
            of_solver = rows(id)
        except PoserError as error:
            if wanted is not None:
                raise
            left_out[id] = str(error)
            continue
        known = [row.name for row in of_solver]
        for name in wanted or ():
            if name.removesuffix(RAW) == id and name not in known:
                raise UnknownName("solver", name, known)
        found += [row for row in of_solver if wanted is None or row.name in wanted]
    return found, left_out


def names_in(solvers: str) -> list[str]:
    """The names of a comma list."""
    return [name.strip() for name in solvers.split(",")]


def rows_of(name: str, solver: Solver[Any]) -> list[Contestant]:
    """One contestant, or two if the solver has a proposal of its own before the exact stage."""
    spec, size = solver.spec, solver.size_bytes
    rows = [
        Contestant(name, spec.kinds, lambda problem: solver.solve(problem).pose, solver, spec.placeable_roles, size)
    ]
    if spec.proposes:
        rows.append(Contestant(name + RAW, spec.kinds, solver.propose, None, spec.placeable_roles, size))
    return rows
