"""While one drags, a learned solver goes on from the pose that is shown and never flips; base poses are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.effectors.effector import Effector
from solver.effectors.kind import ARM_M
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.errors import PoserError
from solver.evaluation.speed import FIVE, free_problem, positions_of, random_poses
from solver.ik import anchor
from solver.ik.memory import FRESH, AtPose
from solver.ik.pipeline.pipeline import Solver
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.ik.solution import IKSolution
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.rig.roles import BODY_PARTS
from solver.solvers.catalog import load_solver

SKELETON = load_body("anny").skeleton(BodyShape())
STEP_M, STEPS = 0.005, 18
HARDEST = {1, 2, 5, 7, 8, 11, 13, 15, 18, 27, 29, 30, 35, 36}  # of 40 scenes, those in which joints turn most
MOST_DEGREES = 25.0
LIMBS = FIVE[:4]
BESIDE: tuple[tuple[str, ...], ...] = ((), ("head",), ("pelvis",), ("head", "spine3", "left_knee"))


@pytest.fixture(scope="module", params=["smplik", "protores"])
def solver(request: pytest.FixtureRequest) -> Solver:
    try:
        return load_solver(request.param)
    except PoserError as error:
        pytest.skip(str(error))


def turned(before: Pose, after: Pose) -> float:
    """Degrees, of the joint that turns most."""
    return float(np.degrees(geodesic_angle(before.rotations, after.rotations)).max())


def drag(
    solver: Solver, effectors: Sequence[Effector], start: Pose | None, base: Pose, direction: np.ndarray, steps: int
) -> list[IKSolution]:
    """The first effector along a straight line, from a cold start or from a pose shown."""
    found: list[IKSolution] = []
    first, memory = effectors[0], FRESH if start is None else AtPose(start)
    assert isinstance(first, Position)
    for step in range(steps):
        moved = replace(first, target=first.target + np.float32(STEP_M * step) * direction)
        found.append(solver.solve(free_problem(SKELETON, (moved, *effectors[1:]), base), memory))
        memory = found[-1].memory
    return found


@pytest.mark.slow
def test_no_joint_flips_in_dense_straight_drags_of_wrists_and_ankles(solver: Solver) -> None:
    rng, worst = np.random.default_rng(5), {}
    for scene, pose in enumerate(random_poses(SKELETON, 40, seed=8)):
        joints = (*LIMBS, *BESIDE[scene % len(BESIDE)])  # each of them is among the hardest
        for limb in LIMBS:
            effectors = positions_of(SKELETON, pose, (limb, *(j for j in joints if j != limb)))
            direction = rng.standard_normal(3).astype(np.float32)
            direction /= np.linalg.norm(direction)
            if scene not in HARDEST:
                continue
            way = drag(solver, effectors, None, natural_pose(SKELETON), direction, STEPS)
            turns = [turned(a.pose, b.pose) for a, b in pairwise(way)]
            if max(turns) > MOST_DEGREES:
                worst[scene, limb] = max(turns)
    assert not worst


def test_a_drag_begins_at_the_pose_shown(solver: Solver) -> None:
    for pose in random_poses(SKELETON, 5, seed=1):
        effectors = positions_of(SKELETON, pose, FIVE)
        up = np.float32([0, 1, 0])
        first, second = drag(solver, effectors, pose, pose, up, 2)
        assert turned(pose, first.pose) < 0.1
        assert turned(pose, second.pose) < 5.0


def test_there_and_back_leaves_no_trace(solver: Solver) -> None:
    pose = random_poses(SKELETON, 1, seed=2)[0]
    effectors = positions_of(SKELETON, pose, FIVE)
    way = drag(solver, effectors, pose, pose, np.float32([0, 0.6, 0.8]), 12)
    memory = way[-1].memory
    for step in range(11, -1, -1):
        moved = replace(
            effectors[0], target=effectors[0].target + np.float32(STEP_M * step) * np.float32([0, 0.6, 0.8])
        )
        back = solver.solve(free_problem(SKELETON, (moved, *effectors[1:]), pose), memory)
        memory = back.memory
    assert turned(pose, way[-1].pose) > 2.0
    assert turned(pose, back.pose) < 0.5


def test_far_from_where_it_began_the_pose_is_the_networks_own(solver: Solver) -> None:
    start, goal = natural_pose(SKELETON), random_poses(SKELETON, 1, seed=9)[0]
    ahead = np.float32([0, 0, 3])
    effectors = [replace(e, target=e.target + ahead) for e in positions_of(SKELETON, goal, FIVE)]
    cold = solver.solve(free_problem(SKELETON, effectors, start))
    assert turned(solver.solve(free_problem(SKELETON, effectors, start), AtPose(start)).pose, cold.pose) < 0.01


def test_a_new_effector_where_its_joint_is_moves_little(solver: Solver) -> None:
    pose = random_poses(SKELETON, 1, seed=4)[0]
    effectors = positions_of(SKELETON, pose, FIVE)
    shown = solver.solve(free_problem(SKELETON, effectors, pose), AtPose(pose))
    more = (*effectors, *positions_of(SKELETON, shown.pose, ("left_elbow",)))
    assert turned(shown.pose, solver.solve(free_problem(SKELETON, more, pose), shown.memory).pose) < 12.0


def test_the_way_is_that_of_the_effector_that_moved_most() -> None:
    turn = from_rotation_vector([0, 0, 0.5]).astype(np.float32)
    before = [Position("head", [0, 1, 0]), Rotation("neck", np.eye(3)), LookAt("head", [0, 0, 2])]
    assert anchor.distance_moved(before, before) == 0.0
    assert anchor.distance_moved(before, [Position("head", [0, 1.2, 0]), *before[1:]]) == pytest.approx(0.2)
    assert anchor.distance_moved(before, [before[0], Rotation("neck", turn)]) == pytest.approx(0.5 * ARM_M)
    assert anchor.distance_moved(before, [Position("left_wrist", [5, 5, 5])]) == 0.0
    assert not anchor.all_still_pull(before, before[1:])
    assert anchor.all_still_pull(before, [*before, Position("left_wrist", [5, 5, 5])])


def kept(part: str, pose: Pose, shape: float = 0.0, place: float = 0.0) -> IKProblem:
    """A hand is to reach far up; one part of the body keeps its shape or its place of `pose`."""
    joints = forward_kinematics(SKELETON, pose)
    wrist = joints.positions[SKELETON.index("right_wrist")]
    mask = np.float32([name in BODY_PARTS[part] for name in SKELETON.names])
    effectors = (
        Position("right_wrist", wrist + np.float32([0.0, 0.5, 0.2])),
        *positions_of(SKELETON, pose, ("left_ankle", "right_ankle")),
    )
    return IKProblem(SKELETON, BodyShape(), effectors, pose, place * mask, shape * mask)


@pytest.mark.parametrize("start", ["cold", "shown"])
@pytest.mark.parametrize("part", ["left arm", "head"])
def test_a_part_keeps_the_shape_of_the_base_pose(solver: Solver, part: str, start: str) -> None:
    pose = random_poses(SKELETON, 1, seed=12)[0]
    inner = [SKELETON.index(name) for name in BODY_PARTS[part]]
    memory = AtPose(pose) if start == "shown" else FRESH
    free, firm = (solver.solve(kept(part, pose, shape=share), memory) for share in (0.0, 1.0))
    loose, tight = (np.degrees(geodesic_angle(pose.rotations, s.pose.rotations))[inner].max() for s in (free, firm))
    assert tight < 2.5
    assert tight < 0.5 * loose or loose < 2.5
    assert firm.residuals[0].value < 0.005


@pytest.mark.parametrize("start", ["cold", "shown"])
def test_a_part_keeps_its_place_of_the_base_pose(solver: Solver, start: str) -> None:
    pose = random_poses(SKELETON, 1, seed=12)[0]
    joints = [SKELETON.index(name) for name in BODY_PARTS["left arm"]]
    memory = AtPose(pose) if start == "shown" else FRESH
    was = forward_kinematics(SKELETON, pose).positions[joints]
    gone = []
    for share in (0.0, 1.0):
        after = solver.solve(kept("left arm", pose, place=share), memory).pose
        gone.append(np.linalg.norm(forward_kinematics(SKELETON, after).positions[joints] - was, axis=1).max())
    assert gone[1] < 0.02
    assert gone[1] < 0.5 * gone[0]
