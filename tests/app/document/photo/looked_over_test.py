"""Whoever is posed otherwise than a photo was read has been corrected; whoever is only moved has not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document import edits
from app.document.in_photo.looked_over import look_over, noting_corrections
from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.history import Edit
from app.document.posing.create import new_character
from solver.kinematics.rotations import from_rotation_vector
from solver.photo.sighting import SeenPoint, Sighting

POINTS = (SeenPoint("nose", (10.0, 20.0)),)


def seen_somebody() -> Document:
    person = new_character(Document(), "Ada")
    return edits.add_character(replace(person, sighting=Sighting("0" * 64, POINTS)))(Document())


def only(document: Document) -> Character:
    (person,) = document.characters
    return person


def is_looked_over(document: Document) -> bool:
    sighting = only(document).sighting
    return sighting is not None and sighting.looked_over


def after(document: Document, edit: Edit) -> Document:
    return noting_corrections(edit)(document)


def off_by(document: Document, metres: float) -> Document:
    """Likewise, with every place that is asked for that far up from its joint."""
    person = only(document)
    raised = tuple(
        replace(e, target=e.target + np.float32([0.0, metres, 0.0])) if e.target.shape == (3,) else e
        for e in person.effectors
    )
    return document.with_character(replace(person, effectors=raised))


def test_a_target_that_leaves_its_joint_corrects_and_one_that_comes_home_to_it_does_not() -> None:
    document = seen_somebody()
    assert is_looked_over(after(document, lambda now: off_by(now, 0.05)))
    away = off_by(document, 0.05)
    home = after(away, edits.settle_effectors(only(away).id))
    assert any((a.target != b.target).any() for a, b in zip(only(away).effectors, only(home).effectors, strict=True))
    assert not is_looked_over(home)


def test_another_pose_corrects_and_the_same_one_elsewhere_does_not() -> None:
    document = seen_somebody()
    person = only(document)
    moved = replace(person.pose, root_position=person.pose.root_position + np.float32([0.3, 0.0, 0.0]))
    assert not is_looked_over(after(document, edits.set_pose(person.id, moved)))
    bent = person.pose.rotations.copy()
    bent[skeleton_of(person).index("left_elbow")] = from_rotation_vector(np.array([0.0, 0.5, 0.0]))
    turned = edits.set_pose(person.id, replace(person.pose, rotations=bent))
    changed = after(document, turned)
    assert is_looked_over(changed)
    assert after(changed, lambda now: now) is changed
    assert not np.allclose(joints_of(only(changed)).positions, joints_of(person).positions)


def test_whoever_is_read_again_or_was_never_seen_or_has_just_come_is_not_corrected() -> None:
    document = seen_somebody()
    person = only(document)
    anew = replace(person, pose=off_by(document, 0.1).characters[0].pose, sighting=Sighting("0" * 64, tuple([*POINTS])))
    assert not is_looked_over(after(document, lambda now: off_by(now.with_character(anew), 0.1)))
    unseen = document.with_character(replace(person, sighting=None))
    assert only(after(unseen, lambda now: off_by(now, 0.1))).sighting is None
    both = after(document, lambda now: now.with_characters((*now.characters, replace(person, id="new"))))
    assert [one.sighting == person.sighting for one in both.characters] == [True, True]


def test_somebody_is_found_right_by_id_once() -> None:
    document = seen_somebody()
    assert look_over({"nobody"})(document) is document
    right = look_over({only(document).id})(document)
    assert is_looked_over(right)
    assert look_over({only(document).id})(right) is right
