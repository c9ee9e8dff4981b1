"""A person pushed along the sight keeps its place in the picture and grows; one that is turned faces as it is told."""

from __future__ import annotations

from dataclasses import replace
from math import radians

import numpy as np
import pytest

from app.document import edits
from app.document.edits.props import new_prop
from app.document.in_photo.line_of_sight import distance, facing, reach
from app.document.model.document import Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop_spots import nearest_on
from app.document.posing.create import new_document
from app.document.posing.holds.grasping import hand_around
from app.document.posing.sources import with_resolved_targets
from solver.effectors.contact import Contact
from solver.kinematics.rotations import from_rotation_vector

EYE = np.array([0.0, 1.5, 4.0])


def test_a_person_pushed_farther_away_stays_in_the_picture_and_grows() -> None:
    document = new_document()
    (start,) = document.characters
    far = distance(start, EYE) * 1.03
    (after,) = edits.push_character(start, EYE, far)(document).characters
    assert distance(after, EYE) == pytest.approx(far, rel=1e-5)
    before, now = (joints_of(c).positions - EYE for c in (start, after))
    seen = np.abs(now[:, :2] / now[:, 2:] - before[:, :2] / before[:, 2:])
    assert np.median(seen) < 0.004, "shares of the distance; its size in the picture is 0.4"
    assert np.ptp(now[:, 1]) == pytest.approx(1.03 * np.ptp(before[:, 1]), rel=0.01)


def test_nobody_is_pushed_beyond_what_a_body_can_grow_to() -> None:
    document = new_document()
    (start,) = document.characters
    low, high = reach(start, EYE)
    assert low < distance(start, EYE) < high
    for asked, met in ((0.0, low), (100.0, high)):
        (after,) = edits.push_character(start, EYE, asked)(document).characters
        assert distance(after, EYE) == pytest.approx(met, rel=1e-5)
    assert edits.push_character(start, EYE, distance(start, EYE))(document) == document


@pytest.mark.parametrize("joints", [("left_wrist",), ("left_wrist", "right_wrist")])
@pytest.mark.parametrize("share", [0.95, 1.06])
def test_what_a_pushed_person_holds_in_one_hand_or_two_stays_in_them(joints: tuple[str, ...], share: float) -> None:
    document, stick = holding_stick(joints)
    (start,) = document.characters
    pushed = edits.push_character(start, EYE, distance(start, EYE) * share, document.props)
    after = with_resolved_targets(pushed(document))
    person = after.character(start.id)
    hands = [effector for effector in person.effectors if isinstance(effector, Contact)]
    assert len(hands) == len(joints)
    for hand in hands:
        held = hand.at_pose(skeleton_of(person), joints_of(person))
        np.testing.assert_allclose(hand.target, held.target, atol=1e-5)
        apart = np.degrees(np.arccos(min(abs(float(held.facing @ after.prop(stick).turn[:, 1])), 1.0)))
        assert apart < 3, "the stick goes through the hand as it did"
    back = edits.push_character(start, EYE, distance(start, EYE), document.props)
    assert back(pushed(document)) == document


def holding_stick(joints: tuple[str, ...]) -> tuple[Document, str]:
    """Somebody with a level stick before the chest, hands around it; its id."""
    document = new_document()
    stick = new_prop(document, "stick").sized((0.03, 0.9, 0.03))
    stick = replace(stick, turn=from_rotation_vector(np.array([0.0, 0.0, np.pi / 2])).astype(np.float32))
    stick = stick.moved(np.array([0.0, 1.1, 0.35]) - stick.middle)
    document = edits.add_prop(stick)(document)
    for joint in joints:
        beside = (0.2 if joint.startswith("left") else -0.2, 0.0, -0.5)
        hand = hand_around(document.characters[0], stick, joint, nearest_on(stick, stick.middle + beside)[0])
        assert hand is not None
        document = edits.chain(edits.hold("c1", hand), edits.close_hand("c1", hand))(document)
    return edits.solve("c1")(document), stick.id


def test_a_turned_person_faces_so_from_the_eye_and_stands_where_they_stood() -> None:
    document = new_document()
    (start,) = document.characters
    (after,) = edits.face_character(start, EYE, radians(70))(document).characters
    assert facing(after, EYE) == pytest.approx(radians(70), abs=1e-6)
    np.testing.assert_allclose(after.pose.root_position, start.pose.root_position, atol=1e-6)
