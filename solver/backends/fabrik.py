"""FABRIK: forward and backward reaching over the whole tree of joints."""

from __future__ import annotations

from solver.backends.fabrik_kernels import reach
from solver.backends.heuristic import HeuristicSolver
from solver.ik.catalog import SOLVERS


class FabrikSolver(HeuristicSolver):
    """Reaches positions by moving joints along their bones; rotation effectors turn their joint at once."""

    def __init__(self) -> None:
        super().__init__(SOLVERS["fabrik"], reach)
