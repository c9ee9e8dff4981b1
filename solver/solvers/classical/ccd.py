"""CCD: cyclic coordinate descent, one joint at a time, from the tips to the root."""

from __future__ import annotations

from solver.solvers.classical.ccd_kernels import descend
from solver.solvers.classical.heuristic import Heuristic


class Ccd(Heuristic):
    """Turns each joint so that all effectors beyond it fit best."""

    def __init__(self) -> None:
        super().__init__(descend)
