"""The classical solver: damped Gauss–Newton over every joint, from the base pose or the last solution."""

from __future__ import annotations

from typing import Any

from solver.errors import UnsupportedEffector
from solver.ik.catalog import SOLVERS
from solver.ik.exact import ExactState, refine
from solver.ik.problem import IKProblem, IKSolution


class DlsSolver:
    """Completes a pose with the exact stage alone; the base pose is its proposal."""

    spec = SOLVERS["dls"]

    def solve(self, problem: IKProblem, state: Any = None) -> IKSolution:
        """The pose for `problem`; with the state of the previous solution it starts from there."""
        for effector in problem.effectors:
            if effector.enabled and effector.kind not in self.spec.effector_kinds:
                raise UnsupportedEffector(self.spec.id, effector.kind, self.spec.effector_kinds)
        return refine(problem, problem.base_pose, state if isinstance(state, ExactState) else None)
