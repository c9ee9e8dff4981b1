"""Protocol D: whole clips followed by a few sensors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from solver.body.catalog import load_body
from solver.effectors.kinds import Position
from solver.errors import InputRefused, UnknownName
from solver.evaluation.tracking.errors import ClipPoses, Errors
from solver.evaluation.tracking.follow import CASES, Clip, FollowResults, follow, follow_all, read_clips, trackers
from solver.evaluation.tracking.sensors import CONFIGURATIONS, SILENT, Sensors
from solver.evaluation.tracking.tables import markdown
from solver.evaluation.tracking.trackers import Tracker, trackers_of
from solver.ik.pose_prior import natural_pose
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.solvers.catalog import load_solver
from solver.trackers.sequential_solver import BasePoseChoice, SequenceSettings
from tests.solver.evaluation_samples import SKELETON, write_clips

SIX, POSITIONS = CONFIGURATIONS[0], CONFIGURATIONS[5]


def walk(frames: int = 6) -> Clip:
    """Somebody natural who moves sideways and bends a little more each frame."""
    start = natural_pose(SKELETON)
    poses = []
    for frame in range(frames):
        turns = np.array(start.rotations)
        turns[3] = from_rotation_vector([0.05 * frame, 0, 0])
        poses.append(Pose(start.root_position + np.float32([0.02 * frame, 0, 0]), turns))
    return Clip("walk", tuple(poses))


def figures(tracker: Tracker, sensors: Sensors, given: bool = True) -> dict[str, float]:
    errors = Errors()
    follow(tracker, walk(), sensors, SKELETON, np.random.default_rng(0), given=given, errors=errors)
    return errors.figures()


def test_sensors_say_where_their_joints_are_and_how_they_are_turned() -> None:
    joints = forward_kinematics(SKELETON, natural_pose(SKELETON))
    assert len(SIX.effectors(SKELETON, joints, np.ones(6, bool))) == 12
    heard = np.array([True, False, True, True, True, True])
    some = POSITIONS.effectors(SKELETON, joints, heard)
    assert [effector.kind for effector in some] == [Position.kind] * 5
    assert "head" not in {effector.joint for effector in some}


def test_a_sensor_that_drops_out_is_silent_for_a_while() -> None:
    often = Sensors("x", "x", SIX.joints, drop=0.02)
    heard = often.heard(2000, np.random.default_rng(1))
    assert heard[0].all()
    silent = np.concatenate([np.diff(np.flatnonzero(np.diff(sensor.astype(int)))) for sensor in heard.T])
    assert (silent == SILENT).sum() > 5
    assert SIX.heard(100, np.random.default_rng(1)).all()
    always = Sensors("x", "x", SIX.joints, drop=1.0).heard(30, np.random.default_rng(1))
    assert not always[-1].any()


def test_the_errors_are_those_of_the_paper() -> None:
    rng = np.random.default_rng(2)
    turns = np.tile(np.eye(3), (4, 3, 1, 1))
    truth = ClipPoses(rng.normal(size=(4, 3, 3)), turns)
    away = np.array(truth.positions) + [1.0, 0.0, 0.0]  # all of it, which aligning the root takes off
    away[:, 2] += [0.0, 0.03, 0.04]
    away[2, 2] = away[2, 2] + [0.0, 0.03, 0.04]
    errors = Errors()
    errors.add(ClipPoses(away, turns @ from_rotation_vector([0, 0, 0.1])), truth, [0, 2], 0.1, np.array([0.001, 0.003]))
    found = errors.figures()
    assert found["effector_cm"] == pytest.approx((5 + 5 + 10 + 5) / 4)
    assert found["position_cm"] == pytest.approx((5 + 5 + 10 + 5) / 12)
    assert found["velocity_cm_s"] == pytest.approx((50 + 50) / 9)
    assert found["rotation_deg"] == pytest.approx(np.degrees(0.1))
    assert found["rotation_deg_std"] == pytest.approx(0.0, abs=1e-9)
    assert found["astray_cm"] > 99
    assert found["solve_ms_p50"] == pytest.approx(2.0)


@pytest.mark.parametrize("given", [True, False])
def test_the_classical_solver_meets_six_sensors(given: bool) -> None:
    (tracker,) = trackers_of("dls", load_solver("dls"))
    assert figures(tracker, SIX, given)["effector_cm"] < 0.2


def test_a_tracker_alone_meets_them_less_well_than_with_the_exact_stage() -> None:
    exact, alone = trackers_of("skelik", load_solver("skelik"))
    assert (exact.settings.base, alone.name) == (BasePoseChoice.LAST, "skelik:raw")
    assert figures(exact, SIX)["astray_cm"] < figures(alone, SIX)["astray_cm"]


def test_the_last_pose_is_kept_as_firmly_as_asked() -> None:
    loose = Tracker("dls", load_solver("dls"), SequenceSettings(BasePoseChoice.LAST))
    firm = Tracker("dls", load_solver("dls"), SequenceSettings(BasePoseChoice.LAST, keep=1.0))
    three = CONFIGURATIONS[3]
    assert figures(firm, three)["velocity_cm_s"] != figures(loose, three)["velocity_cm_s"]


def test_clips_are_read_at_thirty_frames_a_second_and_cut_alike(tmp_path: Path) -> None:
    write_clips(tmp_path, {"long": 30, "short": 8, "still": 2})
    clips = read_clips(tmp_path, "all", SKELETON)
    assert {clip.name: len(clip.poses) for clip in clips} == {"long": 30, "short": 8}
    assert [len(clip.poses) for clip in read_clips(tmp_path, "all", SKELETON, most=20)] == [12, 8]
    assert [len(clip.poses) for clip in read_clips(tmp_path, "all", SKELETON, most=2)] == [3, 3]
    assert [len(clip.poses) for clip in read_clips(tmp_path, "all", SKELETON, most=90)] == [30, 8]
    (tmp_path / "broken.bvh").write_text("no clip")
    assert len(read_clips(tmp_path, "all", SKELETON, clips_like="s*")) == 1
    with pytest.raises(InputRefused, match="can be followed"):
        read_clips(tmp_path, "all", SKELETON, clips_like="broken")


def test_rows_can_be_named_and_unknown_ones_are_refused() -> None:
    assert [row.name for row in trackers("dls,skelik:raw")[0]] == ["dls", "skelik:raw"]
    with pytest.raises(UnknownName, match="nobody"):
        trackers("nobody")
    with pytest.raises(UnknownName, match="dls:raw"):
        trackers("dls:raw")


def test_short_and_tall_people_wear_the_sensors_as_well(tmp_path: Path) -> None:
    heights = [np.ptp(load_body("anny").vertices(CASES[case].shape)[:, 1]) for case in ("D:short", "D", "D:tall")]
    assert heights == pytest.approx([1.53, 1.70, 1.87], abs=0.01)
    assert [
        f"{height:.2f} m" in CASES[f"D:{who}"].title
        for who, height in zip(("short", "tall"), heights[::2], strict=True)
    ] == [True] * 2


def test_a_run_has_a_table_for_each_case(tmp_path: Path) -> None:
    write_clips(tmp_path, {"a": 4})
    followed = follow_all(tmp_path, "all", "dls", most=3)
    assert set(followed.figures) == {"D", "D:cold", "D:short", "D:tall"}
    assert set(followed.figures["D"]) == {sensors.id for sensors in CONFIGURATIONS}
    page = markdown(followed)
    assert set(followed.figures["D:tall"]) == {"6", "4", "3"}
    assert followed.figures["D:tall"]["6"]["dls"] != followed.figures["D"]["6"]["dls"]
    assert page.count("| dls |") == 2 * len(CONFIGURATIONS) + 2 * 3
    assert "the first true pose is given" in page
    assert followed.as_json()["tracking"] == {"clips": 1, "frames": 3, "left_out": {}}


def test_a_figure_that_was_not_measured_is_a_dash() -> None:
    page = markdown(
        FollowResults(1, 3, {"D": {"6": {"x": {"solve_ms_p50": 1.0, "solve_ms_p95": 2.0}}}}, {"y": "It is ill."})
    )
    assert "| 6 | x | – | – | – | – | – | 1.00 | 2.00 |" in page
    assert "Left out: `y`. It is ill." in page
