"""The solvers that this program ships, by id."""

from __future__ import annotations

from functools import cache

from solver.ik.solver import Solver, SolverSpec
from solver.registry import Registry

SOLVERS: Registry[SolverSpec] = Registry("solver")

SOLVERS.register(
    SolverSpec(
        id="dls",
        title="Damped least squares",
        target="solver.backends.dls:DlsSolver",
        effector_kinds=frozenset({"position", "rotation", "lookat"}),
        shape=True,
        base_pose=True,
        sequences=False,
        pins=True,
        summary="Classical Gauss–Newton over every joint, with human joint limits and a natural mean pose.",
    )
)

for _id, _title, _target, _summary in (
    (
        "smplik",
        "SMPL-IK",
        "solver.backends.learned.shipped:SmplIkSolver",
        "Learned: a network that heeds the body's shape proposes a likely pose; the exact stage meets the effectors.",
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
    SOLVERS.register(
        SolverSpec(
            id=_id,
            title=_title,
            target=_target,
            effector_kinds=frozenset({"position", "rotation", "lookat"}),
            shape=True,
            base_pose=True,
            sequences=False,
            pins=True,
            summary=_summary,
        )
    )

DEFAULT_SOLVER = "dls"


@cache
def load_solver(id: str) -> Solver:
    """One instance of the solver, made at first use; UnknownName lists the ids."""
    solver: Solver = SOLVERS.load(id)()
    return solver
