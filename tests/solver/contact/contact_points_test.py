"""The points that stand for the skin: none of it sinks by itself, and kernels derive their heights rightly."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from body_samples import official
from ik_samples import body_skeleton

from solver.body.body import BodyShape
from solver.body.catalog import load_body, official_body_id
from solver.body.floor import posed_vertices
from solver.body.hand_presets import HAND_PRESETS, preset_hands
from solver.body.hands import relaxed_hands, skin_with
from solver.contact import vertices
from solver.contact.choose_points import chosen_vertices, evenly_spread
from solver.contact.floor_kernels import (
    AWAY,
    WITHIN,
    Ground,
    floor_energy,
    floor_row,
    heights_above,
    is_looked_at,
    new_heights,
    new_rises,
    predicted_heights,
    sunk_points,
)
from solver.contact.floor_points import floor_points
from solver.contact.vertices import contact_vertices
from solver.errors import InputRefused
from solver.evaluation.speed import random_poses
from solver.ik.kernel_arrays import tree_of
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.resources import resource_folder

BODY, SKELETON = load_body("anny"), body_skeleton()
STICKS_OUT = 0.004  # metres, in any pose and shape; with what skin gives and the floor yields less than 5 mm
Heights = np.ndarray


def heights(pose: Pose, within: float = 10.0) -> Heights:
    joints, ground = forward_kinematics(SKELETON, pose), floor_points(BODY, BodyShape()).ground
    out = np.empty(len(ground.first) - 1)
    heights_above(ground, joints.positions.astype(float), joints.rotations.astype(float), within, out)
    return out


def is_told(ground: Ground, ahead: Heights) -> np.ndarray:
    """(N,) of which points it is told where a step takes them."""
    counts = np.diff(ground.begin)
    return np.repeat(ahead[np.minimum(ground.begin[:-1], len(ahead) - 1)] < AWAY, counts)


def test_no_skin_is_far_below_all_points_in_any_pose_shape_or_direction() -> None:
    rng, ways, chosen = np.random.default_rng(5), evenly_spread(100), contact_vertices(BODY)
    for pose in random_poses(SKELETON, 12, seed=8):
        shape = BodyShape(rng.uniform(-2, 2, 10).astype(np.float32), str(rng.choice(["male", "female"])))
        skin = posed_vertices(BODY, shape, pose, rest=skin_with(BODY, shape, relaxed_hands())) @ ways.T
        assert (skin.max(axis=0) - skin[chosen].max(axis=0)).max() < STICKS_OUT


def test_no_skin_is_far_below_the_points_of_a_leg_whose_knee_is_bent_as_far_as_it_goes() -> None:
    """Flesh from behind the knee comes down to the floor where somebody sits on the heels."""
    rng, ways, chosen = np.random.default_rng(7), evenly_spread(200), contact_vertices(BODY)
    carrier = BODY.weights.argmax(axis=1)
    for side in ("left", "right"):
        hip, knee = (SKELETON.index(f"{side}_{part}") for part in ("hip", "knee"))
        leg = np.flatnonzero(np.isin(carrier, [hip, knee]))
        points = np.intersect1d(leg, chosen)
        for bend in np.radians([120, 130, 140, 145, 150]):
            turns = np.tile(np.eye(3), (len(SKELETON), 1, 1))
            turns[hip] = from_rotation_vector(np.array([-rng.uniform(0.0, 1.9), 0.0, rng.uniform(-0.3, 0.3)]))
            turns[knee] = from_rotation_vector(np.array([bend, 0.0, 0.0]))
            shape = BodyShape(rng.uniform(-1, 1, 10).astype(np.float32))
            skin = posed_vertices(BODY, shape, Pose(np.zeros(3, np.float32), turns.astype(np.float32))) @ ways.T
            assert (skin[leg].max(axis=0) - skin[points].max(axis=0)).max() < 0.003, np.degrees(bend)


def test_no_skin_of_a_hand_is_far_below_all_points_however_it_is_held() -> None:
    """Spread and flat hands come down on finger tips and edges that relaxed ones and fists hide."""
    rng, ways, chosen = np.random.default_rng(6), evenly_spread(200), contact_vertices(BODY)
    hand = np.flatnonzero(
        np.isin(BODY.weights.argmax(axis=1), [SKELETON.index(j) for j in ("left_wrist", "left_hand")])
    )
    points = np.intersect1d(hand, chosen)
    for id in HAND_PRESETS:
        shape = BodyShape(rng.uniform(-2, 2, 10).astype(np.float32))
        skin = skin_with(BODY, shape, preset_hands(id, BODY)) @ ways.T
        assert (skin[hand].max(axis=0) - skin[points].max(axis=0)).max() < 0.003, id


def test_a_points_height_is_that_of_its_vertex() -> None:
    for pose in random_poses(SKELETON, 3, seed=1):
        skin = posed_vertices(BODY, BodyShape(), pose)[contact_vertices(BODY), 1]
        ground = floor_points(BODY, BodyShape()).ground
        assert np.sort(heights(pose)) == pytest.approx(np.sort(skin) + ground.gives, abs=3e-3)
        assert heights(pose).min() == pytest.approx(skin.min() + ground.gives, abs=5e-4)


def test_rows_and_steps_are_the_heights_derivatives() -> None:
    pose, tree = random_poses(SKELETON, 1, seed=4)[0], tree_of(SKELETON)
    sunk = Pose(pose.root_position - np.array([0, 0.6, 0], np.float32), pose.rotations)
    ground, joints = floor_points(BODY, BodyShape()).ground, forward_kinematics(SKELETON, sunk)
    places, turns, here = joints.positions.astype(float), joints.rotations.astype(float), heights(sunk)
    step = 1e-3 * np.random.default_rng(0).standard_normal((len(SKELETON) + 1, 3))
    known, rises, row = new_heights(ground, len(SKELETON)), new_rises(ground, len(SKELETON)), np.empty(step.shape)
    floor_energy(ground, places, turns, 1.0, known)
    predicted_heights(tree, ground, places, turns, step, known, rises)
    moved = Pose(sunk.root_position + step[-1], sunk.rotations @ from_rotation_vector(step[:-1]))
    ahead = rises.ahead
    told, there = is_told(ground, ahead), heights(moved)
    assert ahead[told] == pytest.approx(there[told], abs=2e-5)
    assert told.sum() > 500
    assert (there[~told] > 0.0).all()  # what it does not tell stays above the floor for certain
    points = np.empty(60, np.int64)
    count = sunk_points(ground, ahead, points, 0)
    assert count > 5
    for point in points[:count]:
        floor_row(tree, ground, point, places, turns, 2.0, row)
        assert (row * step).sum() == pytest.approx(2 * (ahead[point] - here[point]), abs=1e-7)


def test_of_each_last_joint_the_lowest_point_is_held_and_then_the_next_one() -> None:
    sunk = rest_pose(SKELETON)
    ground, here = floor_points(BODY, BodyShape()).ground, heights(sunk) - 0.02
    points = np.empty(60, np.int64)
    first = sunk_points(ground, here, points, 0)
    both = sunk_points(ground, here, points, first)
    last = np.repeat(np.arange(len(ground.begin) - 1), np.diff(ground.begin))
    for tip in np.unique(last[points[:first]]):
        order = np.sort(here[last == tip])
        assert here[points[:both]][last[points[:both]] == tip] == pytest.approx(order[:2])
    assert sunk_points(ground, here, points[:3], 0) == 3


def test_points_are_looked_at_only_where_a_step_may_take_them_below_the_floor() -> None:
    """What is not looked at has no height yet; it gets one as soon as a longer step may bring it down."""
    tree, ground, count = tree_of(SKELETON), floor_points(BODY, BodyShape()).ground, len(SKELETON)
    pose = rest_pose(SKELETON)
    joints, every = forward_kinematics(SKELETON, pose), heights(pose)
    places, turns = joints.positions.astype(float), joints.rotations.astype(float)
    known, rises = new_heights(ground, count), new_rises(ground, count)
    energy = floor_energy(ground, places, turns, 2.0, known)
    assert energy == pytest.approx((np.minimum(every, 0.0) ** 2).sum())
    assert (known.points[ground.begin[:-1]] == AWAY).sum() > 5
    for down in (0.0, 0.2):
        step = np.zeros((count + 1, 3))
        step[-1, 1] = -down
        predicted_heights(tree, ground, places, turns, step, known, rises)
        told = is_told(ground, rises.ahead)
        assert rises.ahead[told] == pytest.approx(every[told] - down)
        assert (every[~told] > down).all()
        assert told.sum() == (told | (every < down)).sum()
    high = int(np.argmax(every))
    assert every[high] > WITHIN
    assert not is_looked_at(ground, int(np.searchsorted(ground.begin, high, side="right")) - 1, known)


def test_points_that_are_high_above_the_floor_are_not_looked_at_and_none_that_is_near_is_left_out() -> None:
    pose = random_poses(SKELETON, 1, seed=2)[0]
    every, near = heights(pose), heights(pose, within=0.1)
    assert (near > every).any()
    assert near[every < 0.1] == pytest.approx(every[every < 0.1])


def test_the_choice_is_the_same_each_time_and_few_vertices_do() -> None:
    once, again = (chosen_vertices(BODY, poses=2, directions=30) for _ in range(2))
    assert np.array_equal(once, again)
    assert len(once) < len(contact_vertices(BODY)) < len(BODY.weights) / 5


def test_a_folder_with_a_body_of_one_gender_has_points_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("smplx")
    np.savez(tmp_path / "SMPL_MALE.npz", **official("SMPL"))  # type: ignore[arg-type]
    monkeypatch.setattr(vertices, "FEW_POSES", 3)
    body, shape = load_body(official_body_id(tmp_path)), BodyShape(gender="male")
    world = forward_kinematics(body.skeleton(shape), rest_pose(body.skeleton(shape)))
    lowest = body.vertices(shape)[:, 1].min()
    assert floor_points(body, shape).lowest(world) == pytest.approx(lowest, abs=STICKS_OUT)


@pytest.mark.parametrize("content", ["[", "{}", '{"vertices": []}', '{"vertices": [99999999]}', '{"vertices": "x"}'])
def test_a_damaged_file_of_contact_vertices_is_refused(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "contact_vertices.json"
    file.write_text(content, encoding="utf-8")
    monkeypatch.setattr(vertices, "FILE", file)
    with pytest.raises(InputRefused, match="python -m solver.contact.choose_points"):
        contact_vertices._make(BODY)
    assert json.loads(resource_folder("assets", "body").joinpath(file.name).read_text())["vertices"]
