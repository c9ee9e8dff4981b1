"""A point of a body put elsewhere in the picture brings its limb along, and the rest stays."""

from __future__ import annotations

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.camera import PinholeCamera
from solver.errors import PoserError
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.mirror import MirrorPlane
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.refit import marked_points, refit, refit_turned
from solver.rig.mirroring import mirror_pose

BODY = load_body("anny")
SHAPE = BodyShape(np.float32([1.2, 0, -0.5, 1, 0, 0, 0, 0, 0, 0]), "female")
SKELETON = BODY.skeleton(SHAPE)
CAMERA = PinholeCamera(np.float32([0.4, 1.3, 4.0]), from_rotation_vector([-0.08, 0.1, 0.03]).astype(np.float32), 900.0,
                       (480.0, 360.0), (960, 720))  # fmt: skip
J = SMPL_JOINTS.index
ACROSS = np.array([0, *(mark + (1 if mark % 2 else -1) for mark in range(1, 33))])  # BlazePose's pairs from 7 on
WRIST, ELBOW, ANKLE, KNEE = 15, 13, 28, 26


def posed(**turns: tuple[float, float, float]) -> Pose:
    rotations = np.tile(np.eye(3), (24, 1, 1))
    for joint in ("left_shoulder", "right_shoulder"):
        rotations[J(joint)] = from_rotation_vector([0.0, 0.0, -1.1 if joint[0] == "l" else 1.1])
    for joint, turn in turns.items():
        rotations[J(joint)] = from_rotation_vector(turn) @ rotations[J(joint)]
    return Pose(np.float32([0.1, 0.95, 0.0]), rotations.astype(np.float32))


def seen(pose: Pose, mark: int) -> np.ndarray:
    points = marked_points(BODY, SHAPE, pose, CAMERA)
    return points.pixels[points.landmark == mark][0]


def places(pose: Pose) -> np.ndarray:
    return forward_kinematics(SKELETON, pose).positions


@pytest.mark.parametrize(("marks", "truth", "limb"), [
    ((WRIST, ELBOW), posed(left_elbow=(0.0, 0.0, 0.7), left_shoulder=(0.0, 0.0, 0.6)),
     ("left_elbow", "left_wrist", "left_hand")),
    ((ANKLE, KNEE), posed(right_hip=(0.0, 0.0, -0.6)), ("right_knee", "right_ankle", "right_foot")),
])  # fmt: skip
def test_a_wrong_limb_goes_where_its_points_are_put(marks: tuple[int, ...], truth: Pose, limb: tuple[str, ...]) -> None:
    wrong = posed()
    put = {mark: seen(truth, mark) for mark in marks}
    right = refit(BODY, SHAPE, wrong, CAMERA, put)
    for mark, pixel in put.items():
        assert np.linalg.norm(seen(right, mark) - pixel) < 1.0
    moved = [J(joint) for joint in limb]
    off = np.linalg.norm(places(right) - places(truth), axis=1)[moved].mean()
    assert off < 0.4 * np.linalg.norm(places(wrong) - places(truth), axis=1)[moved].mean()
    rest = [j for j in range(24) if j not in moved]
    assert np.linalg.norm(places(right) - places(wrong), axis=1)[rest].max() < 0.05


def test_a_point_where_it_is_changes_nothing() -> None:
    pose = posed(left_elbow=(0.3, 0.2, 0.5))
    same = refit(BODY, SHAPE, pose, CAMERA, {WRIST: seen(pose, WRIST)})
    assert np.linalg.norm(places(same) - places(pose), axis=1).max() < 0.02


def test_a_point_out_of_reach_is_gone_to_as_far_as_the_body_lets_it() -> None:
    pose = posed()
    there = seen(pose, WRIST) + [400.0, -50.0]
    far = refit(BODY, SHAPE, pose, CAMERA, {WRIST: there})
    assert np.isfinite(far.rotations).all()
    assert np.linalg.norm(seen(far, WRIST) - there) < np.linalg.norm(seen(pose, WRIST) - there)


def test_another_skeleton_is_refused() -> None:
    with pytest.raises(PoserError, match="24 joints"):
        marked_points(
            BODY, SHAPE, Pose(np.zeros(3, np.float32), np.tile(np.eye(3, dtype=np.float32), (5, 1, 1))), CAMERA
        )


LEANING = posed(pelvis=(0.5, 0.3, 0.0), left_knee=(0.8, 0.0, 0.0), left_hip=(-0.9, 0.0, 0.2))
POINTING = posed(left_shoulder=(0.0, -1.3, 0.0), right_hip=(-0.7, 0.0, 0.0))
OVERHEAD = PinholeCamera(
    np.float32([0.2, 2.6, 3.6]), from_rotation_vector([-0.42, 0.0, 0.0]).astype(np.float32), 900.0, (480.0, 360.0),
    (960, 720),
)  # fmt: skip


@pytest.mark.parametrize("camera", [CAMERA, OVERHEAD])
@pytest.mark.parametrize("pose", [posed(), LEANING, POINTING])
def test_somebody_turned_round_stays_where_they_were_in_the_picture(pose: Pose, camera: PinholeCamera) -> None:
    sight = (pose.root_position - camera.position).astype(np.float64) * [1.0, 0.0, 1.0]
    mirror = MirrorPlane.across(sight / np.linalg.norm(sight), pose.root_position.astype(np.float64))
    mirrored = mirror_pose(SKELETON, pose, mirror)

    turned = refit_turned(BODY, SHAPE, pose, mirrored, camera)

    before = marked_points(BODY, SHAPE, pose, camera)
    across = [before.landmark.tolist().index(mark) for mark in ACROSS[before.landmark]]
    tall = np.linalg.norm(np.ptp(before.pixels, axis=0))

    def off(pose: Pose) -> float:
        return float(
            np.linalg.norm(marked_points(BODY, SHAPE, pose, camera).pixels - before.pixels[across], axis=1).mean()
        )

    assert off(turned) < 0.015 * tall
    assert off(turned) < max(0.5 * off(mirrored), 0.005 * tall)
    facing = (
        forward_kinematics(SKELETON, turned).rotations[0][:, 2]
        @ forward_kinematics(SKELETON, mirrored).rotations[0][:, 2]
    )
    assert facing > 0.6  # leaning otherwise, as the camera looks down
