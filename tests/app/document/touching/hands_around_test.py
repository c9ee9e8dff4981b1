"""Hands around things as contacts: what a hand closes around, where it takes it, and what becomes of that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from document_samples import given_effectors

from app.document import edits
from app.document.edits.contacts import without_surface
from app.document.edits.props import new_prop
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.model.prop_spots import nearest_on
from app.document.posing.contact_patches import patches_of
from app.document.posing.create import new_document
from app.document.posing.holds.grasping import hand_around
from app.document.posing.holds.nearest_surface import held_here
from app.document.posing.solving import reasons_of, residuals_of, with_solution
from app.document.posing.surroundings import surroundings_of
from app.document.posing.tied_groups import answers_of
from app.document.posing.touched_surfaces import props_of
from app.document.scene_file.io import load_scene, save_scene
from app.look.wording import surface_text
from solver.body.hands import hands_at_rest
from solver.effectors.contact import Contact
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.effectors.sources import FloorSource, PropSource, SkinSource
from solver.kinematics.rotations import from_rotation_vector

LYING = from_rotation_vector(np.array([0.0, 0.0, np.pi / 2])).astype(np.float32)


@pytest.fixture
def document() -> Document:
    """A person alone."""
    return new_document()


def thing(document: Document, kind: str, size: tuple[float, float, float], turn: np.ndarray | None = None) -> Prop:
    """A prop whose middle is before the left shoulder."""
    prop = new_prop(document, kind).sized(size)
    turned = replace(prop, turn=np.eye(3, dtype=np.float32) if turn is None else turn)
    return turned.moved(np.array([0.3, 1.1, 0.4]) - turned.middle)


def around(person: Character, prop: Prop, joint: str = "left_wrist", near: tuple = (0.0, 0.0, -0.5)) -> Contact | None:
    """The hand around a prop where a place beside it is nearest. near: metres from its middle."""
    source, _, _ = nearest_on(prop, prop.middle + near)
    return hand_around(person, prop, joint, source)


def grasped(document: Document, prop: Prop, joint: str = "left_wrist") -> Document:
    contact = around(document.characters[0], prop, joint)
    assert contact is not None
    add = edits.add_prop(prop)
    return edits.chain(add, edits.hold("c1", contact), edits.close_hand("c1", contact))(document)


def held(document: Document) -> Contact:
    (found,) = [e for e in document.characters[0].effectors if isinstance(e, Contact)]
    return found


@pytest.mark.parametrize("solver", ["smplik", "dls"])
@pytest.mark.parametrize(("beside", "high"), [(0.0, 0.8), (0.0, 0.95), (0.3, 0.95)])
def test_a_person_taking_an_upright_stick_at_hip_height_does_not_lean_back(
    document: Document, beside: float, high: float, solver: str
) -> None:
    stick = replace(new_prop(document, "stick"), place=np.array([-0.3, 0.0, beside], np.float32))
    person = document.characters[0]
    source, _, _ = nearest_on(stick, np.array([-0.3, high, beside + 0.1]))
    contact = hand_around(person, stick, "right_wrist", source)
    assert contact is not None
    made = edits.chain(edits.add_prop(stick), edits.set_solver("c1", solver), edits.hold("c1", contact))(document)
    (person,), surroundings = made.characters, surroundings_of(made, made.characters)
    answer = answers_of((person,), {}, surroundings=surroundings, props=props_of(made))["c1"]
    assert {residual.state for residual in answer.solution.residuals} <= {"met", "tolerated", "disabled"}
    places, skeleton = joints_of(with_solution(person, answer.solution)).positions, skeleton_of(person)
    trunk = places[skeleton.index("neck")] - places[skeleton.index("pelvis")]
    assert np.degrees(np.arccos(trunk[1] / np.linalg.norm(trunk))) < 15


@pytest.mark.sweep
@pytest.mark.parametrize(("body", "beside", "ahead"), [("anny", -0.35, 0.29), ("anny:child", -0.21, 0.06)])
@pytest.mark.parametrize("solver", ["smplik", "dls"])
def test_a_person_taking_a_ball_from_the_floor_bends_as_far_as_that_needs(
    body: str, beside: float, ahead: float, solver: str
) -> None:
    document = new_document(body=body)
    ball = new_prop(document, "ball").sized((0.06, 0.06, 0.06))
    ball = ball.moved(np.array([beside, 0.03, ahead]) - ball.middle)
    made = edits.set_solver("c1", solver)(grasped(document, ball))
    answer = answers_of(made.characters, {}, surroundings=surroundings_of(made, made.characters), props=props_of(made))[
        "c1"
    ]
    assert {residual.state for residual in answer.solution.residuals} <= {"met", "tolerated", "disabled"}


def test_why_a_foot_is_missed_is_said_also_where_only_how_people_stand_keeps_it_from_there(document: Document) -> None:
    cup = new_prop(document, "cup")
    made = edits.set_solver("c1", "dls")(grasped(document, cup.moved(np.array([-0.1, 1.21, 0.23]) - cup.middle)))
    for joint, x, y, z in (("left_ankle", -0.02, 0.173, 0.028), ("right_ankle", 0.0, 0.085, -0.089)):
        foot = next(e for e in made.characters[0].effectors if (e.joint, e.kind) == (joint, "position"))
        made = edits.set_target("c1", foot.id, (x, y, z))(made)  # the one foot above the other
    (person,), near = made.characters, surroundings_of(made, made.characters)
    answer = answers_of((person,), {}, surroundings=near, props=props_of(made))["c1"]
    person = with_solution(person, answer.solution, answer.effectors)
    left = residuals_of(person)
    said = reasons_of(person, left, lambda: False, near["c1"])
    assert said is not None
    missed = [reason for residual, reason in zip(left, said, strict=True) if residual.state == "unreachable"]
    assert missed
    assert all(missed), "nothing was said of it"


def test_a_person_reaching_for_what_hangs_too_high_does_not_bend_in_vain(document: Document) -> None:
    ball = new_prop(document, "ball").sized((0.06, 0.06, 0.06))
    person = document.characters[0]
    places = dict(zip(skeleton_of(person).names, joints_of(person).positions, strict=True))
    pins = [Position(joint, places[joint], pinned=True, id=joint) for joint in ("left_shoulder", "spine3", "pelvis")]
    pinned = edits.chain(edits.set_solver("c1", "dls"), given_effectors("c1", pins))(document)
    made = grasped(pinned, ball.moved(np.array([0.2, 3.0, 0.3]) - ball.middle))
    (person,) = made.characters
    answer = answers_of((person,), {}, surroundings=surroundings_of(made, made.characters), props=props_of(made))["c1"]
    off = {(e.joint, e.kind): r for e, r in zip(person.effectors, answer.solution.residuals, strict=True)}
    assert off["left_wrist", "contact"].state == "unreachable"
    assert off["left_shoulder", "position"].value < 0.01


@pytest.mark.parametrize("joint", ["left_wrist", "left_hand", "right_wrist"])
def test_a_hand_takes_a_stick_by_its_axis_and_says_so(document: Document, joint: str) -> None:
    person, stick = document.characters[0], thing(document, "stick", (0.03, 0.9, 0.03), LYING)
    contact = around(person, stick, joint)
    assert contact is not None
    assert contact.radius == pytest.approx(0.015)
    assert contact.target == pytest.approx(stick.middle, abs=1e-5)
    assert abs(contact.facing @ stick.turn[:, 1]) == pytest.approx(1.0, abs=1e-5)
    assert contact.joint == f"{joint[: joint.index('_')]}_wrist"
    assert surface_text(contact, "c1", {stick.id: "Stick"}) == "around Stick"


def test_the_thumb_is_up_on_what_stands_and_inward_on_what_lies(document: Document) -> None:
    person = document.characters[0]
    upright = around(person, thing(document, "stick", (0.03, 0.9, 0.03)))
    assert upright is not None
    assert upright.facing == pytest.approx([0, -1, 0], abs=1e-5)
    for joint, outward in (("left_wrist", 1.0), ("right_wrist", -1.0)):
        lying = around(person, thing(document, "stick", (0.03, 0.9, 0.03), LYING), joint)
        assert lying is not None
        assert lying.facing[0] * outward == pytest.approx(1.0, abs=1e-5)


def test_a_hand_stays_within_the_ends_and_in_the_middle_of_what_is_short(document: Document) -> None:
    person, stick = document.characters[0], thing(document, "stick", (0.03, 0.9, 0.03))
    high = around(person, stick, near=(0.0, 0.44, -0.1))
    assert high is not None
    assert 0.35 < high.target[1] - stick.middle[1] < 0.43
    short = around(person, thing(document, "cylinder", (0.06, 0.06, 0.06)), near=(0.0, 0.02, -0.1))
    assert short is not None
    assert short.target[1] == pytest.approx(1.1, abs=1e-5)


def test_a_ball_is_held_by_its_middle_and_asks_for_no_turn(document: Document) -> None:
    ball = thing(document, "ball", (0.07, 0.07, 0.07))
    contact = around(document.characters[0], ball)
    assert contact is not None
    assert contact.target == pytest.approx(ball.middle, abs=1e-5)
    assert not contact.lies_flat


@pytest.mark.parametrize("joint", ["left_wrist", "right_hand"])
def test_a_marble_comes_between_thumb_and_index_finger(document: Document, joint: str) -> None:
    marble = thing(document, "ball", (0.018, 0.018, 0.018))
    contact, side = around(document.characters[0], marble, joint), joint.partition("_")[0]
    assert contact is not None
    assert contact.patch == f"{side}_fingertips"
    assert contact.target == pytest.approx(marble.middle, abs=1e-5)
    assert not contact.lies_flat
    scene = edits.chain(edits.add_prop(marble), edits.hold("c1", contact), edits.close_hand("c1", contact))(document)
    assert held(scene).offset == pytest.approx(
        patches_of(scene.characters[0])[contact.patch].middle_of(0.009), abs=1e-6
    )
    assert scene.characters[0].hands != document.characters[0].hands
    larger = held(edits.set_prop_size(marble.id, (0.024, 0.024, 0.024))(scene))
    assert larger.radius == pytest.approx(0.012)
    assert np.linalg.norm(larger.offset - held(scene).offset) > 1e-3


@pytest.mark.parametrize("long", range(3))
def test_a_hand_takes_a_bar_by_the_axis_along_which_it_is_long(document: Document, long: int) -> None:
    size = [0.04, 0.04, 0.04]
    size[long], size[long - 1] = 0.9, 0.03
    bar, ahead = thing(document, "box", (size[0], size[1], size[2])), np.eye(3)[long - 2] * -0.5
    contact = around(document.characters[0], bar, near=tuple(ahead + 0.3 * np.eye(3)[long]))
    assert contact is not None
    assert contact.radius == pytest.approx(0.6 * 0.035)
    assert abs(contact.facing[long]) == pytest.approx(1.0, abs=1e-5)
    off = contact.target - bar.middle
    assert off == pytest.approx(np.eye(3)[long] * 0.3, abs=1e-5), "on its axis, beside where it was pointed at"
    scene = edits.chain(edits.add_prop(bar), edits.hold("c1", contact), edits.close_hand("c1", contact))(document)
    assert scene.characters[0].hands != document.characters[0].hands
    thick = held(edits.set_prop_size(bar.id, np.where(np.arange(3) == long, 0.9, 0.05))(scene))
    assert thick.radius == pytest.approx(0.03)
    size[long - 1], size[long - 2] = 0.02, 0.3
    board = held(edits.set_prop_size(bar.id, size)(scene))
    assert board.radius == contact.radius, "a board says nothing of a radius"
    size[long], size[long - 1], size[long - 2] = 0.05, 0.9, 0.05
    other = held(edits.set_prop_size(bar.id, size)(scene))
    assert other.radius == contact.radius, "nor does a bar that is long another way"


@pytest.mark.parametrize(
    ("kind", "size", "joint", "near"),
    [
        ("ball", (0.2, 0.2, 0.2), "left_wrist", (0.0, 0.0, -0.5)),
        ("box", (0.02, 0.5, 0.2), "left_wrist", (0.0, 0.0, -0.5)),
        ("box", (0.06, 0.06, 0.06), "left_wrist", (0.0, 0.0, -0.5)),
        ("box", (0.04, 0.5, 0.04), "left_wrist", (0.0, 0.5, 0.0)),
        ("plane", (0.03, 0.03, 0.9), "left_wrist", (0.0, 0.5, 0.0)),
        ("stick", (0.06, 0.5, 0.06), "left_wrist", (0.0, 0.5, 0.0)),
        ("cup", (0.075, 0.105, 0.075), "left_wrist", (0.0, -0.5, 0.0)),
        ("stick", (0.03, 0.9, 0.03), "left_knee", (0.0, 0.0, -0.5)),
        ("stick", (0.03, 0.9, 0.03), "head", (0.0, 0.0, -0.5)),
    ],
    ids=["too thick", "a board", "a die", "a bar's end", "a wall", "its end", "a cup's base", "a knee", "a head"],
)
def test_some_things_nobody_closes_a_hand_around(
    document: Document, kind: str, size: tuple, joint: str, near: tuple
) -> None:
    assert around(document.characters[0], thing(document, kind, size), joint, near) is None


def test_a_cup_is_taken_by_its_side_also_from_above(document: Document) -> None:
    person, cup = document.characters[0], thing(document, "cup", (0.075, 0.105, 0.075))
    for near in ((0.0, 0.0, -0.5), (0.0, 0.5, 0.0), (0.02, 0.5, -0.05)):
        contact = around(person, cup, near=near)
        assert contact is not None, near
        assert contact.radius == pytest.approx(0.0375)
        assert contact.facing == pytest.approx([0.0, -1.0, 0.0], abs=1e-5), "the thumb is up"


def test_a_child_closes_its_hand_around_less(document: Document) -> None:
    cup = thing(document, "cylinder", (0.09, 0.12, 0.09))
    person = document.characters[0]
    child = edits.set_body("c1", "anny:child", person.shape)(document).characters[0]
    assert around(person, cup) is not None
    assert around(child, cup) is None


def test_a_pinned_turn_of_the_hand_stays_and_a_strict_one_becomes_loose(document: Document) -> None:
    person, stick = document.characters[0], thing(document, "stick", (0.03, 0.9, 0.03))
    for pinned in (True, False):
        turn = replace(Rotation.on(skeleton_of(person), "left_wrist", joints_of(person)), id="turn", pinned=pinned)
        turned = edits.add_effector("c1", turn)(document)
        after = grasped(turned, stick)
        assert held(after).lies_flat is not pinned
        assert after.characters[0].effector("turn").loose is not pinned
        assert (after.characters[0].hands == person.hands) is pinned, "the stick may go through it anyhow"


def test_a_ball_leaves_a_strict_turn_of_the_hand_strict(document: Document) -> None:
    person = document.characters[0]
    turn = replace(Rotation.on(skeleton_of(person), "left_wrist", joints_of(person)), id="turn")
    turned = edits.add_effector("c1", turn)(document)
    contact = around(person, thing(document, "ball", (0.07, 0.07, 0.07)))
    assert contact is not None
    assert edits.hold("c1", contact)(turned).characters[0].effector("turn") == turn


def test_fingers_close_around_what_is_held_and_of_the_other_hand_they_stay(document: Document) -> None:
    stick = thing(document, "stick", (0.03, 0.9, 0.03))
    before, after = document.characters[0].hands, grasped(document, stick).characters[0].hands
    assert before is not None
    assert after is not None
    assert after != before
    assert after.mixed(before, 1.0, (0,)) == before
    again = grasped(document, stick)
    assert edits.close_hand("c1", held(again))(again).characters[0] is again.characters[0]
    bare = edits.set_hands("c1", hands_at_rest())(document)
    assert grasped(bare, stick).characters[0].hands != hands_at_rest()


def test_a_contact_that_lies_on_something_closes_no_hand(document: Document) -> None:
    palm = Contact("left_wrist", np.zeros(3), patch="left_palm", source=FloorSource())
    assert edits.close_hand("c1", palm)(document) is document


def test_a_hand_stays_around_a_prop_of_another_size_and_others_stay_as_they_are(document: Document) -> None:
    stick = thing(document, "stick", (0.03, 0.9, 0.03))
    scene = grasped(document, stick)
    scene = edits.add_prop(replace(new_prop(scene, "ball"), id="p9"))(scene)
    assert edits.set_prop_size("p9", (0.1, 0.1, 0.1))(scene).characters[0] is scene.characters[0]
    thick = edits.set_prop_size(stick.id, (0.05, 0.9, 0.05))(scene)
    hollow = patches_of(thick.characters[0])["left_hand"]
    assert held(thick).radius == pytest.approx(0.025)
    assert held(thick).offset == pytest.approx(hollow.middle_of(0.025), abs=1e-6)
    unknown = edits.on_effector("c1", held(scene).id, lambda e: replace(e, patch="left_tail"))(scene)
    assert held(edits.set_prop_size(stick.id, (0.05, 0.9, 0.05))(unknown)) == held(unknown)
    there = edits.put_prop(stick.moved((0.1, 0.0, 0.0)))(scene)
    assert held(there) == held(scene), "until it is solved"


def test_a_hand_around_something_is_in_the_scene_file(document: Document, tmp_path: Path) -> None:
    scene = grasped(document, thing(document, "stick", (0.03, 0.9, 0.03)))
    save_scene(tmp_path / "scene.json", scene)
    again = load_scene(tmp_path / "scene.json")
    assert held(again) == held(scene)
    assert held(again).around


def test_the_nearest_surface_is_taken_hold_of_where_a_hand_can(document: Document) -> None:
    person = document.characters[0]
    wrist = joints_of(person).positions[skeleton_of(person).index("left_wrist")]
    stick = thing(document, "stick", (0.03, 0.9, 0.03))
    beside = stick.moved(wrist + [0.05, 0.0, 0.05] - stick.middle)
    contact = held_here(person, "left_wrist", [], [beside])
    assert contact is not None
    assert contact.around
    ball = thing(document, "ball", (0.3, 0.3, 0.3))
    lying = held_here(person, "left_wrist", [], [ball.moved(wrist + [0.2, 0.0, 0.0] - ball.middle)])
    assert lying is not None
    assert isinstance(lying.source, PropSource)
    assert not lying.around


def test_a_look_at_somebody_who_is_gone_stays_where_it_was(document: Document) -> None:
    person = document.characters[0]
    look = LookAt("head", np.float32([0, 1.5, 2]), id="look", source=SkinSource("c7", 5, np.float32([1, 0, 0])))
    looking = given_effectors("c1", [*(e for e in person.effectors if e.kind != "lookat"), look])(document)
    assert surface_text(looking.characters[0].effector("look"), "c1", {"c7": "Ben"}) == "at Ben's body"
    assert surface_text(replace(look, source=None)) == ""
    after = without_surface(looking, "c7").characters[0].effector("look")
    assert after.source is None
    assert after.target == pytest.approx([0, 1.5, 2])
    assert without_surface(looking, "c8") is looking


@pytest.mark.parametrize(("kind", "size"), [("stick", (0.03, 0.9, 0.03)), ("ball", (0.08, 0.08, 0.08))])
def test_what_a_hand_is_around_comes_home_with_it_and_nothing_that_is_locked_does(
    document: Document, kind: str, size: tuple[float, float, float]
) -> None:
    prop = thing(document, kind, size, LYING)
    far = grasped(document, prop)
    person, contact = far.characters[0], held(far)
    home = edits.bring_held_home("c1", [contact.id])(far)
    there = contact.at_pose(skeleton_of(person), joints_of(person))
    brought = home.prop(prop.id)
    assert held(home).source == contact.source
    assert held(home).target == pytest.approx(there.target, abs=1e-6)
    assert brought.middle == pytest.approx(there.target, abs=1e-4)
    if kind == "stick":
        assert abs(brought.turn[:, 1] @ there.facing) == pytest.approx(1.0, abs=1e-5)
    locked = edits.set_prop_locked(prop.id, True)(far)
    left = edits.bring_held_home("c1", [contact.id])(locked)
    assert left.props == locked.props
    assert held(left).source is None


def test_a_prop_without_keys_comes_home_at_the_frame_alone(document: Document) -> None:
    prop = thing(document, "stick", (0.03, 0.9, 0.03), LYING)
    far = edits.set_clip_length("c1", 11)(grasped(document, prop)).at_frame("c1", 10)
    home = edits.bring_held_home("c1", [held(far).id])(far)
    brought = home.prop(prop.id)
    assert brought.clip is not None
    assert [key.frame for key in brought.clip.keys] == [0, 10]
    assert brought.at(0).place == pytest.approx(far.prop(prop.id).place, abs=1e-6)
    first = far.at_frame("c1", 0)
    assert edits.bring_held_home("c1", [held(first).id])(first).prop(prop.id).clip is None, "nothing else is posed"


def test_other_handles_come_home_alone(document: Document) -> None:
    wrist = next(e for e in document.characters[0].effectors if e.joint == "left_wrist")
    away = edits.set_target("c1", wrist.id, wrist.target + np.float32([0, 1, 0]))(document)
    home = edits.bring_held_home("c1", [wrist.id])(away)
    assert home == edits.bring_home("c1", [wrist.id])(away)
