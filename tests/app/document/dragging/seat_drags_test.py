"""Whoever sits down sits as upright as they stood, keeps the seat while something else is dragged, and gets up so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.edits.effectors import on_every_effector
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.solving import problem_of
from app.document.posing.surroundings import solid_surroundings
from scripts.drags.contact_depths import FIRST, Hold, before, solved, taken
from scripts.drags.drag_measures import places_of
from scripts.drags.held_drags import HIPS
from scripts.drags.seat_drags import (
    PULLS,
    Pull,
    Sit,
    as_opened,
    at_once,
    drag,
    dragged_down,
    library,
    seat_on_chair,
    sitting_down,
    with_chair,
)
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.ik.memory import Memory
from solver.ik.standing_stage import residuals_standing
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.roles import Role

SOLVERS = ("dls", "smplik")


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("body", ["female", "male"])
def test_a_seat_held_on_a_chair_leaves_the_trunk_as_upright_as_it_stood(solver: str, body: str) -> None:
    _, moves = sitting_down(at_once, body, solver)
    assert np.degrees(moves.leans[0]) < 4
    assert moves.missed[0] < 1e-3
    assert moves.elsewhere[0] < 1e-3, "the feet stay"


@pytest.mark.parametrize("way", [dragged_down, at_once])
def test_who_sits_down_on_a_chair_has_the_upper_arms_hang_and_the_hands_above_the_thighs(way: Sit) -> None:
    down, _ = sitting_down(way, "short", "smplik")
    (places,), stood = places_of(down), places_of(before(Hold(()), "short"))[0]
    rig = skeleton_of(down.character(FIRST))
    for side in ("left", "right"):
        shoulder, elbow, wrist, knee = (rig.index(f"{side}_{name}") for name in ("shoulder", "elbow", "wrist", "knee"))
        hangs = stood[elbow] - stood[shoulder]
        assert places[elbow] - places[shoulder] == pytest.approx(hangs, abs=0.08), "the upper arm hangs as it did"
        assert 0.0 < places[wrist, 1] - places[knee, 1] < 0.2, "the hand is above the thigh"
        assert places[wrist, 2] > places[elbow, 2] + 0.1, "ahead of the elbow"


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_hand_of_somebody_on_a_chair_moves_neither_the_seat_nor_the_other_hand(solver: str) -> None:
    _, moves = drag(PULLS["left wrist ahead"], at_once, "male", solver)
    assert moves.elsewhere[0] < 0.07
    assert np.degrees(moves.leans[0]) < 8
    assert max(moves.missed) < 1e-3
    assert max(moves.steps) < 0.05


def test_who_is_pulled_up_from_a_chair_rises_without_bending_over() -> None:
    _, moves = drag(PULLS["getting up"], at_once, "male", "smplik")
    assert np.degrees(moves.leans[0]) < 6
    assert max(moves.steps) < 0.04
    assert moves.within[0] < 1e-3, "the legs stay out of the chair"


def test_who_sits_in_a_pose_of_the_library_goes_on_leaning_as_there() -> None:
    sit = library()["Sit, elbows on knees"]
    document = sit(before(Hold(()), "neutral", "dls"), {})
    person = document.character(FIRST)
    turned = person.base_pose.rotations[0].T @ joints_of(person).rotations[0]
    assert np.degrees(np.arccos((np.trace(turned) - 1) / 2)) < 3


def test_who_lies_is_turned_upright_to_sit() -> None:
    document = with_chair(before(Hold(()), "neutral", "dls"))
    person = document.character(FIRST)
    rotations = np.array(person.base_pose.rotations)
    rotations[0] = from_rotation_vector([-np.pi / 2, 0.0, 0.0])
    lying = replace(person, base_pose=Pose(person.base_pose.root_position, rotations))
    asked = edits.hold(FIRST, seat_on_chair(document))(document.with_character(lying))
    (seat,) = (e for e in problem_of(asked.character(FIRST)).effectors if isinstance(e, Contact))
    assert seat.normal == pytest.approx([0.0, -1.0, 0.0], abs=1e-3)


def test_a_seat_that_is_let_go_of_and_taken_elsewhere_is_sat_on_anew() -> None:
    memories: dict[str, Memory] = {}
    document = dragged_down(before(Hold(()), "neutral", "smplik"), memories)
    seat = next(e for e in document.character(FIRST).effectors if isinstance(e, Contact))

    def raised(owner: str, effector: Effector) -> Effector:
        return replace(effector, target=effector.target + [0.0, 0.1, 0.05]) if effector.id == seat.id else effector

    up, _, missed = solved(on_every_effector(edits.let_go(FIRST, [seat.id])(document), raised), memories)
    assert missed < 1e-3
    again, lost, _ = solved(edits.hold(FIRST, seat, instead_of=seat.id)(up), memories)
    assert lost < 1e-3
    assert np.linalg.norm(places_of(again)[0] - places_of(document)[0], axis=1).max() < 0.02


def first_step(document: Document, memories: dict[str, Memory], joint: str, by: tuple[float, float, float]) -> float:
    """Metres that the joint which moves most goes in the first step of a drag, whose contact comes off."""
    person = document.character(FIRST)
    off = [e.id for e in person.effectors if e.joint == joint and isinstance(e, Contact)]
    document = edits.let_go(FIRST, off)(document)
    handle = next(e for e in document.character(FIRST).effectors if e.joint == joint and isinstance(e, Position))
    moved = edits.set_target(FIRST, handle.id, (handle.target + by).astype(np.float32))
    after, _, _ = solved(edits.chain(edits.make_strict(FIRST, [handle.id]), moved)(document), memories)
    return float(np.linalg.norm(places_of(after)[0] - places_of(document)[0], axis=1).max())


@pytest.mark.parametrize("solver", SOLVERS)
def test_who_is_pulled_up_from_a_chair_after_the_scene_was_opened_rises_as_at_any_other_time(solver: str) -> None:
    memories: dict[str, Memory] = {}
    document = at_once(before(Hold(()), "male", solver), memories)
    later, opened = (first_step(document, m, "pelvis", (0.0, 0.01, 0.0)) for m in (memories, as_opened(document)))
    assert later < 0.015
    assert opened == pytest.approx(later, abs=1e-3)


def test_a_hand_that_is_pulled_off_a_hip_after_the_scene_was_opened_leaves_the_elbow_where_it_was() -> None:
    document, memories, _ = taken(HIPS, "male", "dls")
    later, opened = (first_step(document, m, "left_wrist", (0.0, 0.0, 0.01)) for m in (memories, as_opened(document)))
    assert later < 0.02
    assert opened == pytest.approx(later, abs=2e-3)


def test_a_drag_that_was_saved_half_way_goes_on_without_a_jump_once_it_is_opened() -> None:
    memories: dict[str, Memory] = {}
    document = at_once(before(Hold(()), "male", "dls"), memories)
    document, _ = pulled(document, memories, 0.02, 6)
    assert first_step(document, as_opened(document), "pelvis", (0.0, 0.01, 0.0)) < 0.02


def pulled(document: Document, memories: dict[str, Memory], by: float, steps: int) -> tuple[Document, float]:
    """The document with the pelvis pulled off its seat, so many metres up in each step, and how far it came."""
    seat = next(e for e in document.character(FIRST).effectors if isinstance(e, Contact))
    document = edits.let_go(FIRST, [seat.id])(document)
    start, (began,) = document.character(FIRST).effector(seat.id).target, places_of(document)
    for step in range(1, steps + 1):
        there = (start + [0.0, by * step, 0.0]).astype(np.float32)
        document, _, _ = solved(edits.set_target(FIRST, seat.id, there)(document), memories)
    return document, float(places_of(document)[0][0, 1] - began[0, 1])


@pytest.mark.parametrize("pose", ["Sit upright", "Sit back, legs stretched"])
def test_who_is_pulled_up_from_a_box_in_a_pose_of_the_library_is_not_thrown_over(pose: str) -> None:
    memories: dict[str, Memory] = {}
    document = library()[pose](before(Hold(()), "male", "dls"), memories)
    assert first_step(document, memories, "pelvis", (0.0, 0.01, 0.0)) < 0.02


def test_who_is_pulled_down_onto_a_box_after_letting_go_of_it_does_not_sink_in() -> None:
    memories: dict[str, Memory] = {}
    document = library()["Sit upright"](before(Hold(()), "male", "dls"), memories)
    _, risen = pulled(document, memories, -0.01, 8)
    assert risen > -0.015


@pytest.mark.parametrize("pose", ["Sit, elbows on knees", "Perch, legs dangling", "Sit, ankle on knee"])
def test_who_is_pulled_up_from_a_box_beyond_where_legs_get_over_its_edge_does_not_turn_over(pose: str) -> None:
    _, moves = drag(PULLS["pelvis up"], library()[pose], "short", "dls")
    assert max(moves.steps) < 0.05
    assert moves.within[0] < 1e-3, "the legs stay out of the box"


@pytest.mark.parametrize("solver", SOLVERS)
def test_who_is_pulled_ahead_by_the_head_on_a_chair_leans_from_the_hips_and_keeps_the_hands_still(solver: str) -> None:
    document, moves = drag(PULLS["head ahead"], at_once, "short", solver)
    turn = joints_of(document.character(FIRST)).rotations[0]
    assert 8 < np.degrees(np.arctan2(turn[2, 1], turn[1, 1])) < 25, "the pelvis leans"
    assert max(moves.steps) < 0.03
    assert moves.elsewhere[0] < 0.06
    assert max(moves.missed) < 1e-3


@pytest.mark.parametrize("pose", ["Sit, elbows on knees", "Thinker"])
def test_a_head_that_is_pulled_further_than_the_trunk_is_long_moves_evenly_until_it_stops(pose: str) -> None:
    document, moves = drag(PULLS["head ahead"], library()[pose], "tall", "dls")
    assert max(moves.steps) < 0.05
    head = next(e for e in document.character(FIRST).effectors if e.joint == "head" and isinstance(e, Position))
    (places,) = places_of(document)
    off = np.linalg.norm(places[skeleton_of(document.character(FIRST)).index("head")] - head.target)
    assert moves.missed[-1] == pytest.approx(off, abs=1e-4), "told of how far it is off"


def test_a_trunk_that_leans_over_the_thighs_is_not_turned_aside_by_them() -> None:
    _, moves = drag(PULLS["head ahead"], library()["Sit, ankle on knee"], "tall", "dls")
    assert max(moves.steps) < 0.1
    assert max(moves.missed) < 1e-3


@pytest.mark.parametrize(
    ("pose", "body", "pull"),
    [
        ("Sit, elbows on knees", "male", "left wrist ahead"),
        ("Sit back, legs stretched", "male", "right wrist up"),
        ("Type at a desk", "neutral", "left wrist ahead"),
    ],
)
def test_a_hand_that_is_dragged_through_the_other_one_does_not_take_it_along(pose: str, body: str, pull: str) -> None:
    _, moves = drag(PULLS[pull], library()[pose], body, "dls")
    assert max(moves.steps) < 0.05, "an arm that was taken along comes off with a jump"
    assert moves.elsewhere[0] < 0.12


@pytest.mark.slow
@pytest.mark.parametrize("pose", ["Drive a car", "Sit, ankle on knee"])
def test_hands_of_which_nothing_is_asked_stay_while_the_trunk_of_somebody_who_sits_leans(pose: str) -> None:
    pull = PULLS["head ahead" if pose == "Drive a car" else "left wrist ahead"]
    _, moves = drag(pull, library()[pose], "tall", "dls")
    assert max(moves.steps) < 0.05, "8 and 33 cm where the trunk takes hands along"


@pytest.mark.parametrize(
    ("pose", "pull"),
    [
        ("Sit astride a chair", PULLS["right knee back"]),
        pytest.param("Sit on a box, one knee up", Pull(Role.HEAD, (0.3, 0.0, 0.0)), marks=pytest.mark.slow),
    ],
)
def test_a_seat_that_would_be_lost_is_held_in_its_place_and_does_not_turn_back_all_at_once(
    pose: str, pull: Pull
) -> None:
    document, moves = drag(pull, library()[pose], "female", "dls")
    assert max(moves.steps) < 0.05, "14 and 19 cm where a seat that is held may not tilt"
    person = document.character(FIRST)
    problem = problem_of(person, surroundings=solid_surroundings(document, person))
    seat = next(i for i, e in enumerate(problem.effectors) if isinstance(e, Contact) and e.joint == "pelvis")
    assert residuals_standing(problem, person.pose)[seat].state == "met"


def test_a_head_that_is_pulled_down_ahead_gets_near_there_as_the_back_bows() -> None:
    _, moves = drag(PULLS["head down ahead"], library()["Drive a car"], "short", "dls")
    assert moves.ends[0] < 0.12
    assert max(moves.steps) < 0.07


def test_a_hand_that_slips_off_the_leg_across_does_not_turn_over_at_once() -> None:
    _, moves = drag(PULLS["left wrist down"], library()["Sit, ankle on knee"], "male", "dls")
    assert max(moves.steps) < 0.06
    assert moves.ends[0] < 1e-3


def test_a_hand_that_is_pressed_onto_the_leg_across_comes_over_it_evenly_and_is_there_in_the_end() -> None:
    _, moves = drag(PULLS["left wrist down"], library()["Sit, ankle on knee"], "neutral", "smplik")
    assert max(moves.steps) < 0.06
    assert moves.ends[0] < 1e-3, "it stayed 23 cm above"
