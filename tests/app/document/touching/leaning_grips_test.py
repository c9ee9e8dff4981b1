"""What stands low leans in the hand that takes it, so that nobody crouches for it; it stays there, and so held."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from document_samples import only

from app.document import edits
from app.document.edits.props import new_prop
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.model.prop_spots import nearest_on
from app.document.posing.contact_patches import patches_of
from app.document.posing.create import new_document
from app.document.posing.holds.grasping import hand_around
from app.document.posing.solving import with_solution
from app.document.posing.surroundings import surroundings_of
from app.document.posing.tied_groups import answers_of
from app.document.posing.touched_surfaces import props_of
from app.document.scene_file.io import load_scene, save_scene
from solver.effectors.contact import Contact
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

TABLE, HIGH = 0.74, 1.15  # metres
BEFORE = np.array([-0.12, 0.0, 0.3])  # metres, where it stands before somebody, who faces +Z


@pytest.fixture
def document() -> Document:
    """A person alone."""
    return new_document()


def standing(document: Document, high: float, kind: str = "cup") -> Prop:
    """A thing whose foot is that high before the right side."""
    return replace(new_prop(document, kind), place=(BEFORE + [0.0, high, 0.0]).astype(np.float32))


def around(person: Character, prop: Prop, high: float | None = None, joint: str = "right_wrist") -> Contact:
    """The hand around a prop, from the person's side; `high` metres up."""
    near = prop.middle - [0.0, 0.0, 0.5]
    near[1] = near[1] if high is None else high
    contact = hand_around(person, prop, joint, nearest_on(prop, near)[0])
    assert contact is not None
    return contact


def taken(document: Document, prop: Prop, contact: Contact, solver: str = "dls") -> Document:
    """The person with the thing in the hand, solved."""
    add = edits.chain(edits.set_solver("c1", solver), edits.add_prop(prop))
    return solved(edits.chain(add, edits.hold("c1", contact), edits.close_hand("c1", contact))(document))


def solved(document: Document) -> Document:
    people = document.characters
    answer = answers_of(people, {}, surroundings=surroundings_of(document, people), props=props_of(document))["c1"]
    assert {residual.state for residual in answer.solution.residuals} <= {"met", "tolerated", "disabled"}
    return document.with_character(with_solution(only(document), answer.solution, answer.effectors))


def grip(document: Document) -> Contact:
    (held,) = [e for e in only(document).effectors if isinstance(e, Contact)]
    return held


def knees(document: Document) -> float:
    """Degrees that the knee bends that bends more."""
    places, rig = joints_of(only(document)).positions.astype(np.float64), rig_of(skeleton_of(only(document)))
    bends = []
    for leg in LEGS:
        hip, knee, ankle = (places[rig.index(role)] for role in leg.line)
        thigh, shin = knee - hip, ankle - knee
        bends.append(np.arccos(thigh @ shin / np.linalg.norm(thigh) / np.linalg.norm(shin)))
    return float(np.degrees(max(bends)))


def askew(document: Document) -> float:
    """Degrees by which the thing is turned in the hand otherwise than the grip says."""
    held = grip(document)
    turn = joints_of(only(document)).rotations[skeleton_of(only(document)).index(held.joint)]
    along = document.props[0].turn[:, 1]
    return float(np.degrees(np.arccos(min(abs((turn @ held.normal) @ along), 1.0))))


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["dls", "smplik", "protores", "skelik"])
def test_people_crouch_less_for_a_cup_on_a_table_as_it_leans_in_the_hand(document: Document, solver: str) -> None:
    cup = standing(document, TABLE)
    contact = around(only(document), cup)
    assert 10 < np.degrees(contact.tilt) < 23
    leant = taken(document, cup, contact, solver)
    hollow = patches_of(only(document))[contact.patch]
    square = replace(contact, tilt=0.0, normal=hollow.normal, offset=hollow.middle_of(contact.radius))
    assert knees(leant) < knees(taken(document, cup, square, solver)) - 15
    assert leant.props[0] == cup, "it stays where it is"
    assert askew(leant) < 0.5


def test_what_a_hand_reaches_with_a_level_forearm_does_not_lean_nor_does_what_stands_high(document: Document) -> None:
    for high in (HIGH, 1.6):
        contact = around(only(document), standing(document, high))
        assert contact.tilt == 0.0
        assert contact.normal == pytest.approx(patches_of(only(document))[contact.patch].normal)


