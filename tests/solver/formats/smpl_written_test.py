"""Motions written as AMASS has them: they come back as they were, and smplx's own kinematics stands where ours does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from formats_samples import any_motion, sample_motion, sample_skeleton, world_positions
from scipy.spatial.transform import Rotation as Oracle

from solver.errors import InputRefused, UnknownName
from solver.formats.smpl.motion import smpl_to_motion
from solver.formats.smpl.npz import read_smpl_npz
from solver.formats.smpl.write import OwnBody, smpl_arrays, write_smpl_npz
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_PARENTS

SKELETON = sample_skeleton(0.9)
LYING = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])


@pytest.mark.parametrize("model", ["SMPL-H", "SMPL-X"])
@pytest.mark.parametrize("motion", [sample_motion(6, fps=60.0), any_motion(5, 2)], ids=["sway", "wild"])
def test_a_motion_comes_back_within_a_tenth_of_a_millimetre(tmp_path: Path, motion: Motion, model: str) -> None:
    write_smpl_npz(tmp_path / "a.npz", smpl_arrays(SKELETON, motion, model=model))
    again, report = smpl_to_motion(read_smpl_npz(tmp_path / "a.npz"), SKELETON)
    assert world_positions(SKELETON, again) == pytest.approx(world_positions(SKELETON, motion), abs=1e-4)
    assert (again.fps, report.names, report.up) == (motion.fps, model, "+Z")


@pytest.mark.parametrize("turn", [LYING, LYING.T, np.eye(3)], ids=["on the back", "on the face", "upright"])
def test_a_person_who_lies_is_still_read_with_z_up(tmp_path: Path, turn: np.ndarray) -> None:
    motion = sample_motion(4)
    rotations = np.array(motion.rotations)
    rotations[:, 0] = turn
    lying = Motion(motion.root_positions, rotations)
    write_smpl_npz(tmp_path / "a.npz", smpl_arrays(SKELETON, lying))
    again, _ = smpl_to_motion(read_smpl_npz(tmp_path / "a.npz"), SKELETON)
    assert world_positions(SKELETON, again) == pytest.approx(world_positions(SKELETON, lying), abs=1e-4)


def test_the_file_holds_what_the_tools_around_amass_ask_for(tmp_path: Path) -> None:
    write_smpl_npz(tmp_path / "a.npz", smpl_arrays(SKELETON, sample_motion(6, fps=60.0), gender="female"))
    with np.load(tmp_path / "a.npz", allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    assert arrays["poses"].shape == (6, 156)
    assert arrays["trans"].shape == (6, 3)
    assert arrays["betas"].tolist() == [0.0] * 16
    assert (arrays["gender"].item(), arrays["surface_model_type"].item()) == ("female", "smplh")
    assert arrays["mocap_framerate"] == arrays["mocap_frame_rate"] == 60.0


def test_z_is_up_and_smpls_mean_legs_walk_the_path() -> None:
    """An oracle of its own: the hips of SMPL's mean body, placed by its own chain from the numbers in the file."""
    motion = sample_motion(8)
    arrays = smpl_arrays(SKELETON, motion)
    pelvis, hips = np.array([-0.002, -0.223, 0.028]), np.array([0.001, -0.091, -0.006])
    theirs = arrays["trans"] + pelvis + Oracle.from_rotvec(arrays["poses"][:, :3]).apply(hips)
    ours = world_positions(SKELETON, motion)[:, [1, 2]].mean(axis=1)
    legs = np.linalg.norm(SKELETON.offsets[[4, 5, 7, 8]], axis=1).sum() / 2
    upright = np.stack([ours[:, 0], -ours[:, 2], ours[:, 1]], axis=-1)
    assert theirs == pytest.approx(upright * 0.777 / legs, abs=1e-4)


@pytest.mark.parametrize(("model", "hands"), [("SMPL-H", (25, 40)), ("SMPL-X", (28, 43))])
def test_the_models_own_body_stands_where_it_stood(model: str, hands: tuple[int, int]) -> None:
    """smplx's own kinematics, on the model's own bones, from the numbers in the file."""
    torch = pytest.importorskip("torch")
    lbs = pytest.importorskip("smplx.lbs")
    motion, pelvis = sample_motion(4), np.array([0.001, -0.24, 0.02])
    betas = np.linspace(-2, 2, 10)
    arrays = smpl_arrays(SKELETON, motion, model=model, own=OwnBody(pelvis, betas))
    assert arrays["betas"] == pytest.approx([*betas, *[0.0] * 6])
    rest = SKELETON.rest_positions.astype(np.float64) - SKELETON.rest_positions[0] + pelvis
    turns = torch.tensor(from_rotation_vector(arrays["poses"].reshape(4, -1, 3)[:, [*range(22), *hands]]))
    posed = lbs.batch_rigid_transform(
        turns, torch.tensor(rest).expand(4, -1, -1), torch.tensor(SMPL_PARENTS), dtype=torch.float64
    )[0].numpy()
    theirs = posed + arrays["trans"][:, None]
    ours = world_positions(SKELETON, motion)
    assert np.stack([theirs[..., 0], theirs[..., 2], -theirs[..., 1]], axis=-1) == pytest.approx(ours, abs=1e-5)


def test_every_finger_goes_with_the_hand() -> None:
    motion = sample_motion(3)
    turns = smpl_arrays(SKELETON, motion)["poses"].reshape(3, 52, 3)
    for hand, first in ((22, 22), (23, 37)):
        for finger in range(5):
            knuckle, *beyond = (first + 3 * finger + i for i in range(3))
            assert from_rotation_vector(turns[:, knuckle]) == pytest.approx(motion.rotations[:, hand], abs=1e-5)
            assert np.abs(turns[:, beyond]).max() < 1e-9


def test_a_pose_is_a_motion_of_one_frame(tmp_path: Path) -> None:
    pose = sample_motion(3).pose(1)
    write_smpl_npz(tmp_path / "a.npz", smpl_arrays(SKELETON, pose))
    again, _ = smpl_to_motion(read_smpl_npz(tmp_path / "a.npz"), SKELETON)
    assert len(again) == 1
    assert again.pose(0).rotations == pytest.approx(pose.rotations, abs=1e-5)


def test_what_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="STAR"):
        smpl_arrays(SKELETON, sample_motion(1), model="STAR")
    with pytest.raises(InputRefused, match="folder does not exist"):
        write_smpl_npz(tmp_path / "none" / "a.npz", smpl_arrays(SKELETON, sample_motion(1)))
