"""Hips of people who walk between keys sway and tilt with the steps, whichever way they go."""

from __future__ import annotations

import numpy as np
import pytest
from rolling_feet_test import rolling
from stepping_test import Array
from walking_test import moved

from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.over_time.steps import Steps
from scripts.motions.walks_between_keys import PEOPLE, WALKS, joints_over_time, measured, walking
from solver.kinematics.fk import WorldJoints


def hips_of(document: Document) -> tuple[list[WorldJoints], Array]:
    """Joints of each frame, and (N,) degrees that the right hip is down."""
    skeleton, worlds = skeleton_of(document.character("c1")), joints_over_time(document)
    hips = [skeleton.index("left_hip"), skeleton.index("right_hip")]
    across = np.array([world.positions[hips[0]] - world.positions[hips[1]] for world in worlds], np.float64)
    return worlds, np.degrees(np.arctan2(across[:, 1], np.linalg.norm(across[:, [0, 2]], axis=1)))


@pytest.mark.sweep("1.2 m in 1.7 s-male")
@pytest.mark.parametrize(("walk", "who"), [("1.2 m in 1.7 s", "male"), ("back 1 m", "short"), ("aside 1 m", "tall")])
def test_hips_are_down_over_the_foot_that_swings(walk: str, who: str) -> None:
    document = walking(WALKS[walk], PEOPLE[who])
    _, lists = hips_of(document)
    steps = rolling(document).swings
    found = [(-1.0, 1.0)[step.leg] * lists[round((step.start + step.end) / 2)] for step in steps]
    assert np.mean(found) > 1.5, "degrees; recorded walks have 5"
    assert measured(document).lists < 12.0


@pytest.mark.sweep("1.2 m in 1.7 s-male")
@pytest.mark.parametrize(("walk", "who"), [("1.2 m in 1.7 s", "male"), ("back 1 m", "short")])
def test_hips_sway_to_the_foot_that_stands(walk: str, who: str) -> None:
    document = walking(WALKS[walk], PEOPLE[who])
    worlds, _ = hips_of(document)
    found = []
    for step in rolling(document).swings:
        world = worlds[round((step.start + step.end) / 2)]
        found.append((-1.0, 1.0)[step.leg] * (world.positions[0, 0] - worlds[0].positions[0, 0]))
    assert min(found) > 0.005, "metres to the left while the right foot swings, and the other way round"
    assert 15.0 < measured(document).sways < 50.0, "millimetres; recorded walks have 22 to 31"


@pytest.mark.sweep("child")
@pytest.mark.parametrize("who", ["female", "child"])
def test_who_walks_sideways_goes_straight_and_does_not_bob(who: str) -> None:
    worlds, _ = hips_of(walking(WALKS["aside 1 m"], PEOPLE[who]))
    roots = np.array([world.positions[0] for world in worlds], np.float64)
    assert np.ptp(roots[:, 2]) < 0.02, "metres ahead and back; it was 0.1"
    assert np.ptp(roots[:, 1]) < 0.045, "metres up and down"
    assert (np.diff(roots[:, 0]) > -0.002).all(), "they never go back"


def test_the_hips_turn_with_the_leg_that_comes_down() -> None:
    for ahead in (1.2, -1.2):
        (way,) = rolling(moved((0.0, 0.0, ahead), last=60)).ways
        lists, turns = way.tilts
        first = rolling(moved((0.0, 0.0, ahead), last=60)).swings[0]
        assert turns[1][1] @ [0.0, 1.0, 0.0] * ahead * (-1.0, 1.0)[first.leg] > 0.02, "radians"
        assert way.tilted(np.array([0, 60])) == pytest.approx(np.zeros((2, 3))), "at the keys nothing is added"
        assert np.abs(lists[1]).max() == pytest.approx(np.radians(4.0))


def test_hips_above_feet_that_stay_flat_only_go_in_the_bend() -> None:
    document = moved((1.0, 0.0, 1.0), last=60, turn=1.2)
    keys = document.actor("c1").clip.keys
    (flat,) = Steps.between(skeleton_of(document.character("c1")), keys, 30.0).ways
    frames = np.arange(0, 61)
    assert not flat.aside(frames)[:, 1].any(), "no lower"
    assert np.abs(flat.aside(frames)).max() > 0.05, "metres off the straight way"
    assert not flat.tilted(frames).any()


def test_hips_of_who_runs_do_not_sink_as_low_as_legs_so_far_apart_would_have_it() -> None:
    worlds, _ = hips_of(walking(WALKS["1.5 m in 1 s"], PEOPLE["male"]))
    heights = np.array([world.positions[0, 1] for world in worlds], np.float64)
    assert 0.04 < heights[0] - heights.min() < 0.1, "metres; it was 0.13"
