"""The learned solvers as they are shipped: a network's folder under weights/, on the embedded body."""

from __future__ import annotations

import numpy as np

from solver.backends import dls
from solver.backends.learned.learned_solver import LearnedSolver
from solver.backends.learned.weights import WEIGHTS, load_weights
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.ik.catalog import DEFAULT_SOLVER, SOLVERS, able_solver
from solver.ik.effectors import Position
from solver.ik.problem import IKProblem
from solver.kinematics.pose import rest_pose


class _Shipped(LearnedSolver):
    """Raises InputRefused where the weights are missing or not those of our body."""

    id = ""

    def __init__(self) -> None:
        spec = SOLVERS[self.id]
        super().__init__(spec, load_weights(WEIGHTS / self.id, spec.id, spec.body))


class SmplIkSolver(_Shipped):
    """SMPL-IK (Voleti et al., SIGGRAPH Asia 2022) trained by us, the exact stage after it."""

    id = "smplik"


class ProtoResSolver(_Shipped):
    """ProtoRes (Oreshkin et al., ICLR 2022) trained by us on the average body, the exact stage after it."""

    id = "protores"


def warm_up() -> None:
    """Compile the exact stage, load the network of new characters and ask it once, so that the first drag is quick."""
    dls.warm_up()
    skeleton = load_body(DEFAULT_BODY).skeleton(BodyShape())
    target = (Position("head", skeleton.rest_positions[skeleton.index("head")]),)
    free = np.zeros(len(skeleton), np.float32)
    able_solver(DEFAULT_SOLVER).solver.solve(IKProblem(skeleton, BodyShape(), target, rest_pose(skeleton), free, free))
