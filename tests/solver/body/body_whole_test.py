"""The embedded body has SMPL-X's 55 joints: those beyond SMPL's 24 are rigid and where a human has them."""

from __future__ import annotations

import numpy as np
import pytest

from solver.body.body import GENDERS, BodyShape
from solver.body.catalog import load_body
from solver.body.floor import posed_vertices
from solver.body.whole_rig import (
    FACE_JOINTS,
    FINGER_JOINTS,
    RIGID_JOINTS,
    SMPLX_JOINTS,
    as_whole_motion,
    as_whole_pose,
    carrier,
    folded_weights,
    moving_joint,
    smplx_parents,
    unfolded_weights,
    whole_tree,
)
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.pose import Motion, Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS
from solver.rig.movable import movable
from solver.rig.roles import Role

BODY = load_body("anny")
SHAPES = [BodyShape(gender=gender) for gender in GENDERS] + [BodyShape(np.linspace(-2, 2, 10), "female")]
FINGERS = ("thumb", "index", "middle", "ring", "pinky")


def some_pose(shape: BodyShape) -> Pose:
    vectors = np.random.default_rng(8).normal(size=(24, 3)) * 0.5
    return Pose(BODY.rig(shape).offsets[0] + np.float32(0.2), from_rotation_vector(vectors))


def place(shape: BodyShape, joint: str) -> np.ndarray:
    rig = BODY.whole_rig(shape)
    return rig.rest_positions[rig.index(joint)]


def moved_most_by(joint: str) -> np.ndarray:
    names, _ = whole_tree()
    return BODY.whole_weights[:, names.index(joint)] > 0.5


def test_its_joints_are_smpls_24_then_jaw_eyes_and_fingers_by_smplxs_names() -> None:
    names = BODY.whole_rig(BodyShape()).names
    assert names[:24] == SMPL_JOINTS
    assert names[24:] == RIGID_JOINTS
    assert set(SMPLX_JOINTS) | {"left_hand", "right_hand"} == set(names)
    assert len(SMPLX_JOINTS) == 55
    assert SMPLX_JOINTS[22:26] == ("jaw", "left_eye_smplhf", "right_eye_smplhf", "left_index1")
    assert SMPLX_JOINTS[37:41] == ("left_thumb1", "left_thumb2", "left_thumb3", "right_index1")


def test_smplxs_names_and_parents_are_the_librarys() -> None:
    names = pytest.importorskip("smplx.joint_names")
    assert tuple(names.JOINT_NAMES[:55]) == SMPLX_JOINTS
    parents = dict(zip(SMPLX_JOINTS, smplx_parents(), strict=True))
    assert parents["pelvis"] == -1
    assert SMPLX_JOINTS[parents["left_thumb1"]] == SMPLX_JOINTS[parents["left_index1"]] == "left_wrist"
    assert SMPLX_JOINTS[parents["right_pinky3"]] == "right_pinky2"
    assert SMPLX_JOINTS[parents["jaw"]] == SMPLX_JOINTS[parents["right_eye_smplhf"]] == "head"
    assert parents["left_wrist"] == SMPL_PARENTS[SMPL_JOINTS.index("left_wrist")]


def test_every_joint_has_a_role_of_its_own_and_solvers_are_to_move_the_24() -> None:
    rig = BODY.whole_rig(BodyShape())
    assert None not in rig.roles
    assert rig.name(Role.JAW) == "jaw"
    assert rig.name(Role.LEFT_EYE) == "left_eye_smplhf"
    assert rig.mirrored_name("left_ring2") == "right_ring2"
    seen = movable(rig, rest_pose(rig)).skeleton
    assert seen.names == SMPL_JOINTS
    assert np.abs(seen.offsets - BODY.rig(BodyShape()).offsets).max() < 1e-6


@pytest.mark.parametrize("shape", SHAPES)
def test_fingers_are_long_straight_chains_that_lead_away_from_the_wrist(shape: BodyShape) -> None:
    for side, outwards in (("left", 1.0), ("right", -1.0)):
        wrist = place(shape, f"{side}_wrist")
        for finger in FINGERS:
            joints = [place(shape, f"{side}_{finger}{i}") for i in (1, 2, 3)]
            bones = np.diff(joints, axis=0)
            assert (np.linalg.norm(bones, axis=1) > 0.01).all()
            assert (np.linalg.norm(bones, axis=1) < 0.08).all()
            away = [np.linalg.norm(joint - wrist) for joint in joints]
            assert away == sorted(away)
            assert (joints[2] - wrist)[0] * outwards > 0.04
        tips = [place(shape, f"{side}_{finger}3")[2] for finger in FINGERS]
        assert tips == sorted(tips, reverse=True), "palms down: the thumb in front, the little finger behind"


