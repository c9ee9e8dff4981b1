"""A knee's patch lies on the skin of the knee however far that is bent, and moves there without a jump."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.floor import posed_vertices
from solver.contact.bent_knees import SAME, bend_of, bent_offset, with_bent_knee_patches
from solver.contact.patches import patches_named
from solver.effectors.contact import Contact
from solver.effectors.kinds import Position
from solver.effectors.sources import FloorSource
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector

BODY, UP = load_body("anny"), np.float32([0, 1, 0])
SHAPES = [BodyShape(), BodyShape(gender="female"), BodyShape(np.linspace(-1, 1, 10).astype(np.float32), "male")]
NAME = "left_knee"


def kneeling(shape: BodyShape, bend: float, ankle: float = 0.0) -> Pose:
    """A shin that lies level, and a thigh over it; radians. ankle: by which the ankle is higher than the knee."""
    skeleton = BODY.skeleton(shape)
    turns = np.tile(np.eye(3), (len(skeleton), 1, 1))
    turns[0] = from_rotation_vector(np.array([np.pi / 2 + ankle - bend, 0.0, 0.0]))
    turns[skeleton.index(NAME)] = from_rotation_vector(np.array([bend, 0.0, 0.0]))
    return Pose(np.zeros(3, np.float32), turns.astype(np.float32))


def contact(shape: BodyShape) -> Contact:
    patch = patches_named(BODY, shape, None, [NAME])[NAME]
    return Contact(patch.joint, np.zeros(3), patch.middle, patch=NAME, facing=UP, source=FloorSource(), id="k")


def gap(shape: BodyShape, pose: Pose, offset: np.ndarray) -> float:
    """Metres by which the skin of the knee is above a floor on which the point lies."""
    skeleton = BODY.skeleton(shape)
    world, knee = forward_kinematics(skeleton, pose), skeleton.index(NAME)
    own = BODY.weights[:, [skeleton.index(joint) for joint in ("left_hip", NAME)]].sum(axis=1) > 0.5
    skin = posed_vertices(BODY, shape, pose)[own]
    near = skin[np.linalg.norm(skin - world.positions[knee], axis=1) < 0.15]
    return float(near[:, 1].min() - (world.positions[knee] + world.rotations[knee] @ offset)[1])


@pytest.mark.parametrize("shape", SHAPES, ids=["neutral", "female", "drawn"])
@pytest.mark.parametrize("bend", np.radians([75, 90, 110, 135, 150]))
def test_the_patch_of_a_bent_knee_is_where_the_floor_touches_its_skin(shape: BodyShape, bend: float) -> None:
    for ankle in np.radians([0, 10, 20]):
        pose = kneeling(shape, bend, ankle)
        (knee,) = with_bent_knee_patches((contact(shape),), BODY, shape, pose)
        assert isinstance(knee, Contact)
        assert abs(gap(shape, pose, knee.offset)) < 0.002
        assert gap(shape, pose, contact(shape).offset) > 0.004, "where the patch of a straight knee would be"


def test_a_straight_knee_keeps_its_patch_and_a_bending_one_s_moves_without_a_jump() -> None:
    shape = SHAPES[0]
    straight = patches_named(BODY, shape, None, [NAME])[NAME].middle
    assert np.array_equal(bent_offset(BODY, shape, NAME, 0.0), straight)
    assert np.array_equal(bent_offset(BODY, shape, NAME, np.radians(15)), straight)
    places = [bent_offset(BODY, shape, NAME, bend) for bend in np.radians(np.arange(0.0, 150.0, 0.25))]
    assert max(np.linalg.norm(b - a) for a, b in pairwise(places)) < 0.002
    ways = [np.array([0.0, np.sin(tilt), np.cos(tilt)]) for tilt in np.radians(np.arange(-20.0, 20.0, 0.25))]
    places = [bent_offset(BODY, shape, NAME, np.radians(110), way) for way in ways]
    assert max(np.linalg.norm(b - a) for a, b in pairwise(places)) < 0.001


def test_how_far_a_knee_is_bent_is_read_off_its_turn() -> None:
    for bend in (0.0, 0.5, 2.0, 2.6):
        assert bend_of(from_rotation_vector(np.array([bend, 0.0, 0.0]))) == pytest.approx(bend, abs=1e-5)


def test_only_knees_on_something_move_and_those_that_are_there_stay() -> None:
    shape, pose = SHAPES[0], kneeling(SHAPES[0], 2.0)
    wrist, knee = Position("left_wrist", np.zeros(3), id="w"), contact(shape)
    asleep, air = replace(knee, enabled=False), replace(knee, source=None)
    for others in ((wrist,), (wrist, asleep), (air,)):
        assert with_bent_knee_patches(others, BODY, shape, pose) is others
    moved = with_bent_knee_patches((wrist, knee), BODY, shape, pose)
    assert moved[0] is wrist
    assert np.abs(moved[1].offset - knee.offset).max() > SAME  # type: ignore[attr-defined]
    assert with_bent_knee_patches(moved, BODY, shape, pose) is moved
