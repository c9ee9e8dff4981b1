"""The scripts that make poses to learn from and measure trackers, on a handful of poses each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scripts.drags import reach_drags
from scripts.motions import drop_outs, slow_trackers
from scripts.motions.steadiest_pose import steadiest_pose
from scripts.networks import contact_poses, library_blends, proposal_confidence
from scripts.photo import key_point_study, landmark_errors
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.effectors.kinds import Position
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.training.data.dataset import PoseData, load_pose_data, save_pose_data
from solver.training.data.landmark_errors import LandmarkErrors, load_landmark_errors, save_landmark_errors
from solver.training.data.synthetic import synthetic_poses

CLIPS = Path(__file__).resolve().parents[1] / "data" / "clips"
EACH = 3


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A file of poses: one of the library, and a motion."""
    data = synthetic_poses(60)
    clips = {"clip_names": ("poses/standing", "motion"), "clip_splits": ("train", "train")}
    of_clip = (np.arange(len(data.frame_clip)) >= 10).astype(np.int32)
    save_pose_data(replace(data, frame_clip=of_clip, **clips), tmp_path / "poses.npz")
    return tmp_path / "poses.npz"


def kept_as_said(said: str, data: PoseData, kind: str) -> int:
    """How many poses clips of that kind have, which the lines printed must say, too."""
    counts = {
        name.removeprefix(kind): int((data.frame_clip == number).sum())
        for number, name in enumerate(data.clip_names)
        if name.startswith(kind)
    }
    told = {line.split(":")[0]: int(line.split(" of ")[0].split()[-1]) for line in said.splitlines()}
    assert {name: count for name, count in told.items() if count} == counts
    return sum(counts.values())