@pytest.mark.parametrize("shape", SHAPES)
def test_left_and_right_are_mirror_images(shape: BodyShape) -> None:
    for name in RIGID_JOINTS:
        if name.startswith("left_"):
            other = place(shape, name.replace("left_", "right_"))
            assert np.abs(place(shape, name) * [-1, 1, 1] - other).max() < 0.01


@pytest.mark.parametrize("shape", SHAPES)
def test_eyes_and_jaw_are_in_the_head(shape: BodyShape) -> None:
    skin, head = BODY.vertices(shape), place(shape, "head")
    top = skin[:, 1].max()
    left, right, jaw = (place(shape, name) for name in ("left_eye_smplhf", "right_eye_smplhf", "jaw"))
    assert 0.05 < left[0] - right[0] < 0.08
    assert head[1] < jaw[1] < left[1] < top
    assert left[2] > jaw[2] > head[2] - 0.02, "the eyes are before the hinge of the jaw"
    chin = skin[moved_most_by("jaw")]
    assert chin[:, 1].max() < left[1]
    assert chin[:, 2].mean() > jaw[2]


def test_every_finger_moves_its_own_skin() -> None:
    skin = BODY.vertices(BodyShape())
    for name in FINGER_JOINTS:
        mine = skin[moved_most_by(name)]
        if name.endswith("thumb1"):  # it lies in the ball of the thumb, which the wrist moves as well
            continue
        assert len(mine) > 30
        assert np.linalg.norm(mine.mean(axis=0) - place(BodyShape(), name)) < 0.04


def test_the_hands_stand_where_the_middle_fingers_begin() -> None:
    for shape in SHAPES:
        for side in ("left", "right"):
            assert np.abs(place(shape, f"{side}_hand") - place(shape, f"{side}_middle1")).max() < 1e-6


def test_the_weights_of_the_24_are_those_of_all_joints_with_rigid_ones_given_to_their_carriers() -> None:
    weights, (names, _) = BODY.whole_weights, whole_tree()
    assert weights.min() >= 0.0
    assert np.abs(weights.sum(axis=1) - 1.0).max() < 1e-5
    assert np.abs(folded_weights(weights, names) - BODY.weights).max() < 1e-6
    as_smplx = weights[:, [names.index(name) for name in SMPLX_JOINTS]]
    assert (unfolded_weights(as_smplx, SMPLX_JOINTS) == weights).all()


@pytest.mark.parametrize("shape", SHAPES)
def test_the_skin_that_all_joints_carry_is_the_skin_that_the_24_carry(shape: BodyShape) -> None:
    pose, rig = some_pose(shape), BODY.whole_rig(shape)
    matrices = skinning_matrices(rig, as_whole_pose(rig, pose))[:, :3]
    blended = (BODY.whole_weights @ matrices.reshape(len(rig), 12)).reshape(-1, 3, 4)
    rest = np.column_stack([BODY.vertices(shape), np.ones(len(blended))])
    skin = np.einsum("vij,vj->vi", blended, rest)
    assert np.abs(skin - posed_vertices(BODY, shape, pose)).max() < 2e-6


def test_a_pose_of_24_joints_is_completed_by_rest_and_puts_its_joints_where_they_were() -> None:
    shape = SHAPES[-1]
    pose, rig = some_pose(shape), BODY.whole_rig(shape)
    whole = as_whole_pose(rig, pose)
    assert (whole.rotations[:24] == pose.rotations).all()
    assert (whole.rotations[24:] == np.eye(3)).all()
    joints = forward_kinematics(rig, whole)
    assert joints.positions[:24] == pytest.approx(forward_kinematics(BODY.rig(shape), pose).positions, abs=1e-6)
    for j, name in enumerate(rig.names[24:], start=24):
        assert joints.rotations[j] == pytest.approx(joints.rotations[rig.index(moving_joint(name))], abs=1e-6)
    motion = Motion(np.stack([pose.root_position] * 3), np.stack([pose.rotations] * 3), 24.0)
    long = as_whole_motion(rig, motion)
    assert (long.pose(2).rotations == whole.rotations).all()
    assert (len(long), long.fps) == (3, 24.0)


def test_a_shape_moves_fingers_and_eyes_with_the_body() -> None:
    tall = BodyShape(3.0 * (np.array(BODY.component_names) == "Height"))
    assert place(tall, "left_eye_smplhf")[1] > place(BodyShape(), "left_eye_smplhf")[1] + 0.04  # above the pelvis
    assert place(tall, "left_index3")[0] > place(BodyShape(), "left_index3")[0] + 0.02
    assert BODY.whole_rig(tall) is BODY.whole_rig(tall)


def test_which_joint_carries_a_rigid_joint() -> None:
    assert [carrier(name) for name in FACE_JOINTS] == ["head"] * 3
    assert carrier("right_ring3") == "right_ring2"
    assert carrier("right_ring1") == "right_hand"
    assert moving_joint("right_ring3") == "right_hand"
    assert moving_joint("left_knee") == "left_knee"
