"""Ranges of motion: hinges are hinges, sides mirror, recorded people stay within."""

from __future__ import annotations

import gc
import json
import weakref
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from sample_files import BESIDE, CLIPS
from scipy.spatial.transform import Rotation as Turn

from solver.kinematics.limit_kernels import swing_twist, swing_twist_derivative
from solver.kinematics.limits import joint_limits
from solver.kinematics.mirror import mirror_rotation
from solver.kinematics.rotation_kernels import quaternion
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.mirroring import mirror_order

LIMITS = joint_limits(SMPL_JOINTS)
RNG = np.random.default_rng(9)


def bent(**turns: tuple[float, float, float]) -> np.ndarray:
    """(24, 3, 3) local rotations at rest but for the joints named, rotation vectors in degrees."""
    vectors = np.zeros((24, 3))
    for name, turn in turns.items():
        vectors[SMPL_JOINTS.index(name)] = np.radians(turn)
    return Turn.from_rotvec(vectors).as_matrix()


def excess(name: str, turn: tuple[float, float, float]) -> float:
    return float(np.degrees(LIMITS.excess(bent(**{name: turn}))[SMPL_JOINTS.index(name)]))


def test_the_rest_pose_is_within() -> None:
    assert LIMITS.excess(bent()).max() == 0


def test_a_knee_bends_one_way_only() -> None:
    assert excess("left_knee", (120, 0, 0)) == 0
    assert excess("left_knee", (-40, 0, 0)) == pytest.approx(28, abs=1)
    assert excess("left_knee", (0, 0, 40)) > 25
    assert excess("left_knee", (0, 40, 0)) > 25


def test_an_elbow_bends_forwards_only() -> None:
    flexed = 120 * np.array([0, -0.866, 0.5])
    assert excess("left_elbow", tuple(flexed)) == 0
    assert excess("left_elbow", tuple(-flexed / 2)) > 40


def test_an_arm_goes_down_up_and_forward_but_not_far_back() -> None:
    for turn in ((0, 0, -85), (0, 0, 85), (0, -100, 0)):
        assert excess("left_shoulder", turn) == 0
    assert excess("left_shoulder", (0, 100, 0)) > 30


def test_right_joints_mirror_the_left_ones() -> None:
    rotations = Turn.from_rotvec(RNG.normal(0, 1, (50, 24, 3)).reshape(-1, 3)).as_matrix().reshape(50, 24, 3, 3)
    order = list(mirror_order(SMPL_JOINTS))
    mirrored = mirror_rotation(rotations.astype(np.float32))[:, order]
    assert LIMITS.excess(mirrored)[:, order] == pytest.approx(LIMITS.excess(rotations), abs=1e-4)


def test_a_twist_after_a_swing_is_told_apart() -> None:
    j = SMPL_JOINTS.index("left_shoulder")
    swing, twist = Turn.from_rotvec([0, -0.7, 0.5]), Turn.from_rotvec([0.6, 0, 0])
    rotations = bent()
    rotations[j] = (swing * twist).as_matrix()
    c, frame = LIMITS.coordinates(rotations)[j], LIMITS.frames[j]
    assert c[0] == pytest.approx(0.6)
    assert frame[:, 1:] @ c[1:] == pytest.approx([0, -0.7, 0.5])


def test_the_coordinates_derivative_is_that_of_finite_differences() -> None:
    def coordinates(turn: Turn, frame: np.ndarray) -> np.ndarray:
        q, out = np.empty(4), np.empty(3)
        quaternion(turn.as_matrix(), q)
        swing_twist(q, frame, out)
        return out

    for _ in range(40):
        frame, turn = Turn.random(random_state=RNG).as_matrix(), Turn.from_rotvec(RNG.normal(0, 0.8, 3))
        q, derivative = np.empty(4), np.empty((3, 3))
        quaternion(turn.as_matrix(), q)
        swing_twist_derivative(q, frame, derivative)
        for axis in range(3):
            d = Turn.from_rotvec(1e-6 * np.eye(3)[axis])
            slope = (coordinates(turn * d, frame) - coordinates(turn * d.inv(), frame)) / 2e-6
            assert derivative[:, axis] == pytest.approx(slope, abs=1e-4)


def test_a_joint_that_is_not_in_the_table_turns_freely() -> None:
    assert joint_limits(("pelvis", "tail")).excess(Turn.random(2, random_state=RNG).as_matrix()).max() == 0


def carried() -> list[Path]:
    """The clips that the repository carries."""
    return sorted(CLIPS.glob("*.bvh"))


def recorded() -> list[Path]:
    """Recordings of people where they lie beside the checkout, else the clips that the repository carries."""
    folder = BESIDE / "mocap"
    if not (folder / "manifest.json").exists():
        return carried()
    manifest = json.loads((folder / "manifest.json").read_text())
    keyed = "Mesh2Motion"  # by hand, on a rig whose wrists carry all of the forearm's twist
    train = [entry["clip"] for entry in manifest if entry["split"] == "train" and keyed not in entry["source"]]
    return [folder / f"{clip}.bvh" for clip in train]


@pytest.mark.parametrize("clips", [carried, pytest.param(recorded, marks=pytest.mark.slow)])
def test_people_in_clips_are_within_in_97_of_100_frames_for_every_joint(clips: Callable[[], list[Path]]) -> None:
    from solver.training.data.pose_prior import read_clip

    rotations = np.concatenate([read_clip(clip)[::4] for clip in clips()])
    share = (LIMITS.excess(rotations) <= 1e-6).mean(axis=0)
    assert {n: s for n, s in zip(SMPL_JOINTS, share.round(4).tolist(), strict=True) if s < 0.97} == {}


def test_the_limits_of_many_skeletons_are_not_kept_for_ever() -> None:
    first = weakref.ref(joint_limits(("pelvis", "tail_0")))
    for number in range(1, 100):
        joint_limits(("pelvis", f"tail_{number}"))
    gc.collect()
    assert first() is None
    assert joint_limits(SMPL_JOINTS) is joint_limits(SMPL_JOINTS)
