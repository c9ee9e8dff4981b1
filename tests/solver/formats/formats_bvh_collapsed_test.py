"""Files whose rest pose is not a standing pose: every joint's frame stands as it likes, and bones lie anywhere."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product

import numpy as np
import pytest
from formats_samples import foreign_bvh, sample_motion, sample_skeleton, world_positions
from numpy.typing import NDArray

from solver.body.bone_lengths import bone_lengths
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.body.shape_fit import shape_of_bones
from solver.formats.bvh.read import parse_bvh, to_motion
from solver.formats.bvh.shape import bvh_body
from solver.formats.motion_report import MotionReport
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle, rotation_between
from solver.kinematics.skeleton import SMPL_PARENTS, Skeleton

Array = NDArray[np.floating]

SKELETON = sample_skeleton()
THEIRS = {
    "pelvis": "Hips", "spine1": "Spine", "spine3": "Chest", "neck": "Neck", "head": "Head",
    "left_collar": "Shoulder_L", "left_shoulder": "UpperArm_L", "left_elbow": "LowerArm_L", "left_wrist": "Hand_L",
    "right_collar": "Shoulder_R", "right_shoulder": "UpperArm_R", "right_elbow": "LowerArm_R", "right_wrist": "Hand_R",
    "left_hip": "UpperLeg_L", "left_knee": "LowerLeg_L", "left_ankle": "Foot_L", "left_foot": "Toes_L",
    "right_hip": "UpperLeg_R", "right_knee": "LowerLeg_R", "right_ankle": "Foot_R", "right_foot": "Toes_R",
}  # fmt: skip
KEPT = [j for j, name in enumerate(SKELETON.names) if name in THEIRS]
QUARTER_TURNS = [
    turn
    for order, signs in product(permutations(range(3)), product((1.0, -1.0), repeat=3))
    if np.linalg.det(turn := np.eye(3)[list(order)] * signs) > 0
]


def quarter_turns(rng: np.random.Generator) -> Array:
    return np.array([QUARTER_TURNS[k] for k in rng.integers(24, size=len(KEPT))])


def any_turns(rng: np.random.Generator) -> Array:
    vectors = rng.normal(size=(len(KEPT), 3))
    return from_rotation_vector(vectors * rng.uniform(0, np.pi, (len(KEPT), 1)))


def imported(motion: Motion, turns: Array, body: Skeleton = SKELETON) -> tuple[Motion, MotionReport]:
    """The motion after a way through a file with a `joint_Root`, that body, and the joint frames turned by `turns`."""
    parents = []
    for j in KEPT:
        above = SMPL_PARENTS[j]
        while above not in KEPT and above >= 0:
            above = SMPL_PARENTS[above]
        parents.append(1 + KEPT.index(above) if above >= 0 else 0)
    places = np.concatenate([np.zeros((1, 3)), body.rest_positions[KEPT]])
    parents = [-1, *parents]
    offsets = places - places[parents] * (np.array(parents) >= 0)[:, None]
    names = ("joint_Root", *(THEIRS[SKELETON.names[j]] for j in KEPT))
    frames = len(motion)
    rotations = np.concatenate([np.tile(np.eye(3), (frames, 1, 1, 1)), motion.rotations[:, KEPT]], axis=1)
    still = Motion(np.zeros((frames, 3)), rotations)
    text = foreign_bvh(
        Skeleton(names, tuple(parents), offsets), still, rest_turns=np.array([np.eye(3), *turns]), scale=100
    )
    return to_motion(parse_bvh(text, "a.bvh"), SKELETON)


def in_one_line(hips: bool, collars: bool) -> Skeleton:
    """A body whose spine begins between its hips, or its neck between its collars: no forward can be told there."""
    offsets, at = np.array(SKELETON.offsets, np.float64), SKELETON.index
    if hips:
        offsets[at("left_hip")], offsets[at("right_hip")], offsets[at("spine1")] = [0.08, 0, 0], [-0.08, 0, 0], 0
    if collars:
        offsets[at("neck")] = (offsets[at("left_collar")] + offsets[at("right_collar")]) / 2
    return Skeleton(SKELETON.names, SKELETON.parents, offsets)


def straight_back(frames: int, seed: int) -> Motion:
    """A motion whose two spine joints do what the sample's three do: the file has no more."""
    motion = sample_motion(frames, seed, swing=0.5)
    rotations = np.array(motion.rotations)
    low, middle = SKELETON.index("spine1"), SKELETON.index("spine2")
    rotations[:, low] = rotations[:, low] @ rotations[:, middle]
    rotations[:, middle] = np.eye(3)
    return Motion(motion.root_positions, rotations)


