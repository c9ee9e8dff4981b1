"""CCD: cyclic coordinate descent, one joint at a time, from the tips to the root."""

from __future__ import annotations

from solver.backends.ccd_kernels import descend
from solver.backends.heuristic import HeuristicSolver
from solver.ik.catalog import SOLVERS


class CcdSolver(HeuristicSolver):
    """Turns each joint so that all effectors beyond it fit best."""

    def __init__(self) -> None:
        super().__init__(SOLVERS["ccd"], descend)
