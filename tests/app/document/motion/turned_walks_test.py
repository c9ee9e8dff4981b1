"""People who come to face another way than they go walk ahead, and turn as they arrive or before they set out."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hips_in_step_test import hips_of
from rolling_feet_test import rolling
from stepping_test import LEFT, RIGHT, Array, balls, slid
from walking_test import ankle_turns, moved

from app.document.over_time.body.body_ways import UP
from app.document.over_time.body.turned_walks import turning, turns_where
from scripts.motions.walks_between_keys import FPS, PEOPLE, WALKS, Walk, joints_over_time, measured, walking
from solver.kinematics.fk import WorldJoints
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.level_feet import heading

ABOUT = np.pi


def facing(worlds: list[WorldJoints]) -> Array:
    """(N,) radians that the pelvis has turned to the left at each frame."""
    turns = (heading(world.rotations[0].astype(np.float64)) for world in worlds)
    angles = np.unwrap([float(np.arctan2(turn[0, 2], turn[2, 2])) for turn in turns])
    return np.asarray(angles - angles[0])


@pytest.mark.slow
@pytest.mark.parametrize("who", ["female", "child"])
def test_who_is_turned_about_further_on_goes_ahead_and_turns_there(who: str) -> None:
    document = walking(WALKS["ahead and about"], PEOPLE[who])
    worlds, _ = hips_of(document)
    turned, gone = np.abs(facing(worlds)), np.array([world.positions[0, 2] for world in worlds], np.float64)
    share = (gone - gone[0]) / (gone[-1] - gone[0])
    assert turned[share < 0.5].max() < np.radians(20.0), "half way, they head as they go"
    assert share[turned > ABOUT / 2].min() > 0.8, "and by the time they face aside they have nearly arrived"
    assert turned[-1] == pytest.approx(ABOUT, abs=0.02)
    ways = balls(document)
    assert max(slid(ways[:, foot]) for foot in (LEFT, RIGHT)) < 0.03
    assert np.linalg.norm(ways[:, LEFT] - ways[:, RIGHT], axis=1).min() > 0.12, "feet keep apart"
    found = measured(document)
    assert found.slides < 5.0, "millimetres"
    assert found.knee < 3.5, "centimetres per frame²"


@pytest.mark.slow
def test_who_goes_where_they_do_not_face_and_faces_there_at_the_end_turns_first() -> None:
    document = walking(WALKS["about and away"], PEOPLE["male"])
    worlds, _ = hips_of(document)
    turned, gone = np.abs(facing(worlds)), np.array([world.positions[0, 2] for world in worlds], np.float64)
    share = (gone - gone[0]) / (gone[-1] - gone[0])
    assert turned[share > 0.5].min() > np.radians(160.0)
    assert share[turned < ABOUT / 2].max() < 0.2
    assert measured(document).slides < 6.0, "millimetres"


@pytest.mark.sweep("3.141592653589793")
@pytest.mark.parametrize("turn", [ABOUT, -ABOUT])
def test_both_feet_turn_to_the_side_that_the_body_turns_to(turn: float) -> None:
    document = moved((0.0, 0.0, 1.5), last=100, turn=turn)
    turns = ankle_turns(document)
    ends = [np.unwrap(np.arctan2(turns[:, foot, 0, 2], turns[:, foot, 2, 2])) for foot in (LEFT, RIGHT)]
    worlds, _ = hips_of(document)
    body = facing(worlds)[-1]
    assert [end[-1] - end[0] for end in ends] == pytest.approx([body, body], abs=0.1)
    first = next(swing for swing in rolling(document).swings if swing.turn > 0.0)
    assert first.leg == (LEFT if body > 0.0 else RIGHT), "the foot on that side goes first, and legs do not cross"


@pytest.mark.parametrize(
    ("who", "walk"),
    [
        ("male", Walk((0.0, 0.0, 0.7), ABOUT, 28)),
        pytest.param("male", WALKS["in haste, ahead and about"], marks=pytest.mark.slow),
        pytest.param("child", WALKS["in haste, ahead and about"], marks=pytest.mark.slow),
        pytest.param("female", WALKS["in haste, about and away"], marks=pytest.mark.slow),
    ],
)
def test_who_is_turned_about_in_haste_turns_on_the_way(who: str, walk: Walk) -> None:
    found = measured(walking(walk, PEOPLE[who]))
    assert found.pelvis < 2.0, "metres a second; it was up to 3.4, with half the time left for turning on the spot"
    assert found.slides < 5.0, "millimetres"
    assert found.jerk < 1600.0, "metres per second³; legs that a network had folded made it 13,000"


WALKED = pytest.param((0.3, 0.0, 0.14), 42, marks=pytest.mark.slow)


@pytest.mark.parametrize(("by", "last"), [WALKED, ((0.0, 0.0, 0.05), 30), ((0.2, 0.0, 0.0), 8)])
def test_half_a_turn_throws_nobody_about_who_walks_turns_on_the_spot_or_glides(
    by: tuple[float, float, float], last: int
) -> None:
    places = np.array([world.positions for world in joints_over_time(walking(Walk(by, ABOUT, last), PEOPLE["male"]))])
    speeds = np.linalg.norm(np.diff(places.astype(np.float64), axis=0), axis=-1) * FPS
    assert speeds.max() < 8.0, "metres a second; feet and body that go round to opposite sides make it 17"


@pytest.mark.parametrize(("turn", "spot"), [(1.4, 0), (3.1, 1), (-3.1, 1)])
@pytest.mark.parametrize("where", [1, -1])
def test_each_foot_does_its_whole_way_and_its_whole_turn(turn: float, spot: int, where: int) -> None:
    steps = turning(2.4, where, turn)
    assert len(steps) == 4 + 2 * spot
    for leg in (LEFT, RIGHT):
        own = [step for step in steps if step.leg == leg]
        assert sum(step.turn for step in own) == pytest.approx(1.0)
        assert (own[0].start, own[-1].end) == (0.0, 1.0)
        assert all(one.end == other.start for one, other in pairwise(own))
    turning_ones = steps[-2 - 2 * spot :] if where > 0 else steps[: 2 + 2 * spot]
    assert all(step.turn for step in turning_ones)
    assert turning_ones[0].leg == (LEFT if turn > 0.0 else RIGHT)
    assert sum(step.start == step.end for step in steps) == 2 * spot, "on the spot"


@pytest.mark.parametrize(("far", "count"), [(2.4, 4), (1.4, 4), (0.5, 4), (4.2, 6)])
@pytest.mark.parametrize("where", [1, -1])
def test_in_haste_feet_turn_on_the_way_with_no_more_steps_than_that_takes(far: float, count: int, where: int) -> None:
    steps = turning(far, where, ABOUT, beside=0.07)
    assert len(steps) == count
    assert all(one.leg != other.leg for one, other in pairwise(steps))
    for leg in (LEFT, RIGHT):
        own = [step for step in steps if step.leg == leg]
        assert sum(step.turn for step in own) == pytest.approx(1.0)
        assert (own[0].start, own[-1].end) == (0.0, 1.0)
        assert all(one.end == other.start and one.end >= one.start for one, other in pairwise(own))
    assert any(0.0 < step.end < 1.0 and step.turn for step in steps)


def test_where_somebody_turns_goes_by_how_they_head_at_both_ends() -> None:
    ends = np.array([[0.0, 0.9, 0.0], [0.0, 0.9, 1.5]])

    def turned(first: float, last: float) -> Array:
        return np.asarray(from_rotation_vector(np.multiply.outer([first, last], UP)))

    assert turns_where(ends, turned(0.0, 3.0)) == 1
    assert turns_where(ends, turned(3.0, 0.0)) == -1
    assert turns_where(ends, turned(0.0, 1.0)) == 0, "not by much"
    assert turns_where(ends, turned(1.2, 3.0)) == 0, "nowhere do they head as they go"


def test_where_there_is_no_time_to_walk_and_turn_they_glide() -> None:
    assert rolling(moved((0.0, 0.0, 1.5), last=24, turn=ABOUT)).swings == ()
    assert len(rolling(moved((0.0, 0.0, 1.5), last=100, turn=ABOUT)).swings) > 5
