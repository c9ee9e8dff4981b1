"""Mirrored effectors get the mirrored pose, whatever the kinds of effectors, and one problem among many as alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.mirror import BODY_PLANE
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.rig.mirroring import mirror_pose
from solver.rig.rig import rig_of
from solver.solvers.catalog import load_solver

SKELETON = load_body("anny").skeleton(BodyShape())
BASE = natural_pose(SKELETON)


def problem(effectors: list[Effector]) -> IKProblem:
    free = np.zeros(len(SKELETON), np.float32)
    return IKProblem(SKELETON, BodyShape(), tuple(effectors), BASE, free, free)


def mirrored(asked: IKProblem) -> IKProblem:
    rig = rig_of(SKELETON)
    seen = tuple(e.mirrored(BODY_PLANE, rig.mirrored_name(e.joint)) for e in asked.effectors)
    return replace(asked, effectors=seen, base_pose=mirror_pose(SKELETON, asked.base_pose))


def asked() -> list[IKProblem]:
    at = forward_kinematics(SKELETON, BASE).positions
    turn = from_rotation_vector([0.3, 0.8, -0.2]).astype(np.float32)

    def moved(joint: str, *way: float) -> Position:
        return Position(joint, at[SKELETON.index(joint)] + np.float32(way))

    look = LookAt("head", np.float32([1.5, 1.0, 2.0]), np.float32([0.1, 0.2, 0.97]))
    feet: list[Effector] = [moved("left_ankle", 0.1, 0.2, 0.3), moved("right_ankle", 0.0, 0.0, -0.1)]
    return [
        problem([*feet, moved("left_wrist", -0.3, 0.4, 0.3)]),
        problem([*feet, Rotation("right_wrist", turn), moved("head", 0.2, -0.3, 0.1)]),
        problem([*feet, look, moved("pelvis", 0, -0.2, 0)]),
        problem([Rotation("pelvis", turn), Rotation("left_elbow", turn), moved("right_wrist", 0.2, 0.3, 0.2)]),
    ]  # fmt: skip


@pytest.mark.parametrize("id", ["smplik", "protores"])
def test_mirrored_effectors_get_the_mirrored_proposal(id: str) -> None:
    solver = load_solver(id)
    for one in asked():
        pose, seen = solver.propose(one), solver.propose(mirrored(one))
        apart(mirror_pose(SKELETON, seen), pose, metres=1e-4, radians=1e-3)
        assert np.degrees(geodesic_angle(pose.rotations, BASE.rotations)).max() > 5, "the network has answered"


def test_mirrored_effectors_get_the_mirrored_solution() -> None:
    solver = load_solver("smplik")
    for one in asked():
        pose, seen = solver.solve(one).pose, solver.solve(mirrored(one)).pose
        apart(mirror_pose(SKELETON, seen), pose, metres=5e-3, radians=0.05)


@pytest.mark.parametrize("id", ["smplik", "protores", "skelik"])
def test_a_problem_among_many_is_answered_as_alone(id: str) -> None:
    solver = load_solver(id)
    for one, among in zip(asked(), solver.propose_batch(asked()), strict=True):
        apart(among, solver.propose(one), metres=1e-5, radians=1e-4)


@pytest.mark.parametrize("id", ["smplik", "protores"])
def test_roughly_asked_it_answers_near_what_it_says_with_care(id: str) -> None:
    solver = load_solver(id)
    exact, rough = solver.propose_batch(asked()), solver.propose_batch(asked(), roughly=True)
    for one, other in zip(exact, rough, strict=True):
        apart(other, one, metres=0.2, radians=1.0)
        assert np.abs(other.rotations - one.rotations).max() > 1e-4, "one of the two answers alone"


def apart(one: Pose, other: Pose, metres: float, radians: float) -> None:
    """Fails where two poses are further apart."""
    places = [forward_kinematics(SKELETON, pose).positions for pose in (one, other)]
    assert np.linalg.norm(places[0] - places[1], axis=-1).max() < metres
    assert geodesic_angle(one.rotations, other.rotations).max() < radians
