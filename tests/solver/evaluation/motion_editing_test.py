"""Protocol M: edits of motions, what solvers are asked for them, and what is measured of the answers."""

from __future__ import annotations

from dataclasses import replace
from math import pi
from pathlib import Path

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.floor import lowest_sole_point, sole_heights
from solver.errors import InputRefused
from solver.evaluation.contestants import contestants_of
from solver.evaluation.edited_motion import between_keys, frame_by_frame, problems_of
from solver.evaluation.evaluate import Settings, evaluate
from solver.evaluation.motion_edits import EditedClip, MotionEdit, edited_clips, read_edits
from solver.evaluation.motion_figures import motion_figures
from solver.evaluation.protocol_runs import SOURCE_MOTION, MotionProtocolRun
from solver.evaluation.protocols import EDIT_HANDLES, MOTION_PROTOCOLS
from solver.evaluation.report import by_class, report
from solver.formats.bvh.write import write_bvh
from solver.ik.pose_prior import natural_pose
from solver.ik.preserve_modes import GLOBAL, LOCAL, posed_joints
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion, Poses
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.roles import LIMBS
from solver.solvers.catalog import load_solver
from tests.solver.evaluation_samples import BODY, SKELETON

FPS = 30.0
EDIT = MotionEdit("raised hand", "stepping", "left_wrist", (8, 16, 24), np.array([[0, 0, 0], [0, 0.3, 0.1], [0, 0, 0]]))


def stepping(frames: int = 40) -> Motion:
    """Somebody who steps on the spot: hips and knees bend by turns, the lower sole is on the floor, arms swing."""
    phase = np.linspace(0, 4 * pi, frames)
    rotations = np.repeat(np.array(natural_pose(SKELETON).rotations)[None], frames, axis=0)
    for side, sign in (("left", 1), ("right", -1)):
        lift = np.clip(sign * np.sin(phase), 0, None)
        for joint, angle in (("hip", -0.5 * lift), ("knee", 0.9 * lift), ("shoulder", 0.3 * sign * np.sin(phase))):
            j = SKELETON.index(f"{side}_{joint}")
            rotations[:, j] = rotations[:, j] @ from_rotation_vector(np.stack([angle, 0 * angle, 0 * angle], axis=1))
    roots = np.zeros((frames, 3))
    roots[:, 1] -= sole_heights(BODY, BodyShape(), roots, rotations)
    return Motion(roots, rotations, FPS)


CLIP = EditedClip(EDIT, stepping(), BODY, BodyShape())
INSIDE = EDIT.inside
SOURCE = CLIP.source(INSIDE)


def figures(poses: Poses, clip: EditedClip = CLIP) -> dict[str, float]:
    return motion_figures([clip], [poses])


def with_turn(poses: Poses, joint: str, angle: float) -> Poses:
    rotations = np.array(poses.rotations)
    rotations[:, SKELETON.index(joint)] = rotations[:, SKELETON.index(joint)] @ from_rotation_vector([0, 0, angle])
    return Poses(poses.roots, rotations)


def test_the_projects_edits_are_three_keys_of_a_limbs_end_that_ease_in_and_out() -> None:
    edits = read_edits()
    clips = {
        kind: {edit.clip for edit in edits if edit.kind == kind} for kind in ("kick", "raised hand", "lowered step")
    }
    assert set(clips) == {edit.kind for edit in edits}
    assert all(len(names) >= 2 for names in clips.values())
    for edit in edits:
        assert edit.joint in {limb.end for limb in LIMBS}
        assert len(edit.frames) == len(edit.offsets) == 3
        assert edit.frames[0] < edit.frames[1] < edit.frames[2]
        assert not edit.offsets[[0, 2]].any()
        assert np.linalg.norm(edit.offsets[1]) > 0.05
        assert (edit.offsets[1][1] < 0) == (edit.kind == "lowered step")


def test_the_offset_eases_in_and_out_along_a_curve() -> None:
    heights = EDIT.offset_at(np.arange(0, 33))[:, 1]
    assert (heights[:9] == 0).all()
    assert (heights[24:] == 0).all()
    assert heights[16] == pytest.approx(0.3)
    assert (np.diff(heights[8:17]) > 0).all()
    assert heights[9] < 0.02, "it begins at rest"


