"""Files of other programs: their stances, axes, units and joint names look the same on our skeleton."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from formats_samples import foreign_bvh, sample_motion, sample_skeleton, world_positions
from numpy.typing import NDArray

from solver.formats.bvh.read import parse_bvh, to_motion
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.kinematics.skeleton import Skeleton
from solver.rig.joint_names import written_names

SKELETON = sample_skeleton()
MOTION = sample_motion(12, seed=4, swing=0.5)
Z_UP = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]], dtype=np.float64)  # ours to the file's
ARM = ("shoulder", "elbow", "wrist", "hand")
LEG = ("hip", "knee")
NAMES = written_names(SKELETON.names, "mixamo")  # of which nobody knows how exactly their rest pose stands


def rest_turns(angle: float) -> NDArray[np.floating]:
    """The frames of a rest pose whose arms hang `angle` below a T-pose, as seen from our T-pose."""
    turns = np.tile(np.eye(3), (24, 1, 1))
    for j, name in enumerate(SKELETON.names):
        side, _, part = name.partition("_")
        if part in ARM:
            turns[j] = from_rotation_vector([0, 0, angle if side == "left" else -angle])
    return turns


def largest_miss(back: Motion) -> float:
    """Metres, over every joint but the fingers, which only hang on the wrist."""
    return float(np.abs(world_positions(SKELETON, back) - world_positions(SKELETON, MOTION))[:, :22].max())


@pytest.mark.parametrize("degrees", [0, 30, 45, 60, 90])
@pytest.mark.parametrize("axes", [np.eye(3), Z_UP], ids=["y up", "z up"])
def test_a_rest_pose_with_lowered_arms_gives_the_same_pose(degrees: float, axes: NDArray[np.floating]) -> None:
    turns = rest_turns(np.radians(degrees)) @ axes.T  # the rest pose stands upright along the file's axes
    back, report = to_motion(parse_bvh(foreign_bvh(SKELETON, MOTION, rest_turns=turns, axes=axes), "a.bvh"), SKELETON)
    assert largest_miss(back) < 1e-4
    assert geodesic_angle(back.rotations, MOTION.rotations).max() < 1e-4
    assert report.up == ("+Y" if axes[1, 1] == 1 else "+Z")


@pytest.mark.parametrize("degrees", [1, 4, 7])
def test_arms_that_hang_a_little_in_the_rest_pose_are_where_the_file_has_them(degrees: float) -> None:
    file = foreign_bvh(SKELETON, MOTION, rest_turns=rest_turns(np.radians(degrees)), names=NAMES)
    back, _ = to_motion(parse_bvh(file, "a.bvh"), SKELETON)
    assert largest_miss(back) < 1e-4


@pytest.mark.parametrize("degrees", [1, 4, 7, 12])
def test_feet_of_a_rest_pose_that_straddles_stand_where_the_files_do(degrees: float) -> None:
    turns = np.tile(np.eye(3), (24, 1, 1))
    for j, name in enumerate(SKELETON.names):
        side, _, part = name.partition("_")
        if part in LEG:
            turns[j] = from_rotation_vector([0, 0, np.radians(degrees if side == "left" else -degrees)])
    back, _ = to_motion(parse_bvh(foreign_bvh(SKELETON, MOTION, rest_turns=turns, names=NAMES), "a.bvh"), SKELETON)
    off = world_positions(SKELETON, back) - world_positions(SKELETON, MOTION)
    ankles = [j for j, name in enumerate(SKELETON.names) if name.endswith("_ankle")]
    assert np.abs(off)[:, ankles].max() < 0.03


@pytest.mark.parametrize("degrees", [4, 12, 20])
def test_arms_of_a_character_with_smpls_names_are_where_its_file_has_them(degrees: float) -> None:
    bvh = parse_bvh(foreign_bvh(SKELETON, MOTION, rest_turns=rest_turns(np.radians(degrees))), "a.bvh")
    character, _ = to_motion(replace(bvh, places=tuple(range(len(bvh.names)))), SKELETON)
    assert largest_miss(character) < 1e-4
    motion, _ = to_motion(bvh, SKELETON)
    assert largest_miss(motion) > 0.02, "of a motion SMPL's rotations are taken as they are"


def test_names_of_no_set_that_we_write_are_told_to_be_recognised_each_by_itself() -> None:
    names = tuple(f"DEF-{name.removeprefix('left_').removeprefix('right_')}.{name[0].upper()}" if "_" in name else name
                  for name in SKELETON.names)  # fmt: skip
    _, report = to_motion(parse_bvh(foreign_bvh(SKELETON, MOTION, names=names), "a.bvh"), SKELETON)
    assert "Joint names: each recognised by itself; lengths" in report.text()


def test_a_rest_pose_that_faces_sideways_gives_the_same_pose() -> None:
    turned = np.tile(from_rotation_vector([0, np.radians(90), 0]), (24, 1, 1))
    back, _ = to_motion(parse_bvh(foreign_bvh(SKELETON, MOTION, rest_turns=turned), "a.bvh"), SKELETON)
    assert largest_miss(back) < 1e-4


def test_someone_lying_down_in_an_upright_file_stays_lying() -> None:
    lying = Motion(MOTION.root_positions, MOTION.rotations.copy())
    rotations = np.array(lying.rotations)
    rotations[:, 0] = from_rotation_vector([-np.pi / 2, 0, 0])
    lying = Motion(MOTION.root_positions, rotations)
    back, report = to_motion(parse_bvh(foreign_bvh(SKELETON, lying), "a.bvh"), SKELETON)
    assert report.up == "+Y"
    assert np.abs(world_positions(SKELETON, back) - world_positions(SKELETON, lying)).max() < 1e-4


@pytest.mark.parametrize(("scale", "unit"), [(1, "m"), (100, "cm"), (1000, "mm"), (1 / 0.0254, "inches")])
def test_lengths_in_any_unit_come_in_as_metres(scale: float, unit: str) -> None:
    back, report = to_motion(parse_bvh(foreign_bvh(SKELETON, MOTION, scale=scale), "a.bvh"), SKELETON)
    assert (report.unit, report.scale) == (unit, pytest.approx(1 / scale))
    assert largest_miss(back) < 1e-4


CMU_TREE = {
    "Hips": None, "LHipJoint": "Hips", "LeftUpLeg": "LHipJoint", "LeftLeg": "LeftUpLeg", "LeftFoot": "LeftLeg",
    "LeftToeBase": "LeftFoot", "RHipJoint": "Hips", "RightUpLeg": "RHipJoint", "RightLeg": "RightUpLeg",
    "RightFoot": "RightLeg", "RightToeBase": "RightFoot", "LowerBack": "Hips", "Spine": "LowerBack",
    "Spine1": "Spine", "Neck": "Spine1", "Neck1": "Neck", "Head": "Neck1", "LeftShoulder": "Spine1",
    "LeftArm": "LeftShoulder", "LeftForeArm": "LeftArm", "LeftForeArmRoll": "LeftForeArm",
    "LeftHand": "LeftForeArmRoll", "LeftHandIndex1": "LeftHand", "RightShoulder": "Spine1",
    "RightArm": "RightShoulder", "RightForeArm": "RightArm", "RightHand": "RightForeArm",
}  # fmt: skip
CMU_OURS = {
    "Hips": "pelvis", "LeftUpLeg": "left_hip", "LeftLeg": "left_knee", "LeftFoot": "left_ankle",
    "LeftToeBase": "left_foot", "RightUpLeg": "right_hip", "RightLeg": "right_knee", "RightFoot": "right_ankle",
    "RightToeBase": "right_foot", "LowerBack": "spine1", "Spine": "spine2", "Spine1": "spine3", "Neck": "neck",
    "Head": "head", "LeftShoulder": "left_collar", "LeftArm": "left_shoulder", "LeftForeArm": "left_elbow",
    "LeftHand": "left_wrist", "RightShoulder": "right_collar", "RightArm": "right_shoulder",
    "RightForeArm": "right_elbow", "RightHand": "right_wrist",
}  # fmt: skip


def test_what_extra_joints_do_is_carried_by_the_joints_behind_them() -> None:
    names = tuple(CMU_TREE)
    parents = tuple(-1 if parent is None else names.index(parent) for parent in CMU_TREE.values())
    places = np.zeros((len(names), 3))
    for j, name in enumerate(names):  # helpers halfway between their neighbours
        if name in CMU_OURS:
            places[j] = SKELETON.rest_positions[SKELETON.index(CMU_OURS[name])]
        else:
            places[j] = places[parents[j]] + [0.0, 0.01, 0.0]
    offsets = places - np.array([places[p] if p >= 0 else np.zeros(3) for p in parents])
    foreign = Skeleton(names, parents, offsets)
    rng = np.random.default_rng(5)
    rotations = from_rotation_vector(0.4 * rng.normal(size=(6, len(names), 3)))
    motion = Motion(rng.normal(size=(6, 3)), rotations)
    back, report = to_motion(parse_bvh(foreign_bvh(foreign, motion), "a.bvh"), SKELETON)
    theirs = forward_kinematics_batch(parents, foreign.offsets, motion.root_positions, motion.rotations)
    ours = forward_kinematics_batch(SKELETON.parents, SKELETON.offsets, back.root_positions, back.rotations)
    for name, mine in CMU_OURS.items():
        a, b = theirs.rotations[:, names.index(name)], ours.rotations[:, SKELETON.index(mine)]
        assert geodesic_angle(a, b).max() < 1e-4, name
    assert set(report.ignored) == set(names) - set(CMU_OURS)
    assert report.missing == ("left_hand", "right_hand")


def test_joints_that_the_file_has_not_stay_as_at_rest() -> None:
    kept = [j for j, name in enumerate(SKELETON.names) if "hand" not in name and name not in ("spine2", "left_collar")]
    parents = []
    for j in kept:
        above = SKELETON.parents[j]
        while above >= 0 and above not in kept:
            above = SKELETON.parents[above]
        parents.append(kept.index(above) if above >= 0 else -1)
    rest = SKELETON.rest_positions[kept]
    offsets = rest - np.array([rest[p] if p >= 0 else np.zeros(3) for p in parents])
    smaller = Skeleton(tuple(SKELETON.names[j] for j in kept), tuple(parents), offsets)
    motion = Motion(MOTION.root_positions, MOTION.rotations[:, kept])
    back, report = to_motion(parse_bvh(foreign_bvh(smaller, motion), "a.bvh"), SKELETON)
    assert set(report.missing) == {"spine2", "left_collar", "left_hand", "right_hand"}
    for name in report.missing:
        assert (back.rotations[:, SKELETON.index(name)] == np.eye(3)).all()
    arm = SKELETON.index("left_elbow")
    assert geodesic_angle(back.rotations[:, arm], MOTION.rotations[:, arm]).max() < 1e-4
