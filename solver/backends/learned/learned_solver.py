"""A solver that asks a trained network for a pose and lets the exact stage meet the effectors."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from solver.backends.learned.model_input import model_arrays, model_effectors, pose_of
from solver.backends.learned.weights import Weights, load_weights, run_model
from solver.errors import UnsupportedEffector
from solver.ik.exact import ExactState, refine, state_at
from solver.ik.problem import IKProblem, IKSolution
from solver.ik.residuals import residuals
from solver.ik.solver import SolverSpec
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import geodesic_angle

JUMP = np.radians(12.0)
AS_WELL = 2e-3  # metres or radians


@dataclass(frozen=True)
class LearnedState:
    """What the next solve goes on from: the exact stage's state, the guess that was followed, and the pose."""

    exact: ExactState
    proposal: Pose
    pose: Pose


class LearnedSolver:
    """Network first, exact stage after it. raw: the network's pose as it is, to see what it alone says.

    The network remembers nothing. While one drags, two poses can be equally good and the guess jumps from one to the
    other: a solution that would turn a joint by more than `JUMP` in one step is solved again about the guess that was
    followed so far, and that one is kept as long as it meets the effectors as well.
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
            state = LearnedState(state_at(proposal), proposal, proposal)
            return IKSolution(proposal, state, left, 1, perf_counter() - started)
        known = (
            state if isinstance(state, LearnedState) and len(state.pose.rotations) == len(problem.skeleton) else None
        )
        solution = refine(problem, proposal, known.exact if known else None)
        iterations = solution.iterations
        if known and _largest_turn(known.pose, solution.pose) > JUMP:
            held = refine(problem, known.proposal, known.exact)
            iterations += held.iterations
            calmer = _largest_turn(known.pose, held.pose) < _largest_turn(known.pose, solution.pose)
            if calmer and _as_well_met(held, solution):
                solution, proposal = held, known.proposal
        after = LearnedState(solution.state, proposal, solution.pose)
        return IKSolution(solution.pose, after, solution.residuals, iterations, perf_counter() - started)

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


def _largest_turn(a: Pose, b: Pose) -> float:
    """Radians, by which the joint that turns most turns from one pose to the other."""
    return float(geodesic_angle(a.rotations, b.rotations).max())


def _as_well_met(solution: IKSolution, other: IKSolution) -> bool:
    """Whether no effector is further off than in the other solution."""
    pairs = zip(solution.residuals, other.residuals, strict=True)
    return all(mine.value <= theirs.value + AS_WELL for mine, theirs in pairs)
