"""A solver that asks a trained network for a pose and lets the exact stage meet the effectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.backends.learned.model_input import model_arrays, model_effectors
from solver.backends.learned.weights import Weights
from solver.errors import UnsupportedEffector
from solver.ik.continuity import (
    FADE_M,
    FAR,
    Anchor,
    Chosen,
    anchor,
    jumps,
    none_left,
    taken_from,
    turn,
    way,
)
from solver.ik.effectors import Effector, Position
from solver.ik.exact import ExactState, refine, state_at
from solver.ik.problem import IKProblem, IKSolution
from solver.ik.solver import SolverSpec
from solver.kinematics.pose import Pose

AS_WELL = 2e-3  # metres or radians


@dataclass(frozen=True)
class LearnedState:
    """What the next solve goes on from: the exact stage's state, the effectors, the proposal that was followed, the
    pose shown, and what it differs in from the network's."""

    exact: ExactState
    effectors: tuple[Effector, ...]
    proposal: Pose
    pose: Pose
    anchor: Anchor | None = None


class LearnedSolver:
    """Network first, exact stage after it; see `continuity` for what it remembers from one solve to the next."""

    def __init__(self, spec: SolverSpec, weights: Weights) -> None:
        self.spec = spec
        self._weights = weights

    def solve(self, problem: IKProblem, state: Any = None) -> IKSolution:
        """The pose for `problem`; with the previous solution's state, a Chosen or a Pose, it goes on from there."""
        started = perf_counter()
        for effector in problem.effectors:
            if effector.asks and effector.kind not in self.spec.effector_kinds:
                raise UnsupportedEffector(self.spec.id, effector.kind, self.spec.effector_kinds)
        known = self._known(problem, state)
        said = proposal = self.propose(problem)
        held = known.anchor if known else None
        if known is None:
            solution = refine(problem, proposal)
        else:
            asked = problem.effectors
            gone = way(known.effectors, asked)
            calm = none_left(known.effectors, asked)
            if held:
                proposal = held.near(said, asked)
            if calm and jumps(known.proposal, proposal, gone):
                proposal, held = known.proposal, anchor(known.proposal, said, asked)
            solution = refine(problem, proposal, known.exact)
            if calm and jumps(known.pose, solution.pose, gone):
                other = refine(problem, known.pose, state_at(known.pose))
                if turn(known.pose, other.pose) < turn(known.pose, solution.pose) and _as_well_met(other, solution):
                    solution, proposal, held = other, known.pose, anchor(known.pose, said, asked)
        after = LearnedState(solution.state, problem.effectors, proposal, solution.pose, held)
        return IKSolution(solution.pose, after, solution.residuals, solution.iterations, perf_counter() - started)

    def _known(self, problem: IKProblem, state: Any) -> LearnedState | None:
        """What is known of the pose shown; None where it tells nothing: another skeleton's, or far from the targets."""
        if not any(e.asks for e in problem.effectors):
            return None
        if isinstance(state, LearnedState):
            return state if len(state.pose.rotations) == len(problem.skeleton) else None
        if isinstance(state, Chosen):
            state = state.pose
        if not isinstance(state, Pose) or len(state.rotations) != len(problem.skeleton):
            return None
        there = taken_from(problem.skeleton, state, problem.effectors)
        if way(there, problem.effectors) > FAR * FADE_M:
            return None
        said = self.propose(replace(problem, effectors=there))
        return LearnedState(state_at(state), there, state, state, anchor(state, said, there))

    def propose(self, problem: IKProblem) -> Pose:
        """What the network says; the base pose where no effector is enabled."""
        return self.propose_batch([problem])[0]

    def propose_batch(self, problems: Sequence[IKProblem]) -> list[Pose]:
        """The same for many problems; those with as many effectors and joints go through the network together."""
        poses = self._ask(problems, [None] * len(problems))
        again = [i for i, problem in enumerate(problems) if self._places_a_hand(problem)]
        known = [poses[i] for i in again]  # now it is known how the wrists carry the hands
        for i, pose in zip(again, self._ask([problems[i] for i in again], known), strict=True):
            poses[i] = pose
        return poses

    def _places_a_hand(self, problem: IKProblem) -> bool:
        joints, index = len(self._weights.config.joints), problem.skeleton.index
        return any(isinstance(e, Position) and e.asks and index(e.joint) >= joints for e in problem.effectors)

    def _ask(self, problems: Sequence[IKProblem], near: Sequence[Pose | None]) -> list[Pose]:
        joints = len(self._weights.config.joints)
        poses = [problem.base_pose for problem in problems]
        groups: dict[tuple[int, int], list[tuple[int, dict[str, NDArray]]]] = {}
        for i, (problem, about) in enumerate(zip(problems, near, strict=True)):
            skeleton = problem.skeleton
            effectors = model_effectors(skeleton, problem.base_pose, problem.effectors, joints, about)
            if effectors:
                arrays = model_arrays(skeleton, effectors, problem.shape)
                groups.setdefault((len(effectors), len(skeleton)), []).append((i, arrays))
        for (_, count), group in groups.items():
            inputs = {name: np.concatenate([arrays[name] for _, arrays in group]) for name in group[0][1]}
            answers = self._weights.poses(inputs, count)
            for (i, _), pose in zip(group, answers, strict=True):
                poses[i] = pose
        return poses


def _as_well_met(solution: IKSolution, other: IKSolution) -> bool:
    """Whether no effector is further off than in the other solution."""
    pairs = zip(solution.residuals, other.residuals, strict=True)
    return all(mine.value <= theirs.value + AS_WELL for mine, theirs in pairs)
