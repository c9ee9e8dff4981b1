"""People on the floor who are pulled by the pelvis: who sits or lies on the front is lifted evenly, who kneels takes
the knees apart, no foot or hand is thrown over, who is pressed down comes down evenly, and a hand that is touched later
changes nothing."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from app.document.model.figure import joints_of
from app.document.posing.solving import problem_of
from scripts.drags.contact_depths import FIRST
from scripts.drags.drag_measures import apart, places_of
from scripts.drags.drag_steps import drag_steps, handle
from solver.ik.pipeline.reasons import reasons
from solver.ik.problem import Cause
from solver.ik.standing_stage import residuals_standing
from solver.kinematics.rotations import geodesic_angle
from solver.rig.rig import rig_of
from solver.rig.roles import Role
from tests.app.document.dragging.pelvis_pulls import Pull

SOLVERS = ("dls", "smplik")


@pytest.mark.parametrize(("name", "solver"), [("Sit, hands behind", "dls"), ("Straddle sit", "smplik")])
def test_whoever_sits_on_the_floor_is_lifted_evenly_and_faces_where_they_did(name: str, solver: str) -> None:
    lifted = Pull(name, "female", solver, (0.0, 0.55, 0.0), 0.025)
    assert lifted.longest < 0.1
    assert lifted.facing() == pytest.approx(lifted.facing(0), abs=10.0)
    assert lifted.place("pelvis") == pytest.approx(lifted.place("pelvis", 0) + [0.0, 0.55, 0.0], abs=1e-3)


@pytest.mark.parametrize("name", ["Sit, hands behind", "Lie on the back"])
def test_whoever_is_pulled_up_with_a_hand_held_rises_evenly_and_faces_where_they_did(name: str) -> None:
    pulled = Pull(name, "female", "smplik", (0.0, 0.5, 0.0), 0.02, held=("left_wrist",))
    assert pulled.longest < 0.1
    assert pulled.facing() == pytest.approx(pulled.facing(0), abs=30.0)
    assert pulled.place("pelvis") == pytest.approx(pulled.place("pelvis", 0) + [0.0, 0.5, 0.0], abs=2e-3)
    assert pulled.place("left_wrist") == pytest.approx(pulled.place("left_wrist", 0), abs=2e-3)


def test_whoever_is_lifted_from_the_floor_comes_to_stand_below_the_hips() -> None:
    lifted = Pull("Straddle sit", "female", "smplik", (0.0, 0.75, 0.0), 0.05)
    for side in ("left", "right"):
        ankle, hip = lifted.place(f"{side}_ankle"), lifted.place(f"{side}_hip")
        assert ankle[1] < 0.15
        assert np.linalg.norm((ankle - hip)[[0, 2]]) < 0.15


@pytest.mark.parametrize("solver", SOLVERS)
def test_whoever_lies_on_the_front_is_lifted_evenly_chest_and_all(solver: str) -> None:
    lifted = Pull("Crawl under", "female", solver, (0.0, 0.5, 0.0), 0.02)
    assert lifted.longest < 0.08
    assert lifted.place("pelvis") == pytest.approx(lifted.place("pelvis", 0) + [0.0, 0.5, 0.0], abs=1e-3)
    assert lifted.place("spine3", 3)[1] < lifted.place("spine3", 0)[1] + 0.04, "at first it stays behind"


@pytest.mark.parametrize("solver", SOLVERS)
def test_knees_go_apart_evenly_as_somebody_on_the_heels_is_pulled_ahead_low_over_them(solver: str) -> None:
    heels = Pull("Sit on the heels", "tall", solver, (0.0, 0.0, 0.18), 0.01)
    for one, other in pairwise(range(len(heels.poses))):
        for side in ("left", "right"):
            assert np.linalg.norm(heels.place(f"{side}_knee", other) - heels.place(f"{side}_knee", one)) < 0.07
    left, right = heels.place("left_knee"), heels.place("right_knee")
    assert left[0] > 0.25
    assert right[0] < -0.25
    assert heels.place("pelvis") == pytest.approx(heels.place("pelvis", 0) + [0.0, 0.0, 0.18], abs=2e-3)


def test_the_trunk_tilts_little_by_little_as_somebody_on_the_heels_is_pulled_ahead_over_the_knees() -> None:
    heels = Pull("Sit on the heels", "female", "dls", (0.0, 0.0, 0.14), 0.01, rests=4)
    assert heels.longest < 0.06
    assert (heels.place("neck") - heels.place("pelvis"))[2] > 0.2


@pytest.mark.parametrize("name", ["Deep squat", "Slump on the knees"])
def test_no_hand_is_thrown_elsewhere_as_somebody_down_is_pulled_ahead(name: str) -> None:
    ahead = Pull(name, "male", "dls", (0.0, 0.0, 0.25), 0.01)
    for one, other in pairwise(range(len(ahead.poses))):
        for side in ("left", "right"):
            assert np.linalg.norm(ahead.place(f"{side}_hand", other) - ahead.place(f"{side}_hand", one)) < 0.07


def test_an_arm_that_buckles_on_the_floor_is_led_on_little_by_little() -> None:
    aside = Pull("Slump on the knees", "male", "dls", (0.25, 0.0, 0.0), 0.01)
    assert aside.longest < 0.1


def test_knees_do_not_go_apart_as_somebody_on_the_heels_is_pulled_up_and_ahead() -> None:
    heels = Pull("Sit on the heels", "tall", "dls", (0.0, 0.2, 0.1), 0.02)
    for side in ("left", "right"):
        assert heels.place(f"{side}_knee")[0] == pytest.approx(heels.place(f"{side}_knee", 0)[0], abs=0.05)


@pytest.mark.parametrize(("body", "solver"), [("short", "smplik"), ("tall", "dls")])
def test_the_foot_behind_of_somebody_who_crawls_is_not_thrown_over_as_its_leg_comes_to_be_stretched(
    body: str, solver: str
) -> None:
    crawling = Pull("Crawl", body, solver, (0.0, 0.0, 0.25), 0.01)
    assert crawling.longest < 0.03


@pytest.mark.parametrize(("name", "solver"), [("Kneel upright", "dls"), ("Sit on the heels", "smplik")])
def test_feet_roll_off_their_backs_evenly_as_somebody_who_kneels_is_pulled_up(name: str, solver: str) -> None:
    up = Pull(name, "male", solver, (0.0, 0.24, 0.0), 0.01)
    for one, other in pairwise(range(len(up.poses))):
        for side in ("left", "right"):
            assert np.linalg.norm(up.place(f"{side}_foot", other) - up.place(f"{side}_foot", one)) < 0.045
    for side in ("left", "right"):
        assert up.place(f"{side}_ankle")[1] > up.place(f"{side}_foot")[1] + 0.06


def test_the_heel_behind_comes_down_evenly_as_somebody_who_crawls_is_pulled_up_beyond_reach() -> None:
    up = Pull("Crawl", "male", "dls", (0.0, 0.6, 0.0), 0.02)
    assert up.longest < 0.08
    for side in ("left", "right"):
        assert up.place(f"{side}_ankle")[1] < 0.12


@pytest.mark.parametrize(("name", "solver"), [("Sit on the heels", "smplik"), ("Slump on the knees", "dls")])
def test_whoever_is_pressed_down_on_the_heels_stays_as_they_sit(name: str, solver: str) -> None:
    pressed = Pull(name, "female", solver, (0.0, -0.2, 0.0), 0.02)
    assert apart(places_of(pressed.poses[0]), places_of(pressed.poses[-1])) < 0.02


@pytest.mark.parametrize("name", ["Kneel upright", "All fours"])
def test_a_hand_that_is_touched_after_the_pelvis_was_pulled_beyond_reach_does_not_tilt_it(name: str) -> None:
    pulled = Pull(name, "tall", "smplik", (0.0, 0.6, 0.0), 0.1)
    before = joints_of(pulled.poses[-1].character(FIRST))
    document, id = handle(pulled.poses[-1], rig_of(pulled.skeleton), Role.LEFT_WRIST)
    for touched in drag_steps(document, id, [np.array([0.0, 0.0, 0.01])], pulled.memories):
        after = joints_of(touched.document.character(FIRST))
        assert np.linalg.norm(after.positions - before.positions, axis=1).max() < 0.03
        assert np.degrees(geodesic_angle(before.rotations[0], after.rotations[0])) < 3.0


@pytest.mark.parametrize("solver", SOLVERS)
def test_hands_and_feet_of_a_downward_dog_stay_as_it_is_pressed_down_and_the_knees_bend_ahead(solver: str) -> None:
    dog = Pull("Downward dog", "female", solver, (0.0, -0.1, 0.0), 0.01)
    assert dog.longest < 0.12
    for side in ("left", "right"):
        for end in ("wrist", "ankle"):
            assert dog.place(f"{side}_{end}") == pytest.approx(dog.place(f"{side}_{end}", 0), abs=0.03)
        assert dog.place(f"{side}_knee")[2] > dog.place(f"{side}_knee", 0)[2] + 0.05
    assert dog.place("pelvis") == pytest.approx(dog.place("pelvis", 0) - [0.0, 0.1, 0.0], abs=5e-3)


@pytest.mark.parametrize(("name", "solver"), [("Sit, hands behind", "dls"), ("Reach for the toes", "smplik")])
def test_whoever_sits_on_the_floor_is_pressed_no_lower_than_the_seat_and_told_of_the_floor(
    name: str, solver: str
) -> None:
    pressed = Pull(name, "tall", solver, (0.0, -0.06, 0.0), 0.01)
    assert pressed.longest < 0.04
    person = pressed.poses[-1].character(FIRST)
    problem = problem_of(person)
    left = residuals_standing(problem, person.pose)
    (why,) = (one for one in reasons(problem, person.pose, left) or () if one is not None)
    assert why.cause is Cause.FLOOR


def test_a_search_that_begins_anew_leaves_trunk_and_arms_as_they_were_where_nothing_is_asked_of_them() -> None:
    bear = Pull("Bear crawl", "tall", "dls", (0.0, -0.18, 0.0), 0.01)
    assert bear.longest < 0.03


@pytest.mark.parametrize("name", ["Kneel upright", "Pray"])
def test_feet_of_whoever_kneels_and_is_pulled_up_by_the_head_roll_over_below_it_evenly(name: str) -> None:
    pulled = Pull(name, "neutral", "dls", (0.0, 0.3, 0.0), 0.015, Role.HEAD)
    assert pulled.longest < 0.08
    assert pulled.place("left_foot")[1] < pulled.place("left_ankle")[1] - 0.02
    assert pulled.place("pelvis")[1] > pulled.place("pelvis", 0)[1] + 0.25
