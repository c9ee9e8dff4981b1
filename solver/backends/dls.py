"""The classical solver: damped Gauss–Newton over every joint, from the base pose or the last solution."""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.body.body import BodyShape
from solver.errors import UnsupportedEffector
from solver.ik.catalog import SOLVERS
from solver.ik.continuity import follow
from solver.ik.effectors import Position
from solver.ik.problem import IKProblem, IKSolution
from solver.kinematics.pose import rest_pose
from solver.kinematics.skeleton import Skeleton


class DlsSolver:
    """Completes a pose with the exact stage alone; the base pose is its proposal."""

    spec = SOLVERS["dls"]

    def solve(self, problem: IKProblem, state: Any = None) -> IKSolution:
        """The pose for `problem`; with the state of the previous solution, or a Pose, it starts from there."""
        for effector in problem.effectors:
            if effector.asks and effector.kind not in self.spec.effector_kinds:
                raise UnsupportedEffector(self.spec.id, effector.kind, self.spec.effector_kinds)
        return follow(problem, problem.base_pose, state)


def warm_up() -> None:
    """Compile what solving needs, or read it from the cache: some twenty seconds the first time, then half a second."""
    skeleton = Skeleton(("pelvis", "spine1"), (-1, 0), np.array([[0, 1, 0], [0, 0.2, 0]], np.float32))
    free = np.zeros(2, np.float32)
    target = (Position("spine1", np.array([0, 1.2, 0.1], np.float32)),)
    DlsSolver().solve(IKProblem(skeleton, BodyShape(), target, rest_pose(skeleton), free, free))
