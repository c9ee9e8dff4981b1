"""How far a body's weight has to go to be over what bears it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from ik_samples import body_skeleton

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.floor import posed_vertices
from solver.contact.balance import balance, mass_shares
from solver.contact.floor_points import floor_points
from solver.contact.weight_shift import LEAVES, ROOM, Balancing, nearest_within, shrunk_polygon, weight_borne
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector

BODY, SHAPE, SKELETON = load_body("anny"), BodyShape(), body_skeleton()
BALANCING = Balancing(floor_points(BODY, SHAPE), mass_shares(BODY, SHAPE), strict=True)
SQUARE = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])


def standing(above: float = 0.0, **turns: tuple[float, float, float]) -> WorldJoints:
    """The rest pose with joints turned, its lowest skin that high above the floor."""
    pose = rest_pose(SKELETON)
    rotations = np.array(pose.rotations)
    for name, turn in turns.items():
        rotations[SKELETON.index(name)] = from_rotation_vector(turn)
    pose = Pose(pose.root_position, rotations)
    lift = np.array([0.0, above - posed_vertices(BODY, SHAPE, pose)[:, 1].min(), 0.0], np.float32)
    return forward_kinematics(SKELETON, replace(pose, root_position=pose.root_position + lift))


def test_people_standing_well_or_in_the_air_need_no_shift() -> None:
    assert not BALANCING.shift_needed(standing()).any()
    assert not BALANCING.shift_needed(standing(above=LEAVES + 0.01, pelvis=(0.5, 0, 0))).any()


def test_the_shift_takes_the_centre_of_mass_over_the_support_and_no_further() -> None:
    leaning = standing(
        pelvis=(1.2, 0, 0),
        left_hip=(-1.2, 0, 0),
        right_hip=(-1.2, 0, 0),
        left_shoulder=(0, -1.5, 0),
        right_shoulder=(0, 1.5, 0),
    )
    before = balance(BODY, SHAPE, leaning)
    assert before.margin is not None
    shift = BALANCING.shift_needed(leaning)
    assert before.margin < 0.0
    assert shift[1] < 0.0
    assert np.linalg.norm(shift) == pytest.approx(ROOM - before.margin, abs=0.01)


def test_a_foot_that_is_lifted_bears_less_and_less_until_the_other_bears_all() -> None:
    shifts = []
    for bend in np.linspace(0.0, 0.9, 60):
        world = standing(left_hip=(-bend, 0, 0), left_knee=(2 * bend, 0, 0), left_ankle=(-bend, 0, 0))
        shifts.append(BALANCING.shift_needed(world))
    assert not shifts[0].any()
    assert shifts[-1][0] < -0.05  # the right foot is along -X
    assert max(np.linalg.norm(b - a) for a, b in pairwise(shifts)) < 0.03


def test_the_joints_that_bear_are_named_with_how_much_they_bear() -> None:
    names = {SKELETON.names[j]: share for j, share in BALANCING.weights_borne(standing()).items()}
    feet = {"left_ankle", "right_ankle", "left_foot", "right_foot"}
    assert {name for name, share in names.items() if share > 0.5} == feet
    assert min(names[name] for name in feet) > 0.9
    lifted = BALANCING.weights_borne(standing(left_hip=(-0.9, 0, 0), left_knee=(1.2, 0, 0)))
    assert not {SKELETON.names[j] for j in lifted} & {"left_ankle", "left_foot"}
    assert dict(BALANCING.weights_borne(standing(above=1.0))) == {}


def test_skin_bears_wholly_on_the_floor_and_nothing_above_where_it_leaves() -> None:
    assert weight_borne(np.array([-0.01, 0.005, LEAVES, 1.0])).tolist() == [1.0, 1.0, 0.0, 0.0]


def test_a_support_is_narrowed_towards_its_middle_down_to_a_point() -> None:
    middle = np.array([1.0, 1.0])
    assert shrunk_polygon(SQUARE, middle, 0.5) == pytest.approx(
        np.array([[0.5, 0.5], [1.5, 0.5], [1.5, 1.5], [0.5, 1.5]])
    )
    assert shrunk_polygon(SQUARE, middle, 3.0) == pytest.approx(middle[None])
    assert nearest_within(np.array([5.0, 5.0]), shrunk_polygon(SQUARE, middle, 3.0)) == pytest.approx(middle)
    assert shrunk_polygon(SQUARE[:2], middle, 0.5) == pytest.approx(SQUARE[:2])


@pytest.mark.parametrize(
    ("point", "nearest"), [((1.0, 1.5), (1.0, 1.5)), ((3.0, 1.0), (2.0, 1.0)), ((-1.0, -1.0), (0.0, 0.0))]
)
def test_what_is_nearest_within_a_polygon(point: tuple[float, float], nearest: tuple[float, float]) -> None:
    assert nearest_within(np.array(point), SQUARE) == pytest.approx(np.array(nearest))
    assert nearest_within(np.array(point), SQUARE[:1]) == pytest.approx(SQUARE[0])
