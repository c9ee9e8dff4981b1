"""A finger reaches for places: met where its hinges allow, natural on the way, and the rest of the hand stays."""

from __future__ import annotations

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.finger_chain import FINGER_POINTS, Array, FingerPoint, bent_points, fingers_in_world, rest_points
from solver.body.finger_ik import FingerChain, finger_chain, solve_finger, with_finger
from solver.body.fingers import (
    ASIDE,
    FINGERS,
    FIRST,
    HIGHEST,
    LAST,
    LOWEST,
    MIDDLE,
    angles_of,
    hands_bent,
    hinges_of,
)  # fmt: skip
from solver.body.hand_presets import HAND_PRESETS, preset_hands
from solver.body.hands import Hands, relaxed_hands
from solver.body.whole_rig import FINGER_JOINTS, as_whole_pose
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector

BODY, SHAPE = load_body("anny"), BodyShape()
TALL = BodyShape(np.array([2.5, -1, 0, 0, 1, 0, 0, 0, 0, 0], np.float32))
TIP = 3


def miss(chain: FingerChain, point: int, angles: Array, place: Array) -> float:
    """Metres between a finger's point and a place."""
    return float(np.linalg.norm(chain.seen(chain.reach(angles)[0][point]) - place))


def test_points_are_where_the_whole_rig_has_them_on_any_shape_and_in_any_pose() -> None:
    rig, hands = BODY.whole_rig(TALL), preset_hands("pinch", BODY)
    rng = np.random.default_rng(1)
    pose = rest_pose(BODY.rig(TALL))
    pose = Pose(pose.root_position, from_rotation_vector(rng.normal(0, 0.4, (24, 3))).astype(np.float32))
    whole = forward_kinematics(rig, as_whole_pose(rig, pose, hands.by_joint()))
    found = fingers_in_world(BODY, TALL, hands, forward_kinematics(BODY.rig(TALL), pose))
    for name, where in FINGER_POINTS.items():
        if where.point < TIP:
            expected = whole.positions[rig.index(name)]
            assert found[where.side, where.finger, where.point] == pytest.approx(expected, abs=2e-5)
    assert FINGER_POINTS["right_ring_tip"] == FingerPoint(1, 3, TIP)
    assert FINGER_POINTS["right_ring_tip"].hand == "right_hand"


def test_a_longer_body_has_longer_fingers() -> None:
    lengths = [np.linalg.norm(np.diff(rest_points(BODY, shape), axis=2), axis=-1).sum() for shape in (SHAPE, TALL)]
    assert lengths[1] > 1.02 * lengths[0]


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("finger", range(5))
def test_a_chain_stands_where_the_hand_has_its_finger(side: int, finger: int) -> None:
    hands = preset_hands("claw", BODY)
    chain = finger_chain(BODY, SHAPE, hands, side, finger)
    assert chain.seen(chain.reach(chain.start)[0]) == pytest.approx(
        bent_points(BODY, SHAPE, hands)[side, finger], abs=1e-6
    )


@pytest.mark.slow
def test_what_hinges_can_reach_is_met_below_a_millimetre() -> None:
    rng, off = np.random.default_rng(2), []
    for _ in range(150):
        hands, side, finger = preset_hands(rng.choice(list(HAND_PRESETS)), BODY), rng.integers(2), rng.integers(5)
        chain = finger_chain(BODY, SHAPE, hands, side, finger)
        goal = rng.uniform(LOWEST[finger], HIGHEST[finger])
        bent = solve_finger(
            chain, TIP, chain.seen(chain.reach(goal)[0][2])
        )  # its last joint's place, within the tip's reach
        place = chain.seen(chain.reach(bent)[0][TIP])
        off.append(miss(chain, TIP, solve_finger(chain, TIP, place), place))
    assert np.percentile(off, 95) < 1e-3


def test_a_middle_joint_is_reached_by_the_first_joint_alone() -> None:
    chain = finger_chain(BODY, SHAPE, relaxed_hands(), 0, 2)
    goal = chain.start + [30.0, 10.0, 0.0, 0.0]
    place = chain.reach(goal)[0][1]
    found = solve_finger(chain, 1, place)
    assert miss(chain, 1, found, place) < 5e-4
    assert (found[MIDDLE], found[LAST]) == (chain.start[MIDDLE], chain.start[LAST])


def test_no_angle_leaves_its_range_and_the_last_joint_goes_with_the_middle_one() -> None:
    rng = np.random.default_rng(3)
    for finger in range(5):
        chain = finger_chain(BODY, SHAPE, relaxed_hands(), 0, finger)
        for _ in range(10):
            found = solve_finger(chain, TIP, chain.joints[0] + rng.normal(0, 0.12, 3))
            assert (found >= LOWEST[finger] - 1e-9).all()
            assert (found <= HIGHEST[finger] + 1e-9).all()
            if found[MIDDLE] > chain.start[MIDDLE] + 1:
                assert found[LAST] > chain.start[LAST]


