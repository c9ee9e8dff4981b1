"""People who hold each other, or themselves, come to rest: solved again with nothing changed, nobody moves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from solved_together import solved_and_missed

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.contact_patches import patches_of
from app.document.posing.create import new_character, new_document
from app.document.posing.hold_table import COMMON_HOLDS
from app.document.posing.tied_groups import answers_of
from solver.effectors.contact import Contact
from solver.ik.memory import Memory
from solver.ik.multi_solve.only_limb import only_arms

HOLDS = {hold.id: hold for hold in COMMON_HOLDS}
AT_REST = 5e-4  # metres
MET = 1e-3


def two(apart: float, facing: bool) -> Document:
    """Two who stand so many metres from each other, side by side or face to face."""
    document = edits.add_character(replace(new_character(new_document(), "Ben"), id="c2"))(new_document())
    first, second = document.characters
    way = np.float32([0, 0, apart] if facing else [apart, 0, 0])
    document = edits.move_character("c2", first.pose.root_position - second.pose.root_position + way)(document)
    return edits.turn_character("c2", np.pi)(document) if facing else document


def moved(before: Document, after: Document) -> float:
    """Metres that the joint moved that moved most."""
    pairs = zip(before.characters, after.characters, strict=True)
    return max(
        float(np.linalg.norm(joints_of(now).positions - joints_of(was).positions, axis=1).max()) for was, now in pairs
    )


@pytest.mark.parametrize(("one", "other"), [("anny", "anny"), ("anny:chibi", "anny:child"), ("anny", "anny:chibi")])
def test_people_of_any_size_who_take_hands_reach_out_and_hardly_lean(one: str, other: str) -> None:
    first = new_document(body=one)
    document = edits.add_character(replace(new_character(first, "Ben", body=other), id="c2"))(first)
    way = document.characters[0].pose.root_position - document.characters[1].pose.root_position + [0.6, 0.0, 0.0]
    document = edits.move_character("c2", (way * [1.0, 0.0, 1.0]).astype(np.float32))(document)
    document, missed = solved_and_missed(edits.take_hold("c1", HOLDS["hands"])(document), {})
    assert missed < MET
    for person in document.characters:
        places, skeleton = joints_of(person).positions, skeleton_of(person)
        trunk = places[skeleton.index("neck")] - places[skeleton.index("pelvis")]
        assert np.degrees(np.arccos(trunk[1] / np.linalg.norm(trunk))) < 16


@pytest.mark.parametrize(("apart", "by_arms", "foot_off"), [(0.7, True, False), (0.7, True, True), (1.6, False, False)])
def test_two_take_hands_with_their_arms_alone_if_these_do(apart: float, by_arms: bool, foot_off: bool) -> None:
    document = two(apart, False)
    arms = only_arms(skeleton_of(document.characters[0]), document.characters[0].pose)
    holds = {"c1": replace(arms, gives_way=True, together=True)}
    hands = edits.take_hold("c1", HOLDS["hands"])(two(0.7, False)).characters
    document = document.with_characters(  # so far apart, or not, as they are: nobody steps up
        tuple(replace(was, effectors=now.effectors) for was, now in zip(document.characters, hands, strict=True))
    )
    if foot_off:  # which arms can do nothing about
        far = Contact("left_ankle", np.float32([0.3, 3.0, 3.0]), id="far")
        first = document.characters[0]
        others = tuple(e for e in first.effectors if e.joint != "left_ankle")
        document = document.with_characters((replace(first, effectors=(*others, far)), document.characters[1]))
    answers = answers_of(document.characters, {}, holds=holds)
    heads, idle = [], []
    for person, hangs in zip(document.characters, ("right_wrist", "left_wrist"), strict=True):
        after, skeleton = replace(person, pose=answers[person.id].solution.pose), skeleton_of(person)
        gone = np.linalg.norm(joints_of(after).positions - joints_of(person).positions, axis=1)
        heads.append(float(gone[skeleton.index("head")]))
        idle.append(float(gone[skeleton.index(hangs)]))
    assert (max(heads) < MET) == by_arms
    assert not by_arms or max(idle) < MET


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("hold", "apart", "facing", "both"),
    [
        ("hips", 2.0, False, False), ("crossed", 2.0, False, False), ("chin", 2.0, False, False),
        ("shoulder", 0.5, True, False), ("shoulder", 0.5, True, True), ("shoulder", 0.7, False, True),
        ("hands", 0.7, False, False), ("hands", 0.8, True, False),
    ],
)  # fmt: skip
def test_a_person_holding_another_is_at_rest_after_one_solve(hold: str, apart: float, facing: bool, both: bool) -> None:
    document = two(apart, facing)
    for id in ("c1", "c2")[: 1 + both]:
        document = edits.take_hold(id, HOLDS[hold])(document)
    memories: dict[str, Memory] = {}
    document, _ = solved_and_missed(document, memories)
    for _ in range(3):
        again, _ = solved_and_missed(document, memories)
        assert moved(document, again) < AT_REST
        document = again


@pytest.mark.sweep
@pytest.mark.parametrize("solver", ["dls", "smplik"])
@pytest.mark.parametrize(("apart", "facing"), [(0.5, True), (0.7, True), (0.7, False)])
def test_nobody_moves_when_one_of_two_who_hold_each_other_lets_go(apart: float, facing: bool, solver: str) -> None:
    document, memories = two(apart, facing), dict[str, Memory]()
    for id in ("c1", "c2"):
        document = edits.chain(edits.set_solver(id, solver), edits.take_hold(id, HOLDS["shoulder"]))(document)
        document, _ = solved_and_missed(document, memories)
    (hand,) = (e.id for e in document.characters[0].effectors if isinstance(e, Contact))
    after, missed = solved_and_missed(edits.let_go("c1", [hand])(document), memories)
    assert moved(document, after) < 0.02
    assert missed < MET


@pytest.mark.parametrize(("apart", "facing"), [(0.7, False), (0.9, False), (0.8, True)])
def test_two_who_hold_hands_stand_upright_palm_on_palm(apart: float, facing: bool) -> None:
    before = two(apart, facing)
    after, missed = solved_and_missed(edits.take_hold("c1", HOLDS["hands"])(before), {})
    assert missed < MET
    normals = []
    for was, now in zip(before.characters, after.characters, strict=True):
        head = skeleton_of(now).index("head")
        lean = np.abs(joints_of(now).positions[head] - joints_of(was).positions[head])
        assert lean[1] < 0.08, "nobody bows to the other's hand"
        assert lean.max() < 0.2
        (contact,) = (e for e in now.effectors if isinstance(e, Contact))
        turn = joints_of(now).rotations[skeleton_of(now).index(contact.joint)]
        normals.append(turn @ patches_of(now)[contact.patch].normal)
    assert normals[0] @ normals[1] < -0.99


def test_a_person_moved_afterwards_is_followed() -> None:
    memories: dict[str, Memory] = {}
    document, _ = solved_and_missed(edits.take_hold("c1", HOLDS["hands"])(two(0.8, True)), memories)
    away = edits.move_character("c2", np.float32([0, 0, 0.15]))(document)
    after, missed = solved_and_missed(away, memories)
    assert missed < MET
    assert moved(away, after) > 0.02


def test_of_several_others_the_nearest_one_who_shows_is_held() -> None:
    document = edits.move_character("c1", np.float32([3, 0, 0]))(two(0.4, False))
    near, first = document.character("c2"), document.character("c1")
    for id, x in (("c3", 4.2), ("c4", 3.1)):
        placed = edits.add_character(replace(new_character(document, id), id=id))(document)
        way = first.pose.root_position + np.float32([x - 3, 0, 0]) - placed.character(id).pose.root_position
        document = edits.move_character(id, way)(placed)
    hidden = document.with_character(replace(document.character("c4"), visible=False))
    assert near.pose.root_position[0] < first.pose.root_position[0] - 1.3, "farther on the other side"
    held = edits.take_hold("c1", HOLDS["shoulder"])(hidden)
    (contact,) = (e for e in held.character("c1").effectors if isinstance(e, Contact))
    assert contact.source.character == "c3"


@pytest.mark.sweep
@pytest.mark.parametrize("solver", ["smplik", "dls"])
@pytest.mark.parametrize("hold", ["hands", "shoulder", "chin", "hips"])
def test_a_hand_that_is_dragged_off_takes_nobody_anywhere_else_and_back_all_are_as_they_were(
    hold: str, solver: str
) -> None:
    document, memories = two(0.8, facing=True), dict[str, Memory]()
    document = edits.chain(*(edits.set_solver(id, solver) for id in ("c1", "c2")))(document)
    held, _ = solved_and_missed(edits.take_hold("c1", HOLDS[hold])(document), memories)
    contact = next(e for e in held.character("c1").effectors if isinstance(e, Contact))
    document = before = edits.let_go("c1", [contact.id])(held)
    start = before.character("c1").effector(contact.id).target
    for share in (1.0, 2.0, 3.0, 2.0, 1.0, 0.0):
        there = start + np.float32([0.0, 0.003, 0.01]) * np.float32(share)
        after, _ = solved_and_missed(edits.set_target("c1", contact.id, there)(document), memories)
        assert moved(document, after) < 0.05
        document = after
    assert moved(before, document) < 0.01


def test_a_hand_that_goes_to_the_others_shoulder_is_no_longer_held_by_the_other() -> None:
    both = edits.take_hold("c1", HOLDS["hands"])(two(0.7, facing=False))
    contacts = {c.id: next(e for e in c.effectors if isinstance(e, Contact)) for c in both.characters}
    again = edits.take_hold("c2", HOLDS["hands"])(both)
    assert [sum(isinstance(e, Contact) for e in c.effectors) for c in again.characters] == [1, 1], "taken once more"
    after = edits.take_hold("c2", HOLDS["shoulder"])(both)
    assert after.character("c1").effector(contacts["c1"].id).kind == "position"
    assert [e.joint for e in after.character("c2").effectors if isinstance(e, Contact)] == [contacts["c2"].joint]
    hips = edits.take_hold("c1", HOLDS["hips"])(both)
    assert not any(isinstance(e, Contact) for e in hips.character("c2").effectors)
