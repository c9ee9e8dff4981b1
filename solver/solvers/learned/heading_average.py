"""A proposer averaged over headings: the world is turned about the vertical, and the answers are turned back.

A network that reads the world learns from people who face any way, but not that the answer turns with the question: it
errs a little differently for each way of facing. The mean is nearer to the truth than any one answer.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from solver.ik.problem import IKProblem
from solver.ik.solver import Proposal, ProposalRequest, Proposer
from solver.kinematics.pose import Pose, mean_pose
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import from_rotation_vector


class HeadingAverage(Proposer[None]):
    """The mean of another proposer's answers from so many sides, given only the effectors and the base pose."""

    def __init__(self, other: Proposer[None], sides: int) -> None:
        self._other = other
        self._turns = [from_rotation_vector([0.0, 2.0 * np.pi * side / sides, 0.0]) for side in range(1, sides)]

    def accepts(self, problem: IKProblem) -> str:
        """Why the other proposer does not fit the problem; "" if it does."""
        return self._other.accepts(problem)

    @property
    def size_bytes(self) -> int:
        """The size of the other proposer's model."""
        return self._other.size_bytes

    def propose(self, request: ProposalRequest[None]) -> Proposal[None]:
        """The mean pose."""
        problem = request.problem
        ways = [RigidMotion.about(turn, problem.base_pose.root_position * [1, 0, 1]) for turn in self._turns]
        requests = [request, *(request._replace(problem=_carried(problem, way)) for way in ways)]
        first, *others = (answer.pose for answer in self._other.propose_batch(requests))
        poses = [first, *(_pose_carried(pose, way.inverse) for pose, way in zip(others, ways, strict=True))]
        return Proposal(mean_pose(poses))


def _carried(problem: IKProblem, way: RigidMotion) -> IKProblem:
    effectors = tuple(effector.moved_by(way) for effector in problem.effectors)
    return replace(problem, effectors=effectors, base_pose=_pose_carried(problem.base_pose, way))


def _pose_carried(pose: Pose, way: RigidMotion) -> Pose:
    turns = np.array(pose.rotations)
    turns[0] = way.rotations(turns[0])
    return Pose(way.points(pose.root_position).astype(np.float32), turns)
