"""A seat lies on something with the skin that is below it as the body is tilted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.contact.patches import patches
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position, Rotation
from solver.ik.stance.leaning import within_trunk
from solver.ik.stance.rocking import as_tilted
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector

SHAPE = BodyShape(gender="male")
SKELETON = load_body(DEFAULT_BODY).skeleton(SHAPE)
UP = np.array([0.0, 1.0, 0.0], np.float32)


def contact(patch: str) -> Contact:
    found = patches(load_body(DEFAULT_BODY), SHAPE)[patch]
    return Contact(found.joint, np.zeros(3, np.float32), found.middle, patch=patch, normal=found.normal, facing=UP)


def leaning(degrees: float) -> Pose:
    """The rest pose, turned about the left axis: ahead if positive."""
    rest = rest_pose(SKELETON)
    rotations = np.array(rest.rotations)
    rotations[0] = from_rotation_vector([np.radians(degrees), 0.0, 0.0])
    return Pose(rest.root_position, rotations)


@pytest.mark.parametrize("degrees", [-30.0, 0.0, 20.0])
def test_a_seat_below_a_leaning_body_asks_for_no_other_lean(degrees: float) -> None:
    base = leaning(degrees)
    (seat,) = as_tilted((contact("seat"),), SKELETON, base)
    assert isinstance(seat, Contact)
    assert base.rotations[0] @ seat.normal == pytest.approx(-UP, abs=1e-5)
    assert np.linalg.norm(seat.offset) == pytest.approx(np.linalg.norm(contact("seat").offset)), "it is round"


def test_a_seat_that_was_fitted_to_one_lean_is_fitted_to_another_as_if_it_were_the_first() -> None:
    (once,) = as_tilted((contact("seat"),), SKELETON, leaning(15.0))
    (twice,) = as_tilted((replace(once),), SKELETON, leaning(-10.0))
    (alone,) = as_tilted((contact("seat"),), SKELETON, leaning(-10.0))
    assert isinstance(twice, Contact)
    assert isinstance(alone, Contact)
    assert twice.normal == pytest.approx(alone.normal, abs=1e-5)
    assert twice.offset == pytest.approx(alone.offset, abs=1e-5)


def test_nobody_is_asked_to_sit_tilted_further_than_people_lean() -> None:
    tilts = []
    for degrees in (40.0, 60.0, 90.0):
        (seat,) = as_tilted((contact("seat"),), SKELETON, leaning(degrees))
        assert isinstance(seat, Contact)
        tilts.append(np.degrees(np.arccos(-seat.normal[1])))
    assert tilts == pytest.approx([40.0, 20.0, 0.0], abs=0.1)


def test_other_patches_and_effectors_stay_as_they_are() -> None:
    asked = (contact("left_palm"), Position("left_ankle", np.zeros(3, np.float32)))
    assert as_tilted(asked, SKELETON, leaning(20.0)) is asked


def pulled(degrees: float, joint: str = "head", share: float = 1.0) -> tuple[Contact, Position]:
    """Somebody upright on a seat, a joint of whose trunk is pulled ahead about the pelvis, to a share of its way."""
    seat, places = contact("seat"), forward_kinematics(SKELETON, rest_pose(SKELETON)).positions
    way = from_rotation_vector([np.radians(degrees), 0.0, 0.0]) @ (places[SKELETON.index(joint)] - places[0])
    return seat, Position(joint, (seated_at(seat) + share * way).astype(np.float32))


def seated_at(seat: Contact) -> np.ndarray:
    """Where the pelvis is above the seat."""
    return seat.target + np.linalg.norm(seat.offset) * UP


def tilt(asked: tuple[Contact, Position]) -> float:
    """Degrees by which the seat asks the pelvis to be tilted ahead."""
    seat = as_tilted(asked, SKELETON, leaning(0.0))[0]
    assert isinstance(seat, Contact)
    return float(np.degrees(np.arctan2(seat.normal[2], -seat.normal[1])))


@pytest.mark.parametrize("joint", ["head", "neck", "spine3"])
def test_the_pelvis_leans_along_with_what_is_pulled_and_no_further_than_people_do(joint: str) -> None:
    tilts = [tilt(pulled(degrees, joint)) for degrees in (-90.0, -5.0, 0.0, 5.0, 10.0, 90.0)]
    assert tilts == sorted(tilts)
    assert tilts[1:5] == pytest.approx([-5.0, 0.0, 5.0, 10.0], abs=0.5)
    assert tilts[0] == pytest.approx(-20.0, abs=0.5)
    assert tilts[-1] == pytest.approx(35.0, abs=1.0)


def test_a_seat_that_rolls_keeps_the_pelvis_where_it_is() -> None:
    seat = as_tilted(pulled(20.0), SKELETON, leaning(0.0))[0]
    assert isinstance(seat, Contact)
    assert seated_at(seat) == pytest.approx(seated_at(contact("seat")), abs=1e-6)


@pytest.mark.parametrize("heading", [90.0, 180.0, -90.0])
def test_how_far_the_pelvis_leans_is_the_same_wherever_somebody_faces(heading: float) -> None:
    about = from_rotation_vector([0.0, np.radians(heading), 0.0])
    seat, head = pulled(60.0)
    to_there = replace(head, target=(seated_at(seat) + about @ (head.target - seated_at(seat))).astype(np.float32))
    ahead = leaning(30.0)
    rotations = np.array(ahead.rotations)
    rotations[0] = about @ rotations[0]
    as_ahead, turned = (
        as_tilted(asked, SKELETON, base)[0]
        for asked, base in (((seat, head), ahead), ((seat, to_there), Pose(ahead.root_position, rotations)))
    )
    assert isinstance(as_ahead, Contact)
    assert isinstance(turned, Contact)
    assert turned.normal == pytest.approx(as_ahead.normal, abs=1e-4)


def test_a_pelvis_that_is_asked_to_turn_rolls_for_nothing_else() -> None:
    seat, head = pulled(20.0)
    asked = as_tilted((seat, head, Rotation("pelvis", np.eye(3, dtype=np.float32))), SKELETON, leaning(0.0))
    assert isinstance(asked[0], Contact)
    assert asked[0].normal == pytest.approx(-UP, abs=1e-5)


def test_a_head_is_looked_for_no_further_from_a_seat_than_the_trunk_is_long() -> None:
    base, far = forward_kinematics(SKELETON, rest_pose(SKELETON)), list[float]()
    for share in (0.9, 1.0, 1.1, 1.2, 1.5):
        asked = pulled(15.0, share=share)
        found = within_trunk(SKELETON, asked, asked[0], base)
        assert (found is asked) == (share <= 1.0)
        far.append(float(np.linalg.norm(found[1].target - seated_at(asked[0]))))
    assert far == sorted(far)
    assert far[-1] < 1.1 * far[1]


def test_a_pinned_head_is_looked_for_where_it_is_pinned() -> None:
    seat, head = pulled(15.0, share=1.5)
    asked = (seat, replace(head, pinned=True))
    assert within_trunk(SKELETON, asked, seat, forward_kinematics(SKELETON, rest_pose(SKELETON))) is asked


def test_a_hand_that_lies_on_something_is_as_it_was_however_the_body_is_tilted() -> None:
    effectors = (Position("left_wrist", np.zeros(3, np.float32)), contact("left_palm"))
    assert as_tilted(effectors, SKELETON, leaning(30.0)) is effectors


def test_a_seat_that_is_switched_off_does_not_roll_with_a_head_that_is_pulled() -> None:
    ahead = Position("head", np.array([0.0, 1.2, 0.6], np.float32))
    off = replace(contact("seat"), enabled=False)
    (alone,) = as_tilted((off,), SKELETON, leaning(0.0))
    (pulled, _) = as_tilted((off, ahead), SKELETON, leaning(0.0))
    (rolled, _) = as_tilted((contact("seat"), ahead), SKELETON, leaning(0.0))
    assert isinstance(alone, Contact)
    assert isinstance(pulled, Contact)
    assert isinstance(rolled, Contact)
    assert pulled.normal == pytest.approx(alone.normal)
    assert rolled.normal != pytest.approx(alone.normal, abs=0.01)
