"""A network asked from several sides: the answer turns with the question, and is nearer to the truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solver.effectors.kinds import LookAt, Position, Rotation
from solver.ik.problem import IKProblem
from solver.ik.solver import ProposalRequest
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.rig.roles import Role
from solver.solvers.learned.heading_average import HeadingAverage
from solver.solvers.learned.shipped import smplik
from solver.trackers.simulated_trackers import SIX_ROLES
from tests.solver.ik_samples import body_skeleton, natural

SKELETON = body_skeleton()
NETWORK = smplik()
SIDES = 3


def asked(pose: Pose, joints: tuple[Role, ...] = SIX_ROLES[:5]) -> IKProblem:
    world = forward_kinematics(SKELETON, pose)
    kinds = (Position, Rotation)
    return IKProblem.without_masks(
        SKELETON, tuple(kind.on(SKELETON, role, world) for role in joints for kind in kinds), pose
    )


def turned(pose: Pose, way: RigidMotion) -> Pose:
    turns = np.array(pose.rotations)
    turns[0] = way.rotations(turns[0])
    return Pose(way.points(pose.root_position).astype(np.float32), turns)


def apart(one: Pose, other: Pose) -> float:
    """Radians and metres that they are apart at most."""
    away = np.abs(one.root_position - other.root_position).max()
    return float(max(geodesic_angle(one.rotations, other.rotations).max(), away))


def reaching(seed: int) -> Pose:
    rng = np.random.default_rng(seed)
    pose, turns = natural(), rng.normal(size=(len(SKELETON), 3)) * 0.15
    turns[0] = 0
    bent = (pose.rotations @ from_rotation_vector(turns)).astype(np.float32)
    return Pose(pose.root_position + np.float32([1.5, 0.0, -2.0]), bent)


@pytest.mark.parametrize("side", range(1, SIDES))
def test_the_answer_turns_with_the_question(side: int) -> None:
    pose = reaching(0)
    way = RigidMotion.about(from_rotation_vector([0, 2 * np.pi * side / SIDES, 0]), [0.4, 0.0, 0.3])
    problem = asked(pose)
    look = LookAt("head", np.float32([2.0, 1.2, 1.0]), np.float32([0, 0, 1]))
    problem = replace(problem, effectors=(*problem.effectors, look))
    elsewhere = replace(
        problem, effectors=tuple(e.moved_by(way) for e in problem.effectors), base_pose=turned(pose, way)
    )
    one, other = (NETWORK.propose(ProposalRequest(each)).pose for each in (problem, elsewhere))
    assert apart(turned(one, way), other) > 0.01, "the network alone answers otherwise when the question is turned"
    both = HeadingAverage(NETWORK, SIDES)
    one, other = (both.propose(ProposalRequest(each)).pose for each in (problem, elsewhere))
    assert apart(turned(one, way), other) < 2e-3


def test_from_one_side_it_is_the_network_itself() -> None:
    problem = asked(reaching(1))
    assert (
        apart(
            HeadingAverage(NETWORK, 1).propose(ProposalRequest(problem)).pose,
            NETWORK.propose(ProposalRequest(problem)).pose,
        )
        < 2e-3
    )


def test_turns_alone_leave_the_body_where_it_is() -> None:
    pose = reaching(2)
    problem = asked(pose)
    problem = replace(problem, effectors=tuple(e for e in problem.effectors if isinstance(e, Rotation)))
    found = HeadingAverage(NETWORK, SIDES).propose(ProposalRequest(problem)).pose
    np.testing.assert_allclose(found.root_position, pose.root_position, atol=0.05)


def test_it_fits_the_bodies_that_the_network_fits_and_is_as_large() -> None:
    both, problem = HeadingAverage(NETWORK, SIDES), asked(natural())
    assert both.accepts(problem) == "" == NETWORK.accepts(problem)
    assert both.size_bytes == NETWORK.size_bytes > 0