def direction_errors(a: Motion, b: Motion, lines: list[tuple[str, str]]) -> dict[str, float]:
    """The largest angle, in degrees, between the lines from one joint to another in the two motions."""
    errors = {}
    for start, end in lines:
        ways = []
        for motion in (a, b):
            places = world_positions(SKELETON, motion)
            way = places[:, SKELETON.index(end)] - places[:, SKELETON.index(start)]
            ways.append(way / np.linalg.norm(way, axis=-1, keepdims=True))
        sine = np.linalg.norm(np.cross(ways[0], ways[1]), axis=-1)
        errors[f"{start} to {end}"] = float(np.degrees(np.arctan2(sine, (ways[0] * ways[1]).sum(-1))).max())
    return errors


ACROSS = [("right_shoulder", "left_shoulder"), ("right_collar", "left_collar"), ("right_hip", "left_hip")]
BONES = [
    (SKELETON.names[SMPL_PARENTS[j]], name)
    for j, name in enumerate(SKELETON.names)
    if j > 0 and not name.endswith("hand")
]


@pytest.mark.sweep
@pytest.mark.parametrize("frames", [1, 12])
@pytest.mark.parametrize("seed", range(6))
def test_with_frames_along_any_axes_every_bone_and_the_shoulder_line_are_right(seed: int, frames: int) -> None:
    motion = straight_back(frames, seed)
    back, report = imported(motion, quarter_turns(np.random.default_rng(seed)))
    assert any("not a standing pose" in note for note in report.notes)
    assert max((errors := direction_errors(motion, back, ACROSS + BONES)).values()) < 1, errors
    for part in ("pelvis", "spine1", "spine3"):  # not only where the shoulders are: nothing in the trunk is wrung
        j = SKELETON.index(part)
        assert np.degrees(geodesic_angle(motion.rotations[:, j], back.rotations[:, j])).max() < 1


@pytest.mark.parametrize("seed", range(3))
def test_with_frames_along_no_axes_the_trunk_stands_as_the_hips_and_shoulders_tell(seed: int) -> None:
    motion = straight_back(12, seed)
    back, _ = imported(motion, any_turns(np.random.default_rng(seed)))
    assert max((errors := direction_errors(motion, back, ACROSS + BONES)).values()) < 1, errors


