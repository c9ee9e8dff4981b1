"""What FABRIK and CCD say before the exact stage; the contract tests ask the rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.evaluation.speed import FIVE, TWELVE, free_problem, positions_of, random_poses
from solver.ik.pipeline.pipeline import Solver
from solver.ik.pose_prior import natural_pose
from solver.ik.residuals import effector_errors
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle, rotation_between
from solver.solvers.catalog import load_solver
from solver.solvers.classical.heuristic import softened
from solver.solvers.classical.turning_kernels import best_turn, swing

SKELETON = load_body("anny").skeleton(BodyShape())
BASE = natural_pose(SKELETON)
POSES = random_poses(SKELETON, 12, seed=21)


@pytest.fixture(params=["fabrik", "ccd"])
def solver(request: pytest.FixtureRequest) -> Solver:
    return load_solver(request.param)


def errors(pose: Pose, effectors: list[Effector]) -> np.ndarray:
    return effector_errors(SKELETON, pose, effectors)


@pytest.mark.parametrize("joints", [FIVE, TWELVE], ids=["5", "12"])
def test_it_reaches_what_a_pose_can_reach(solver: Solver, joints: tuple[str, ...]) -> None:
    worst = []
    for pose in POSES:
        effectors = list(positions_of(SKELETON, pose, joints))
        before = errors(BASE, effectors)
        worst.append(errors(solver.propose(free_problem(SKELETON, effectors, BASE)), effectors).max())
        assert worst[-1] < 0.2 * before.max()
    assert np.median(worst) < 0.02


def test_one_effector_is_met_exactly_wherever_it_is(solver: Solver) -> None:
    for target in ([0.4, 1.5, 0.4], [3.0, 1.0, -2.0], [0.0, -5.0, 0.0]):
        effectors: list[Effector] = [Position("left_wrist", np.float32(target))]
        assert errors(solver.propose(free_problem(SKELETON, effectors, BASE)), effectors)[0] < 1e-3


def test_bones_keep_their_lengths_and_rotations_stay_rotations(solver: Solver) -> None:
    for pose in POSES[:6]:
        effectors = [*positions_of(SKELETON, pose, FIVE), LookAt("head", np.float32([0, 1, 3]))]
        found = solver.propose(free_problem(SKELETON, effectors, BASE))
        places = forward_kinematics(SKELETON, found).positions
        lengths = np.linalg.norm(places[1:] - places[list(SKELETON.parents[1:])], axis=1)
        assert lengths == pytest.approx(np.linalg.norm(SKELETON.offsets[1:], axis=1), abs=1e-5)
        r = found.rotations.astype(np.float64)
        assert np.abs(np.swapaxes(r, -1, -2) @ r - np.eye(3)).max() < 1e-5


def test_rotations_and_looks_are_met_beside_positions(solver: Solver) -> None:
    turns = forward_kinematics(SKELETON, POSES[3]).rotations
    effectors = [
        *positions_of(SKELETON, POSES[3], ("left_ankle", "right_ankle")),
        Rotation("left_wrist", turns[SKELETON.index("left_wrist")]),
        LookAt("head", np.float32([1.0, 1.8, 2.0])),
    ]
    left = errors(solver.propose(free_problem(SKELETON, effectors, BASE)), effectors)
    assert left[:2].max() < 0.01
    assert np.degrees(left[2:]).max() < 3


def test_out_of_reach_it_stretches_towards_the_target_and_stays_finite(solver: Solver) -> None:
    feet = positions_of(SKELETON, BASE, ("left_ankle", "right_ankle"))
    effectors = [*feet, Position("right_wrist", np.float32([-4.0, 1.0, 0.0]))]
    found = solver.propose(free_problem(SKELETON, effectors, BASE))
    places = forward_kinematics(SKELETON, found).positions
    assert np.isfinite(places).all()
    arm = places[[SKELETON.index(f"right_{part}") for part in ("shoulder", "elbow", "wrist")]]
    straight = np.linalg.norm(arm[2] - arm[0]) / np.linalg.norm(np.diff(arm, axis=0), axis=1).sum()
    assert straight > 0.97


def test_where_the_base_pose_meets_everything_it_stays(solver: Solver) -> None:
    found = solver.propose(free_problem(SKELETON, positions_of(SKELETON, BASE, TWELVE), BASE))
    assert np.degrees(geodesic_angle(found.rotations, BASE.rotations)).max() < 0.1


def test_tolerance_leaves_a_target_part_of_the_way() -> None:
    feet = positions_of(SKELETON, BASE, ("left_ankle", "right_ankle"))
    place = positions_of(SKELETON, BASE, ("left_wrist",))[0].target
    far = Position("left_wrist", place + np.float32([0.2, 0.0, 0.0]), tolerance=0.75)
    half = softened(SKELETON, BASE, [*feet, far])
    assert half[:2] == list(feet)
    assert half[2].target == pytest.approx(place + np.float32([0.05, 0, 0]), abs=1e-6)  # type: ignore[attr-defined]
    assert softened(SKELETON, BASE, [replace(far, pinned=True)])[0].target == pytest.approx(far.target)  # type: ignore[attr-defined]


def test_the_best_turn_is_a_rotation_that_lays_directions_over_each_other() -> None:
    rng = np.random.default_rng(2)
    out = np.empty((3, 3))
    for _ in range(20):
        turn = from_rotation_vector(rng.normal(size=3) * 2)
        rest = rng.normal(size=(4, 3))
        best_turn((rest @ turn.T).T @ rest, out)
        assert out == pytest.approx(turn, abs=1e-9)
        best_turn(rng.normal(size=(3, 3)), out)
        assert np.linalg.det(out) == pytest.approx(1.0)


def test_a_swing_is_the_smallest_turn_between_two_directions() -> None:
    rng = np.random.default_rng(3)
    out = np.empty((3, 3))
    for a, b in rng.normal(size=(20, 2, 3)):
        swing(a, b, out)
        assert out == pytest.approx(rotation_between(a, b), abs=1e-9)
    swing(np.array([0.0, 1.0, 0.0]), np.array([0.0, -2.0, 0.0]), out)
    assert out == pytest.approx(np.eye(3))