def test_every_frame_asks_for_the_edited_end_off_and_all_others_where_they_are() -> None:
    for frame, problem in zip(INSIDE, problems_of(CLIP, LOCAL, INSIDE), strict=True):
        world = forward_kinematics(SKELETON, CLIP.motion.pose(frame))
        assert problem.base_pose == CLIP.motion.pose(frame)
        assert [(e.joint, e.kind) for e in problem.effectors] == list(EDIT_HANDLES)
        for effector in problem.effectors:
            off = effector.target - effector.at_pose(SKELETON, world).target
            wanted = EDIT.offset_at(np.array([frame]))[0] if effector.joint == "left_wrist" else 0.0
            assert off == pytest.approx(np.broadcast_to(wanted, off.shape), abs=1e-5)


def test_what_is_kept_is_kept_as_the_application_does() -> None:
    (kept,), (free,) = (problems_of(CLIP, mode, np.array([12])) for mode in (LOCAL, GLOBAL))
    posed = posed_joints(SKELETON, kept.effectors)
    for mask in (kept.preserve_position, kept.preserve_orientation):
        assert (mask[posed] == 0).all()
        assert np.delete(mask, posed) == pytest.approx(1.0)
    assert not free.preserve_position.any()
    assert not free.preserve_orientation.any()


def test_the_source_motion_erodes_nothing_and_misses_the_edit_by_its_offset() -> None:
    found = figures(SOURCE)
    assert found["erosion_mm"] == 0.0
    assert found["edited_mm"] == pytest.approx(1000 * np.linalg.norm(EDIT.offset_at(INSIDE), axis=1).mean(), rel=1e-4)
    assert found["effector_mm"] == pytest.approx(found["edited_mm"] / 5, rel=1e-4), "of five places that are asked for"
    assert found["skate_cm"] < 0.5


def test_erosion_is_what_has_moved_outside_the_edited_limb() -> None:
    assert figures(with_turn(SOURCE, "left_shoulder", 0.5))["erosion_mm"] == pytest.approx(0.0, abs=1e-3)
    assert figures(with_turn(SOURCE, "right_shoulder", 0.5))["erosion_mm"] > 10.0
    shifted = figures(Poses(SOURCE.roots + np.array([0, 0.01, 0], np.float32), SOURCE.rotations))
    assert shifted["erosion_mm"] == pytest.approx(10.0, abs=0.01)


def test_feet_that_slip_while_they_are_planted_skate() -> None:
    assert any(contact.first <= INSIDE[-1] and contact.last >= INSIDE[0] for contact in CLIP.contacts)
    sliding = np.array(SOURCE.roots)
    sliding[:, 0] += 0.01 * np.arange(len(sliding))
    lifted = Poses(SOURCE.roots + np.array([0, 0.2, 0], np.float32), SOURCE.rotations)
    assert figures(Poses(sliding, SOURCE.rotations))["skate_cm"] > figures(SOURCE)["skate_cm"] + 0.5
    assert figures(lifted)["skate_cm"] == pytest.approx(figures(SOURCE)["skate_cm"], abs=1e-3)


def test_trembling_shows_in_the_jerk_and_nothing_planted_leaves_the_column_out() -> None:
    roots = np.array(SOURCE.roots)
    roots[::2, 1] += 0.01
    assert figures(Poses(roots, SOURCE.rotations))["jerk"] > 2 * figures(SOURCE)["jerk"]
    flying = replace(CLIP, motion=Motion(np.linspace([0, 1, 0], [9, 1, 9], 40), CLIP.motion.rotations, FPS))
    assert "skate_cm" not in figures(flying.source(INSIDE), flying)
    assert motion_figures([], []) == {}


@pytest.mark.parametrize("mode", [GLOBAL, LOCAL])
def test_edits_are_met_and_keeping_the_source_motion_erodes_less(mode: object) -> None:
    found = figures(between_keys(load_solver("dls"), CLIP, mode))  # type: ignore[arg-type]
    assert found["edited_mm"] < 2.0
    assert found["effector_mm"] < 2.0
    if mode is LOCAL:
        assert found["erosion_mm"] < figures(between_keys(load_solver("dls"), CLIP, GLOBAL))["erosion_mm"]
        assert found["erosion_mm"] < 2.0


def test_a_network_laid_over_the_motion_erodes_less_and_trembles_less_than_frame_by_frame() -> None:
    solver = load_solver("protores")
    laid = figures(between_keys(solver, CLIP, GLOBAL))
    anew = figures(frame_by_frame(lambda problem: solver.solve(problem).pose, CLIP, GLOBAL))
    assert laid["erosion_mm"] < anew["erosion_mm"]
    assert laid["jerk"] < anew["jerk"]
    assert max(laid["edited_mm"], anew["edited_mm"]) < 5.0


