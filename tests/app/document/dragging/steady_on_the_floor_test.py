"""People on hands and knees, or on the front, who are dragged: trunks do not snap, hands do not dart to and fro, and
whoever is pulled up from a hand that is held comes up evenly."""

from __future__ import annotations

import pytest

from scripts.drags.toe_drags import squat
from solver.rig.roles import Role
from tests.app.document.dragging.pelvis_pulls import Pull


@pytest.mark.parametrize(
    ("name", "body"), [("Crawl", "female"), ("Plank", "short"), ("Pick up from the floor", "tall")]
)
def test_the_trunk_of_somebody_bent_over_comes_up_evenly_with_a_hand_that_is_pulled_up(name: str, body: str) -> None:
    pulled = Pull(name, body, "dls", (0.0, 0.4, 0.0), 0.04, Role.LEFT_WRIST)
    assert pulled.longest < 0.1
    assert pulled.place("left_wrist")[1] == pytest.approx(pulled.place("left_wrist", 0)[1] + 0.4, abs=2e-3)


def test_hands_of_a_bear_crawl_do_not_dart_to_and_fro_as_it_is_taken_aside_by_an_unsteady_mouse() -> None:
    assert Pull("Bear crawl", "short", "dls", (0.25, 0.0, 0.0), 0.035, wobble=0.01).longest < 0.08


def test_hands_of_a_bear_crawl_stay_where_they_are_as_it_is_pressed_straight_down() -> None:
    pressed = Pull("Bear crawl", "short", "dls", (0.0, -0.15, 0.0), 0.03)
    for side in ("left", "right"):
        assert pressed.place(f"{side}_wrist") == pytest.approx(pressed.place(f"{side}_wrist", 0), abs=5e-3)


@pytest.mark.parametrize(
    ("name", "body", "solver"), [("Lie face down", "female", "dls"), ("Prone on the elbows", "female", "smplik")]
)
def test_whoever_lies_on_the_front_and_is_pulled_up_from_a_hand_that_is_held_comes_up_evenly(
    name: str, body: str, solver: str
) -> None:
    pulled = Pull(name, body, solver, (0.0, 0.5, 0.0), 0.025, held=("left_wrist",))
    assert pulled.longest < 0.15
    assert pulled.place("left_wrist") == pytest.approx(pulled.place("left_wrist", 0), abs=2e-3)
    assert pulled.place("pelvis") == pytest.approx(pulled.place("pelvis", 0) + [0.0, 0.5, 0.0], abs=2e-3)


@pytest.mark.parametrize("held", ["left_wrist", "right_wrist"])
def test_legs_of_somebody_lifted_from_the_floor_with_a_hand_held_come_along_evenly(held: str) -> None:
    lifted = Pull("Sit, hands behind", "neutral", "smplik", (0.0, 0.4, 0.0), 0.02, held=(held,))
    assert lifted.longest < 0.1
    assert lifted.place(held) == pytest.approx(lifted.place(held, 0), abs=2e-3)
    assert lifted.place("pelvis") == pytest.approx(lifted.place("pelvis", 0) + [0.0, 0.4, 0.0], abs=2e-3)


def test_feet_of_somebody_pulled_up_from_the_seat_with_a_hand_held_do_not_flip_as_they_meet_the_floor() -> None:
    lifted = Pull("Reach for the toes", "short", "smplik", (0.0, 0.6, 0.0), 0.04, held=("left_wrist",))
    assert lifted.longest < 0.2
    assert lifted.place("left_wrist") == pytest.approx(lifted.place("left_wrist", 0), abs=2e-3)


def test_feet_of_somebody_lifted_from_the_floor_come_to_stand_below_the_hips_without_a_jump() -> None:
    lifted = Pull("Straddle sit", "female", "smplik", (0.0, 0.8, 0.0), 0.05)
    assert lifted.longest < 0.25
    for side in ("left", "right"):
        away = lifted.place(f"{side}_ankle") - lifted.place(f"{side}_hip")
        assert abs(away[2]) < 0.3


@pytest.mark.parametrize("name", ["Starfish", "Sleep on the side"])
def test_whoever_is_pulled_up_further_than_a_held_hand_reaches_stops_there_without_a_jump(name: str) -> None:
    pulled = Pull(name, "short", "dls", (0.0, 0.6, 0.0), 0.02, held=("left_wrist",))
    assert pulled.longest < 0.11
    assert pulled.place("left_wrist") == pytest.approx(pulled.place("left_wrist", 0), abs=2e-3)


def test_whoever_holds_the_toes_up_comes_down_evenly_as_the_pelvis_is_dragged() -> None:
    assert max(squat("tall", "dls", 0.06, 0.02).steps) < 0.12, "the trunk tilted, and came upright by 30 cm in a step"


def test_no_knee_of_who_crawls_falls_back_as_the_pelvis_is_taken_aside_by_an_unsteady_mouse() -> None:
    crawls = Pull("Crawl", "tall", "smplik", (0.25, 0.0, 0.0), 0.01, wobble=0.01)
    assert crawls.longest < 0.12, "one was raised by 12 cm, and fell back by 18 in a step"
