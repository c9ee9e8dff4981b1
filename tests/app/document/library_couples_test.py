"""Poses of two people who hold each other, taken from the library on whatever builds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.library.apply import Taking, take_hold, take_pose, take_pose_alone
from app.document.library.bent_down import bent_down
from app.document.library.parting import parted
from app.document.library.pose_files import pose_text
from app.document.library.shelf import poses_of, shelf_of
from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.create import new_character, new_document
from app.document.posing.placing import moved
from solver.body.body import BodyShape
from solver.contact.intersections import Skinned, intersections
from solver.effectors.contact import Contact
from solver.effectors.forms import AimEffector
from solver.effectors.sources import JointSource, Tie
from solver.formats.pose_json.pose_file import PoseFile
from solver.formats.pose_json.write import parse_pose_json
from solver.resources import resource_folder

SHELF = shelf_of(resource_folder("assets", "poses"))
MALE = BodyShape(gender="male")


def shipped(name: str) -> PoseFile:
    return poses_of(next(entry for entry in SHELF.entries if entry.name == name))


def held(person: Character) -> dict[str, Contact]:
    return {e.patch: e for e in person.effectors if isinstance(e, Contact)}


def missed(person: Character) -> float:
    return max(each.residual(skeleton_of(person), joints_of(person)) for each in held(person).values())


def test_a_couple_is_taken_as_it_is_and_each_holds_the_other() -> None:
    content = shipped("Hug")
    after = take_pose("c1", content, Taking(place=True))(new_document())
    one, two = after.characters
    for person, other, kept in ((one, two, content.people[0]), (two, one, content.people[1])):
        assert np.allclose(person.pose.rotations, kept.pose.rotations, atol=1e-5)
        sources = [each.source for each in held(person).values()]
        assert set(held(person)) == {"left_palm", "right_palm"}
        assert all(isinstance(source, Tie) and source.character == other.id for source in sources)
        assert missed(person) < 0.003


@pytest.mark.slow
def test_flipped_the_other_hands_hold() -> None:
    plain = take_pose("c1", shipped("Shake hands"), Taking())(new_document())
    flipped = take_pose("c1", shipped("Shake hands"), Taking(flipped=True))(new_document())
    assert [set(held(person)) for person in plain.characters] == [{"right_palm"}] * 2
    assert [set(held(person)) for person in flipped.characters] == [{"left_palm"}] * 2
    assert max(map(missed, flipped.characters)) < 0.01


def test_part_of_the_way_nobody_holds_anybody_yet() -> None:
    after = take_pose("c1", shipped("Hug"), Taking(share=0.5))(new_document())
    assert [held(person) for person in after.characters] == [{}, {}]


def test_a_saved_couple_keeps_what_it_holds_and_a_single_one_does_not() -> None:
    document = take_pose("c1", shipped("Shake hands"), Taking())(new_document())
    both = parse_pose_json(pose_text("Ours", (), document.characters), "text").people
    assert [[e.kind for e in person.effectors] for person in both] == [["contact"], ["contact"]]
    alone = parse_pose_json(pose_text("Mine", (), document.characters[:1]), "text").people
    assert alone[0].effectors == ()


def test_a_pose_for_one_of_them_ends_the_hold() -> None:
    document = take_pose("c1", shipped("Shake hands"), Taking())(new_document())
    after = take_pose("c1", shipped("Stand at ease"), Taking())(document)
    assert all(each.source is None for person in after.characters for each in held(person).values())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Hug", "Waltz", "Shake hands"])
def test_on_other_builds_nobody_is_within_the_other(name: str) -> None:
    document = edits.set_shape("c1", MALE)(new_document())
    after = take_pose("c1", shipped(name), Taking(place=True))(document)
    assert deepest(after) < 0.02
    assert max(map(missed, after.characters)) < 0.02


@pytest.mark.slow
def test_a_rider_who_would_be_in_the_carrier_sits_further_back() -> None:
    people = new_character(Document(), body="anny:child"), new_character(Document(), shape=MALE)
    document = Document().with_characters((people[0], replace(people[1], id="c2")))
    after = take_pose("c1", shipped("Piggyback"), Taking(place=True))(document)
    assert deepest(after) < 0.03


@pytest.mark.slow
def test_whoever_is_taller_bends_down_to_be_hugged() -> None:
    people = new_character(Document(), shape=MALE), new_character(Document(), shape=BodyShape(np.zeros(10), "female"))
    document = Document().with_characters((people[0], replace(people[1], id="c2")))
    posed = take_pose_alone("c1", shipped("Hug"), Taking(place=True))(document)
    after = take_hold("c1", shipped("Hug"), Taking(place=True))(posed)
    assert deepest(after) < 0.02
    assert max(map(missed, after.characters)) < 0.02
    lower = [neck(before) - neck(now) for before, now in zip(posed.characters, after.characters, strict=True)]
    assert lower == pytest.approx([0.1, 0.0], abs=0.03)


def test_who_bends_down_keeps_the_feet_and_none_does_whose_shoulders_are_as_high_or_who_is_in_the_air() -> None:
    tall, short = new_character(Document(), shape=MALE), new_character(Document(), body="anny:child")
    assert bent_down((short, short)) is None
    assert bent_down((tall, moved(short, (0.0, 0.2, 0.0)))) is None
    bent = bent_down((short, tall))
    assert bent is not None
    assert neck(tall) - neck(bent) == pytest.approx(0.36, abs=0.01)
    feet = [skeleton_of(tall).index(name) for name in ("left_ankle", "right_ankle")]
    assert joints_of(bent).positions[feet] == pytest.approx(joints_of(tall).positions[feet], abs=2e-3)


def neck(person: Character) -> float:
    return float(joints_of(person).positions[skeleton_of(person).index("neck"), 1])


def test_who_goes_on_looking_at_the_other_has_let_go_even_so() -> None:
    document = take_pose("c1", shipped("Hug"), Taking(place=True))(new_document())
    look = next(e for e in document.character("c1").effectors if isinstance(e, AimEffector))
    at_other = replace(look, source=JointSource("c2", "head"), loose=False)
    document = edits.on_effector("c1", look.id, lambda _: at_other)(document)
    after = take_pose_alone("c1", shipped("Arms crossed"), Taking())(document)
    assert parted(document, after) == (("Person 1", "Person 2"),)


def test_taking_hold_can_be_given_up() -> None:
    document, content = edits.set_shape("c1", MALE)(new_document()), shipped("Shake hands")
    posed = take_pose_alone("c1", content, Taking())(document)

    def told(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        take_hold("c1", content, Taking(), told)(posed)


def deepest(document: Document) -> float:
    skinned = [Skinned(body_of(one), one.shape, one.pose, one.hands) for one in document.characters]
    return max(float(depths.max()) for _, depths in intersections(skinned, floor=False))
