"""What FABRIK and CCD share: they move the base pose to the effectors joint by joint."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from solver.effectors.effector import Effector
from solver.effectors.residual_kernels import Rows
from solver.ik.kernel_arrays import rows_of, tree_of
from solver.ik.solver import Proposal, ProposalRequest, Proposer
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.fk_kernels import PlainPose, Tree
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton

Search = Callable[[Tree, Rows, PlainPose], int]  # changes the pose; returns the number of sweeps


class Heuristic(Proposer[None]):
    """A search over positions of joints that knows neither joint limits nor likely poses."""

    def __init__(self, search: Search) -> None:
        self._search = search

    def propose(self, request: ProposalRequest[None]) -> Proposal[None]:
        """The base pose, moved to the effectors only by the search."""
        problem = request.problem
        asked = [e for e in problem.effectors if e.is_active]
        if not asked:
            return Proposal(problem.base_pose)
        rows = rows_of(problem.skeleton, softened(problem.skeleton, problem.base_pose, asked))
        root = problem.base_pose.root_position.astype(np.float64)
        local = problem.base_pose.rotations.astype(np.float64)
        self._search(tree_of(problem.skeleton), rows, PlainPose(root, local))
        return Proposal(Pose(root.astype(np.float32), local.astype(np.float32)))


def softened(skeleton: Skeleton, base: Pose, effectors: Sequence[Effector]) -> list[Effector]:
    """Effectors with targets moved towards where the base pose has them, as their tolerance allows; pins stay."""
    if all(e.is_strict for e in effectors):
        return list(effectors)
    world = forward_kinematics(skeleton, base)
    return [e.partway_from(e.at_pose(skeleton, world), 1.0 - e.effective_tolerance) for e in effectors]
