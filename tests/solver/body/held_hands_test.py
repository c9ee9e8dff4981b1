"""Hands: fingers turned apart from the pose."""

from __future__ import annotations

import numpy as np
import pytest

from solver.body.body import BodyShape, mean_shape
from solver.body.catalog import load_body
from solver.body.floor import posed_vertices
from solver.body.hands import Hands, relaxed_hands, skin_with
from solver.body.whole_rig import FINGER_JOINTS, as_whole_pose
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector

BODY, SHAPE = load_body("anny"), BodyShape(np.linspace(-1, 1, 10).astype(np.float32))


def test_people_of_the_mean_shape_share_one_skin() -> None:
    skins = [skin_with(BODY, mean_shape(BODY), relaxed_hands()) for _ in range(2)]
    assert skins[0] is skins[1]


def fist() -> Hands:
    bends = [-1.2 if joint.startswith("left") else 1.2 for joint in FINGER_JOINTS]
    return Hands(from_rotation_vector(np.array([[0.0, 0.0, bend] for bend in bends])))


@pytest.mark.parametrize("hands", [relaxed_hands(), fist()], ids=["relaxed", "fist"])
def test_the_skin_is_as_all_joints_together_would_pose_it(hands: Hands) -> None:
    rng = np.random.default_rng(3)
    pose = Pose(rng.normal(size=3).astype(np.float32), from_rotation_vector(rng.normal(0, 0.4, (24, 3))))
    whole = BODY.whole_rig(SHAPE)
    matrices = skinning_matrices(whole, as_whole_pose(whole, pose, hands.by_joint())).astype(np.float64)
    blended = np.einsum("vj,jab->vab", BODY.whole_weights.astype(np.float64), matrices[:, :3])
    exact = np.einsum("vab,vb->va", blended[:, :, :3], BODY.vertices(SHAPE)) + blended[:, :, 3]
    ours = posed_vertices(BODY, SHAPE, pose, rest=skin_with(BODY, SHAPE, hands))
    apart = np.linalg.norm(ours - exact, axis=1)
    assert apart.max() < 8e-3
    moved = np.linalg.norm(skin_with(BODY, SHAPE, hands) - BODY.vertices(SHAPE), axis=1) > 1e-3
    assert 1000 < moved.sum() < 4000
    assert apart[moved].mean() < 5e-4


def test_relaxed_fingers_bend_towards_the_palm_on_both_sides() -> None:
    whole = BODY.whole_rig(BodyShape())
    rest = Pose(whole.offsets[0], np.tile(np.eye(3, dtype=np.float32), (24, 1, 1)))
    before, after = (
        forward_kinematics(whole, as_whole_pose(whole, rest, turned)).positions
        for turned in ({}, relaxed_hands().by_joint())
    )
    for side in ("left", "right"):
        for finger in ("index", "middle", "ring", "pinky"):
            tip = whole.names.index(f"{side}_{finger}3")
            assert after[tip, 1] < before[tip, 1] - 0.005  # palms face down at rest


def test_hands_without_turns_leave_the_skin_as_it_is() -> None:
    assert skin_with(BODY, SHAPE, None) is BODY.vertices(SHAPE)
    still = Hands(np.tile(np.eye(3, dtype=np.float32), (len(FINGER_JOINTS), 1, 1)))
    assert skin_with(BODY, SHAPE, still) == pytest.approx(BODY.vertices(SHAPE), abs=1e-6)


def test_hands_mirrored_twice_are_the_same() -> None:
    hands = Hands(from_rotation_vector(np.random.default_rng(1).normal(0, 0.5, (30, 3))))
    assert hands.mirrored() != hands
    assert hands.mirrored().mirrored() == hands
