"""The solvers that this program ships, by id, and who stands in for one that cannot be loaded."""

from __future__ import annotations

from dataclasses import dataclass

from solver.body.catalog import DEFAULT_BODY
from solver.errors import PoserError
from solver.ik.solver import Solver, SolverSpec
from solver.made_once import made_once
from solver.registry import Registry

DEFAULT_SOLVER = "smplik"  # of new characters
STAND_IN = "dls"  # needs no weights and takes every body

SOLVERS: Registry[SolverSpec] = Registry("solver")

for _id, _title, _target, _summary in (
    (
        "smplik",
        "SMPL-IK",
        "solver.backends.learned.shipped:SmplIkSolver",
        "Learned: a network that heeds the body's shape proposes a likely pose; the exact stage meets the effectors.",
    ),
    (
        "protores",
        "ProtoRes",
        "solver.backends.learned.shipped:ProtoResSolver",
        "Learned: a network that knows the average body only proposes a likely pose; the exact stage fits it to yours.",
    ),
    (
        "dls",
        "Damped least squares",
        "solver.backends.dls:DlsSolver",
        "Classical Gauss–Newton over every joint, with human joint limits and a natural mean pose.",
    ),
    (
        "fabrik",
        "FABRIK",
        "solver.backends.fabrik:FabrikSolver",
        "Classical: moves joints along their bones until they reach. Knows no likely pose; the exact stage follows.",
    ),
    (
        "ccd",
        "Cyclic coordinate descent",
        "solver.backends.ccd:CcdSolver",
        "Classical: turns one joint after the other. Knows no likely pose; the exact stage follows.",
    ),
):
    _learned = ".learned." in _target
    SOLVERS.register(
        SolverSpec(
            id=_id,
            title=_title,
            target=_target,
            effector_kinds=frozenset({"position", "rotation", "lookat"}),
            shape=_id != "protores",
            base_pose=True,
            sequences=False,
            pins=True,
            summary=_summary,
            learned=_learned,
            body=DEFAULT_BODY if _learned else "",
        )
    )


@dataclass(frozen=True)
class Able:
    """A solver that can be used. refusal: why it is not the one that was asked for; "" if it is."""

    solver: Solver
    refusal: str = ""


_refusals: dict[str, str] = {}


@made_once()
def load_solver(id: str) -> Solver:
    """One instance of the solver, made at first use; UnknownName lists the ids."""
    solver: Solver = SOLVERS.load(id)()
    return solver


def able_solver(id: str, body: str = DEFAULT_BODY) -> Able:
    """The solver, or the stand-in where it cannot be loaded or does not know the body.

    A solver that was refused once is not tried again until `try_again`. Raises UnknownName for an id that is not there.
    """
    spec = SOLVERS[id]
    if spec.body in ("", body) and id not in _refusals:
        try:
            return Able(load_solver(id))
        except PoserError as error:
            _refusals[id] = str(error)
    return Able(load_solver(STAND_IN), refusal_of(id, body))


def refusal_of(id: str, body: str = DEFAULT_BODY) -> str:
    """Why the stand-in solves instead of this solver, as far as that is known by now; "" if it does not."""
    spec = SOLVERS[id]
    if spec.body not in ("", body):
        return f"{spec.title} was trained on the body “{spec.body}” and does not know “{body}”."
    return _refusals.get(id, "")


def try_again() -> None:
    """Forget which solvers were refused: what was in their way may have been mended."""
    _refusals.clear()
