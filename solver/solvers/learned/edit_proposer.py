"""Pose edition: a network edits joint positions, and bones and rotations are fitted to them (Victor et al., CAVW 2021).

Bones get their lengths by FABRIK's backward step (section 3.4), which turns each joint by the smallest angle, so that
the twist is the start pose's. The start pose is the base pose: a drag there and back leaves no trace.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.ik.kernel_arrays import tree_of
from solver.ik.problem import IKProblem
from solver.ik.solver import Proposal, ProposalRequest
from solver.kinematics.fk_kernels import PlainPose
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.solvers.classical.fabrik_kernels import turn_to_places
from solver.solvers.learned.edit_input import Edit, edit_of, size_of
from solver.solvers.learned.network_proposer import WeightsProposer
from solver.solvers.learned.weights import Weights


class EditProposer(WeightsProposer):
    """Proposes the edited base pose. body: the skeleton that the network learned from."""

    def __init__(self, weights: Weights, body: Skeleton) -> None:
        super().__init__(weights)
        self._joints = len(weights.config.joints)
        self._size = size_of(body, self._joints)

    def propose_batch(self, requests: Sequence[ProposalRequest[None]]) -> list[Proposal[None]]:
        """The base poses as the network edits them, all at once; unchanged where nothing is asked."""
        poses = [request.problem.base_pose for request in requests]
        for i, places in self.places_of([request.problem for request in requests]).items():
            poses[i] = fitted(requests[i].problem.skeleton, poses[i], places)
        return [Proposal(pose) for pose in poses]

    def places_of(self, problems: Sequence[IKProblem]) -> dict[int, NDArray[np.float64]]:
        """(J, 3) metres in the world, the network's answers before bones get their lengths, by the problem's number."""
        asked = {i: edit for i, problem in enumerate(problems) if (edit := self._edit(problem)) is not None}
        if not asked:
            return {}
        edits = list(asked.values())
        inputs = {
            "start": np.array([edit.start for edit in edits], np.float32),
            "targets": np.array([edit.targets for edit in edits], np.float32),
            "asked": np.array([edit.asked for edit in edits], np.float32),
        }
        said = self._weights.places(inputs)
        return {i: edit.view.in_world(places) for (i, edit), places in zip(asked.items(), said, strict=True)}

    def _edit(self, problem: IKProblem) -> Edit | None:
        return edit_of(problem.skeleton, problem.base_pose, problem.effectors, self._joints, self._size)


def fitted(skeleton: Skeleton, start: Pose, places: NDArray[np.float64]) -> Pose:
    """The pose of the skeleton's own bones that comes near `places` (J, 3) of its first joints, twisted as `start`."""
    pose = PlainPose(np.empty(3), start.rotations.astype(np.float64, order="C"))
    turn_to_places(tree_of(skeleton), np.ascontiguousarray(places), pose)
    return Pose(pose.root.astype(np.float32), pose.local.astype(np.float32))
