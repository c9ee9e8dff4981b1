"""Only this limb: one limb follows, everything else stays exactly where it was, with every solver."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.contact.obstacles import Obstacles
from solver.contact.solid_body import solid_body
from solver.effectors.kinds import Position
from solver.errors import UnknownName
from solver.evaluation.speed import FIVE, free_problem, positions_of, random_poses
from solver.ik.memory import FRESH, SettledMemory, SolveRecord
from solver.ik.multi_solve.only_limb import CLEARLY_OFF, arm_before_body, only_arms, only_limb
from solver.ik.multi_solve.postures import postures
from solver.ik.multi_solve.released_figures import looks_for_way_around
from solver.ik.options import NO_OPTIONS
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import geodesic_angle
from solver.rig.roles import BODY_PARTS
from solver.solvers.catalog import SOLVERS, load_solver

SKELETON = load_body("anny").skeleton(BodyShape())
SHOWN = random_poses(SKELETON, 3, seed=5)
BASE = random_poses(SKELETON, 1, seed=11)[0]


def world(pose: Pose) -> WorldJoints:
    return forward_kinematics(SKELETON, pose)


def dragged(joint: str, shown: Pose, shift: tuple[float, float, float]) -> IKProblem:
    """The problem of a drag of a joint: the usual effectors where the pose has them, and the one that is dragged."""
    others = [e for e in positions_of(SKELETON, shown, FIVE) if e.joint != joint]
    target = world(shown).positions[SKELETON.index(joint)] + np.float32(shift)
    return free_problem(SKELETON, (Position(joint, target), *others), BASE)


PLACED = [
    (spec.id, joint)
    for spec in SOLVERS
    for joint in ("left_wrist", "right_elbow", "left_ankle", "head", "left_collar")
    if spec.takes("position", joint)
]


@pytest.mark.sweep
@pytest.mark.parametrize(("id", "joint"), PLACED)
def test_a_limb_follows_and_the_rest_stays_to_the_last_bit(id: str, joint: str) -> None:
    solver, shown = load_solver(id), SHOWN[0]
    hold = only_limb(SKELETON, joint, shown)
    memory, pose = FRESH, shown
    for step in (0.02, 0.06, 0.5):
        solution = solver.solve(
            hold.applied_to(dragged(joint, shown, (step, step, 0.3 * step))), memory.with_default_pose(pose)
        )
        memory, pose = solution.memory, solution.pose
        stay = [SKELETON.index(name) for name in hold.frozen]
        assert np.array_equal(pose.rotations[stay], shown.rotations[stay])
        assert np.array_equal(pose.root_position, shown.root_position)
        assert np.abs(world(pose).positions[stay] - world(shown).positions[stay]).max() < 1e-6
    assert len(hold.frozen) + len(BODY_PARTS[hold.limb]) == len(SKELETON)


@pytest.mark.parametrize("id", ["dls", "smplik"])
def test_the_limb_comes_to_its_target_where_it_reaches(id: str) -> None:
    for shown in [*postures(SKELETON)[::7], *(SHOWN if id == "dls" else ())]:  # no network knows poses at random
        elbow = world(shown).positions[SKELETON.index("left_elbow")]
        wrist = world(shown).positions[SKELETON.index("left_wrist")]
        shift = 0.15 * (elbow - wrist) + np.float32([0, 0.05, 0])
        hold = only_limb(SKELETON, "left_wrist", shown)
        problem = hold.applied_to(dragged("left_wrist", shown, tuple(shift)))
        solution = load_solver(id).solve(problem, FRESH.with_default_pose(shown))
        assert solution.residuals[0].state == "met"


def test_the_spine_carries_arms_and_head_over_legs_that_stay() -> None:
    shown = SHOWN[1]
    hold = only_limb(SKELETON, "spine3", shown)
    problem = hold.applied_to(free_problem(SKELETON, dragged("spine3", shown, (0.05, 0.0, 0.08)).effectors[:1], BASE))
    pose = load_solver("dls").solve(problem, FRESH.with_default_pose(shown)).pose
    assert {"pelvis", "left_knee", "right_foot"} <= hold.frozen
    assert {"left_shoulder", "head", "right_wrist"} <= hold.carried
    carried = [SKELETON.index(name) for name in hold.carried]
    assert np.degrees(geodesic_angle(pose.rotations, shown.rotations)[carried]).max() < 1.0
    moved = np.linalg.norm(world(pose).positions - world(shown).positions, axis=1)
    assert moved[SKELETON.index("spine3")] > 0.05
    assert moved[[SKELETON.index(name) for name in hold.frozen]].max() < 1e-6


def test_an_arm_that_is_carried_bends_for_a_hand_that_is_asked_to_stay() -> None:
    shown = SHOWN[1]
    hold = only_limb(SKELETON, "spine3", shown)
    wrist = Position("left_wrist", world(shown).positions[SKELETON.index("left_wrist")])
    spine = dragged("spine3", shown, (0.0, 0.0, 0.04)).effectors[0]
    solution = load_solver("dls").solve(
        hold.applied_to(free_problem(SKELETON, (spine, wrist), BASE)), FRESH.with_default_pose(shown)
    )
    assert solution.residuals[1].state == "met"
    turns = np.degrees(geodesic_angle(solution.pose.rotations, shown.rotations))
    assert turns[SKELETON.index("right_elbow")] < 0.5 < turns[SKELETON.index("left_elbow")]


@pytest.mark.parametrize("id", ["dls", "smplik", "protores"])
def test_the_pelvis_goes_down_over_feet_that_stay(id: str) -> None:
    shown = natural_pose(SKELETON)
    hold = only_limb(SKELETON, "pelvis", shown)
    target = Position("pelvis", shown.root_position + np.float32([0.03, -0.15, 0.0]))
    problem = hold.applied_to(free_problem(SKELETON, (target,), BASE))
    pose = load_solver(id).solve(problem, FRESH.with_default_pose(shown)).pose
    feet = [SKELETON.index(name) for name in hold.frozen]
    before, after = world(shown), world(pose)
    assert np.linalg.norm(after.positions[feet] - before.positions[feet], axis=1).max() < 1e-3
    assert np.degrees(geodesic_angle(after.rotations[feet], before.rotations[feet])).max() < 0.1
    assert np.linalg.norm(pose.root_position - target.target) < 0.005
    assert geodesic_angle(pose.rotations, shown.rotations)[SKELETON.index("left_knee")] > 0.2


def test_what_is_asked_of_a_frozen_joint_moves_nothing() -> None:
    shown = SHOWN[2]
    far = Position("right_wrist", np.float32([3, 3, 3]), pinned=True)
    problem = dragged("left_wrist", shown, (0.02, 0.02, 0.0))
    hold = only_limb(SKELETON, "left_wrist", shown)
    alone = load_solver("dls").solve(hold.applied_to(problem), FRESH.with_default_pose(shown))
    torn = load_solver("dls").solve(
        hold.applied_to(replace(problem, effectors=(*problem.effectors, far))), FRESH.with_default_pose(shown)
    )
    assert np.abs(torn.pose.rotations - alone.pose.rotations).max() < 1e-5
    assert torn.residuals[-1].state == "unreachable"


def test_without_an_effector_that_can_move_anything_nothing_moves() -> None:
    shown = SHOWN[2]
    hold = only_limb(SKELETON, "left_wrist", shown)
    far = (Position("right_wrist", np.float32([3, 3, 3])),)
    problem = hold.applied_to(free_problem(SKELETON, far, BASE))
    pose = load_solver("dls").solve(problem, FRESH.with_default_pose(shown)).pose
    stay = [SKELETON.index(name) for name in hold.frozen]
    assert np.array_equal(pose.rotations[stay], shown.rotations[stay])


def test_a_joint_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownName, match="tail"):
        only_limb(SKELETON, "tail", BASE)


def test_a_finger_belongs_to_its_arm_and_a_jaw_to_the_head() -> None:
    whole = load_body("anny").whole_rig(BodyShape())
    pose = Pose(whole.offsets[0], np.broadcast_to(np.eye(3, dtype=np.float32), (len(whole), 3, 3)))
    hold = only_limb(whole, "left_index2", pose)
    assert hold.limb == "left arm"
    assert "left_index3" in hold.carried
    assert "right_index1" in hold.frozen
    assert only_limb(whole, "jaw", pose).limb == "head"


def test_a_rig_of_another_kind_keeps_its_frozen_joints_as_well() -> None:
    whole = load_body("anny").whole_rig(BodyShape())
    shown = natural_pose(whole)
    hold = only_limb(whole, "left_wrist", shown)
    wrist = forward_kinematics(whole, shown).positions[whole.index("left_wrist")]
    problem = hold.applied_to(free_problem(whole, (Position("left_wrist", wrist + np.float32([0, 0.1, 0.1])),), shown))
    pose = load_solver("dls").solve(problem, FRESH.with_default_pose(shown)).pose
    stay = [whole.index(name) for name in hold.frozen]
    assert np.array_equal(pose.rotations[stay], shown.rotations[stay])
    gone = forward_kinematics(whole, pose).positions[whole.index("left_wrist")] - wrist
    assert np.linalg.norm(gone) == pytest.approx(np.hypot(0.1, 0.1), abs=5e-3)


def test_arms_alone_move_with_their_collars_and_fingers() -> None:
    whole = load_body("anny").whole_rig(BodyShape())
    hold = only_arms(whole, natural_pose(whole))
    every = set(whole.names)
    assert {f"{side}_{part}" for side in ("left", "right") for part in ("collar", "shoulder", "elbow", "wrist")} <= (
        every - hold.frozen - hold.carried
    )
    assert "right_thumb1" in hold.carried
    assert {"pelvis", "spine3", "neck", "left_ankle"} <= hold.frozen


ONE, OTHER = ["right_wrist"], ["left_wrist"]
SPINE = {"spine1", "spine2", "spine3"}
LOWER = {"pelvis", "left_hip", "left_knee", "right_hip", "right_knee"}
LEFT_ARM = {"left_collar", "left_shoulder", "left_elbow", "left_wrist", "left_hand"}


@pytest.mark.parametrize(
    ("touched", "helps"),
    [
        ("left_shoulder", [LEFT_ARM]),
        ("left_elbow", [LEFT_ARM, SPINE]),
        ("head", [{"neck", "head"}]),
        ("left_knee", [SPINE, set(), LOWER]),
        ("spine1", [SPINE, set(), LOWER]),
        ("spine3", []),
    ],
)
def test_what_helps_an_arm_is_what_brings_it_nearer_to_what_it_touches(touched: str, helps: list[set[str]]) -> None:
    hold = arm_before_body(SKELETON, BASE, ["right_wrist"], touched)
    arm = {"right_collar", "right_shoulder", "right_elbow", "right_wrist", "right_hand"}
    assert set(SKELETON.names) - hold.frozen == arm
    free = arm
    for more in helps:
        assert hold.wider is not None
        hold = hold.wider
        free = free | more
        assert set(SKELETON.names) - hold.frozen - hold.carried == free
        assert hold.meets == (touched if touched in (*LEFT_ARM, "head") else "")
        assert hold.if_off == (CLEARLY_OFF if hold.meets and more == SPINE else 0.0)
        assert hold.last == (SPINE if more == SPINE else set()), "the spine bends after the arms, and then as it likes"
    assert hold.wider is None


def test_the_trunk_helps_arms_that_are_crossed_also_where_one_lies_on_the_other_upper_arm() -> None:
    one, both = (arm_before_body(SKELETON, BASE, joints, "left_shoulder") for joints in (ONE, ONE + OTHER))
    assert one.wider is not None
    assert one.wider.wider is None
    assert both.wider is not None
    assert both.wider.wider is not None
    assert set(SKELETON.names) - both.wider.wider.frozen >= {"spine1", "spine2", "spine3"}


def test_the_holds_of_a_hand_that_goes_on_are_all_of_the_pose_in_which_it_began() -> None:
    hold = arm_before_body(SKELETON, SHOWN[0], ["right_wrist"], "left_knee").of(BASE)
    assert hold.wider is not None
    assert hold.wider.wider is not None
    assert hold.base == hold.wider.base == hold.wider.wider.base == BASE


def test_a_limb_that_goes_on_alone_does_not_look_for_a_way_around() -> None:
    free = replace(free_problem(SKELETON, (), BASE), obstacles=Obstacles(solid_body(load_body("anny"), BodyShape())))
    alone = replace(free, frozen=frozenset({"pelvis"}))
    led, was_free = (SettledMemory(FRESH, SolveRecord(each, NO_OPTIONS, None, BASE), ()) for each in (alone, free))
    assert looks_for_way_around(FRESH, alone)
    assert looks_for_way_around(was_free, alone)
    assert looks_for_way_around(led, free)
    assert not looks_for_way_around(led, alone)
    assert not looks_for_way_around(FRESH, replace(free, obstacles=None))
