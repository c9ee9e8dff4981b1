"""Whoever sits on a box and is pressed down onto it stays as upright, slides along it, and comes down again as they
went up; and whoever sits down with a hand at the chin keeps the head as it is posed."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import MESH, Prop
from app.document.model.prop_mesh import PropMesh
from app.document.posing.solving import problem_of
from app.document.posing.surroundings import solid_surroundings
from scripts.drags.contact_depths import FIRST, Hold, before
from scripts.drags.drag_measures import apart, places_of
from scripts.drags.drag_steps import drag_steps, handle, on_joint, straight
from scripts.drags.seat_drags import Pull, at_once, drag, library, solid
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.ik.memory import Memory
from solver.ik.pipeline.reasons import reasons
from solver.ik.problem import Cause
from solver.ik.stance.idle_upper_body import head_turned
from solver.ik.standing_stage import residuals_standing
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS, Role


def seated(pose: str, body: str, solver: str, memories: dict[str, Memory]) -> tuple[Document, str]:
    """Somebody on a box in a pose of the library, with the seat let go of, and a handle of the pelvis, by id."""
    document = library()[pose](before(Hold(()), body, solver), memories)
    rig = rig_of(skeleton_of(document.character(FIRST)))
    off = [e.id for e in on_joint(document, rig, Role.PELVIS) if isinstance(e, Contact)]
    return handle(edits.let_go(FIRST, off)(document), rig, Role.PELVIS)


@pytest.mark.parametrize(
    ("pose", "body", "solver"), [("Drive a car", "tall", "dls"), ("Half sit on a stool", "short", "smplik")]
)
def test_whoever_is_pressed_down_onto_a_box_stays_as_upright_and_is_told_of_the_box(
    pose: str, body: str, solver: str
) -> None:
    document, moves = drag(Pull(Role.PELVIS, (0.0, -0.06, 0.0)), library()[pose], body, solver)
    assert max(moves.steps) < 0.01
    assert moves.missed[-1] == pytest.approx(0.06, abs=0.005)
    person = document.character(FIRST)
    problem = problem_of(person, surroundings=solid_surroundings(document, person))
    told = reasons(problem, person.pose, residuals_standing(problem, person.pose)) or ()
    assert {why.cause for why in told if why is not None} == {Cause.PROP}


@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_whoever_is_pressed_aslant_slides_along_the_box_and_gets_no_deeper(solver: str) -> None:
    document, moves = drag(Pull(Role.PELVIS, (0.06, -0.06, 0.0)), library()["Sit upright"], "female", solver)
    assert max(moves.steps) < 0.03
    assert moves.within[0] < 2e-3
    person = document.character(FIRST)
    (asked,) = (e for e in on_joint(document, rig_of(skeleton_of(person)), Role.PELVIS) if isinstance(e, Position))
    assert joints_of(person).positions[0, 0] == pytest.approx(asked.target[0], abs=2e-3), "as far aside as is asked"


def test_whoever_is_pressed_down_and_back_beyond_the_reach_of_their_legs_is_not_thrown_about() -> None:
    document, id = seated("Sit upright", "neutral", "dls", {})
    poses = [
        places_of(step.document) for step in drag_steps(document, id, straight(np.array([0.0, -0.15, -0.25]), 0.03))
    ]
    assert max(apart(a, b) for a, b in pairwise(poses)) < 0.06


def test_a_thigh_that_comes_off_the_seat_as_its_owner_is_pressed_down_and_back_does_not_drop() -> None:
    document, id = seated("Half sit on a stool", "male", "dls", {})
    way = np.array([0.0, -0.15, -0.25]) / np.linalg.norm([0.15, 0.25])
    ways = [far * way for far in (0.02, *np.arange(0.04, 0.0521, 0.002))]
    poses = [places_of(step.document) for step in drag_steps(document, id, ways, {})][1:]
    assert max(apart(a, b) for a, b in pairwise(poses)) < 0.02, "a knee went 4 cm where the pelvis was dragged 2 mm"


@pytest.mark.parametrize("body", ["tall", "neutral", "female"])
def test_a_held_ankle_across_the_other_leg_is_where_it_is_asked_as_its_owner_is_pressed_down_and_back(
    body: str,
) -> None:
    document, id = seated("Sit, legs crossed", body, "smplik", {})
    *_, last = drag_steps(document, id, straight(np.array([0.0, -0.15, -0.25]), 0.05))
    person = last.document.character(FIRST)
    rig, places = rig_of(skeleton_of(person)), joints_of(person).positions
    held = [e for leg in LEGS for e in on_joint(last.document, rig, leg.end) if isinstance(e, Position)]
    off = [float(np.linalg.norm(places[rig.names.index(e.joint)] - e.target)) for e in held]
    assert len(off) == 2
    assert max(off) < 2e-3, "one was 15 cm off for the turn of its foot, which is in the air"


@pytest.mark.parametrize("pose", ["Half sit on a stool", "Sit back, legs stretched"])
def test_whoever_is_pressed_down_and_back_keeps_the_pelvis_as_it_is_turned_and_is_shown_as_held_up(pose: str) -> None:
    document, id = seated(pose, "male", "dls", {})
    was = joints_of(document.character(FIRST)).rotations[0]
    *_, last = drag_steps(document, id, straight(np.array([0.0, -0.15, -0.25]), 0.05))
    turned = np.trace(was.T @ joints_of(last.document.character(FIRST)).rotations[0])
    assert np.degrees(np.arccos((min(turned, 3.0) - 1.0) / 2.0)) < 8, "it turned by 28 to 40°, with trunk and head"
    assert last.other > 0.2


def test_whoever_is_taken_back_beyond_reach_and_then_down_comes_to_be_pressed_onto_the_box_evenly() -> None:
    document, id = seated("Drive a car", "short", "dls", {})
    back = [share * np.array([0.0, 0.05, -0.25]) for share in (0.1, 0.55, 1.0)]
    down = [np.array([0.0, up, -0.25]) for up in np.arange(0.04, -0.01, -0.005)]
    poses = [places_of(step.document) for step in drag_steps(document, id, back + down, {})][len(back) - 1 :]
    assert max(apart(a, b) for a, b in pairwise(poses)) < 0.04, "it was thrown by 12 cm as the flesh met the box"


def test_a_solid_body_pulled_up_from_a_chair_beyond_where_its_edge_lets_the_legs_go_stays_upright() -> None:
    document, id = seated_on_chair("neutral")
    poses = [
        places_of(s.document)
        for s in drag_steps(document, id, [np.array([0.0, up, 0.0]) for up in (0.15, 0.24, 0.26, 0.28)], {})
    ]
    assert max(apart(a, b) for a, b in pairwise(poses[1:])) < 0.05, "the trunk turned by 22 cm in one step"


def seated_on_chair(body: str) -> tuple[Document, str]:
    """Somebody solid on a chair, with the seat let go of, and a handle of the pelvis, by id."""
    document = solid(at_once, before(Hold(()), body, "dls"), {})
    off = [e.id for e in document.character(FIRST).effectors if isinstance(e, Contact)]
    return handle(edits.let_go(FIRST, off)(document), rig_of(skeleton_of(document.character(FIRST))), Role.PELVIS)


def test_whoever_is_pulled_up_from_a_box_comes_down_again_as_they_went_up() -> None:
    memories: dict[str, Memory] = {}
    document, id = seated("Sit upright", "neutral", "dls", memories)
    start, was, longest = places_of(document), places_of(document), 0.0
    for step in drag_steps(
        document, id, [np.array([0.0, up, 0.0]) for up in (0.03, 0.06, 0.03, 0.01, -0.03)], memories
    ):
        now = places_of(step.document)
        longest, was = max(longest, apart(now, was)), now
    assert longest < 0.04
    assert apart(was, start) < 0.01


def test_a_hand_at_the_chin_does_not_turn_the_head_of_somebody_who_sits_down() -> None:
    memories: dict[str, Memory] = {}
    person = seated("Thinker", "neutral", "dls", memories)[0].character(FIRST)
    assert np.degrees(head_turned(skeleton_of(person), person.base_pose, person.pose)) < 10
    _, moves = drag(Pull(Role.HEAD, (0.0, -0.03, 0.07)), library()["Thinker"], "neutral", "dls")
    assert max(moves.steps) < 0.04


@pytest.mark.parametrize("is_first", [True, False])
def test_whoever_sits_on_two_things_is_not_thrown_off_the_one_they_are_deeper_in(is_first: bool) -> None:
    document, id = seated("Sit upright", "neutral", "dls", {})
    (box,) = document.props
    cushion = replace(box, id="p2", place=box.place + np.array([0.0, 0.02, 0.3], np.float32))
    document = replace(document, props=(cushion, box) if is_first else (box, cushion))
    up = joints_of(document.character(FIRST)).positions[0, 1] + 0.005
    (step,) = drag_steps(document, id, [np.array([0.0, 0.005, 0.0])], {})
    assert joints_of(step.document.character(FIRST)).positions[0, 1] == pytest.approx(up, abs=5e-3)


def test_whoever_is_pulled_up_beside_a_mesh_that_is_not_closed_passes_through_that() -> None:
    document, id = seated("Sit upright", "neutral", "dls", {})
    corners = np.array([[-0.5, 0.0, -0.5], [0.5, 0.0, -0.5], [0.0, 1.0, 0.5]], np.float32)
    sheet = Prop("p2", "Sheet", MESH, np.full(3, 0.5), mesh=PropMesh(corners, np.array([[0, 1, 2]])))
    up = joints_of(document.character(FIRST)).positions[0, 1] + 0.03
    (step,) = drag_steps(edits.add_prop(sheet)(document), id, [np.array([0.0, 0.03, 0.0])], {})
    assert joints_of(step.document.character(FIRST)).positions[0, 1] == pytest.approx(up, abs=1e-3)
