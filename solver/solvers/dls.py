"""The classical solver: damped Gauss–Newton over every joint, from the base pose or the last solution."""

from __future__ import annotations

import numpy as np

from solver.contact.slide_kernels import slide, way_out
from solver.effectors.kinds import Position
from solver.ik.problem import IKProblem
from solver.ik.solver import Proposal, ProposalRequest, Proposer
from solver.kinematics.pose import rest_pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import Role
from solver.solvers.catalog import load_solver


class BasePose(Proposer[None]):
    """Proposes the base pose: the exact stage alone completes it."""

    def propose(self, request: ProposalRequest[None]) -> Proposal[None]:
        """The base pose."""
        return Proposal(request.problem.base_pose)


def warm_up() -> None:
    """Compile what solving needs, or read it from the cache: some twenty seconds the first time, then half a second."""
    skeleton = Skeleton((Role.PELVIS.value, Role.SPINE1.value), (-1, 0), np.array([[0, 1, 0], [0, 0.2, 0]], np.float32))
    target = (Position(Role.SPINE1, np.array([0, 1.2, 0.1], np.float32)),)
    load_solver("dls").solve(IKProblem.without_masks(skeleton, target, rest_pose(skeleton)))
    slide(np.zeros(3), np.ones(3), np.zeros((1, 4)), 0.01)  # else first compiled when a drag enters a body or a thing
    way_out(np.zeros(3), np.zeros((1, 4)), 0.01)
