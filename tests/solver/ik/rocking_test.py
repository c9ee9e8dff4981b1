"""A seat lies on something with the skin that is below it as the body is tilted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.contact.patches import patches
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.ik.stance.rocking import as_tilted
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
