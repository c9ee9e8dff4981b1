"""Balance: where a posed body's centre of mass is, what the body stands on, and whether the one is over the other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton, natural

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.floor import posed_vertices
from solver.contact.balance import Balance, balance, convex_hull, margin_of, mass_shares, nearest_within, volume_samples
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector

BODY, SHAPE, SKELETON = load_body("anny"), BodyShape(), body_skeleton()
SQUARE = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])


def of(pose: Pose, shape: BodyShape = SHAPE) -> Balance:
    return balance(BODY, shape, forward_kinematics(BODY.skeleton(shape), pose))


def with_turns(pose: Pose, **turns: tuple[float, float, float]) -> Pose:
    """The pose with joints turned further, by rotation vectors."""
    rotations = np.array(pose.rotations)
    for name, turn in turns.items():
        rotations[SKELETON.index(name)] = from_rotation_vector(turn) @ rotations[SKELETON.index(name)]
    return Pose(pose.root_position, rotations)


def set_down(pose: Pose, above: float = 0.0) -> Pose:
    """The pose with its lowest skin that high above the floor."""
    lift = np.array([0.0, above - posed_vertices(BODY, SHAPE, pose)[:, 1].min(), 0.0], np.float32)
    return replace(pose, root_position=pose.root_position + lift)


def centroid(vertices: np.ndarray) -> np.ndarray:
    """(3,) of what a closed surface encloses, summed over the tetrahedra from the origin to its faces."""
    corners = vertices.astype(np.float64)[BODY.faces]
    volumes = np.einsum("fi,fi->f", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    return np.asarray((volumes[:, None] * corners.sum(axis=1) / 4).sum(axis=0) / volumes.sum())


def test_a_person_standing_upright_has_the_centre_over_the_feet_with_room_all_round() -> None:
    standing = of(set_down(rest_pose(SKELETON)))
    assert standing.is_balanced
    assert standing.margin is not None
    assert 0.03 < standing.margin < 0.15
    assert abs(standing.centre[0]) < 0.01


@pytest.mark.sweep
@pytest.mark.parametrize("gender", ["neutral", "male", "female"])
@pytest.mark.parametrize("height", [-2.0, 2.0])
def test_the_centre_of_a_t_pose_is_as_high_as_in_anthropometry(gender: str, height: float) -> None:
    shape = BodyShape(np.array([height] + [0.0] * 9, np.float32), gender)
    skin = BODY.vertices(shape)
    centre = mass_shares(BODY, shape).centre(forward_kinematics(BODY.skeleton(shape), rest_pose(BODY.skeleton(shape))))
    assert 0.55 < (centre[1] - skin[:, 1].min()) / np.ptp(skin[:, 1]) < 0.59


def test_arms_that_go_down_take_the_centre_down_and_a_leg_to_the_side_takes_it_along() -> None:
    t_pose = rest_pose(SKELETON)
    arms_down = with_turns(t_pose, left_shoulder=(0, 0, -1.3), right_shoulder=(0, 0, 1.3))
    assert of(t_pose).centre[1] - of(arms_down).centre[1] > 0.012
    assert of(with_turns(t_pose, left_hip=(0, 0, 0.8))).centre[0] > of(t_pose).centre[0] + 0.03


@pytest.mark.parametrize("bent", [0.0, 1.0])
def test_the_centre_is_that_of_the_posed_skin(bent: float) -> None:
    pose = with_turns(
        natural(), spine1=(0.5 * bent, 0, 0), left_hip=(-1.2 * bent, 0, 0.2 * bent), right_knee=(bent, 0, 0)
    )
    assert of(pose).centre == pytest.approx(centroid(posed_vertices(BODY, SHAPE, pose)), abs=0.006)


def test_a_person_who_leans_far_falls() -> None:
    leaning = of(set_down(with_turns(rest_pose(SKELETON), pelvis=(0.6, 0, 0))))
    assert not leaning.is_balanced
    assert leaning.margin is not None
    assert leaning.margin < -0.2


def test_on_one_foot_only_that_foot_is_stood_on() -> None:
    lifted = with_turns(rest_pose(SKELETON), left_hip=(-0.9, 0, 0), left_knee=(1.2, 0, 0))
    on_one = of(set_down(lifted))
    assert on_one.support[:, 0].max() < 0.0  # the right is along -X
    assert not on_one.is_balanced
    over_it = of(set_down(with_turns(lifted, pelvis=(0, 0, 0.14))))
    assert over_it.margin is not None
    assert on_one.margin is not None
    assert over_it.margin > on_one.margin


def test_a_lying_person_is_held_with_the_centre_low() -> None:
    lying = of(set_down(with_turns(rest_pose(SKELETON), pelvis=(-np.pi / 2, 0, 0)), above=-0.015))  # flesh gives
    assert lying.is_balanced
    assert lying.centre[1] < 0.2
    assert np.ptp(lying.support[:, 1]) > 0.5


def test_a_point_over_a_polygon_stays_and_one_beside_it_comes_to_its_edge() -> None:
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    assert nearest_within(np.array([0.2, 0.6]), square).tolist() == [0.2, 0.6]
    assert nearest_within(np.array([1.5, 0.5]), square) == pytest.approx([1.0, 0.5])


def test_in_the_air_there_is_a_centre_and_no_support() -> None:
    flying = of(set_down(rest_pose(SKELETON), above=0.05))
    assert flying.margin is None
    assert not flying.is_balanced
    assert flying.support.shape == (0, 2)
    assert flying.centre[1] > 1.0


def test_a_hull_has_the_outermost_points_alone() -> None:
    inner = np.random.default_rng(0).uniform(0.1, 1.9, (50, 2))
    on_edge = np.array([[1.0, 0.0], [2.0, 1.0], [0.0, 0.0]])
    assert convex_hull(np.concatenate([inner, SQUARE, on_edge])) == pytest.approx(SQUARE)
    assert len(convex_hull(np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]))) == 2
    assert len(convex_hull(np.array([[1.0, 1.0], [1.0, 1.0]]))) == 1


@pytest.mark.parametrize(
    ("point", "corners", "margin"),
    [
        ((1.0, 0.5), SQUARE, 0.5),
        ((3.0, 1.0), SQUARE, -1.0),
        ((5.0, 6.0), SQUARE, -5.0),
        ((1.0, 1.0), SQUARE[:2], -1.0),
        ((3.0, 4.0), SQUARE[:1], -5.0),
    ],
)
def test_the_margin_is_the_distance_to_the_edge_positive_inside(
    point: tuple[float, float], corners: np.ndarray, margin: float
) -> None:
    assert margin_of(np.array(point), corners) == pytest.approx(margin)


def test_samples_fill_what_the_skin_encloses() -> None:
    corners = BODY.vertices(SHAPE).astype(np.float64)[BODY.faces]
    volume = np.einsum("fi,fi->f", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6
    places, volumes = volume_samples(BODY.vertices(SHAPE).astype(np.float64), BODY.faces)
    assert volumes.sum() == pytest.approx(volume, rel=0.01)
    assert (places * volumes[:, None]).sum(axis=0) / volumes.sum() == pytest.approx(
        centroid(BODY.vertices(SHAPE)), abs=0.002
    )