def test_a_solver_has_a_row_as_used_and_one_frame_by_frame_and_others_one() -> None:
    protocol_run = MotionProtocolRun(
        MOTION_PROTOCOLS["M:local"], (CLIP, replace(CLIP, edit=replace(EDIT, kind="wave")))
    )
    ticks: list[tuple[str, int, int]] = []
    contestants = (*contestants_of("dls,protores:raw").contestants, SOURCE_MOTION)
    rows = [row for one in contestants for row in protocol_run.rows(one, lambda *told: ticks.append(told))]
    assert [row.name for row in rows] == ["dls", "dls:frames", "protores:raw", "source motion"]
    assert ticks[:2] == [("dls", 1, 2), ("dls", 2, 2)]
    assert protocol_run.size == (2, 2 * len(INSIDE))
    assert protocol_run.classes == {"raised hand": (1, len(INSIDE)), "wave": (1, len(INSIDE))}
    for row in rows:
        assert row.figures == pytest.approx(row.classes["wave"]), "both edits are the same"


def written(folder: Path, *names: str, frames: int = 60) -> Path:
    for name in names:
        write_bvh(folder / f"{name}.bvh", SKELETON, stepping(frames))
    return folder


def test_the_edits_of_the_clips_that_are_there_are_measured(tmp_path: Path) -> None:
    written(tmp_path, "cmu_train_walking_30", "cmu_test_running_1", "another")
    results = evaluate(Settings(tmp_path, protocol="M", solver="dls"))
    assert (results.poses, results.edits, results.absent) == (0, 2, {})
    assert list(results.figures) == ["M:global", "M:local"]
    for id, rows in results.figures.items():
        assert list(rows) == ["dls", "dls:frames", "source motion"]
        assert rows["source motion"]["erosion_mm"] == 0.0
        assert rows["dls"]["edited_mm"] < rows["source motion"]["edited_mm"]
        (kind,) = results.postures[id]
        assert kind == "raised hand"
        assert results.problems[id] == results.postures[id][kind].problems == 58
        said, table = by_class(MOTION_PROTOCOLS[id], results.postures[id])
        assert said == "By kind of edit, in brackets the number of edits:"
        assert "raised hand (2)" in table
    assert results.as_json()["M:local"] == results.figures["M:local"]
    page = report(results, None, "evaluate", {}, 0)
    assert ": 2 edits of motions. Two runs" in page
    assert "## Protocol M:local: edited motions, Local\n\n58 frames." in page


def test_edits_can_be_limited_and_clips_that_are_too_short_are_skipped(tmp_path: Path) -> None:
    files = {path.stem: path for path in written(tmp_path, "cmu_train_walking_30", "cmu_test_running_1").iterdir()}
    one, _ = edited_clips(read_edits(), files, BODY, most=1)
    again, _ = edited_clips(read_edits(), files, BODY, most=1)
    assert [clip.edit.clip for clip in one] == [clip.edit.clip for clip in again]
    assert len(one) == 1
    written(tmp_path, "cmu_train_walking_30", frames=50)
    found, skipped = edited_clips(read_edits(), files, BODY)
    assert [clip.edit.clip for clip in found] == ["cmu_test_running_1"]
    assert "shorter than an edit" in skipped["cmu_train_walking_30"]


def test_random_bodies_make_edits_with_their_soles_on_the_floor(tmp_path: Path) -> None:
    files = {path.stem: path for path in written(tmp_path, "cmu_test_running_1", frames=41).iterdir()}
    (clip,), _ = edited_clips(read_edits(), files, BODY, shapes="random")
    assert clip.shape != BodyShape()
    heights = [lowest_sole_point(BODY, clip.shape, clip.motion.pose(frame)) for frame in (0, 20, 40)]
    assert heights == pytest.approx([0.0, 0.0, 0.0], abs=2e-3)


def test_without_its_clips_the_protocol_is_not_measured_and_refused_by_name(tmp_path: Path) -> None:
    written(tmp_path, "another", frames=11)
    results = evaluate(Settings(tmp_path, solver="dls", max_poses=1))
    assert set(results.absent) == set(MOTION_PROTOCOLS)
    assert not set(results.figures) & set(MOTION_PROTOCOLS)
    page = report(results, None, "evaluate", {}, 0)
    assert "Protocol M:local was not measured. No clip that it edits is there." in page
    assert "1 pose of 1 clip (" in page
    with pytest.raises(InputRefused, match="cmu_train_soccer_2"):
        evaluate(Settings(tmp_path, solver="dls", protocol="M"))
