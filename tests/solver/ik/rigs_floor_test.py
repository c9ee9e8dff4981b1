"""A solid floor holds up rigs of every kind: by the character's own skin, or by flesh about its joints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from rig_points import (
    feet_of,
    flesh_unit,
    points_by_joints,
    points_of_skin,
    solver_rig,
    stance_on_foreign_rig,
)
from rig_samples import (
    body_rig,
    posed_like,
    renamed_and_reordered,
    rig_of_many_joints,
    with_a_joint_between,
    with_rest_frames,
)

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.floor import lowest_sole_point, posed_vertices
from solver.contact.floor_points import FloorPoints
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.ik.memory import AtPose
from solver.ik.multi_solve.between_keys import BetweenKeys
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.ik.solution import IKSolution
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.rig.level_feet import with_level_feet
from solver.rig.movable import movable
from solver.rig.rig import Rig
from solver.rig.roles import LEGS, Role
from solver.solvers.catalog import load_solver

BODY, SHAPE = load_body("anny"), BodyShape()
RIGS: dict[str, Callable[[], Rig]] = {
    "renamed and reordered": renamed_and_reordered,
    "with rest frames": with_rest_frames,
    "with a joint between": with_a_joint_between,
}
IN_FLOOR = -0.005


@cache
def standing() -> Pose:
    """Our own body, natural, with level soles on the floor."""
    pose = with_level_feet(body_rig(), natural_pose(body_rig()))
    return replace(pose, root_position=pose.root_position - np.float32([0, lowest_sole_point(BODY, SHAPE, pose), 0]))


def own_weights(rig: Rig) -> np.ndarray:
    """(V, J) the body's weights as a file of that rig would have them."""
    weights = np.zeros((len(BODY.weights), len(rig)), np.float32)
    for j, role in enumerate(rig.roles):
        if role is not None and body_rig().find(role) is not None:
            weights[:, j] = BODY.weights[:, body_rig().joint(role)]
    return weights / weights.sum(axis=1, keepdims=True)


@cache
def skin_points(name: str) -> FloorPoints:
    return points_of_skin(RIGS[name](), BODY.vertices(SHAPE), own_weights(RIGS[name]()))


def asked(rig: Rig, lowered: float = 0.0) -> tuple[Effector, ...]:
    """Feet that stay and keep their turns softly, and the left hand far below where it is."""
    base = posed_like(rig, standing())
    world = forward_kinematics(rig, base)
    ankles = [rig.joint(leg.end) for leg in LEGS]
    hand = rig.joint(Role.LEFT_WRIST)
    down = world.positions[hand] - np.float32([0, lowered, -0.2 * (lowered > 0)])
    return (
        *(Position(rig.names[j], world.positions[j]) for j in ankles),
        *(Rotation(rig.names[j], world.rotations[j], tolerance=0.2) for j in ankles),
        Position(rig.names[hand], down),
    )


def problem_on(rig: Rig, points: FloorPoints | None, effectors: tuple[Effector, ...]) -> IKProblem:
    problem = IKProblem.without_masks(rig, effectors, posed_like(rig, standing()))
    return problem if points is None else replace(problem, floor=points, stance=stance_on_foreign_rig(rig, points))


def solved(problem: IKProblem) -> IKSolution:
    return load_solver("dls").solve(problem, AtPose(problem.base_pose))


def lowest(rig: Rig, pose: Pose) -> float:
    """Metres, of the real skin that the rig carries."""
    seen = movable(rig, rest_pose(rig)).reduced(pose)
    return float(posed_vertices(BODY, SHAPE, seen)[:, 1].min())


@pytest.mark.parametrize("name", RIGS)
def test_the_floor_holds_up_the_skin_that_a_character_brings(name: str) -> None:
    rig = RIGS[name]()
    deep = asked(rig, 1.2)
    assert lowest(rig, solved(problem_on(rig, None, deep)).pose) < -0.1
    found = solved(problem_on(rig, skin_points(name), deep))
    assert lowest(rig, found.pose) > IN_FLOOR
    assert [one.state for one in found.residuals[:2]] == ["met", "met"]
    assert found.residuals[4].value > 0.05


@pytest.mark.parametrize("name", RIGS)
def test_without_a_mesh_flesh_about_the_joints_is_held_up(name: str) -> None:
    rig = RIGS[name]()
    found = solved(problem_on(rig, points_by_joints(rig), asked(rig, 1.2)))
    assert lowest(rig, found.pose) > -0.04, "a relaxed finger hangs lower than joints tell; all else is within 1 cm"
    assert points_by_joints(rig) is points_by_joints(rig)


