"""What a foot stands on where it is asked to be: the floor, or the flat top of a thing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton
from numpy.typing import NDArray

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.contact.feet import Feet, Footing, FootShape, foot_shapes
from solver.contact.floor_points import floor_points
from solver.contact.solids import Solid, SolidForm
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.ik.limp.underfoot import feet_on_things
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.level_feet import pitched, toes_down

Array = NDArray[np.float64]
BODY, SHAPE, SKELETON = load_body("anny"), BodyShape(), body_skeleton()
FEET = Feet(foot_shapes(floor_points(BODY, SHAPE), BODY.rig(SHAPE)), ("auto", "auto"))
REST = forward_kinematics(SKELETON, rest_pose(SKELETON))
TOP, LEVEL = 0.4, np.eye(3)


def solid(form: SolidForm = SolidForm.BOX, turn: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Solid:
    turned = np.asarray(from_rotation_vector(np.array(turn)), np.float32)
    return Solid(form, np.full(3, TOP, np.float32), np.array([0.0, TOP / 2, 0.0], np.float32), turned)


def on(things: list[Solid], ankle: Array, *more: Effector) -> FootShape:
    """The left foot with its ankle asked to be somewhere."""
    asked = (Position("left_ankle", ankle.astype(np.float32)), *more)
    return feet_on_things(FEET, SKELETON, asked, REST, things).shapes[0]


def standing(shape: FootShape, ankle: Array) -> Footing | None:
    return shape.footing(ankle, LEVEL, LEVEL, "auto", True)


def raised(up: float, along: float = 0.0) -> Array:
    """(3,) metres of an ankle whose ball is `along` metres ahead of the middle of the top, so much above lying flat."""
    left = FEET.shapes[0]
    return np.array([0.0, float(left.heights[0]) + TOP + up, along - float(left.heel.balls[0, 2])])


@pytest.mark.parametrize("up", [0.0, 0.05, 0.1, 0.2])
@pytest.mark.parametrize("form", [SolidForm.BOX, SolidForm.CYLINDER])
def test_a_foot_rolls_on_a_level_top_as_on_the_floor(form: SolidForm, up: float) -> None:
    floor = standing(FEET.shapes[0], raised(up - TOP))
    there = standing(on([solid(form)], raised(up)), raised(up))
    assert floor is not None
    assert there is not None
    assert there.foot == pytest.approx(floor.foot)
    assert there.down == pytest.approx(floor.down)
    assert there.ankle == pytest.approx(floor.ankle + [0.0, TOP, 0.0])


@pytest.mark.parametrize("end", [-1.0, 1.0])
@pytest.mark.parametrize("up", [0.02, 0.08])
def test_nothing_jumps_as_a_foot_goes_over_an_edge(end: float, up: float) -> None:
    pitches = []
    for along in np.arange(-0.2, 0.2, 0.002):
        ankle = raised(up, end * (TOP / 2 + along))
        found = standing(on([solid()], ankle), ankle)
        pitches.append(0.0 if found is None else toes_down(found.foot))
    assert np.ptp(pitches) > np.radians(5)
    assert np.abs(np.diff(pitches)).max() < np.radians(3), "in two millimetres"


def test_on_a_slope_it_rolls_about_the_slope_and_its_toes_lie_on_that() -> None:
    slope = solid(turn=(-0.3, 0.0, 0.0))
    tilt, left = pitched(-0.3), FEET.shapes[0]
    below = np.array([0.0, TOP / 2, 0.0]) + tilt @ [0.0, TOP / 2, 0.0]
    for up in (0.0, 0.06):
        floor = standing(left, np.array([0.0, float(left.heights[0]) + up, -0.1]))
        ankle = below + tilt @ [0.0, float(left.heights[0]) + up, -0.1]
        there = on([slope], ankle).footing(ankle, tilt, tilt, "auto", True)
        assert floor is not None
        assert there is not None
        assert there.foot == pytest.approx(tilt @ floor.foot, abs=1e-5)
        assert there.toes == pytest.approx(tilt @ floor.toes, abs=1e-5)


@pytest.mark.parametrize(
    "thing",
    [
        solid(SolidForm.BALL),
        solid(SolidForm.CYLINDER, (np.pi / 2, 0.0, 0.0)),
        solid(turn=(np.pi / 4 + 0.001, 0.0, 0.0)),
        solid(turn=(np.pi / 4 - 0.001, 0.0, 0.0)),
    ],
    ids=["a ball", "a cylinder on its side", "a steep slope", "one nearly as steep"],
)
def test_on_what_is_round_or_steep_nobody_stands_by_themselves(thing: Solid) -> None:
    found = standing(on([thing], raised(0.05)), raised(0.05))
    assert found is None or found.down < 0.001


def test_a_foot_that_is_at_the_next_one_of_stairs_is_at_no_edge() -> None:
    ankle = raised(0.05, TOP / 2 - 0.01)
    higher = replace(solid(), size=np.float32([TOP, 1.5 * TOP, TOP]), place=np.float32([0.0, 0.75 * TOP, TOP]))
    alone, beside = on([solid()], ankle), on([solid(), higher], ankle)
    assert alone.bears < 0.2
    assert beside.bears == 1.0


def test_a_foot_below_a_top_is_beside_the_thing() -> None:
    assert on([solid()], raised(-0.2)) is FEET.shapes[0]


def test_a_foot_stands_on_what_a_contact_lays_it_on() -> None:
    facing = np.array([0.0, np.cos(0.2), np.sin(0.2)], np.float32)
    laid = Contact("left_ankle", np.array([0.0, 0.7, 0.0], np.float32), normal=-facing, facing=facing)
    slope = feet_on_things(FEET, SKELETON, (laid,), REST, [solid()]).shapes[0].slope
    assert slope is not None
    assert slope.point == pytest.approx(laid.target)
    assert slope.tilt[:, 1] == pytest.approx(facing)


def test_without_things_below_feet_are_those_on_the_floor() -> None:
    away = replace(solid(), place=np.array([5.0, TOP / 2, 0.0], np.float32))
    for things in ([], [away]):
        assert feet_on_things(FEET, SKELETON, (), REST, things) is FEET
