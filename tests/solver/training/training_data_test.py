"""Motion capture becomes pose data; what cannot be used is named; damaged data is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.errors import InputRefused
from solver.evaluation.body_joints import BODY_JOINTS
from solver.formats.bvh.write import write_bvh
from solver.formats.pose_json.still_poses import people_of
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_quaternion_xyzw, from_rotation_vector, geodesic_angle
from solver.kinematics.skeleton import Skeleton
from solver.training.data.dataset import (
    PoseData,
    deal_splits,
    load_pose_data,
    quantised,
    save_pose_data,
)
from solver.training.data.prepare import HELD, Source, prepare
from solver.training.data.synthetic import synthetic_poses


@pytest.fixture(scope="module")
def skeleton() -> Skeleton:
    return load_body("anny").skeleton(BodyShape())


def motion(frames: int, fps: float = 30.0, seed: int = 0) -> Motion:
    rng = np.random.default_rng(seed)
    return Motion(
        rng.normal(size=(frames, 3)),
        from_rotation_vector(0.2 * rng.normal(size=(frames, 24, 3))).astype(np.float32),
        fps,
    )


@pytest.fixture
def folder(tmp_path: Path, skeleton: Skeleton) -> Path:
    clips = tmp_path / "clips"
    (clips / "deeper").mkdir(parents=True)
    write_bvh(clips / "walk.bvh", skeleton, motion(6, seed=1))
    write_bvh(clips / "deeper" / "fast.BVH", skeleton, motion(8, fps=60.0, seed=2))
    return clips


def test_a_folder_becomes_rotations_of_the_22_body_joints(folder: Path, skeleton: Skeleton) -> None:
    data = prepare([Source("bvh", folder)], skeleton).data
    assert data.joint_names == BODY_JOINTS
    frames = data.frame_clip == data.clip_names.index("walk")
    rotations = from_quaternion_xyzw(data.quaternions_xyzw[frames])
    assert np.degrees(geodesic_angle(rotations, motion(6, seed=1).rotations[:, :22])).max() < 0.05


def test_fast_clips_are_thinned_to_30_frames_a_second(folder: Path, skeleton: Skeleton) -> None:
    data = prepare([Source("bvh", folder)], skeleton).data
    assert (data.frame_clip == data.clip_names.index("deeper/fast")).sum() == 4
    assert data.fps == 30.0


def test_files_that_cannot_be_used_are_skipped_and_named(folder: Path, skeleton: Skeleton) -> None:
    (folder / "crane.bvh").write_text(
        "HIERARCHY\nROOT mast\n{\n OFFSET 0 0 0\n CHANNELS 3 Zrotation Xrotation Yrotation\n"
        " End Site\n {\n  OFFSET 0 1 0\n }\n}\nMOTION\nFrames: 1\nFrame Time: 0.033333\n0 0 0\n"
    )
    whole = (folder / "walk.bvh").read_text()
    (folder / "gap.bvh").write_text(whole[:-12] + "nan\n")
    lines: list[str] = []
    made = prepare([Source("bvh", folder)], skeleton, tell=lines.append)
    assert set(made.skipped) == {"crane", "gap"}
    assert "nan" in made.skipped["gap"]
    assert set(made.data.clip_names) == {"walk", "deeper/fast"}
    assert sum("skipped" in line for line in lines) == 2


def test_a_folder_without_a_usable_file_is_refused(tmp_path: Path, skeleton: Skeleton) -> None:
    with pytest.raises(InputRefused, match="no BVH files"):
        prepare([Source("bvh", tmp_path)], skeleton)
    (tmp_path / "broken.bvh").write_text("HIERARCHY\nROOT")
    with pytest.raises(InputRefused, match="none of the 1"):
        prepare([Source("bvh", tmp_path)], skeleton)


def test_a_manifest_decides_the_splits(folder: Path, skeleton: Skeleton) -> None:
    rows = [{"clip": "walk", "split": "test"}, {"clip": "deeper/fast", "split": "val"}]
    (folder / "manifest.json").write_text(json.dumps(rows))
    data = prepare([Source("bvh", folder)], skeleton).data
    assert dict(zip(data.clip_names, data.clip_splits, strict=True)) == {"walk": "test", "deeper/fast": "val"}


def amass(path: Path, frames: int, fps: float = 120.0, seed: int = 0) -> None:
    """A clip as AMASS stores it: SMPL-H's 52 joints, Z up."""
    poses = np.zeros((frames, 52, 3))
    poses[:, :22] = 0.2 * np.random.default_rng(seed).normal(size=(frames, 22, 3))
    poses[:, 0, 0] += np.pi / 2
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez(path, poses=poses.reshape(frames, 156), trans=np.zeros((frames, 3)), mocap_framerate=fps, gender="male")


