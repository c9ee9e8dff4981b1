"""Two people who are one in the photo, and what is left when they are merged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document import edits
from app.document.edits.merging import together, twin_of
from app.document.in_photo.depth import turned_round
from app.document.model.document import Character, Document, Photo
from app.document.model.figure import body_of, skeleton_of
from app.document.posing.create import new_character
from app.document.posing.dependents import lost_by_merging
from solver.camera import PinholeCamera
from solver.effectors.contact import Contact
from solver.effectors.sources import JointSource, SkinSource
from solver.errors import PoserError
from solver.photo.sighting import SeenPoint, Sighting

CAMERA = PinholeCamera(np.float32([0, 1.2, 4.0]), np.eye(3, dtype=np.float32), 900.0, (400.0, 300.0), (800, 600))
SHA, OTHER_SHA = "a" * 64, "b" * 64


def people(*shifts: float) -> Document:
    """People before a photo, each so many metres to the right of the middle, with handles."""
    document = Document(photos=(Photo("photo.jpg", SHA, CAMERA),))
    for shift in shifts:
        person = new_character(document)
        document = edits.add_character(person)(document)
        x = float(person.pose.root_position[0])
        document = edits.move_character(person.id, (shift - x, 0.0, 0.0))(document)
    return document


def seen(photo: str, **confidence: float) -> Sighting:
    return Sighting(photo, tuple(SeenPoint(name, (10.0 * sure, 5.0), sure) for name, sure in confidence.items()))


def test_a_person_lying_over_another_in_the_photo_is_the_twin_and_a_neighbour_is_not() -> None:
    assert twin_of(people(0.0, 0.6, 0.05), "c1").id == "c3"  # type: ignore[union-attr]
    assert twin_of(people(0.0, 0.6), "c1") is None
    near, nearer = people(0.0, 0.06, 0.02), people(0.0, 0.02, 0.06)
    assert [twin_of(document, "c1").id for document in (near, nearer)] == ["c3", "c2"]  # type: ignore[union-attr]


def test_a_twin_may_be_turned_round_and_stand_nearer_but_must_show() -> None:
    document = people(0.0, 0.0)
    other = document.character("c2")
    document = edits.set_pose("c2", turned_round(other, CAMERA.position))(document)
    document = edits.push_character(document.character("c2"), CAMERA.position, 3.7)(document)
    assert twin_of(document, "c1").id == "c2"  # type: ignore[union-attr]
    assert twin_of(edits.set_visible("c2", False)(document), "c1") is None
    assert twin_of(edits.move_character("c2", (0.0, 0.0, 9.0))(document), "c1") is None, "behind the camera"
    assert twin_of(replace(document, photos=()), "c1") is None


def test_the_first_stays_as_it_is_and_the_other_goes() -> None:
    document = people(0.0, 0.02, 0.7)
    after = edits.merge_characters("c1", "c2")(document)
    assert [character.id for character in after.characters] == ["c1", "c3"]
    assert after.character("c1") == document.character("c1")
    assert after.character("c3") == document.character("c3")
    with pytest.raises(PoserError, match="themselves"):
        edits.merge_characters("c1", "c1")(document)
    with pytest.raises(PoserError, match="c9"):
        edits.merge_characters("c1", "c9")(document)


def tied(document: Document, who: str, joint: str, to: str, source: str) -> Document:
    """The document with the first effector of a joint following another one's joint."""
    effector = next(e for e in document.character(who).effectors if e.joint == joint)
    change = edits.on_effector(who, effector.id, lambda e: replace(e, source=JointSource(to, source)))
    return change(document)


def source_of(character: Character, joint: str) -> object:
    return next(e for e in character.effectors if e.joint == joint).source


def test_a_follower_of_a_joint_of_the_one_who_goes_follows_that_of_the_one_who_stays() -> None:
    document = tied(people(0.0, 0.02, 0.7), "c3", "left_wrist", "c2", "right_wrist")
    document = tied(document, "c1", "left_wrist", "c2", "left_wrist")
    after = edits.merge_characters("c1", "c2")(document)
    assert source_of(after.character("c3"), "left_wrist") == JointSource("c1", "right_wrist")
    assert source_of(after.character("c1"), "left_wrist") is None, "a joint cannot follow itself"