@pytest.mark.sweep
@pytest.mark.parametrize(("hips", "collars"), [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize("frames_along", [quarter_turns, any_turns])
@pytest.mark.parametrize("seed", range(3))
def test_where_hips_or_collars_lie_in_one_line_with_the_spine_that_line_and_all_limbs_are_right(
    seed: int, frames_along: Callable[[np.random.Generator], Array], hips: bool, collars: bool
) -> None:
    motion = straight_back(12, seed)
    back, _ = imported(motion, frames_along(np.random.default_rng(seed)), in_one_line(hips, collars))
    errors = direction_errors(motion, back, ACROSS + BONES)
    about = [f"pelvis to {end}" for end in ("left_hip", "right_hip", "spine1") if hips]
    about += [f"spine3 to {end}" for end in ("left_collar", "right_collar", "neck") if collars]
    told = {way: error for way, error in errors.items() if way not in about}
    assert max(told.values()) < 2, told
    if not (hips and collars):  # the other end of the spine tells roughly how it is turned about that line
        assert max(errors[way] for way in about) < 20, errors


@pytest.mark.parametrize("frames_along", [quarter_turns, any_turns])
def test_a_forearm_without_length_leaves_the_rest_of_the_body_right(
    frames_along: Callable[[np.random.Generator], Array],
) -> None:
    offsets = np.array(SKELETON.offsets)
    offsets[SKELETON.index("left_wrist")] = 0
    motion = straight_back(12, 3)
    short = Skeleton(SKELETON.names, SKELETON.parents, offsets)
    back, _ = imported(motion, frames_along(np.random.default_rng(3)), short)
    errors = direction_errors(motion, back, [bone for bone in ACROSS + BONES if bone != ("left_elbow", "left_wrist")])
    assert max(errors.values()) < 1, errors


def test_someone_who_lies_in_such_a_file_stays_lying() -> None:
    motion = straight_back(6, 1)
    rotations = np.array(motion.rotations)
    rotations[:, 0] = from_rotation_vector([np.pi / 2, 0, 0]) @ rotations[:, 0]
    lying = Motion(motion.root_positions, rotations)
    back, report = imported(lying, quarter_turns(np.random.default_rng(2)))
    assert report.up == "+Y"
    assert max(direction_errors(lying, back, ACROSS + BONES).values()) < 1


def test_frames_with_x_along_every_bone_give_the_same_pose() -> None:
    motion = sample_motion(12, seed=4, swing=0.5)
    turns = np.tile(np.eye(3), (24, 1, 1))
    for j, name in enumerate(SKELETON.names):
        side, _, part = name.partition("_")
        if part in ("hip", "knee"):
            turns[j] = rotation_between([1, 0, 0], [0, -1, 0])
        elif part in ("ankle", "foot"):
            turns[j] = rotation_between([0, -1, 0], [0, 0, 1]) @ rotation_between([1, 0, 0], [0, -1, 0])
        elif part in ("collar", "shoulder", "elbow", "wrist", "hand"):
            turns[j] = np.eye(3) if side == "left" else from_rotation_vector([0, np.pi, 0])
        else:
            turns[j] = np.stack([[0, 1, 0], [0, 0, 1], [1, 0, 0]], axis=-1)
    back, report = to_motion(parse_bvh(foreign_bvh(SKELETON, motion, rest_turns=turns, scale=100), "a.bvh"), SKELETON)
    assert any("not a standing pose" in note for note in report.notes)
    assert report.up == "+Y"
    assert np.degrees(geodesic_angle(back.rotations, motion.rotations)).max() < 1
    assert np.abs(world_positions(SKELETON, back) - world_positions(SKELETON, motion)).max() < 1e-3


@pytest.mark.parametrize(("tilt", "up"), [(0.0, "+Z"), (np.pi / 2, "+Y")])
def test_without_a_pelvis_at_standing_height_up_is_where_people_mostly_stand(tilt: float, up: str) -> None:
    """The pelvis is at the origin in the rest pose. Whoever stands says which axis is up; whoever lies leaves +Y."""
    rig = sample_skeleton()
    grounded = Skeleton(rig.names, rig.parents, rig.offsets - rig.offsets[0] * (np.arange(24) == 0)[:, None])
    motion = sample_motion(6, seed=1, swing=0.2)
    rotations = np.array(motion.rotations)
    rotations[:, 0] = from_rotation_vector([tilt, 0, 0]) @ from_rotation_vector([0, 0.2, 0])
    still = Motion(np.zeros((6, 3)), rotations)
    turns = any_turns(np.random.default_rng(3))
    turns = np.array([turns[KEPT.index(j)] if j in KEPT else np.eye(3) for j in range(24)])
    to_z_up = np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]])
    text = foreign_bvh(grounded, still, rest_turns=turns, axes=to_z_up)
    _, report = to_motion(parse_bvh(text, "a.bvh"), SKELETON)
    assert any("not a standing pose" in note for note in report.notes)
    assert report.up == up


def test_where_joints_are_in_a_rest_pose_that_is_no_stance_says_nothing_about_the_body() -> None:
    turns = from_rotation_vector(np.random.default_rng(3).normal(size=(len(SKELETON), 3)))
    bvh, body = parse_bvh(foreign_bvh(SKELETON, sample_motion(6), rest_turns=turns), "a.bvh"), load_body(DEFAULT_BODY)
    assert to_motion(bvh, SKELETON)[1].notes, "no stance"
    bones = bone_lengths(dict(zip(SKELETON.names, SKELETON.rest_positions, strict=True)))
    assert bvh_body(bvh, body)[1].shape == shape_of_bones(bones, body).shape