def test_clips_can_be_left_out_by_name(folder: Path, skeleton: Skeleton) -> None:
    data = prepare([Source("bvh", folder)], skeleton, leave_out=["wa*"]).data
    assert data.clip_names == ("deeper/fast",)
    assert prepare([Source("bvh", folder)], skeleton, leave_out=["fa*"]).data.clip_names == ("walk",)
    with pytest.raises(InputRefused, match="run\\*.*no clip has a name like this"):
        prepare([Source("bvh", folder)], skeleton, leave_out=["run*"])


def test_amass_files_become_the_same_data_thinned_and_z_turned_up(tmp_path: Path, skeleton: Skeleton) -> None:
    amass(tmp_path / "CMU" / "01" / "walk_poses.npz", 9)
    np.savez(tmp_path / "CMU" / "01" / "shape.npz", gender="male", betas=np.zeros(16))
    np.savez(tmp_path / "objects.npz", poses=np.array({"a": 1}, dtype=object), trans=np.zeros((1, 3)))
    made = prepare([Source("amass", tmp_path)], skeleton)
    assert made.data.clip_names == ("CMU/01/walk_poses",)
    assert made.data.joint_names == BODY_JOINTS
    with np.load(tmp_path / "CMU" / "01" / "walk_poses.npz") as stored:
        local = from_rotation_vector(stored["poses"].reshape(9, 52, 3)[::4, :22])
    local[:, 0] = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]]) @ local[:, 0]
    kept = from_quaternion_xyzw(made.data.quaternions_xyzw)
    assert np.degrees(geodesic_angle(kept, local)).max() < 0.05
    assert set(made.skipped) == {"CMU/01/shape", "objects"}
    assert "holds no poses" in made.skipped["CMU/01/shape"]
    assert "pickled" in made.skipped["objects"]


def test_a_number_that_is_not_finite_in_an_amass_file_is_found(tmp_path: Path, skeleton: Skeleton) -> None:
    amass(tmp_path / "good.npz", 4)
    np.savez(tmp_path / "bad.npz", poses=np.full((4, 72), np.nan), trans=np.zeros((4, 3)))
    made = prepare([Source("amass", tmp_path)], skeleton)
    assert "not finite" in made.skipped["bad"]
    (tmp_path / "good.npz").unlink()
    with pytest.raises(InputRefused, match="none of the 1"):
        prepare([Source("amass", tmp_path)], skeleton)


def test_several_folders_become_one_file_and_their_clips_stay_apart(folder: Path, skeleton: Skeleton) -> None:
    amass(folder.parent / "amass" / "walk.npz", 8)
    (folder / "manifest.json").write_text(json.dumps([{"clip": "walk", "split": "test"}]))
    sources = [Source("bvh", folder), Source("amass", folder.parent / "amass")]
    data = prepare(sources, skeleton).data
    assert data.clip_names == ("clips/deeper/fast", "clips/walk", "amass/walk")
    assert dict(zip(data.clip_names, data.clip_splits, strict=True))["clips/walk"] == "test"
    assert [(data.frame_clip == clip).sum() for clip in range(3)] == [4, 6, 2]
    again = prepare([sources[0], sources[0]], skeleton).data.clip_names
    assert again == ("clips1/deeper/fast", "clips1/walk", "clips2/deeper/fast", "clips2/walk")


@pytest.mark.parametrize("text", ["{", "{}1", '[{"clip": "walk"}]', '[{"clip": "walk", "split": "best"}]'])
def test_a_wrong_manifest_is_refused_by_name(folder: Path, skeleton: Skeleton, text: str) -> None:
    (folder / "manifest.json").write_text(text)
    with pytest.raises(InputRefused, match=r"manifest\.json"):
        prepare([Source("bvh", folder)], skeleton)


def test_splits_are_dealt_by_clip_whatever_the_order_of_the_files() -> None:
    names = tuple(f"clip{n}" for n in range(100))
    dealt = dict(zip(names, deal_splits(names, seed=4), strict=True))
    again = dict(zip(names[::-1], deal_splits(names[::-1], seed=4), strict=True))
    assert dealt == again
    assert (list(dealt.values()).count("test"), list(dealt.values()).count("val")) == (12, 8)
    assert deal_splits(names, seed=5) != deal_splits(names, seed=4)


