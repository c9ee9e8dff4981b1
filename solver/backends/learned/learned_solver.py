"""A solver that asks a trained network for a pose and lets the exact stage meet the effectors."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Any

from solver.backends.learned.model_input import model_arrays, model_effectors, pose_of
from solver.backends.learned.weights import Weights, load_weights, run_model
from solver.errors import UnsupportedEffector
from solver.ik.exact import ExactState, refine, state_at
from solver.ik.problem import IKProblem, IKSolution
from solver.ik.residuals import residuals
from solver.ik.solver import SolverSpec
from solver.kinematics.pose import Pose


class LearnedSolver:
    """Network first, exact stage after it. raw: the network's pose as it is, to see what it alone says.

    The network is a continuous function of its effectors and remembers nothing; the state is the exact stage's.
    """

    def __init__(self, spec: SolverSpec, folder: Path, body: str, raw: bool = False) -> None:
        self.spec = spec
        self._raw = raw
        self._weights: Weights = load_weights(folder, spec.id, body)

    def solve(self, problem: IKProblem, state: Any = None) -> IKSolution:
        """The pose for `problem`; with the state of the previous solution the exact stage starts from there."""
        started = perf_counter()
        for effector in problem.effectors:
            if effector.enabled and effector.kind not in self.spec.effector_kinds:
                raise UnsupportedEffector(self.spec.id, effector.kind, self.spec.effector_kinds)
        proposal = self.propose(problem)
        if self._raw:
            left = residuals(problem.skeleton, proposal, problem.effectors)
            return IKSolution(proposal, state_at(proposal), left, 1, perf_counter() - started)
        solution = refine(problem, proposal, state if isinstance(state, ExactState) else None)
        elapsed = perf_counter() - started
        return IKSolution(solution.pose, solution.state, solution.residuals, solution.iterations, elapsed)

    def propose(self, problem: IKProblem) -> Pose:
        """What the network says; the base pose where no effector is enabled."""
        pose = self._ask(problem, None)
        joints = len(self._weights.config.joints)
        if any(e.enabled and problem.skeleton.index(e.joint) >= joints for e in problem.effectors):
            pose = self._ask(problem, pose)  # now it is known how the wrists carry the hands
        return pose

    def _ask(self, problem: IKProblem, near: Pose | None) -> Pose:
        skeleton, joints = problem.skeleton, len(self._weights.config.joints)
        effectors = model_effectors(skeleton, problem.base_pose, problem.effectors, joints, near)
        if not effectors:
            return problem.base_pose
        draft, rotations = run_model(self._weights.session, model_arrays(skeleton, effectors, problem.shape))
        return pose_of(draft[0], rotations[0], len(skeleton))
