"""FABRIK: forward and backward reaching over the whole tree of joints."""

from __future__ import annotations

from solver.solvers.classical.fabrik_kernels import reach
from solver.solvers.classical.heuristic import Heuristic


class Fabrik(Heuristic):
    """Reaches positions by moving joints along their bones; rotation effectors turn their joint at once."""

    def __init__(self) -> None:
        super().__init__(reach)
