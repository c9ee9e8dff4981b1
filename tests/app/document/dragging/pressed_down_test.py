"""People with a knee or the hands on the floor who are pressed down: trunk and arms go along evenly, and the pelvis
tilts back where a thigh folds no further, or stays turned as it was."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from app.document.model.figure import joints_of
from scripts.drags.contact_depths import FIRST
from solver.kinematics.rotations import geodesic_angle
from tests.app.document.dragging.pelvis_pulls import Pull


def tilted(pull: Pull, at: int = -1) -> float:
    """Degrees by which the pelvis is tilted from upright."""
    up = joints_of(pull.poses[at].character(FIRST)).rotations[0][1, 1]
    return float(np.degrees(np.arccos(np.clip(up, -1.0, 1.0))))


def turned(pull: Pull) -> float:
    """Degrees by which the pelvis turns in the end."""
    first, last = (joints_of(pull.poses[at].character(FIRST)).rotations[0] for at in (0, -1))
    return float(np.degrees(geodesic_angle(first, last)))


@pytest.mark.parametrize(("body", "solver"), [("neutral", "smplik"), ("male", "dls"), ("short", "dls")])
def test_whoever_kneels_on_one_knee_with_the_other_thigh_folded_is_pressed_down_evenly(body: str, solver: str) -> None:
    pressed = Pull("Superhero landing", body, solver, (0.0, -0.18, 0.0), 0.01)
    assert pressed.longest < 0.05, "a hand went 24 cm in a step"
    assert tilted(pressed) < tilted(pressed, 0) - 3.0, "the pelvis tilts back"


def test_whoever_is_pulled_ahead_on_one_knee_is_posed_alike_if_a_hair_lower() -> None:
    level, lower = (Pull("Superhero landing", "neutral", "dls", (0.0, down, 0.16), 0.02) for down in (0.0, -1e-4))
    assert lower.place("head") == pytest.approx(level.place("head"), abs=0.01)


@pytest.mark.parametrize("name", ["Hide", "Bear crawl"])
def test_whoever_is_taken_aside_and_barely_lower_does_not_lean_back_and_goes_evenly(name: str) -> None:
    assert Pull(name, "female", "dls", (0.2, -0.03, 0.0), 0.01).longest < 0.02


def test_hands_of_somebody_who_bends_down_are_not_thrown_about_as_they_are_pressed_down() -> None:
    assert Pull("Pick up from the floor", "neutral", "dls", (0.0, -0.2, 0.0), 0.01).longest < 0.055


def test_a_plank_that_is_pressed_down_bends_its_knees_and_keeps_its_trunk() -> None:
    plank = Pull("Plank", "male", "dls", (0.0, -0.08, 0.0), 0.01)
    assert plank.longest < 0.06
    assert turned(plank) < 12.0


def test_a_plank_that_is_taken_back_to_its_feet_comes_to_kneel_evenly() -> None:
    plank = Pull("Plank", "male", "dls", (0.0, -0.03, -0.2), 0.02)
    assert plank.longest < 0.1
    assert plank.place("left_knee")[1] < plank.place("left_knee", 0)[1] - 0.1
    assert turned(plank) < 30.0


def test_the_pelvis_of_somebody_on_all_fours_does_not_roll_as_it_is_pressed_down_between_the_knees() -> None:
    pressed = Pull("All fours", "neutral", "dls", (0.0, -0.2, 0.0), 0.01)
    assert pressed.longest < 0.08
    hips = [pressed.place(f"{side}_hip")[1] for side in ("left", "right")]
    assert hips[0] == pytest.approx(hips[1], abs=0.03)


@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_both_ankles_stay_where_they_are_as_somebody_on_all_fours_is_pressed_down_as_far_as_it_goes(
    solver: str,
) -> None:
    pressed = Pull("All fours", "female", solver, (0.0, -0.2, 0.0), 0.01)
    assert pressed.longest < 0.07
    for side in ("left", "right"):
        assert pressed.place(f"{side}_ankle") == pytest.approx(pressed.place(f"{side}_ankle", 0), abs=2e-3)


@pytest.mark.parametrize(("body", "solver"), [("short", "smplik"), ("male", "dls")])
def test_a_downward_dog_is_pressed_down_as_far_as_ankles_fold_and_stays_there(body: str, solver: str) -> None:
    dog = Pull("Downward dog", body, solver, (0.0, -0.2, 0.0), 0.01)
    assert dog.longest < 0.07
    assert turned(dog) < 5.0
    heights = [dog.place("pelvis", at)[1] for at in range(len(dog.poses))]
    assert heights[0] - heights[-1] > 0.09
    assert max(b - a for a, b in pairwise(heights)) < 3e-3, "it never comes up again"


def test_on_one_knee_with_room_for_the_hips_to_turn_the_pelvis_goes_all_the_way_down() -> None:
    lunge = Pull("Propose", "neutral", "dls", (0.0, -0.2, 0.0), 0.02)
    assert lunge.place("pelvis") == pytest.approx(lunge.place("pelvis", 0) - [0.0, 0.2, 0.0], abs=5e-3)


@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_a_downward_dog_that_is_taken_ahead_with_a_wobbling_mouse_keeps_its_trunk_and_hands(solver: str) -> None:
    dog = Pull("Downward dog", "female", solver, (0.0, 0.0, 0.09), 0.01, wobble=0.01)
    assert dog.longest < 0.08
    assert turned(dog) < 6.0