@pytest.mark.parametrize("name", RIGS)
@pytest.mark.parametrize("meshed", [True, False])
def test_soles_stay_flat_and_roll_as_ankles_rise(name: str, meshed: bool) -> None:
    rig = RIGS[name]()
    points = skin_points(name) if meshed else points_by_joints(rig)
    still = asked(rig)
    rising = tuple(
        replace(e, target=e.target + np.float32([0, 0.08, 0])) if e.joint == rig.name(LEGS[0].end) and i == 0 else e
        for i, e in enumerate(still)
    )
    pitches = []
    for effectors in (still, rising):
        pose = solved(problem_on(rig, points, effectors)).pose
        seen = movable(rig, rest_pose(rig))
        turn = forward_kinematics(seen.skeleton, seen.reduced(pose)).rotations[seen.skeleton.index(LEGS[0].end)]
        pitches.append(float(np.degrees(np.arctan2(-turn[1, 2], turn[1, 1]))))
    assert abs(pitches[0]) < 4.0
    assert pitches[1] > 15.0


@pytest.mark.parametrize("name", RIGS)
def test_what_a_standing_foot_and_soft_eyes_leave_is_told_as_tolerated(name: str) -> None:
    rig = RIGS[name]()
    frames = rig.rest_frames
    head = rig.joint(Role.HEAD)
    ahead = np.float32([0, 0, 1]) if frames is None else frames[head].T @ np.float32([0, 0, 1])
    at = forward_kinematics(rig, posed_like(rig, standing())).positions[head]
    look = LookAt(rig.names[head], at + np.float32([-2.0, 0.0, -0.5]), ahead, tolerance=0.0)
    off = LookAt(rig.names[head], at, ahead, enabled=False)
    up = replace(asked(rig)[0], target=asked(rig)[0].target + np.float32([0, 0.08, 0]))
    found = solved(problem_on(rig, skin_points(name), (off, up, *asked(rig)[1:4], look)))
    states = [one.state for one in found.residuals]
    assert states[0] == "disabled"
    assert states[3] == "tolerated", "the foot rolls"
    assert states[5] == "tolerated", "eyes do the rest"


def test_between_keys_a_rig_of_another_kind_keeps_out_of_the_floor_too() -> None:
    name = "with rest frames"
    rig = RIGS[name]()
    base = posed_like(rig, standing())

    def problems(frames: np.ndarray) -> list[IKProblem]:
        down = [asked(rig, 1.2 * min(max(float(frame) / 10, 0.0), 1.0)) for frame in frames]
        return [problem_on(rig, skin_points(name), effectors) for effectors in down]

    (last,) = problems(np.array([10]))
    between = BetweenKeys(load_solver("dls"), problems, np.array([0, 10]), [base, solved(last).pose], 30.0)
    assert min(lowest(rig, pose) for pose in between.solved(np.arange(1, 10)).each()) > IN_FLOOR


def test_rigs_with_fingers_and_without_toes_or_hands_have_points_as_well() -> None:
    many = rig_of_many_joints(65)
    inner = solver_rig(many)
    points = points_by_joints(many)
    assert len(feet_of(many, points).shapes) == 2
    assert {inner.names[j] for j in points.carriers.tolist()} >= {"left_wrist", "head", "left_ankle", "pelvis"}
    body = body_rig()
    kept = [j for j, joint in enumerate(body.names) if not joint.endswith(("_foot", "_hand"))]
    short = Rig(
        tuple(body.names[j] for j in kept),
        tuple(kept.index(body.parents[j]) if j else -1 for j in kept),
        body.offsets[kept],
        tuple(body.roles[j] for j in kept),
    )
    assert feet_of(short, points_by_joints(short)).shapes == ()
    low = points_by_joints(short).lowest(forward_kinematics(short, rest_pose(short)))
    assert low == pytest.approx(float(short.rest_positions[:, 1].min()), abs=0.12)
    tower = Rig(("a", "b"), (-1, 0), np.float32([[0, 1, 0], [0, 1, 0]]), (None, None))
    assert flesh_unit(tower) == pytest.approx(0.5)
    assert len(points_by_joints(tower).carriers)
    pushed = replace(IKProblem.without_masks(tower, (Position("a", np.float32([0, -1, 0])),), rest_pose(tower)))
    held = solved(replace(pushed, floor=points_by_joints(tower)))
    assert held.pose.root_position[1] > 0.0