def test_a_straight_finger_pulled_along_its_length_curls_into_the_palm() -> None:
    chain = finger_chain(BODY, SHAPE, preset_hands("spread", BODY), 0, 2)
    root, tip = chain.joints[0], chain.reach(chain.start)[0][TIP]
    sight, angles = np.array([0.0, -1.0, 0.0]), None
    for share in np.linspace(0.0, 0.6, 30)[1:]:
        place = tip + share * (root - tip)
        angles = solve_finger(chain, TIP, place, sight, begin=angles)
        assert np.linalg.norm((chain.reach(angles)[0][TIP] - place)[[0, 2]]) < 1e-3
    assert angles is not None
    assert angles[MIDDLE] > 60
    assert angles[FIRST] > -12


def test_what_is_held_fast_across_the_sight_may_slip_along_it() -> None:
    chain = finger_chain(BODY, SHAPE, relaxed_hands(), 0, 1)
    tip = chain.reach(chain.start)[0][TIP]
    sight = np.array([0.0, -1.0, 0.0])
    place = tip + [-0.02, 0.0, 0.0]
    off = chain.reach(solve_finger(chain, TIP, place, sight))[0][TIP] - place
    assert np.linalg.norm(off[[0, 2]]) < 1e-3
    assert abs(off[1]) > 3e-3


def test_a_drag_does_not_jump() -> None:
    chain = finger_chain(BODY, SHAPE, preset_hands("flat", BODY), 1, 3)
    start = chain.seen(chain.reach(chain.start)[0][TIP])
    end = start + np.array([0.05, -0.045, 0.0])  # a right hand's fingers point to -X
    angles, last = None, start
    for share in np.linspace(0, 1, 60)[1:]:
        angles = solve_finger(chain, TIP, start + share * (end - start), begin=angles)
        here = chain.seen(chain.reach(angles)[0][TIP])
        assert np.linalg.norm(here - last) < 0.006
        last = here
    assert np.linalg.norm(last - end) < 1e-3


def test_what_a_photo_showed_beside_the_hinges_is_kept() -> None:
    rolled = np.array(relaxed_hands().rotations)
    joint = FINGER_JOINTS.index("left_thumb2")
    rolled[joint] = rolled[joint] @ from_rotation_vector([0.2, 0.1, 0.05]).astype(np.float32)
    hands = Hands(rolled)
    where = FingerPoint(0, 0, TIP)
    chain = finger_chain(BODY, SHAPE, hands, 0, 0)
    assert chain.reach(chain.start)[0] == pytest.approx(bent_points(BODY, SHAPE, hands)[0, 0], abs=1e-6)
    place = chain.reach(chain.start + [10, 5, 15, 20])[0][TIP]
    found = solve_finger(chain, TIP, place)
    moved = with_finger(hands, BODY, where, found)
    assert np.linalg.norm(bent_points(BODY, SHAPE, moved)[0, 0, TIP] - place) < 1e-3
    assert with_finger(hands, BODY, where, chain.start) == hands


def test_fingers_go_along_and_the_other_hand_does_the_same_where_asked() -> None:
    hands, hinges = relaxed_hands(), hinges_of(BODY)
    was, where = angles_of(hands, hinges), FingerPoint(1, 2, TIP)
    goal = was[1, 2] + [10, 3, 15, 9]
    alone = angles_of(with_finger(hands, BODY, where, goal), hinges) - was
    assert np.abs(alone[1, 2] - [10, 3, 15, 9]).max() < 0.05
    alone[1, 2] = 0
    assert np.abs(alone).max() < 0.05
    four = angles_of(with_finger(hands, BODY, where, goal, all_four=True, both=True), hinges) - was
    assert four[:, 1:, [FIRST, MIDDLE, LAST]] == pytest.approx(np.tile([10, 15, 9], (2, 4, 1)), abs=0.05)
    assert four[:, [1, 3, 4], ASIDE] == pytest.approx(0, abs=0.05)
    assert np.abs(four[:, 0]).max() < 0.05
    thumb = with_finger(hands, BODY, FingerPoint(0, 0, TIP), was[0, 0] + 5, all_four=True)
    assert np.abs(angles_of(thumb, hinges) - was)[:, 1:].max() < 0.05


def test_hands_that_are_bent_stay_within_what_joints_reach() -> None:
    hinges, hands = hinges_of(BODY), preset_hands("fist", BODY)
    goal = angles_of(hands, hinges)[0, 1] + [30, 0, 30, 30]
    found = angles_of(with_finger(hands, BODY, FingerPoint(0, 1, TIP), goal, all_four=True), hinges)
    assert (found <= HIGHEST + 1e-6).all()
    assert hands_bent(hands, found, hinges).rotations == pytest.approx(
        with_finger(hands, BODY, FingerPoint(0, 1, TIP), goal, all_four=True).rotations, abs=1e-4
    )
    assert FINGERS[1] == "index"
