"""People who are moved further between two keys than a step of each foot goes walk there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from stepping_test import LEFT, LIES_M, RIGHT, Array, animated, balls, posed, slid

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.over_time.in_betweens import document_completed
from app.document.over_time.steps import Steps, Swing
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.rotations import from_rotation_vector

SECOND = 45  # the frame of the second key


def moved(
    by: tuple[float, float, float], body: str = "female", solver: str = "smplik", last: int = SECOND, turn: float = 0.0
) -> Document:
    """Somebody who stands at the first frame, and has been moved by metres and turned by radians at the last one."""
    document = edits.set_clip_length("c1", last + 1)(animated(body, solver)).at_frame("c1", last)
    return posed(edits.place_together([document.character("c1")], by, turn, whole=False)(document))


def places(document: Document, *joints: str) -> Array:
    """(N, J, 3) metres, where joints are at each frame, as the pelvis there sees them from its place."""
    motion, skeleton = document_completed(document).actor("c1").motion(), skeleton_of(document.character("c1"))
    assert motion is not None
    found = [forward_kinematics(skeleton, motion.pose(frame)).positions for frame in range(len(motion))]
    return np.array([each[[skeleton.index(joint) for joint in joints]] - each[0] for each in found], np.float64)


def swings(document: Document) -> tuple[Swing, ...]:
    keys = document.actor("c1").clip.keys
    return Steps.between(skeleton_of(document.character("c1")), keys, 30.0).swings


@pytest.mark.parametrize(("body", "solver"), [("female", "smplik"), ("male", "dls")])
def test_whoever_is_moved_ahead_by_more_than_a_step_walks_there(body: str, solver: str) -> None:
    document = moved((0.0, 0.0, 1.2), body, solver)
    assert [swing.leg for swing in swings(document)] == [LEFT, RIGHT, LEFT, RIGHT]
    ways = balls(document)
    assert ways[-1] - ways[0] == pytest.approx(np.tile([0.0, 0.0, 1.2], (2, 1)), abs=0.01)
    assert max(slid(ways[:, foot]) for foot in (LEFT, RIGHT)) < 0.03
    lead = ways[:, LEFT, 2] - ways[:, RIGHT, 2]
    assert lead.max() > 0.3, "the left foot comes past the right one"
    assert lead.min() < -0.3, "and the other way round"


def test_feet_land_by_where_the_body_is() -> None:
    document = moved((0.0, 0.0, 3.0), last=100)
    found = swings(document)
    assert len(found) >= 7
    done = [0.0, 0.0]
    for swing in found[:-1]:
        done[swing.leg] += swing.part
        share = swing.end / 100
        body = share * share * (3.0 - 2.0 * share)
        assert sum(done) / 2 == pytest.approx(body, abs=0.12), swing
    assert {leg: sum(swing.part for swing in found if swing.leg == leg) for leg in (LEFT, RIGHT)} == pytest.approx(
        {LEFT: 1.0, RIGHT: 1.0}
    )


@pytest.mark.parametrize(("aside", "first"), [(1.0, LEFT), (-1.0, RIGHT)])
def test_sideways_one_foot_is_put_beside_the_other_and_legs_do_not_cross(aside: float, first: int) -> None:
    document = moved((aside, 0.0, 0.0), last=75)
    assert [swing.leg for swing in swings(document)] == [first, 1 - first] * 3
    ways = balls(document)
    assert (ways[:, LEFT, 0] - ways[:, RIGHT, 0]).min() > 0.15
    assert max(slid(ways[:, foot]) for foot in (LEFT, RIGHT)) < 0.03


def ankle_turns(document: Document) -> Array:
    """(N, 2, 3, 3) R_world_ankle at each frame, of the left foot and the right one."""
    motion, skeleton = document_completed(document).actor("c1").motion(), skeleton_of(document.character("c1"))
    assert motion is not None
    feet = [skeleton.index("left_ankle"), skeleton.index("right_ankle")]
    return np.array([forward_kinematics(skeleton, motion.pose(frame)).rotations[feet] for frame in range(len(motion))])


@pytest.mark.sweep("by0-1.2-order0")
@pytest.mark.parametrize(
    ("by", "turn", "order"),
    [
        ((0.0, 0.0, 0.0), 1.2, [LEFT, RIGHT]),
        ((0.0, 0.0, 0.0), -1.2, [RIGHT, LEFT]),
        ((0.0, 0.0, 0.0), 3.0, [LEFT, RIGHT] * 3),
        ((0.6, 0.0, 1.0), 0.6, [LEFT, RIGHT] * 2),
    ],
)
def test_whoever_turns_does_so_in_steps_and_no_foot_that_stands_twists(
    by: tuple[float, float, float], turn: float, order: list[int]
) -> None:
    document = moved(by, turn=turn, last=60)
    assert [swing.leg for swing in swings(document)] == order
    ways, turns = balls(document), ankle_turns(document)
    for foot in (LEFT, RIGHT):
        yaw = np.unwrap(np.arctan2(turns[:, foot, 0, 2], turns[:, foot, 2, 2]))
        low = ways[:, foot, 1] < ways[0, foot, 1] + LIES_M
        assert yaw[-1] - yaw[0] == pytest.approx(turn, abs=0.05)
        assert np.abs(np.diff(yaw))[low[1:] & low[:-1]].sum() < 0.1, "radians"
        assert slid(ways[:, foot]) < 0.03
    if not any(by):
        assert np.linalg.norm(ways[:, LEFT] - ways[:, RIGHT], axis=1).min() > 0.15, "feet keep apart"


def test_feet_of_those_who_walk_are_lifted_less_than_in_one_long_step_be_they_three_steps_or_more() -> None:
    one, three, more = (swings(moved((0.0, 0.0, far), last=60)) for far in (0.4, 0.7, 1.2))
    assert [len(each) for each in (one, three, more)] == [2, 3, 4]
    assert max(swing.height for swing in three) == pytest.approx(max(swing.height for swing in more), abs=1e-3)
    assert min(swing.height for swing in one) > max(swing.height for swing in three)


def test_in_a_hurry_steps_are_longer_and_where_there_is_no_time_for_them_feet_glide() -> None:
    assert len(swings(moved((0.0, 0.0, 1.6), last=60))) == 5
    assert len(swings(moved((0.0, 0.0, 1.6), last=42))) == 4
    assert np.ptp(balls(moved((0.0, 0.0, 1.6), last=20))[..., 1]) < LIES_M


@pytest.mark.parametrize(("body", "solver"), [("female", "smplik"), ("male", "protores")])
def test_arms_swing_against_the_legs_and_the_trunk_stays_upright(body: str, solver: str) -> None:
    where = places(moved((0.0, 0.0, 1.2), body, solver), "left_wrist", "right_wrist", "left_foot", "right_foot", "neck")
    hands, feet = (where[:, one, 2] - where[:, one + 1, 2] for one in (0, 2))
    assert hands[feet.argmax()] < -0.15, "where the left foot is ahead, the right hand is"
    assert hands[feet.argmin()] > 0.15
    assert np.ptp(where[:, 4, 2]) < 0.05, "metres that the neck leans ahead or back"
    assert np.abs(np.diff(where[:, :2], 2, axis=0)).max() < 0.03, "hands do not jump"


def test_a_hand_that_is_held_up_stays_there_while_the_other_arm_swings() -> None:
    document = edits.set_clip_length("c1", SECOND + 1)(animated()).at_frame("c1", 0)
    wrist = next(e for e in document.character("c1").effectors if e.joint == "right_wrist" and e.kind == "position")
    up = edits.set_target("c1", wrist.id, np.float32([-0.3, 1.6, 0.2]))
    document = posed(edits.chain(edits.make_strict("c1", [wrist.id]), up)(document))
    document = document.at_frame("c1", SECOND)
    document = edits.place_together([document.character("c1")], (0.0, 0.0, 1.2), 0.0, whole=False)(document)
    where = places(posed(document), "left_wrist", "right_wrist")
    assert np.ptp(where[:, 0, 2]) > 0.15
    assert np.ptp(where[:, 1, 2]) < 0.1
    assert where[:, 1, 1].min() > 0.5


def test_arms_that_do_not_hang_do_not_swing() -> None:
    document = edits.set_clip_length("c1", SECOND + 1)(animated()).at_frame("c1", 0)
    person = document.character("c1")
    skeleton, turns = skeleton_of(person), np.array(person.pose.rotations)
    for joint, angle in (("left_shoulder", 1.3), ("right_shoulder", -1.3)):
        at = skeleton.index(joint)
        turns[at] = from_rotation_vector(np.array([0.0, 0.0, angle])) @ turns[at]
    raised = replace(person.pose, rotations=turns)
    document = document.with_character(replace(person, pose=raised, base_pose=raised)).at_frame("c1", SECOND)
    document = edits.place_together([document.character("c1")], (0.0, 0.0, 1.2), 0.0, whole=False)(document)
    assert len(swings(document)) == 4
    where = places(document, "left_wrist", "right_wrist")
    assert where[..., 1].min() > 0.2
    assert np.ptp(where[..., 2], axis=0).max() < 0.11, "metres: shoulders turn a little against the hips"


def test_onto_something_higher_nobody_walks_through_the_air() -> None:
    document = moved((0.0, 0.0, 1.2))
    one, other = document.actor("c1").clip.keys
    skeleton = skeleton_of(document.character("c1"))
    higher = replace(other, pose=replace(other.pose, root_position=other.pose.root_position + np.float32([0, 0.03, 0])))
    assert len(Steps.between(skeleton, (one, other), 30.0).swings) == 4
    assert Steps.between(skeleton, (one, higher), 30.0).swings == ()
