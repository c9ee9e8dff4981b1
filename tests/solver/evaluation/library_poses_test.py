from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.floor import lowest_sole_point
from solver.errors import InputRefused
from solver.evaluation.evaluate import NEEDS_CLIPS, Settings, evaluate, poses_for
from solver.evaluation.library_poses import read_library_poses
from solver.evaluation.protocols import ALL_PROTOCOLS
from solver.evaluation.report import report
from solver.formats.pose_json.pose_file import PoseFile
from solver.formats.pose_json.still_poses import held_out
from solver.formats.pose_json.write import read_pose_json, write_pose_json
from tests.solver.evaluation_samples import BODY, SKELETON

LIBRARY = Path(__file__).resolve().parents[3] / "assets" / "poses"
LYING = sorted(path.stem for path in (LIBRARY / "Lying").glob("*.json"))


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """Eight people who lie and, in eight files, sixteen in twos."""
    for folder in ("Lying", "Two people"):
        shutil.copytree(LIBRARY / folder, tmp_path / folder)
    return tmp_path


def files_of(folder: Path, split: str, like: str = "*") -> list[str]:
    return [truth.clip for truth in read_library_poses(folder, BODY, split, files_like=like).poses]


def test_every_person_of_every_pose_file_is_a_pose_with_hands_at_rest(library: Path) -> None:
    found = read_library_poses(library, BODY)
    assert found.clips == 16
    assert [truth.frame for truth in found.poses] == [0] * 8 + [0, 1] * 8
    assert [truth.number for truth in found.poses] == list(range(24))
    for truth, name in zip(found.poses, LYING, strict=False):
        (person,) = read_pose_json(library / "Lying" / f"{name}.json").people
        assert truth.clip == f"Lying/{name}"
        assert truth.skeleton == SKELETON
        assert np.array_equal(truth.pose.rotations[:22], person.pose.rotations[:22])
        assert np.array_equal(truth.pose.root_position, person.pose.root_position)
        assert np.array_equal(truth.pose.rotations[22:], np.tile(np.eye(3), (2, 1, 1)))


def test_a_split_is_what_training_is_dealt_and_the_rest_is_the_other(library: Path) -> None:
    every = files_of(library, "all")
    tested = files_of(library, "test")
    assert set(tested) == held_out(set(every))
    assert [name for name in tested if name.startswith("Lying")] == [f"Lying/{LYING[2]}", f"Lying/{LYING[6]}"]
    assert sorted(tested + files_of(library, "train")) == sorted(every)


def test_a_pattern_chooses_among_what_is_held_out_without_changing_it(library: Path) -> None:
    assert files_of(library, "test", "Lying/*") == [f"Lying/{LYING[2]}", f"Lying/{LYING[6]}"]
    assert files_of(library, "test", f"*{LYING[6]}") == [f"Lying/{LYING[6]}"]


def test_a_person_of_another_build_stands_on_the_floor_as_the_mean_body_does(tmp_path: Path) -> None:
    (person,) = read_pose_json(LIBRARY / "Standing" / "Contrapposto.json").people
    small = BodyShape(np.full(10, -1.5, np.float32), "female")
    skeleton = BODY.skeleton(small)
    low = replace(person.pose, root_position=skeleton.offsets[0])
    sunk = np.float32([0, lowest_sole_point(BODY, small, low), 0])
    stands = replace(low, root_position=low.root_position - sunk)
    for name, model in (("ours", "anny"), ("theirs", "of somebody")):
        other = replace(person, body=model, shape=small, skeleton=skeleton, pose=stands)
        write_pose_json(tmp_path / f"{name}.json", PoseFile((other,)))
    ours, theirs = read_library_poses(tmp_path, BODY).poses
    assert ours.shape == theirs.shape == BodyShape()
    assert lowest_sole_point(BODY, BodyShape(), ours.pose) == pytest.approx(0.0, abs=1e-4)
    assert theirs.pose.root_position == pytest.approx(stands.root_position, abs=1e-5)
    assert abs(ours.pose.root_position[1] - stands.root_position[1]) > 0.02


def test_bodies_and_poses_are_drawn_by_the_seed(library: Path) -> None:
    some = read_library_poses(library, BODY, "test", "random", 3, seed=1)
    again = read_library_poses(library, BODY, "test", "random", 3, seed=1)
    assert [truth.number for truth in some.poses] == [truth.number for truth in again.poses]
    assert len({truth.shape.betas.tobytes() for truth in some.poses}) == len(some.poses) == 3
    assert [truth.shape for truth in some.poses] == [truth.shape for truth in again.poses]


def test_what_cannot_be_used_is_skipped_with_its_reason(library: Path) -> None:
    (library / "Lying" / "broken.json").write_text("{", encoding="utf-8")
    found = read_library_poses(library, BODY, files_like="Lying/*")
    assert len(found.poses) == 8
    assert "broken.json" in found.skipped["Lying/broken"]


@pytest.mark.parametrize(
    ("split", "like", "reason"),
    [
        ("val", "*", "a library has no split “val”.*“test”"),
        ("test", "none*", r"no pose of the split “test” has a name like “none\*”"),
    ],
)
def test_a_choice_of_nothing_is_refused(library: Path, split: str, like: str, reason: str) -> None:
    with pytest.raises(InputRefused, match=reason):
        read_library_poses(library, BODY, split, files_like=like)


def test_a_folder_without_anybody_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="no JSON files"):
        read_library_poses(tmp_path, BODY)
    write_pose_json(tmp_path / "empty.json", PoseFile(()))
    with pytest.raises(InputRefused, match="nobody in its pose files"):
        read_library_poses(tmp_path, BODY)
    (tmp_path / "empty.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputRefused, match="none of its 1 pose files can be used"):
        read_library_poses(tmp_path, BODY)


def test_a_library_is_measured_by_posture_class_and_what_needs_clips_is_not(library: Path) -> None:
    settings = Settings(library, "test", "F,B:local,N,M", "dls", kind="library")
    results = evaluate(settings)
    assert results.poses == len(poses_for(settings, BODY).poses) == 6
    assert set(results.figures) == {"F", "B:local"}
    assert results.absent == {id: NEEDS_CLIPS for id in ALL_PROTOCOLS if id.startswith(("N:", "M:"))}
    classes = results.postures["F"]
    counts = {name: rows.poses for name, rows in classes.items()}
    assert counts == {"standing": 4, "lying on the back": 1, "lying on the side": 1}
    assert all(rows.figures["dls"]["mpjpe_mm"] > 0 for rows in classes.values())
    assert "nearest_mm" not in results.figures["B:local"]["dls"]
    asked = results.as_json()["settings"]
    assert isinstance(asked, dict)
    assert asked["library"] == str(library)
    assert not {"bvh", "kind", "folder"} & set(asked)
    page = report(results, None, "the command", {}, 0)
    assert "6 poses of 4 pose files" in page
    assert f"Protocol N:2 was not measured. {NEEDS_CLIPS}" in page


def test_a_protocol_that_needs_clips_is_refused_where_it_is_the_only_one(library: Path) -> None:
    with pytest.raises(InputRefused, match="protocol N needs clips.*--bvh"):
        evaluate(Settings(library, protocol="N", solver="dls", kind="library"))
