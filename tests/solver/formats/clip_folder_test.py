"""Folders of motion files and their manifest: which clips there are, and to which split each belongs."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from solver.errors import InputRefused
from solver.formats.clip_folder import MANIFEST, clip_files, read_manifest, split_files
from solver.formats.smpl.npz import read_smpl_npz
from solver.size_limits import MAX_FRAMES


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("run.bvh", "walks/slow.BVH", "walks/fast.bvh", "walks/notes.txt", "amass.npz"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "folder.bvh").mkdir()
    return tmp_path


def manifest(folder: Path, text: str) -> Path:
    (folder / MANIFEST).write_text(text)
    return folder / MANIFEST


def test_clips_are_named_by_their_way_below_the_folder_in_order(folder: Path) -> None:
    assert list(clip_files(folder)) == ["run", "walks/fast", "walks/slow"]
    assert clip_files(folder)["walks/slow"] == folder / "walks" / "slow.BVH"
    assert list(clip_files(folder, "NPZ")) == ["amass"]


def test_a_folder_that_is_missing_or_holds_none_says_what_to_name(folder: Path) -> None:
    with pytest.raises(InputRefused, match=r"none: there is no such folder\. Name a folder with \.bvh files"):
        clip_files(folder / "none")
    with pytest.raises(InputRefused, match=r"there are no NPZ files in it\. Name a folder with \.npz files"):
        clip_files(folder / "walks", "NPZ")


def test_without_a_manifest_every_clip_is_of_every_split(folder: Path) -> None:
    assert split_files(folder, "train") == split_files(folder, "test") == clip_files(folder)
    assert read_manifest(folder / MANIFEST) == {}


def test_a_manifest_deals_the_clips_and_one_that_it_does_not_know_is_left_out(folder: Path) -> None:
    manifest(folder, json.dumps([{"clip": "run", "split": "train"}, {"clip": "walks/slow", "split": "val"}]))
    assert list(split_files(folder, "train")) == ["run"]
    assert list(split_files(folder, "val")) == ["walks/slow"]
    with pytest.raises(InputRefused, match=r"lists no clip of the split “test”\. Take val"):
        split_files(folder, "test", "Take val")


@pytest.mark.parametrize("text", ["{}[", '{"clip": "run"}', '[{"clip": "run"}]', "[1]", "7", "[" * 100_000])
def test_a_manifest_that_is_none_is_refused_in_one_line(folder: Path, text: str) -> None:
    with pytest.raises(InputRefused, match=r"manifest\.json is not a list of clips and splits") as caught:
        read_manifest(manifest(folder, text))
    assert "\n" not in str(caught.value)


def test_a_split_that_there_is_not_is_refused_with_the_clip(folder: Path) -> None:
    file = manifest(folder, json.dumps([{"clip": "run", "split": "holdout"}]))
    with pytest.raises(InputRefused, match=r"manifest\.json, run: “holdout” is not a split\. Use train, val, test"):
        read_manifest(file)


def amass(path: Path, **changes: object) -> Path:
    content = {"poses": np.zeros((6, 72)), "trans": np.arange(18.0).reshape(6, 3), "mocap_framerate": np.array(60.0)}
    np.savez(path, **{**content, **changes})  # type: ignore[arg-type]
    return path


def test_a_thinned_motion_takes_as_long_as_before(tmp_path: Path) -> None:
    file = read_smpl_npz(amass(tmp_path / "a.npz"))
    half = file.thinned(2)
    assert (len(half), half.fps) == (3, 30)
    assert half.trans.tolist() == file.trans[::2].tolist()


def test_more_frames_than_are_read_are_refused_before_they_are_unpacked(tmp_path: Path) -> None:
    path = amass(tmp_path / "a.npz", poses=np.zeros((MAX_FRAMES + 1, 72), np.float16), trans=np.zeros((1, 3)))
    with pytest.raises(InputRefused, match=r"a\.npz, poses has 200,001 frames\. Choose one with 1 to 200,000"):
        read_smpl_npz(path)


@pytest.mark.parametrize(
    ("rate", "words"), [(np.zeros(3), r"the frame rate has the shape \(3,\)"), (np.array(0.0), "is impossible")]
)
def test_a_frame_rate_that_is_none_is_refused(tmp_path: Path, rate: np.ndarray, words: str) -> None:
    with pytest.raises(InputRefused, match=rf"mocap_framerate: {words}|{words}.*Write frames a second"):
        read_smpl_npz(amass(tmp_path / "a.npz", mocap_framerate=rate))


def test_parts_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", root_orient=np.zeros((6, 3)), pose_body=np.zeros((5, 63)), trans=np.zeros((6, 3)))
    with pytest.raises(InputRefused, match="root_orient and pose_body do not belong together"):
        read_smpl_npz(tmp_path / "a.npz")


def test_a_motion_without_a_frame_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="poses has 0 frames"):
        read_smpl_npz(amass(tmp_path / "a.npz", poses=np.zeros((0, 72)), trans=np.zeros((0, 3))))
