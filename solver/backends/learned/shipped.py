"""The learned solvers as they are shipped: a network's folder under weights/, on the embedded body."""

from __future__ import annotations

from solver.backends.learned.learned_solver import LearnedSolver
from solver.backends.learned.weights import WEIGHTS
from solver.body.catalog import DEFAULT_BODY
from solver.ik.catalog import SOLVERS


class SmplIkSolver(LearnedSolver):
    """SMPL-IK (Voleti et al., SIGGRAPH Asia 2022) trained by us, the exact stage after it.

    Raises InputRefused where its weights are missing or not those of our body.
    """

    def __init__(self) -> None:
        super().__init__(SOLVERS["smplik"], WEIGHTS / "smplik", DEFAULT_BODY)
