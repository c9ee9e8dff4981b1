from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.floor import lowest_sole_point
from solver.errors import InputRefused
from solver.evaluation.poses import read_poses
from solver.evaluation.speed import TWELVE, free_problem, positions_of, random_poses, takeable_poses
from solver.formats.bvh.write import write_bvh
from solver.ik.pose_prior import natural_pose
from solver.kinematics.limits import BEND, KNEES, joint_limits
from solver.kinematics.pose import Pose
from solver.solvers.catalog import load_solver
from tests.solver.evaluation_samples import BODY, SKELETON, write_clips


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_clips(tmp_path, {"a": 25, "deep/b": 11, "c": 1})
    return tmp_path


def with_manifest(folder: Path, **splits: str) -> None:
    rows = [{"clip": clip.replace("__", "/"), "split": split} for clip, split in splits.items()]
    (folder / "manifest.json").write_text(json.dumps(rows), encoding="utf-8")


def test_every_tenth_frame_of_every_clip_counts(folder: Path) -> None:
    found = read_poses(folder, BODY)
    assert [(p.clip, p.frame) for p in found.poses] == [
        ("a", 0), ("a", 10), ("a", 20), ("c", 0), ("deep/b", 0), ("deep/b", 10),
    ]  # fmt: skip
    assert found.clips == 3
    assert len(read_poses(folder, BODY, every=1).poses) == 25 + 11 + 1
    assert [p.frame for p in read_poses(folder, BODY, every=12, clips_like="a").poses] == [0, 12, 24]


def test_the_manifest_deals_the_splits(folder: Path) -> None:
    with_manifest(folder, a="train", deep__b="test", c="test")
    assert {p.clip for p in read_poses(folder, BODY, "test").poses} == {"c", "deep/b"}
    assert {p.clip for p in read_poses(folder, BODY, "all").poses} == {"a", "c", "deep/b"}
    with pytest.raises(InputRefused, match="“val”"):
        read_poses(folder, BODY, "val")


def test_clips_can_be_chosen_by_their_names(folder: Path) -> None:
    assert {p.clip for p in read_poses(folder, BODY, clips_like="deep/*").poses} == {"deep/b"}
    assert {p.clip for p in read_poses(folder, BODY, clips_like="[ab]").poses} == {"a"}
    with pytest.raises(InputRefused, match=r"“none_\*”"):
        read_poses(folder, BODY, clips_like="none_*")


def test_without_a_manifest_every_file_counts_for_any_split(folder: Path) -> None:
    assert len(read_poses(folder, BODY, "test").poses) == 6


def test_a_choice_of_poses_is_seeded_and_keeps_their_numbers(folder: Path) -> None:
    every = {p.number: p.pose for p in read_poses(folder, BODY).poses}
    some = read_poses(folder, BODY, max_poses=3, seed=1).poses
    assert len(some) == 3
    assert all(every[p.number] == p.pose for p in some)
    assert [p.number for p in some] == [p.number for p in read_poses(folder, BODY, max_poses=3, seed=1).poses]
    draws = {tuple(p.number for p in read_poses(folder, BODY, max_poses=3, seed=s).poses) for s in range(8)}
    assert len(draws) > 1


def test_random_bodies_are_drawn_by_pose_and_stand_where_the_mean_body_stood(tmp_path: Path) -> None:
    rest = Pose(SKELETON.offsets[0], np.broadcast_to(np.eye(3, dtype=np.float32), (24, 3, 3)))
    lift = lowest_sole_point(BODY, BodyShape(), rest)
    write_bvh(tmp_path / "stand.bvh", SKELETON, Pose(rest.root_position - np.float32([0, lift, 0]), rest.rotations))
    write_clips(tmp_path, {"other": 31})
    poses = read_poses(tmp_path, BODY, shapes="random", seed=3).poses
    assert len({p.shape.betas.tobytes() for p in poses}) == len(poses)
    assert max(np.abs(p.shape.betas).max() for p in poses) <= 3.0
    assert all(p.skeleton == BODY.skeleton(p.shape) for p in poses)
    standing = next(p for p in poses if p.clip == "stand")
    assert lowest_sole_point(BODY, standing.shape, standing.pose) == pytest.approx(0.0, abs=2e-3)
    again = read_poses(tmp_path, BODY, shapes="random", seed=3).poses
    assert [p.shape for p in poses] == [p.shape for p in again]


def test_a_damaged_file_is_skipped_with_its_reason(folder: Path) -> None:
    (folder / "bad.bvh").write_text("HIERARCHY\nROOT", encoding="utf-8")
    told: list[str] = []
    found = read_poses(folder, BODY, tell=told.append)
    assert len(found.poses) == 6
    assert list(found.skipped) == ["bad"]
    assert "bad.bvh" in told[0]


def test_a_folder_without_usable_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="no such folder"):
        read_poses(tmp_path / "none", BODY)
    with pytest.raises(InputRefused, match="no BVH files"):
        read_poses(tmp_path, BODY)
    (tmp_path / "bad.bvh").write_text("nothing", encoding="utf-8")
    with pytest.raises(InputRefused, match="none of its 1"):
        read_poses(tmp_path, BODY)


def test_poses_that_can_be_taken_are_the_random_ones_with_knees_that_bend_no_further_back_than_straight() -> None:
    every, knees = random_poses(SKELETON, 40), [SKELETON.index(name) for name in KNEES]
    bends = joint_limits(SKELETON.names).coordinates(np.stack([pose.rotations for pose in every]))[:, knees, BEND]
    straight = [pose for pose, bend in zip(every, bends, strict=True) if bend.min() >= 0.0]
    assert 20 < len(straight) < 36  # some of those drawn bend one backwards
    assert takeable_poses(SKELETON, len(straight)) == straight


@pytest.mark.slow
def test_solves_meet_nearly_all_poses_that_can_be_taken_and_miss_many_whose_knees_bend_back() -> None:
    takeable = takeable_poses(SKELETON, 30)
    back = [pose for pose in random_poses(SKELETON, 60) if pose not in takeable][:15]

    def missed(poses: list[Pose]) -> int:
        solver, base, count = load_solver("dls"), natural_pose(SKELETON), 0
        for pose in poses:
            found = solver.solve(free_problem(SKELETON, positions_of(SKELETON, pose, TWELVE), base))
            count += max(residual.value for residual in found.residuals) > 3e-3
        return count

    assert missed(takeable) <= 2
    assert missed(back) >= 5
