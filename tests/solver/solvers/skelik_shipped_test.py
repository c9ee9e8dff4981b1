"""What the shipped SKEL-IK does: it keeps what it is asked to keep, without jumps, and finds turns it is not told."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position, Rotation
from solver.evaluation.naturalness import beyond_limits
from solver.ik.exact import refine
from solver.ik.pipeline.pipeline import Solver
from solver.ik.pose_prior import natural_pose
from solver.ik.preserve_modes import GLOBAL, LOCAL, PLACE_FREEZE, POSE_FREEZE, PreserveMode
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.rig.roles import LIMBS, Role
from solver.solvers.catalog import load_solver

SKELETON = load_body("anny").skeleton(BodyShape())
BASE = natural_pose(SKELETON)
AT = forward_kinematics(SKELETON, BASE)
STEPS = 20


@pytest.fixture(scope="module")
def solver() -> Solver:
    return load_solver("skelik")


def at(role: Role) -> int:
    return SKELETON.index(role)


def moved(role: Role, *way: float) -> Position:
    return Position(role, AT.positions[at(role)] + np.float32(way or 0.0))


# A pelvis that turns and sinks over feet that stay.
TURN = from_rotation_vector(np.float32([0.0, 0.5, 0.0]))
SUNK: tuple[Effector, ...] = (
    moved(Role.PELVIS, 0.05, -0.1, 0.0),
    Rotation(Role.PELVIS, TURN),
    moved(Role.LEFT_ANKLE, 0.0, 0.0, 0.0),
    moved(Role.RIGHT_ANKLE, 0.0, 0.0, 0.0),
)
FREE = [j for j in range(22) if SKELETON.names[j] not in {e.joint for e in SUNK}]


def keeping(mode: PreserveMode, effectors: tuple[Effector, ...] = SUNK) -> IKProblem:
    place, shape = mode.masks(SKELETON, effectors)
    free = IKProblem.without_masks(SKELETON, effectors, BASE)
    return replace(free, preserve_position=place, preserve_orientation=shape)


def kept(pose: Pose) -> tuple[float, float]:
    """Metres from the base places and radians from the base shape, means over the joints of which nothing is asked."""
    places = forward_kinematics(SKELETON, pose).positions
    off = np.linalg.norm(places - AT.positions, axis=-1)[FREE].mean()
    return float(off), float(geodesic_angle(pose.rotations, BASE.rotations)[FREE].mean())


def test_each_freeze_keeps_what_it_is_named_after_and_effectors_are_met(solver: Solver) -> None:
    found = {}
    for mode in (GLOBAL, LOCAL, PLACE_FREEZE, POSE_FREEZE):
        solution = solver.solve(keeping(mode))
        assert max(residual.value for residual in solution.residuals) < 1e-3
        found[mode.id] = kept(solution.pose)
    assert found["place_freeze"][0] < 0.9 * found["pose_freeze"][0]
    assert found["pose_freeze"][1] < 0.9 * found["place_freeze"][1]
    assert found["local"][0] < 0.9 * found["global"][0]
    assert found["local"][1] < 1.02 * found["place_freeze"][1]  # ends that are held bend limbs in both


def test_places_that_the_network_keeps_are_not_lost_to_the_limits_of_joints(solver: Solver) -> None:
    away = from_rotation_vector(np.float32([0.0, np.radians(150.0), 0.0]))
    asked = (moved(Role.PELVIS, 0.0, -0.05, 0.0), Rotation(Role.PELVIS, away), *SUNK[2:])
    problem = keeping(PLACE_FREEZE, asked)
    proposal, found = solver.propose(problem), solver.solve(problem)
    turned_back = refine(solver.exact_problem(problem), proposal).pose
    assert beyond_limits(proposal.rotations[None, :22])[0] > 10.0, "the network asks joints to turn further than people"
    assert beyond_limits(found.pose.rotations[None, :22])[0] < 3.0
    assert kept(found.pose)[0] < 0.97 * kept(turned_back)[0]
    assert max(residual.value for residual in found.residuals) < 1e-3


@pytest.mark.parametrize("mode", [PLACE_FREEZE, POSE_FREEZE, LOCAL], ids=lambda mode: mode.id)
def test_a_control_bit_moves_the_pose_without_jumps(solver: Solver, mode: PreserveMode) -> None:
    poses = []
    for part in np.linspace(0.0, 1.0, STEPS + 1):
        some = replace(mode, place=mode.place * float(part), shape=mode.shape * float(part))
        poses.append(solver.solve(keeping(some)).pose)
    steps = [float(geodesic_angle(a.rotations, b.rotations).max()) for a, b in pairwise(poses)]
    whole = float(geodesic_angle(poses[0].rotations, poses[-1].rotations).max())
    assert whole > np.radians(3.0)
    assert max(steps) < max(0.35 * whole, np.radians(2.0))


def test_a_pelvis_given_only_a_place_turns_with_what_is_asked_of_the_limbs(solver: Solver) -> None:
    turn = from_rotation_vector(np.float32([0.0, np.radians(60.0), 0.0]))
    rotations = np.array(BASE.rotations)
    rotations[0] = turn @ rotations[0]
    wanted = forward_kinematics(SKELETON, Pose(BASE.root_position, rotations))
    joints = (Role.PELVIS, Role.HEAD, *(limb.end for limb in LIMBS), *(limb.root for limb in LIMBS))
    pose = solver.propose(
        IKProblem.without_masks(SKELETON, [Position(r, wanted.positions[at(r)]) for r in joints], BASE)
    )
    assert geodesic_angle(pose.rotations[0], rotations[0]) < np.radians(30.0)


def test_a_wrist_given_only_a_place_is_not_held_to_its_base_rotation(solver: Solver) -> None:
    pose = solver.propose(IKProblem.without_masks(SKELETON, [moved(Role.LEFT_WRIST, 0.2, 0.5, 0.2)], BASE))
    wrist = at(Role.LEFT_WRIST)
    before, after = (np.linalg.norm(AT.positions[wrist] + np.float32([0.2, 0.5, 0.2]) - p[wrist])
                     for p in (AT.positions, forward_kinematics(SKELETON, pose).positions))  # fmt: skip
    assert after < 0.5 * before
    assert geodesic_angle(pose.rotations[wrist], BASE.rotations[wrist]) > np.radians(0.5)


def test_only_the_arm_answers_where_all_else_is_frozen(solver: Solver) -> None:
    arm = set(map(str, LIMBS[0].joints))
    frozen = frozenset(name for name in SKELETON.names if name not in arm)
    asked = replace(IKProblem.without_masks(SKELETON, [moved(Role.LEFT_WRIST, 0.1, 0.3, 0.2)], BASE), frozen=frozen)
    pose = solver.solve(asked).pose
    still = [SKELETON.index(name) for name in frozen]
    assert np.array_equal(pose.rotations[still], BASE.rotations[still])
    assert np.array_equal(pose.root_position, BASE.root_position)


@pytest.mark.parametrize("mode", [LOCAL, PLACE_FREEZE], ids=lambda mode: mode.id)
@pytest.mark.parametrize("way", [0.02, 0.1, 0.3])
def test_what_is_kept_hardly_stirs_while_a_hand_is_moved_and_nobody_holds_the_pelvis(
    solver: Solver, mode: PreserveMode, way: float
) -> None:
    asked = (moved(Role.LEFT_WRIST, 0.5 * way, way, 0.5 * way), moved(Role.LEFT_ANKLE), moved(Role.RIGHT_ANKLE))
    solution = solver.solve(keeping(mode, asked))
    assert max(residual.value for residual in solution.residuals) < 1e-3
    others = [j for j in range(22) if SKELETON.names[j] not in set(map(str, LIMBS[0].joints))]
    assert np.degrees(geodesic_angle(solution.pose.rotations, BASE.rotations)[others]).max() < 1.0
    places = forward_kinematics(SKELETON, solution.pose).positions
    assert np.linalg.norm(places - AT.positions, axis=-1)[others].max() < 0.02