def test_the_lower_a_thing_stands_the_more_it_leans_up_to_an_end(document: Document) -> None:
    tilts = [around(only(document), standing(document, high)).tilt for high in np.arange(1.2, 0.0, -0.02)]
    assert (np.diff(tilts) >= 0.0).all()
    assert (np.diff(tilts) < np.radians(7)).all(), "no leap"
    assert tilts[0] == 0.0
    assert tilts[-1] == pytest.approx(np.radians(22))


def test_a_stick_straight_below_the_shoulder_leans_as_well(document: Document) -> None:
    person = only(document)
    shoulder = joints_of(person).positions[skeleton_of(person).index("right_shoulder")]
    stick = replace(new_prop(document, "stick"), place=(shoulder * [1.0, 0.0, 1.0]).astype(np.float32))
    assert around(person, stick, 0.7).tilt == pytest.approx(np.radians(32)), "further than a thick cup"


def test_what_lies_does_not_lean(document: Document) -> None:
    lying = from_rotation_vector(np.array([0.0, 0.0, np.pi / 2])).astype(np.float32)
    stick = replace(standing(document, 0.6, "stick"), turn=lying)
    stick = stick.moved(BEFORE + [0.0, 0.6, 0.0] - stick.middle)
    assert around(only(document), stick).tilt == 0.0


def test_a_ball_does_not_lean(document: Document) -> None:
    ball = standing(document, 0.5, "ball").sized((0.06, 0.06, 0.06))
    assert around(only(document), ball).tilt == 0.0


def test_left_and_right_hands_hold_alike(document: Document) -> None:
    cup = standing(document, TABLE)
    mirrored = replace(cup, place=cup.place * np.array([-1.0, 1.0, 1.0], np.float32))
    left, right = around(only(document), mirrored, joint="left_wrist"), around(only(document), cup)
    assert left.tilt == pytest.approx(right.tilt, abs=np.radians(2.1))
    assert right.tilt > 0.0


def test_who_has_gone_down_for_a_thing_holds_it_as_before_and_less_aslant_higher_up(document: Document) -> None:
    stick = standing(document, 0.0, "stick").sized((0.03, 1.6, 0.03))
    low = around(only(document), stick, 0.6)
    person = only(taken(document, stick, low))
    again, higher = (around(person, stick, high) for high in (float(low.target[1]), 1.25))
    assert again.tilt == low.tilt > higher.tilt
    turned = [replace(e, facing=-e.facing, tilt=0.0) if isinstance(e, Contact) else e for e in person.effectors]
    about = around(replace(person, effectors=tuple(turned)), stick, 0.6)
    assert about.tilt > 0.0, "with the thumb on the other side it is taken anew"


def test_it_stays_in_the_hand_as_the_hand_takes_it_along_and_as_its_size_changes(document: Document) -> None:
    cup = standing(document, TABLE)
    made = taken(document, cup, around(only(document), cup))
    for way in ([0.0, 0.25, 0.0], [-0.1, 0.1, 0.05]):
        there = solved(edits.put_prop(cup.moved(np.array(way)))(made))
        assert askew(there) < 0.5
        assert only(there).hands == only(made).hands
        assert grip(there).normal == pytest.approx(grip(made).normal)
    thin = grip(edits.set_prop_size(cup.id, (0.05, 0.1, 0.05))(made))
    assert thin.tilt == grip(made).tilt
    hollow = patches_of(only(made))[thin.patch]
    assert thin.offset == pytest.approx(hollow.middle_of(0.025, thin.tilt), abs=1e-6)


def test_it_leans_in_the_scene_file_and_another_shape(document: Document, tmp_path: Path) -> None:
    cup = standing(document, TABLE)
    contact = around(only(document), cup)
    made = edits.chain(edits.add_prop(cup), edits.hold("c1", contact))(document)
    save_scene(tmp_path / "scene.json", made)
    assert grip(load_scene(tmp_path / "scene.json")).tilt == pytest.approx(contact.tilt)
    female = edits.set_body("c1", "anny", replace(only(made).shape, gender="female"))(made)
    assert grip(female).tilt == contact.tilt
    leant = patches_of(only(female))[contact.patch].leaning_by(contact.tilt)
    assert grip(female).normal == pytest.approx(leant, abs=1e-6)