def test_poses_on_the_floor_are_added_to_those_recorded(
    recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "more.npz"
    contact_poses.main(["--data", str(recorded), "-o", str(out), "--each", str(EACH)])
    before, after = load_pose_data(recorded), load_pose_data(out)
    kept = kept_as_said(capsys.readouterr().out, after, "synthetic/")
    assert 0 < kept == len(after.quaternions_xyzw) - len(before.quaternions_xyzw)
    assert np.array_equal(after.quaternions_xyzw[: len(before.quaternions_xyzw)], before.quaternions_xyzw)


def test_blends_of_the_library_are_added_to_it(
    recorded: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "more.npz"
    library_blends.main(["--data", str(recorded), "-o", str(out), "--each", str(EACH)])
    before, after = load_pose_data(recorded), load_pose_data(out)
    kept = kept_as_said(capsys.readouterr().out, after, "blend/")
    assert kept == len(after.quaternions_xyzw) - len(before.quaternions_xyzw)


def cells(said: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in said.splitlines() if line.startswith("| ")]


@pytest.mark.slow
def test_a_clip_is_followed_through_drop_outs(capsys: pytest.CaptureFixture[str]) -> None:
    drop_outs.main(["--bvh", str(CLIPS), "--split", "all", "--solver", "dls", "--max-poses", "100"])
    titles, *rows = cells(capsys.readouterr().out)
    assert [row[0] for row in rows] == list(drop_outs.WORN)
    for row in rows:
        assert len(row) == len(titles)
        assert int(row[1]) == 2 * 44, "steps of two clips of a second and a half"
        assert all(0 <= float(share) <= 100 for share in row[2:8])
    all_six, *dropping = (float(row[9]) for row in rows)
    assert all(0 <= all_six < away < 10 for away in dropping), "centimetres that joints are off"


def test_a_pose_on_its_way_goes_no_further_than_it_may_and_keeps_its_trackers() -> None:
    skeleton = load_body(DEFAULT_BODY).skeleton(BodyShape())
    rest = rest_pose(skeleton)
    turns = np.zeros((len(skeleton), 3))
    turns[skeleton.index("left_hip")], turns[skeleton.index("left_knee")] = (-0.7, 0.0, 0.0), (1.2, 0.0, 0.0)
    bent = Pose(rest.root_position, from_rotation_vector(turns).astype(np.float32) @ rest.rotations)
    turns[skeleton.index("left_hip")] = (-0.7, 0.0, 0.9)
    swung = Pose(rest.root_position, from_rotation_vector(turns).astype(np.float32) @ rest.rotations)
    before, there = (forward_kinematics(skeleton, pose) for pose in (bent, swung))
    knee, ankle = skeleton.index("left_knee"), skeleton.index("left_ankle")
    went = float(np.linalg.norm(there.positions[knee] - before.positions[knee]))
    worn = (Position.on(skeleton, "pelvis", there), Position.on(skeleton, "left_ankle", there))
    room = np.full(len(skeleton), np.inf)
    room[knee] = went - 0.05
    found = steadiest_pose(skeleton, worn, swung, before.positions, room)
    at = forward_kinematics(skeleton, found).positions
    assert np.linalg.norm(at[knee] - before.positions[knee]) < went - 0.045
    assert np.linalg.norm(at[[0, ankle]] - there.positions[[0, ankle]], axis=1).max() < 0.003


@pytest.mark.slow
def test_slow_sensors_are_shown_later_in_between_than_in_steps(capsys: pytest.CaptureFixture[str]) -> None:
    bvh = ["--bvh", str(CLIPS), "--split", "all", "--solver", "dls"]
    slow_trackers.main([*bvh, "--frames", "40", "--slow", "all", "--hertz", "10", "--ways", "in steps,evenly"])
    _, none, stepped, even = cells(capsys.readouterr().out)
    assert [row[0] for row in (none, stepped, even)] == ["none", "all", "all"]
    assert float(none[3]) == float(stepped[3]) == 0 < float(even[3]), "milliseconds later"
    assert float(even[8]) < float(stepped[8]), "jerk"
    with pytest.raises(SystemExit, match="2"):
        slow_trackers.main([*bvh, "--frames", "9999"])
    assert "no clip has 9999 frames" in capsys.readouterr().err


def test_what_a_network_proposes_is_worth_more_than_the_natural_pose(capsys: pytest.CaptureFixture[str]) -> None:
    proposal_confidence.main(["--bvh", str(CLIPS), "--clips", "reach"])
    titles, row = capsys.readouterr().out.splitlines()
    assert titles.split()[2:] == ["0.00", "0.25", "0.50", "1.00", "best"]
    network, *_, natural, best = map(float, row.split()[1:])
    assert 0 < best <= min(network, natural) < 100
    assert network != natural


@pytest.mark.slow
def test_of_drags_out_of_reach_fewer_steps_begin_anew_with_a_gap(capsys: pytest.CaptureFixture[str]) -> None:
    reach_drags.main(["--bvh", str(CLIPS), "--split", "all", "--drags", "2", "--seed", "1", "--gaps", "0,0.05"])
    titles, every, some = (line.split(" | ") for line in capsys.readouterr().out.splitlines())
    assert len(titles) == len(every) == len(some)
    assert every[1] == some[1], "steps: the same drags"
    assert 0 < int(some[2]) < int(every[2]) / 2, "searches that began anew"
    assert every[4] == "0", "steps worse than themselves"


@pytest.mark.slow
def test_key_points_of_known_people_are_fitted_the_better_the_surer_they_are(
    recorded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for noise in ("0", "0.06"):
        key_point_study.main(["--data", str(recorded), "--split", "train", "--count", "2", "--noise", noise])
        said = capsys.readouterr().out
        assert said.startswith("2 people: head ")
        found.append(int(said.split(" joints ")[1].split()[0]))
    exact, vague = found
    assert 0 < exact < 200, "millimetres"
    assert exact < 0.8 * vague, "little, as these poses were made at random"


def test_people_measured_later_come_after_those_of_the_shipped_file_and_are_known(tmp_path: Path) -> None:
    shipped = load_landmark_errors()
    later = LandmarkErrors(shipped.space[-2:], shipped.picture[-2:], shipped.places[-2:])
    save_landmark_errors(landmark_errors.joined(shipped, later), tmp_path / "errors.npz")
    both = load_landmark_errors(tmp_path / "errors.npz")
    assert len(both.space) == len(both.picture) == len(shipped.space) + 2
    assert len(shipped.places) < len(shipped.space), "where the first ones were is not known"
    assert len(both.places) == len(shipped.places) + 2
    np.testing.assert_array_equal(both.places[-2:], shipped.places[-2:])
