"""What FABRIK and CCD share: they move the base pose to the effectors joint by joint; the exact stage follows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import UnsupportedEffector
from solver.ik.continuity import follow
from solver.ik.effectors import Effector, LookAt, Position, Rotation
from solver.ik.packing import rows_of, tree_of
from solver.ik.problem import IKProblem, IKSolution
from solver.ik.solver import SolverSpec
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import interpolate
from solver.kinematics.skeleton import Skeleton

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
# parents, offsets, kinds, joints, targets; root and local rotations, which it changes; returns the number of sweeps.
Search = Callable[[Indices, Array, Indices, Indices, Array, Array, Array], int]


class HeuristicSolver:
    """A search over positions of joints that knows no range of motion and no likely pose, then the exact stage."""

    def __init__(self, spec: SolverSpec, search: Search) -> None:
        self.spec = spec
        self._search = search

    def propose(self, problem: IKProblem) -> Pose:
        """The base pose, moved to the effectors by the search alone."""
        self._check(problem)
        asked = [e for e in problem.effectors if e.asks]
        if not asked:
            return problem.base_pose
        tree = tree_of(problem.skeleton)
        rows = rows_of(problem.skeleton, softened(problem.skeleton, problem.base_pose, asked))
        root = problem.base_pose.root_position.astype(np.float64)
        local = problem.base_pose.rotations.astype(np.float64)
        self._search(tree.parents, tree.offsets, *rows, root, local)
        return Pose(root.astype(np.float32), local.astype(np.float32))

    def solve(self, problem: IKProblem, state: Any = None) -> IKSolution:
        """The pose for `problem`; the exact stage starts at the state of the previous solution, or at a Pose."""
        return follow(problem, self.propose(problem), state)

    def _check(self, problem: IKProblem) -> None:
        for effector in problem.effectors:
            if effector.asks and effector.kind not in self.spec.effector_kinds:
                raise UnsupportedEffector(self.spec.id, effector.kind, self.spec.effector_kinds)


def softened(skeleton: Skeleton, base: Pose, effectors: Sequence[Effector]) -> list[Effector]:
    """Effectors whose targets come from where the base pose has them as far as their tolerance allows; pins stay."""
    if all(e.pinned or e.tolerance == 0.0 for e in effectors):
        return list(effectors)
    joints = forward_kinematics(skeleton, base)
    made: list[Effector] = []
    for effector in effectors:
        j, share = skeleton.index(effector.joint), 1.0 if effector.pinned else 1.0 - effector.tolerance
        place, turn = joints.positions[j], joints.rotations[j]
        if isinstance(effector, Rotation):
            made.append(replace(effector, target=interpolate(turn, effector.target, share).astype(np.float32)))
        elif isinstance(effector, LookAt):
            ahead = place + np.linalg.norm(effector.target - place) * (turn @ effector.local_axis)
            made.append(replace(effector, target=_between(ahead, effector.target, share)))
        elif isinstance(effector, Position):
            made.append(replace(effector, target=_between(place, effector.target, share)))
    return made


def _between(a: NDArray[np.floating], b: NDArray[np.floating], share: float) -> NDArray[np.float32]:
    return np.asarray(a + share * (b - a), dtype=np.float32)