@pytest.mark.parametrize(("joint", "stays"), [("left_elbow", False), ("right_elbow", True), ("head", True)])
def test_a_hand_goes_on_following_no_joint_of_its_own_arm_but_any_of_another_person(joint: str, stays: bool) -> None:
    document = tied(people(0.0, 0.02, 0.7), "c1", "left_wrist", "c2", joint)
    document = tied(document, "c3", "left_wrist", "c2", joint)
    after = edits.merge_characters("c1", "c2")(document)
    assert source_of(after.character("c1"), "left_wrist") == (JointSource("c1", joint) if stays else None)
    assert source_of(after.character("c3"), "left_wrist") == JointSource("c1", joint)


def skin_of(person: Character, joint: str) -> int:
    """A triangle of the body that this joint carries."""
    carriers = np.argmax(body_of(person).weights[body_of(person).faces].sum(axis=1), axis=1)
    return int(np.flatnonzero(carriers == skeleton_of(person).index(joint))[0])


@pytest.mark.parametrize(
    ("joint", "stays"),
    [("left_hand", False), ("left_elbow", False), ("right_wrist", True), ("head", True)],
)
def test_who_held_on_to_the_other_holds_on_to_themselves_but_not_on_the_same_limb(joint: str, stays: bool) -> None:
    document = people(0.0, 0.02)
    source = SkinSource("c2", skin_of(document.character("c2"), joint), np.full(3, 1 / 3, np.float32))
    palm = Contact("left_wrist", np.float32([0, 1, 0]), id="palm", patch="left_palm", source=source)
    document = edits.add_effector("c1", palm)(document)
    merged = edits.merge_characters("c1", "c2")(document)
    after = merged.character("c1").effector("palm").source
    assert after == (replace(source, character="c1") if stays else None)
    lost = lost_by_merging(document, merged, "c1")
    assert [contact.id for _, contact in lost.held] == ([] if stays else ["palm"])


def test_of_what_was_seen_twice_in_one_photo_the_surer_points_are_kept() -> None:
    mine, theirs = seen(SHA, nose=0.9, left_wrist=0.2), seen(SHA, left_wrist=0.8, left_knee=0.5, nose=0.4)
    both = together(mine, theirs)
    assert both is not None
    assert {point.name: point.confidence for point in both.points} == {"nose": 0.9, "left_wrist": 0.8, "left_knee": 0.5}
    assert together(None, theirs) == theirs
    assert together(mine, None) == mine
    assert together(mine, seen(OTHER_SHA, nose=1.0)) == mine
    assert together(None, None) is None


def test_a_person_seen_turned_round_the_second_time_is_put_together_the_way_of_the_first() -> None:
    left, right = (10.0, 50.0), (90.0, 50.0)
    first = Sighting(SHA, (SeenPoint("left_wrist", left, 0.9, 0.2), SeenPoint("right_wrist", right, 0.3, -0.1)))
    second = Sighting(
        SHA, (SeenPoint("left_wrist", right, 0.8, 0.1), SeenPoint("right_wrist", left, 0.5, -0.2)), ("left_elbow",)
    )
    both = together(first, second)
    assert both is not None
    assert {point.name: point for point in both.points} == {
        "left_wrist": SeenPoint("left_wrist", left, 0.9, 0.2),
        "right_wrist": SeenPoint("right_wrist", right, 0.8, -0.1),
    }


def test_what_was_seen_of_the_other_is_kept_with_the_one_who_stays() -> None:
    document = people(0.0, 0.02)
    document = document.with_character(replace(document.character("c2"), sighting=seen(SHA, nose=0.9)))
    assert edits.merge_characters("c1", "c2")(document).character("c1").sighting == seen(SHA, nose=0.9)
