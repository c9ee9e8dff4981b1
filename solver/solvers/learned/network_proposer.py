"""Asks a trained network for a pose."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.ik.problem import IKProblem
from solver.ik.solver import Proposal, ProposalRequest, Proposer
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import SMPL_PARENTS, Skeleton
from solver.memoise import memoised
from solver.rig.mirroring import mirror_order
from solver.rig.rig import rig_of
from solver.rig.roles import SMPL_ROLES
from solver.solvers.learned.base_input import base_arrays, frozen_effectors, with_base
from solver.solvers.learned.mirror_image import with_mirror_image
from solver.solvers.learned.model_input import is_carried, model_arrays, model_effectors
from solver.solvers.learned.weights import Weights, WeightsConfig


class WeightsProposer(Proposer[None]):
    """Asks a network with loaded weights."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._misfit = memoised(64, by_identity=True)(lambda skeleton: misfit(weights.config, skeleton))

    def accepts(self, problem: IKProblem) -> str:
        """Why the network cannot solve a skeleton like this one; "" if it can."""
        return self._misfit(problem.skeleton)

    @property
    def size_bytes(self) -> int:
        """The size of the model's file."""
        return self._weights.size_bytes


class NetworkProposer(WeightsProposer):
    """Proposes the network's answer; for one that reads only effectors, the mean of its answers to them and to their
    mirror image, or roughly just the first of the two.

    One that reads a base pose meets turns that are asked in the world, which a mean of local turns would not.
    """

    def __init__(self, weights: Weights) -> None:
        super().__init__(weights)
        self._other_side = np.array(mirror_order(weights.config.joints))

    def propose_batch(self, requests: Sequence[ProposalRequest[None]]) -> list[Proposal[None]]:
        """The network's answer; the base pose if no effector is enabled.

        Problems with as many effectors and joints go through the network together.
        """
        poses = self._poses_for(requests, [None] * len(requests))
        again = [i for i, request in enumerate(requests) if self._places_what_is_carried(request.problem)]
        if again:
            known = [poses[i] for i in again]  # now it is known how the wrists carry the hands
            for i, pose in zip(again, self._poses_for([requests[i] for i in again], known), strict=True):
                poses[i] = pose
        return [Proposal(pose) for pose in poses]

    def _places_what_is_carried(self, problem: IKProblem) -> bool:
        joints = len(self._weights.config.joints)
        return any(is_carried(problem.skeleton, effector, joints) for effector in problem.effectors)

    def _poses_for(self, requests: Sequence[ProposalRequest[None]], near: Sequence[Pose | None]) -> list[Pose]:
        config = self._weights.config
        joints = len(config.joints)
        poses = [request.problem.base_pose for request in requests]
        groups: dict[tuple[int, int, int], list[tuple[int, dict[str, NDArray]]]] = {}
        for i, (request, about) in enumerate(zip(requests, near, strict=True)):
            arrays = self._arrays(request, about)
            if arrays:
                images, effectors = arrays["data"].shape[:2]
                groups.setdefault((images, effectors, len(request.problem.skeleton)), []).append((i, arrays))
        for (images, _, count), group in groups.items():
            inputs = group[0][1]
            if len(group) > 1:
                inputs = {name: np.concatenate([arrays[name] for _, arrays in group]) for name in inputs}
            answers = self._weights.poses(inputs, count, self._other_side if images > 1 else None)
            for (i, _), pose in zip(group, answers, strict=True):
                poses[i] = with_base(requests[i].problem, pose, joints) if config.reads_base else pose
        return poses

    def _arrays(self, request: ProposalRequest[None], near: Pose | None) -> dict[str, NDArray]:
        """The network's inputs for a problem, and for its mirror image if that is asked as well; none if nothing is
        asked of its joints."""
        problem, joints, based = request.problem, len(self._weights.config.joints), self._weights.config.reads_base
        skeleton = problem.skeleton
        asked = [e for e in problem.effectors if not based or e.joint not in problem.frozen]
        effectors = model_effectors(skeleton, problem.base_pose, asked, joints, near, rooted=not based)
        if not effectors:
            return {}
        if not based:
            arrays = model_arrays(skeleton, effectors, problem.shape)
            rows = [effector.form for effector in effectors]
            return arrays if request.roughly else with_mirror_image(arrays, rows, self._other_side)
        held = frozen_effectors(problem, joints)
        arrays = model_arrays(skeleton, (*effectors, *held), problem.shape)
        return {**arrays, **base_arrays(problem, effectors, joints)}


@memoised(most=16, by_identity=True)
def misfit(config: WeightsConfig, skeleton: Skeleton) -> str:
    """What a skeleton, as solvers see it, lacks for the network's manifest; one sentence, "" if nothing."""
    known = rig_of(skeleton)
    lacking = known.lacking(config.roles)
    if lacking:
        lacked = ", ".join(role.words for role in lacking)
        return f"The network “{config.id}” needs joints that this skeleton does not have: {lacked}."
    if any(skeleton.names[j] != role for j, role in enumerate(config.roles)):
        return f"The network “{config.id}” needs joints that are connected differently from this skeleton's."
    for j, role in enumerate(config.roles[1:], start=1):
        trained = SMPL_PARENTS[SMPL_ROLES.index(role)]
        if known.roles[skeleton.parents[j]] != SMPL_ROLES[trained]:
            return f"The network “{config.id}” needs the {role.words} to hang from another joint than it does here."
    return ""
