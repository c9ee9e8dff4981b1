"""Feet of people who walk between keys roll, and their bodies go as they head."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from stepping_test import LEFT, RIGHT, Array, animated, posed, put
from walking_test import ankle_turns, moved, swings

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.over_time.body.body_ways import bend
from app.document.over_time.steps import Steps
from app.document.posing.contact_patches import UP, contact_of, patches_of
from app.document.posing.stances import stance_of
from scripts.motions.walks_between_keys import PEOPLE, WALKS, joints_over_time, measured, walking
from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.effectors.kinds import Position, Rotation
from solver.effectors.sources import FloorSource
from solver.ik.options import LEFT_FOOT, RIGHT_FOOT
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.level_feet import toes_down
from solver.rig.rig import Rig
from solver.rig.roles import LEGS


def rolling(document: Document) -> Steps:
    """The steps of a document of one person, with feet that roll."""
    actor = document.actor("c1")
    feet = stance_of(load_body(actor.build.body), actor.build.shape, None, actor.posing.solver_options).feet
    return Steps.between(skeleton_of(document.character("c1")), actor.clip.keys, 30.0, feet)


def pitches(document: Document, foot: int) -> Array:
    """(N,) degrees that the toes of a foot are down at each frame."""
    return np.degrees([toes_down(turns[foot].astype(np.float64)) for turns in ankle_turns(document)])


@pytest.mark.parametrize(
    ("walk", "who"), [("1.2 m in 1.7 s", "male"), ("1.2 m in 1.7 s", "child"), ("1.5 m in 1 s", "short")]
)
def test_a_long_step_leaves_by_its_heel_and_lands_on_it_and_no_foot_slides_or_sinks(walk: str, who: str) -> None:
    found = measured(walking(WALKS[walk], PEOPLE[who]))
    assert found.leaves > 30.0, "degrees"
    assert found.lands > 12.0
    assert found.slides < 5.0, "millimetres"
    assert found.sinks < 5.0
    assert found.knee < 6.0, "centimetres per frame²"


def test_the_knees_of_who_walks_bend_smoothly() -> None:
    assert measured(walking(WALKS["1.2 m in 1.7 s"], PEOPLE["male"])).knee < 3.0, "centimetres per frame²: it was 9.4"


@pytest.mark.parametrize(("by", "down", "up"), [(0.16, (5.0, 20.0), 0.0), (0.5, (18.0, 35.0), 4.0)])
def test_how_far_a_foot_rolls_goes_by_how_long_its_step_is(by: float, down: tuple[float, float], up: float) -> None:
    document = moved((0.0, 0.0, by))
    found = np.concatenate([pitches(document, foot) for foot in (LEFT, RIGHT)])
    assert down[0] < found.max() < down[1], "degrees that the toes are down"
    assert -found.min() > up or (up == 0.0 and -found.min() < 1.0), "a short step lands on a flat foot"
    assert found[[0, -1]] == pytest.approx(0.0, abs=0.5), "at the keys it lies flat"


@pytest.mark.sweep("male")
@pytest.mark.parametrize("who", ["male", "tall"])
def test_who_walks_back_lands_on_the_ball_and_leaves_by_the_heel(who: str) -> None:
    document = walking(WALKS["back 1 m"], PEOPLE[who])
    found = measured(document)
    assert found.lands < -8.0, "degrees that the toes are up: they are down"
    assert found.leaves < 0.0, "degrees that the toes are down: they are up"
    assert found.slides < 5.0, "millimetres"
    assert found.sinks < 5.0
    assert found.knee < 3.5, "centimetres per frame²"
    left = pitches(document, LEFT)
    assert left.min() < -8.0, "the toes come up before the heel leaves the floor"
    assert left.max() > 18.0, "and are well down as the foot lands again"


def test_who_steps_aside_leaves_by_the_heel_and_lands_on_the_ball() -> None:
    found = measured(walking(WALKS["aside 1 m"], PEOPLE["tall"]))
    assert 10.0 < found.leaves < 20.0
    assert -8.0 < found.lands < -2.0


@pytest.mark.slow
@pytest.mark.parametrize("who", ["male", "short"])
def test_who_turns_on_the_way_goes_as_they_head(who: str) -> None:
    document = walking(WALKS["a bend of 80°"], PEOPLE[who])
    found = measured(document)
    assert found.path < 5.0, "degrees between the heading and the way; it was 19"
    assert found.slides < 6.0, "millimetres"
    roots = np.array([world.positions[0] for world in joints_over_time(document)], np.float64)[:, [0, 2]]
    way = (roots[-1] - roots[0]) / np.linalg.norm(roots[-1] - roots[0])
    off = (roots - roots[0]) @ np.array([way[1], -way[0]])
    assert np.abs(off).max() > 0.2, "metres off the straight way"


def test_who_turns_but_goes_another_way_than_they_head_goes_straight() -> None:
    ends, turn = np.array([[0.0, 0.9, 0.0], [0.0, 0.9, 1.5]]), 1.0

    def turned(first: float) -> Array:
        return np.asarray(from_rotation_vector(np.multiply.outer([first, first + turn], UP)))

    assert bend(ends, turned(np.pi / 2)) is None, "sideways"
    assert bend(ends, turned(-turn / 2)) is not None, "ahead"
    assert bend(ends, turned(np.pi - turn / 2)) is not None, "back"
    assert bend(ends, np.stack([np.eye(3)] * 2)) is None, "nobody turns"


def test_what_is_asked_of_a_hand_goes_along_with_the_body_that_goes_in_a_bend() -> None:
    document = walking(WALKS["a bend of 80°"], PEOPLE["male"])
    (way,) = rolling(document).ways
    steps, frames = rolling(document), np.array([0, 45, 90])
    straight = np.linspace(way.ends[0], way.ends[1], 3)
    went = steps.carried("left_wrist", [0, 90], way.ends, straight, frames)
    assert np.linalg.norm(went[1] - straight[1]) > 0.2
    assert went[[0, 2]] == pytest.approx(straight[[0, 2]])
    stays = np.tile(way.ends[0], (3, 1))
    assert steps.carried("left_wrist", [0, 90], stays[:2], stays, frames) == pytest.approx(stays), "what stays, stays"


def test_where_there_is_little_time_steps_overlap_as_in_a_run() -> None:
    found = swings(moved((0.0, 0.0, 1.5), last=30))
    assert len(found) == 3
    assert found[1].start < found[0].end
    assert found[2].start < found[1].end


@pytest.mark.parametrize("stand", ["flat", "free"])
def test_feet_that_are_to_stand_in_a_way_of_their_own_do_not_roll(stand: str) -> None:
    document = moved((0.0, 0.0, 0.5))
    for option in (LEFT_FOOT, RIGHT_FOOT):
        document = edits.set_solver_option("c1", option.id, stand)(document)
    assert all(swing.roll is None for swing in rolling(document).swings)


def test_a_sole_that_contacts_hold_on_the_floor_rolls_as_any_other_as_it_steps() -> None:
    document = animated().at_frame("c1", 0)
    ankle = next(e for e in document.character("c1").effectors if e.joint == "left_ankle" and e.kind == "position")
    for frame, ahead in ((0, 0.0), (30, 0.35)):
        document = document.at_frame("c1", frame)
        place = np.array([ankle.target[0], 0.0, ankle.target[2] + 0.05 + ahead])
        sole = contact_of(patches_of(document.character("c1"))["left_sole"], place, UP, like=ankle)
        document = posed(edits.hold("c1", replace(sole, source=FloorSource()), instead_of=ankle.id)(document))
    (swing,) = rolling(document).swings
    assert swing.roll is not None
    found = pitches(document, 0)
    assert found.max() > 10.0, "degrees"
    assert [found[0], found[30]] == pytest.approx([0.0, 0.0], abs=2.0)
    ball = skeleton_of(document.character("c1")).index("left_foot")
    ways = np.diff([world.positions[ball] for world in joints_over_time(document)], axis=0)
    assert np.linalg.norm(ways, axis=1)[: int(swing.start)].max() < 0.003, "the ball stays until it leaves the floor"


def test_a_foot_without_a_place_asked_for_is_not_turned_and_toes_that_are_turned_stay() -> None:
    document = posed(put(animated(), LEFT, (0.0, 0.0, 0.5)))
    steps, rig = rolling(document), skeleton_of(document.character("c1"))
    base = document.character("c1").pose
    frame = round(steps.swings[0].start)
    assert steps.rolling(rig, (), frame, base) == ()
    place, toes = Position("left_ankle", np.zeros(3, np.float32)), Rotation("left_foot", np.eye(3, dtype=np.float32))
    kinds = [(e.joint, e.kind) for e in steps.rolling(rig, (place,), frame, base)]
    assert kinds == [("left_ankle", "position"), ("left_ankle", "rotation"), ("left_foot", "rotation")]
    assert toes in steps.rolling(rig, (place, toes), frame, base)


def test_toes_that_a_character_lacks_are_not_asked_to_bend() -> None:
    document = posed(put(animated(), LEFT, (0.0, 0.0, 0.5)))
    steps, whole = rolling(document), load_body("anny").rig(BodyShape())
    toeless = Rig(whole.names, whole.parents, whole.offsets, whole.roles, merged=frozenset(leg.tip for leg in LEGS))
    place, base = Position("left_ankle", np.zeros(3, np.float32)), document.character("c1").pose
    asked = steps.rolling(toeless, (place,), round(steps.swings[0].start), base)
    kinds = [(e.joint, e.kind) for e in asked]
    assert kinds == [("left_ankle", "position"), ("left_ankle", "rotation")], "the foot shook for it, at 4,000 m/s³"


def test_hips_that_are_asked_for_are_held_where_that_says() -> None:
    document = moved((0.0, 0.0, 1.2))
    steps, rig, base = rolling(document), skeleton_of(document.character("c1")), document.character("c1").pose
    place, turn = (e for e in steps.rolling(rig, (), 22, base) if e.joint == rig.names[0])
    assert place.target == pytest.approx(base.root_position)
    assert turn.target == pytest.approx(base.rotations[0])
    own = Position(rig.names[0], np.ones(3, np.float32)), Rotation(rig.names[0], np.eye(3, dtype=np.float32))
    assert tuple(e for e in steps.rolling(rig, own, 22, base) if e.joint == rig.names[0]) == own


def test_hips_of_who_walks_come_down_where_feet_are_apart_and_go_up_between() -> None:
    document = moved((0.0, 0.0, 1.2))
    heights = np.array([world.positions[0][1] for world in joints_over_time(document)], np.float64)
    landings = [swing.end for swing in rolling(document).swings][:-1]
    for one, other in pairwise(landings):
        middle = heights[round((one + other) / 2)]
        assert middle > max(heights[round(one)], heights[round(other)]) + 0.003


def test_a_ball_whose_place_is_asked_for_stays_as_far_from_the_ankle_as_the_foot_is_long() -> None:
    document = moved((0.0, 0.0, 1.2))
    steps, rig = rolling(document), skeleton_of(document.character("c1"))
    poses = [key.pose for key in document.actor("c1").clip.keys]
    places = np.array([forward_kinematics(rig, pose).positions for pose in poses], np.float64)
    frames, times = np.arange(46), [0, 45]
    ways = {}
    for joint in ("left_ankle", "left_foot"):
        ends = places[:, rig.index(joint)]
        ways[joint] = steps.along(joint, times, ends, np.linspace(*ends, 46), frames)
    apart = np.linalg.norm(ways["left_foot"] - ways["left_ankle"], axis=1)
    assert apart == pytest.approx(np.linalg.norm(rig.offsets[rig.index("left_foot")]), abs=0.002)