def test_pose_data_survives_the_file(tmp_path: Path) -> None:
    data = synthetic_poses(250)
    save_pose_data(data, tmp_path / "poses.npz")
    assert load_pose_data(tmp_path / "poses.npz") == data


def test_quantised_rotations_are_off_by_a_hundredth_of_a_degree_at_most() -> None:
    q = np.random.default_rng(0).normal(size=(500, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    angle = geodesic_angle(from_quaternion_xyzw(quantised(q)), from_quaternion_xyzw(q))
    assert np.degrees(angle).max() < 0.01


def test_frames_of_a_split_come_from_its_clips_alone_and_can_be_thinned() -> None:
    data = synthetic_poses(500)
    frames = data.frames_of("val", every=10)
    assert {data.clip_splits[data.frame_clip[f]] for f in frames} == {"val"}
    assert len(frames) == 10
    assert set(frames - frames[0]) == set(range(0, 100, 10))


def _without(path: Path, key: str) -> None:
    with np.load(path) as stored:
        arrays = {name: stored[name] for name in stored if name != key}
    np.savez(path, **arrays)


def test_data_that_is_damaged_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "poses.npz"
    with pytest.raises(InputRefused, match="no such file"):
        load_pose_data(path)
    save_pose_data(synthetic_poses(120), path)
    path.write_bytes(path.read_bytes()[:-200])
    with pytest.raises(InputRefused, match="not pose data"):
        load_pose_data(path)
    save_pose_data(synthetic_poses(120), path)
    _without(path, "frame_clip")
    with pytest.raises(InputRefused, match="not pose data"):
        load_pose_data(path)


def test_numbers_that_are_not_finite_are_found_in_the_data(tmp_path: Path) -> None:
    data = synthetic_poses(120)
    roots = np.array(data.root_positions)
    roots[7, 1] = np.nan
    broken = PoseData(
        data.joint_names, data.quaternions_xyzw, roots, data.frame_clip, data.clip_names, data.clip_splits
    )
    save_pose_data(broken, tmp_path / "poses.npz")
    with pytest.raises(InputRefused, match="not finite"):
        load_pose_data(tmp_path / "poses.npz")


def test_a_pickle_in_the_data_is_never_opened(tmp_path: Path) -> None:
    np.savez(tmp_path / "poses.npz", version=np.int32(1), joint_names=np.array([{"a": 1}], dtype=object))
    with pytest.raises(InputRefused, match="not pose data"):
        load_pose_data(tmp_path / "poses.npz")


def test_a_library_is_learned_from_except_every_fourth_pose_of_a_folder(tmp_path: Path, skeleton: Skeleton) -> None:
    library = Path(__file__).resolve().parents[3] / "assets" / "poses"
    for folder in ("Lying", "Two people"):
        shutil.copytree(library / folder, tmp_path / folder)
    data = prepare([Source("library", tmp_path)], skeleton).data
    splits = dict(zip(data.clip_names, data.clip_splits, strict=True))
    for folder in ("Lying", "Two people"):
        dealt = [splits[name] for name in sorted(splits) if name.startswith(folder)]
        assert dealt == ["test" if number % 4 == 2 else "train" for number in range(len(dealt))]
    frames = {name: np.flatnonzero(data.frame_clip == clip) for clip, name in enumerate(data.clip_names)}
    assert all(len(frames[name]) == (2 * HELD if name.startswith("Two") else HELD) for name in frames)
    name = next(name for name in splits if name.startswith("Lying"))
    (person,) = people_of(tmp_path / f"{name}.json", skeleton)
    stored = from_quaternion_xyzw(data.quaternions_xyzw[frames[name][0]])
    assert np.degrees(geodesic_angle(stored, person.pose.rotations[:22])).max() < 0.05


def test_a_pose_of_another_rig_is_skipped_and_named(tmp_path: Path, skeleton: Skeleton) -> None:
    library = Path(__file__).resolve().parents[3] / "assets" / "poses" / "Lying"
    first, second = sorted(library.glob("*.json"))[:2]
    shutil.copy(first, tmp_path)
    (tmp_path / "other.json").write_text(second.read_text("utf-8").replace('"pelvis"', '"hips"'), "utf-8")
    (tmp_path / "nobody.json").write_text('{"format": "contrapposto-pose", "version": 1, "people": []}', "utf-8")
    made = prepare([Source("library", tmp_path)], skeleton)
    assert made.data.clip_names == (first.stem,)
    assert "another rig" in made.skipped["other"] or "not those of our body" in made.skipped["other"]
    assert "there is nobody in it" in made.skipped["nobody"]
