"""Flat things in a hand: a telephone by its narrow sides, a plate, a book or a tablet by its edge."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from body_samples import official
from document_samples import given_effectors
from solved_together import solved_and_missed

from app.document import edits
from app.document.edits.props import new_prop
from app.document.edits.putting_down import put_down
from app.document.edits.symmetry import symmetric
from app.document.model.document import Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.model.prop_spots import nearest_on
from app.document.posing.brought.at_face import stays_while_brought
from app.document.posing.brought.to_read import before_eyes, eyes_at
from app.document.posing.create import new_document
from app.document.posing.hold_table import COMMON_HOLDS
from app.document.posing.holds.arms_first import arms_on_props
from app.document.posing.holds.flat_grips import held_edge
from app.document.posing.holds.grasping import hand_around
from app.document.posing.solving import other_solution_of
from app.document.posing.sources import ties_in
from solver.body.body import BodyShape
from solver.body.catalog import official_body_id
from solver.body.finger_skin import finger_skins
from solver.body.floor import posed_vertices
from solver.body.hands import skin_with
from solver.contact.fingertips.thumb_and_fingers import spans_of
from solver.effectors.contact import Contact
from solver.effectors.kinds import LookAt, Rotation
from solver.effectors.sources import PropSource
from solver.errors import PoserError
from solver.ik.memory import Memory
from solver.ik.options import SOLID_FLOOR
from solver.kinematics.pose import pose_moved

HOLDS = {hold.id: hold for hold in COMMON_HOLDS}
PHONE, BOOK, PLATE = (0.075, 0.009, 0.15), (0.15, 0.03, 0.21), (0.25, 0.02, 0.25)
FRONT, RIM = (0.0, 0.1, -0.12), (-0.02, 0.1, -0.12)  # metres from the middle, beside which a thing is touched


def before(size: tuple[float, float, float], kind: str = "box", body: str = "anny", gender: str = "") -> Document:
    """Somebody with a thing that lies in the air before their right hand."""
    document = new_document(body=body)
    if gender:
        document = edits.set_shape("c1", BodyShape(document.characters[0].shape.betas, gender))(document)
    tall = float(joints_of(document.characters[0]).positions[:, 1].max()) / 1.6
    thing = new_prop(document, kind).sized(np.array(size))
    return edits.add_prop(thing.moved(tall * np.array([-0.15, 1.0, 0.3]) - thing.middle))(document)


def grip(document: Document, near: tuple[float, float, float] = FRONT) -> Contact | None:
    """The contact of the right hand where a place beside the thing is nearest."""
    (thing,) = document.props
    return hand_around(document.characters[0], thing, "right_wrist", nearest_on(thing, thing.middle + near)[0])


def taken(document: Document, near: tuple[float, float, float] = FRONT) -> Document:
    contact = grip(document, near)
    assert contact is not None
    after, missed = solved_and_missed(
        edits.chain(edits.hold("c1", contact), edits.close_hand("c1", contact))(document), {}, {}
    )
    assert missed < 1e-3
    return after


def held(document: Document) -> Contact:
    (contact,) = (e for e in document.characters[0].effectors if isinstance(e, Contact) and e.around)
    return contact


def off_fingers(document: Document, side: int = 1) -> list[float]:
    """Metres from the skin of each finger, thumb first, to the thing; negative within."""
    person, thing = document.characters[0], document.props[0]
    body = body_of(person)
    skin = posed_vertices(body, person.shape, person.pose, rest=skin_with(body, person.shape, person.hands))
    fingers = finger_skins(body, person.shape, person.pose, side)
    return [float(thing.solids()[0].distances(skin[each.vertices]).min()) for each in fingers]


def test_a_telephone_is_held_by_its_narrow_sides_and_by_its_faces_in_a_hand_too_small_for_that() -> None:
    assert held(taken(before(PHONE))).radius == pytest.approx(PHONE[0] / 2, abs=1e-6)
    assert held(taken(before(PHONE, body="anny:child"))).radius == pytest.approx(PHONE[1] / 2, abs=1e-6)


@pytest.mark.parametrize(
    ("size", "kind", "near"), [(PHONE, "box", FRONT), (BOOK, "box", FRONT), (PLATE, "cylinder", RIM)]
)
@pytest.mark.parametrize(("body", "gender"), [("anny", ""), ("anny", "female"), ("anny", "male")])
def test_thumb_and_index_finger_touch_it_from_both_sides(
    size: tuple[float, float, float], kind: str, near: tuple[float, float, float], body: str, gender: str
) -> None:
    after = taken(before(size, kind, body, gender), near)
    thumb, index = off_fingers(after)[:2]
    assert -0.003 < thumb < 0.003
    assert -0.003 < index < 0.003


def test_the_thumb_is_on_top_of_a_plate_and_the_fingers_are_beneath() -> None:
    contact = held(taken(before(PLATE, "cylinder"), RIM))
    assert contact.facing[1] == pytest.approx(-1.0, abs=1e-5)


def test_in_its_middle_a_book_is_not_gripped_but_lain_on() -> None:
    assert grip(before(BOOK), (0.0, 0.1, 0.0)) is None


@pytest.mark.parametrize("size", [(0.5, 0.02, 0.6), (0.2, 0.15, 0.25), (2.0, 0.01, 2.0)])
def test_what_is_large_or_thick_is_lain_on(size: tuple[float, float, float]) -> None:
    assert grip(before(size)) is None


def test_a_pinned_hand_keeps_its_turn_on_a_flat_thing() -> None:
    pin = Rotation("right_wrist", np.eye(3, dtype=np.float32), pinned=True, id="turn")
    contact = grip(given_effectors("c1", [pin])(before(BOOK)))
    assert contact is not None
    assert not contact.lies_flat


def test_a_telephone_comes_to_the_ear_with_the_thumb_behind_and_by_the_arm_alone() -> None:
    document = taken(before(PHONE))
    person = document.characters[0]
    stays = {"c1": stays_while_brought(document, person, HOLDS["ear"])}
    after, missed = solved_and_missed(edits.take_hold("c1", HOLDS["ear"])(document), {}, stays)
    assert missed < 1e-3
    (phone,), now = after.props, after.characters[0]
    place = joints_of(now).positions[skeleton_of(now).index("head")]
    assert np.linalg.norm(phone.middle - place) < 0.2
    assert held(after).facing @ joints_of(now).rotations[0][:, 2] > 0.3  # it faces away from the thumb
    assert min(off_fingers(after)) > -0.006


def test_a_thing_that_is_made_thicker_opens_the_hand() -> None:
    document = taken(before(BOOK))
    thing = document.props[0]
    thicker = edits.set_prop_size(thing.id, (0.15, 0.04, 0.21))(document)
    assert held(thicker).radius == pytest.approx(0.02)
    assert not np.allclose(held(thicker).offset, held(document).offset, atol=1e-3)


def test_the_other_hand_takes_it_at_the_mirrored_place() -> None:
    document = taken(before(BOOK))
    thing = document.props[0]
    middle: Prop = thing.moved([-float(thing.middle[0]), 0.0, 0.0])
    document = edits.put_prop(middle)(document)
    after, _ = solved_and_missed(edits.mirror_pose("c1")(document), {}, {})
    contact = held(after)
    assert contact.patch == "left_thumb_and_fingers"
    assert contact.source is not None
    assert contact.radius == pytest.approx(BOOK[1] / 2)


def test_posed_on_both_sides_the_other_hand_takes_it_as_well() -> None:
    document = before(BOOK)
    thing = document.props[0]
    document = edits.put_prop(thing.moved([-float(thing.middle[0]), 0.0, 0.0]))(document)
    contact = grip(document, RIM)
    assert contact is not None
    after = symmetric("c1", edits.hold("c1", contact))(document)
    hands = {e.patch: e.source for e in after.characters[0].effectors if isinstance(e, Contact) and e.around}
    right, left = hands["right_thumb_and_fingers"], hands["left_thumb_and_fingers"]
    assert isinstance(right, PropSource)
    assert isinstance(left, PropSource)
    assert left.prop == thing.id
    assert left.place == pytest.approx(right.place * [-1.0, 1.0, 1.0], abs=1e-3)


@pytest.mark.parametrize("size", [PHONE, BOOK])
def test_put_down_it_lies_and_the_open_hand_lies_on_it(size: tuple[float, float, float]) -> None:
    document = taken(before(size))
    thing = document.props[0]
    table = new_prop(document, "table")
    document = edits.add_prop(table.moved((thing.middle - table.middle) * [1.0, 0.0, 1.0] + [0.0, 0.0, 0.3]))(document)
    after = put_down("c1", [thing.id])(document)
    assert after.prop(thing.id).place[1] == pytest.approx(0.74, abs=2e-3)
    assert not any(isinstance(e, Contact) for e in after.characters[0].effectors)
    assert off_fingers(after)[0] > -0.006


@pytest.mark.parametrize("gender", ["", "female"])
def test_put_down_close_to_the_body_fingers_lie_on_it_and_not_in_it(gender: str) -> None:
    document = taken(before(BOOK, gender=gender))
    thing = document.props[0]
    table = new_prop(document, "table")
    table = table.moved([thing.middle[0] - table.middle[0], 0.0, thing.corners[:, 2].min() - table.corners[:, 2].min()])
    after = put_down("c1", [thing.id])(edits.add_prop(table)(document))
    assert after.prop(thing.id).place[1] == pytest.approx(0.74, abs=2e-3)
    assert min(off_fingers(after)) > -0.004


def test_it_is_brought_to_the_mouth_by_the_edge_across_from_the_hand() -> None:
    document = taken(before((0.1, 0.02, 0.1), "cylinder"), (0.0, 0.1, -0.05))
    stays = {"c1": stays_while_brought(document, document.characters[0], HOLDS["mouth"])}
    after, missed = solved_and_missed(edits.take_hold("c1", HOLDS["mouth"])(document), {}, stays)
    assert missed < 1e-3
    assert "lips" in {e.patch for e in after.characters[0].effectors if isinstance(e, Contact)}


def test_a_hand_opens_as_far_as_its_size_allows_and_the_more_the_thicker_a_thing_is() -> None:
    for body in ("anny", "anny:child"):
        person = new_document(body=body).characters[0]
        spans = spans_of(body_of(person), person.shape, 0)
        assert (np.diff(spans.gaps) >= 0.0).all()
        assert spans.gaps[0] < 0.003
        assert spans.room(0.01) > 0.01


@pytest.mark.parametrize(("size", "kind", "near"), [(BOOK, "box", FRONT), (PLATE, "cylinder", RIM)])
@pytest.mark.parametrize("gender", ["", "female", "male"])
def test_fingers_stay_on_its_faces_at_the_mouth(
    size: tuple[float, float, float], kind: str, near: tuple[float, float, float], gender: str
) -> None:
    document = taken(before(size, kind, gender=gender), near)
    stays = {"c1": stays_while_brought(document, document.characters[0], HOLDS["mouth"])}
    after, missed = solved_and_missed(edits.take_hold("c1", HOLDS["mouth"])(document), {}, stays)
    assert missed < 1e-3
    assert min(off_fingers(after)) > -0.007


@pytest.mark.parametrize("near", [FRONT, (-0.12, 0.1, 0.0)])
def test_a_hand_that_takes_a_thick_book_along_stays_about_square_to_its_edge(near: tuple[float, float, float]) -> None:
    document = taken(before((0.16, 0.045, 0.23)), near)
    (book,), memories = document.props, dict[str, Memory]()
    for share in (0.25, 0.5, 0.75, 1.0):
        there = edits.put_prop(book.moved(share * np.array([0.1, 0.2, -0.1])))(document)
        document, _ = solved_and_missed(there, memories, arms_on_props(document, [book.id]))
    assert min(off_fingers(document)) > -0.006


def test_another_pose_with_a_book_in_the_hand_keeps_the_hand_square_and_stays_once_it_is_chosen() -> None:
    document, memories = taken(before((0.16, 0.045, 0.23))), dict[str, Memory]()
    (book,) = document.props
    for share in (0.25, 0.5, 0.75, 1.0):
        there = edits.put_prop(book.moved(share * np.array([0.3, 0.1, 0.0])))(document)
        document, _ = solved_and_missed(there, memories, arms_on_props(document, [book.id]))
    person = document.characters[0]
    chosen = other_solution_of(person, lambda: False, ties=ties_in(document, person))
    assert chosen is not None
    other = edits.with_solution("c1", chosen)(document)
    assert min(off_fingers(other)) > -0.006
    after, _ = solved_and_missed(other, {"c1": chosen.memory}, {})
    gone = joints_of(after.characters[0]).positions - joints_of(other.characters[0]).positions
    assert np.abs(gone).max() < 0.012


def brought(document: Document, name: str) -> Document:
    stays = {"c1": stays_while_brought(document, document.characters[0], HOLDS[name])}
    after, missed = solved_and_missed(edits.take_hold("c1", HOLDS[name])(document), {}, stays)
    assert missed < 1e-3
    return after


@pytest.mark.parametrize(("size", "kind"), [(PHONE, "box"), (BOOK, "box"), (PLATE, "cylinder")])
@pytest.mark.parametrize("body", ["anny", "anny:child"])
def test_it_is_read_before_the_eyes_and_arm_and_head_alone_move(
    size: tuple[float, float, float], kind: str, body: str
) -> None:
    before_it = taken(before(size, kind, body))
    after = brought(before_it, "read")
    person, thing = after.characters[0], after.props[0]
    eyes, head = eyes_at(person)
    way = thing.middle - eyes
    assert 0.33 < np.linalg.norm(way) < 0.45
    assert abs(way @ thing.turn[:, int(np.argmin(size))]) > 0.98 * np.linalg.norm(way)
    assert way @ head[:, 2] > 0.9 * np.linalg.norm(way)
    chest = skeleton_of(person).index("spine3")
    assert np.array_equal(joints_of(person).positions[chest], joints_of(before_it.characters[0]).positions[chest])
    assert min(off_fingers(after)) > -0.006


def test_who_reads_looks_at_it_unless_they_have_been_told_where_to_look() -> None:
    document = taken(before(BOOK))
    (look,) = (e for e in brought(document, "read").characters[0].effectors if isinstance(e, LookAt))
    assert isinstance(look.source, PropSource)
    told = given_effectors("c1", [LookAt("head", np.array([0.0, 1.5, 3.0], np.float32), id="look")])(document)
    held_again = replace(told, props=document.props)
    hands = tuple(e for e in document.characters[0].effectors if isinstance(e, Contact))
    person = held_again.characters[0]
    held_again = held_again.with_character(replace(person, effectors=(*hands, *person.effectors)))
    (kept,) = (e for e in brought(held_again, "read").characters[0].effectors if isinstance(e, LookAt))
    assert kept.source is None
    without = document.with_character(replace(document.characters[0], effectors=hands))
    assert any(isinstance(e, LookAt) for e in brought(without, "read").characters[0].effectors)


def test_at_the_ear_a_telephone_that_was_read_is_not_looked_at_any_more_until_it_is_read_again() -> None:
    at_ear = brought(brought(taken(before(PHONE)), "read"), "ear")
    looks = [e for e in at_ear.characters[0].effectors if isinstance(e, LookAt)]
    assert [(look.loose, look.source) for look in looks] == [(True, None)]
    (again,) = (e for e in brought(at_ear, "read").characters[0].effectors if isinstance(e, LookAt))
    assert not again.loose
    assert isinstance(again.source, PropSource)


@pytest.mark.slow
def test_a_body_without_fingers_goes_on_holding_a_book_but_does_not_read_it(tmp_path: Path) -> None:
    pytest.importorskip("smplx")
    np.savez(tmp_path / "SMPL_NEUTRAL.npz", **official("SMPL"))  # type: ignore[arg-type]
    document = edits.set_body("c1", official_body_id(tmp_path), BodyShape())(taken(before(BOOK)))
    after, missed = solved_and_missed(document, {}, {})
    assert missed < 1e-3
    with pytest.raises(PoserError, match="needs something in a hand"):
        edits.take_hold("c1", HOLDS["read"])(after)


def test_what_cannot_be_read_or_is_too_large_for_an_ear_stays_where_it_is_with_a_word() -> None:
    with pytest.raises(PoserError, match="too large to be held to an ear"):
        edits.take_hold("c1", HOLDS["ear"])(taken(before(BOOK)))
    with pytest.raises(PoserError, match="needs something flat"):
        edits.take_hold("c1", HOLDS["read"])(taken(before((0.04, 0.2, 0.04), "stick"), (0.0, 0.0, -0.1)))
    far = taken(before(BOOK))
    person, (book,) = far.characters[0], far.props
    assert before_eyes(person, book.moved((0.0, 0.0, 0.0)).sized(np.array(BOOK) * [1, 1, 15]), held(far)) is None
    for firm in (True, False):
        person = edits.set_solver_option("c1", SOLID_FLOOR.id, firm)(far).characters[0]
        sunk = replace(person, pose=pose_moved(person.pose, np.array([0.0, -1.6, 0.0])))
        with pytest.raises(PoserError, match="the floor is there") if firm else nullcontext():
            assert before_eyes(sunk, book.moved((0.0, -1.6, 0.0)), held(far)) is not None


def test_to_put_a_book_on_a_table_knees_bend_and_the_trunk_stays_nearly_upright() -> None:
    document = taken(before(BOOK, gender="male"))
    (book,), table = document.props, new_prop(document, "table")
    beneath = table.moved((book.middle - table.middle) * [1.0, 0.0, 1.0] + [0.0, 0.0, 0.3])
    person = put_down("c1", [book.id])(edits.add_prop(beneath)(document)).characters[0]
    neck, pelvis = (joints_of(person).positions[skeleton_of(person).index(name)] for name in ("neck", "pelvis"))
    assert (neck - pelvis)[1] > np.cos(np.radians(35.0)) * np.linalg.norm(neck - pelvis)


def test_a_book_carried_across_the_body_takes_neither_the_trunk_far_along_nor_the_fingers_into_it() -> None:
    document = taken(before(BOOK))
    (book,), memories, head = document.props, dict[str, Memory](), skeleton_of(document.characters[0]).index("head")
    began = joints_of(document.characters[0]).positions[head]
    for share in (0.25, 0.5, 0.75, 1.0):
        there = edits.put_prop(book.moved(share * np.array([0.3, 0.0, 0.0])))(document)
        document, missed = solved_and_missed(there, memories, arms_on_props(document, [book.id]))
        assert missed < 1e-3
    assert np.linalg.norm(joints_of(document.characters[0]).positions[head] - began) < 0.2
    assert min(off_fingers(document)) > -0.01


def test_a_book_that_is_made_larger_in_the_hand_comes_no_deeper_into_it() -> None:
    document = taken(before(BOOK))
    larger = edits.set_prop_size(document.props[0].id, (0.3, 0.03, 0.42))(document)
    was, now = held(document), held(larger)
    assert isinstance(was.source, PropSource)
    assert isinstance(now.source, PropSource)
    assert 0.21 * (0.5 - abs(was.source.place[2])) == pytest.approx(0.42 * (0.5 - abs(now.source.place[2])), abs=1e-3)
    assert min(off_fingers(solved_and_missed(larger, {}, {})[0])) > -0.003
    moved = edits.put_prop(document.props[0].moved((0.0, 0.1, 0.0)))(document)
    assert held(moved).source == was.source


@pytest.mark.parametrize("times", [(1.0, 1.0, 2.0), (0.5, 1.0, 1.0)])
def test_a_hand_near_a_corner_keeps_its_edge_of_a_book_that_is_made_longer_or_narrower(
    times: tuple[float, float, float],
) -> None:
    document = taken(before(BOOK), (-0.07, 0.1, -0.12))
    after = edits.set_prop_size(document.props[0].id, np.array(BOOK) * times)(document)
    was, now = (held_edge(each.props[0], held(each)) for each in (document, after))
    assert now == pytest.approx(was), "the hand would turn by a right angle to the other edge"


def test_a_telephone_that_is_made_longer_is_held_where_it_was() -> None:
    document = taken(before(PHONE))
    after = edits.set_prop_size(document.props[0].id, np.array(PHONE) * (1.0, 1.0, 1.5))(document)
    assert held(after).source == held(document).source


def test_who_has_read_a_book_looks_at_it_no_longer_once_it_is_put_down() -> None:
    document = brought(taken(before(BOOK)), "read")
    (book,), table = document.props, new_prop(document, "table")
    beneath = table.moved((book.middle - table.middle) * [1.0, 0.0, 1.0] + [0.0, 0.0, 0.3])
    after = put_down("c1", [book.id])(edits.add_prop(beneath)(document))
    (look,) = (e for e in after.characters[0].effectors if isinstance(e, LookAt))
    assert (look.loose, look.source) == (True, None)
