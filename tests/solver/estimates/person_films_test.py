"""Films by person: VIBE's, PARE's and WHAM's, ROMP's and TRACE's; and EasyMocap's frames."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from estimates_samples import BODY, SIZE, TWO, Seen, openpose_3d, romp, transl

from solver import focal_length
from solver.body.body import BodyShape
from solver.errors import InputRefused
from solver.estimates.people import EstimatedPeople, to_people
from solver.estimates.read import read_estimate
from solver.evaluation.metrics import pa_mpjpe_mm
from solver.formats.smpl.motion import MEAN_BODIES
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.rotations import to_rotation_vector

FRAMES = 4
WIDE = (1600, 900)
LEG = BODY.rig(BodyShape()).leg_length


def people_of(path: Path, size: tuple[int, int] | None = None) -> EstimatedPeople:
    return to_people(read_estimate(path), BODY, size)


def saved(folder: Path, content: Any) -> Path:
    path = folder / "film.pkl"
    path.write_bytes(pickle.dumps(content))
    return path


def assert_posed_as_truth(found: EstimatedPeople, most_mm: float = 5.0) -> None:
    assert len(found.result.people) == len(TWO)
    for person, truth in zip(found.result.people, TWO, strict=True):
        places = forward_kinematics(BODY.skeleton(person.shape), person.pose).positions
        assert float(np.mean(pa_mpjpe_mm(places, truth.places))) < most_mm


def pose(one: Seen) -> np.ndarray:
    return np.asarray(to_rotation_vector(one.turns)).reshape(72)


def vibe(size: tuple[int, int] = WIDE, matrices: bool = False) -> dict[int, dict[str, Any]]:
    """Seen without perspective, as large as a lens of 50 mm sees them; the second person comes a frame later."""
    found, focal, smaller = {}, focal_length.guessed_px(size), MEAN_BODIES["SMPL"].leg / LEG
    for number, one in enumerate(TWO, 1):
        count = FRAMES - (number == 2)
        x, y, z = transl(one)
        across, down = 2 * focal / (z * size[0]), 2 * focal / (z * size[1])
        turns = one.turns if matrices else pose(one)
        found[number] = {
            "pred_cam": np.zeros((count, 3)), "orig_cam": np.tile([across, down, x, y], (count, 1)),
            "pose": np.tile(turns, (count, *([1] * turns.ndim))), "betas": np.zeros((count, 10)),
            "verts": np.zeros((count, 5, 3), np.float32), "joints2d": None,
            "joints3d": np.tile(np.concatenate([smaller * openpose_3d(one), np.zeros((4, 3))]), (count, 1, 1)),
            "bboxes": np.zeros((count, 4)), "frame_ids": np.arange(FRAMES - count, FRAMES),
        }  # fmt: skip
    return found


@pytest.mark.parametrize("matrices", [False, True])
def test_vibe_s_and_pare_s_people_stand_where_their_pictures_show_them(tmp_path: Path, matrices: bool) -> None:
    path = saved(tmp_path, vibe(matrices=matrices))
    estimate = read_estimate(path)
    assert (estimate.kind, estimate.notes) == (
        "VIBE or PARE", ("its camera has no perspective: how far people are away is a guess",),
    )  # fmt: skip
    found = people_of(path, WIDE)
    assert_posed_as_truth(found)
    assert [len(motion) for motion in found.motions if motion is not None] == [FRAMES, FRAMES - 1]
    focal = focal_length.guessed_px(WIDE)
    for person, truth in zip(found.result.people, TWO, strict=True):
        places = forward_kinematics(BODY.skeleton(person.shape), person.pose).positions
        there = focal * truth.places[:, :2] / truth.places[:, 2:] + np.array(WIDE) / 2
        off = np.linalg.norm(found.result.camera.project(places) - there, axis=1)
        assert np.median(off) < 10


def test_a_tall_film_of_vibe_s_is_seen_by_the_same_lens(tmp_path: Path) -> None:
    tall = (900, 1600)
    content = vibe(tall)
    estimate = read_estimate(saved(tmp_path, content))
    focal = focal_length.guessed_px(tall)
    assert estimate.focal_share == pytest.approx(focal / 1600)
    found = people_of(tmp_path / "film.pkl", tall)
    assert np.linalg.norm(found.result.people[0].fit.root - TWO[0].hips * [1, -1, -1]) < 0.3


def wham() -> dict[int, dict[str, Any]]:
    return {
        i: {
            "pose": np.tile(pose(one), (FRAMES, 1)), "trans": np.tile(transl(one), (FRAMES, 1)),
            "frame_ids": np.arange(FRAMES),
            "pose_world": np.zeros((FRAMES, 72)), "trans_world": np.zeros((FRAMES, 3)), "betas": np.zeros((FRAMES, 10)),
        }
        for i, one in enumerate(TWO)
    }  # fmt: skip


def test_several_people_of_wham_s_are_seen_by_their_camera_for_each_has_a_world_of_their_own(tmp_path: Path) -> None:
    path = saved(tmp_path, wham())
    assert read_estimate(path).kind == "WHAM"
    found = people_of(path, SIZE)
    assert_posed_as_truth(found)
    first, second = (person.fit.root for person in found.result.people)
    told = (TWO[1].hips - TWO[0].hips) * [1, -1, -1]
    assert second - first == pytest.approx(told, abs=0.15)


@pytest.mark.parametrize("tracked", [True, False])
def test_romp_s_film_has_a_motion_for_each_person(tmp_path: Path, tracked: bool) -> None:
    frames = {}
    for frame in range(FRAMES):
        one = romp()
        order = [1, 0] if tracked and frame % 2 else [0, 1]
        told = {name: value[order] for name, value in one.items()}
        frames[f"{frame:06d}.jpg"] = {**told, **({"track_ids": np.array(order) + 7} if tracked else {})}
    np.savez(tmp_path / "film.npz", results=np.array(frames, dtype=object))
    found = people_of(tmp_path / "film.npz", SIZE)
    assert_posed_as_truth(found)
    for motion in found.motions:
        assert motion is not None
        assert len(motion) == FRAMES
        assert np.abs(motion.root_positions - motion.root_positions[0]).max() < 1e-4


def test_trace_s_rows_are_told_apart_by_person_and_frame(tmp_path: Path) -> None:
    one = romp()
    rows = {name: np.concatenate([value] * FRAMES) for name, value in one.items()}
    rows |= {"track_ids": np.array([3, 5] * FRAMES), "reorganize_idx": np.repeat(np.arange(FRAMES), 2)}
    np.savez(tmp_path / "film.npz", results=np.array(rows, dtype=object))
    found = people_of(tmp_path / "film.npz", SIZE)
    assert_posed_as_truth(found)
    assert [len(motion) for motion in found.motions if motion is not None] == [FRAMES, FRAMES]
    rows["track_ids"] = np.array([3, 5])
    np.savez(tmp_path / "film.npz", results=np.array(rows, dtype=object))
    with pytest.raises(InputRefused, match="track_ids has 2 numbers, not 8. Save one for each person"):
        read_estimate(tmp_path / "film.npz")


def easymocap(width: int) -> list[dict[str, Any]]:
    """People in a world with Z up, turned about its origin."""
    model = "SMPL-X" if width == 87 else "SMPL"
    body, people = MEAN_BODIES[model], []
    upright = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
    for number, one in enumerate(TWO):
        turn = upright @ one.turns[0]
        poses = np.zeros(width)
        told = np.asarray(to_rotation_vector(one.turns[1:])).ravel()
        poses[3 : 3 + min(69, width - 3) if width == 72 else 66] = told[: 69 if width == 72 else 63]
        hips = upright @ one.hips * body.leg / LEG
        path = hips - turn @ (np.array(body.pelvis) + np.array(body.hips))
        shapes = [np.zeros(10).tolist()]
        rows = {"Rh": to_rotation_vector(turn), "Th": path, "poses": poses}
        people.append({"id": number, **{n: [np.asarray(v).tolist()] for n, v in rows.items()}, "shapes": shapes})
    return people


@pytest.mark.parametrize("width", [72, 78, 87])
@pytest.mark.parametrize("form", ["list", "annots"])
def test_easymocap_s_people_stand_apart_as_they_did(tmp_path: Path, width: int, form: str) -> None:
    content = easymocap(width)
    path = tmp_path / "000000.json"
    path.write_text(json.dumps(content if form == "list" else {"annots": content}))
    estimate = read_estimate(path)
    assert (estimate.kind, estimate.up) == ("EasyMocap", "+Z")
    found = people_of(path)
    assert_posed_as_truth(found, 6.0)
    apart = found.result.people[1].pose.root_position - found.result.people[0].pose.root_position
    told = np.array(TWO[1].places[0] - TWO[0].places[0]) * [1, -1, -1]
    assert apart == pytest.approx(told, abs=0.04)


def without(content: dict[int, dict[str, Any]], name: str, number: int = 1) -> dict[int, dict[str, Any]]:
    return {i: {n: v for n, v in one.items() if (i, n) != (number, name)} for i, one in content.items()}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (
            without(vibe(), "orig_cam"),
            "1 does not say where that person is seen. Save orig_cam, as VIBE does, or trans",
        ),
        ({1: {**vibe()[1], "pose": np.zeros((FRAMES, 75))}}, "1, pose has 75 numbers a frame, not 72 or 216"),
        ({1: {**vibe()[1], "pose": np.zeros(72)}}, "1, pose has the shape (72,), not (T, 72)"),
        ({1: {**vibe()[1], "orig_cam": np.zeros((FRAMES, 3))}}, "1, orig_cam has the shape (4, 3), not (4, 4)"),
        ({1: {**vibe()[1], "orig_cam": np.zeros((FRAMES, 4))}}, "1, orig_cam has a scale of 0. Leave that person out"),
        ({1: {**vibe()[1], "frame_ids": np.arange(9)}}, "1, frame_ids has the shape (9,), not (4, 1)"),
        (easymocap(72)[:1] + [{"Rh": [[0, 0, 0]], "Th": [[0, 0, 0]]}], "[1] holds Rh and Th, but no poses"),
        ([{**easymocap(72)[0], "poses": [[0.0] * 70]}], "[0] has 3, 3 and 70 numbers in Rh, Th and poses"),
        ([easymocap(72)[0], easymocap(87)[1]], "poses holds people of several models"),
        ([{"id": 0, "keypoints3d": [[0, 0, 0, 1]] * 25}], "keypoints3d holds EasyMocap's points, not its SMPL"),
    ],
)
def test_a_near_miss_is_named_with_its_place(tmp_path: Path, content: Any, words: str) -> None:
    with pytest.raises(InputRefused, match=re.escape(words)):
        read_estimate(saved(tmp_path, content))


def test_a_frame_of_vibe_s_film_with_nan_is_as_the_one_before_and_who_has_no_whole_frame_is_left_out(
    tmp_path: Path,
) -> None:
    content = vibe()
    whole = read_estimate(saved(tmp_path, content))
    content[1]["orig_cam"][2, 0] = np.nan
    found = read_estimate(saved(tmp_path, content))
    assert len(found.people) == len(whole.people)
    assert found.notes[0].startswith(f"frame 3 of {FRAMES} of person 1 held a number that is not finite")
    content[2]["pose"] = np.full_like(content[2]["pose"], np.nan)
    found = read_estimate(saved(tmp_path, content))
    assert {person.track for person in found.people} == {"1"}
    assert "1 of 2 people was left out: in each frame a number is not finite" in found.notes


def test_of_romp_s_film_a_frame_with_nan_is_left_out_and_of_trace_s_the_pose_alone(tmp_path: Path) -> None:
    frames = {f"{frame:06d}.jpg": {name: value.copy() for name, value in romp().items()} for frame in range(FRAMES)}
    frames["000001.jpg"]["cam_trans"][0, 0] = np.nan
    found = read_estimate(saved(tmp_path, frames))
    assert {person.frame for person in found.people} == {0, 2, 3}
    assert found.notes == ("1 of 4 frames was left out: a number is not finite (NaN, infinite or null)",)
    rows = {name: np.concatenate([value] * FRAMES) for name, value in romp().items()}
    rows |= {"track_ids": np.array([3, 5] * FRAMES), "reorganize_idx": np.repeat(np.arange(FRAMES), 2)}
    rows["smpl_thetas"][3, 0] = np.nan
    found = read_estimate(saved(tmp_path, rows))
    assert [person.frame for person in found.people if person.track == "5"] == [0, 2, 3]
    assert found.notes == ("1 of 8 poses in its frames was left out: a number is not finite (NaN, infinite or null)",)


def test_of_a_film_of_landmarks_the_first_frame_whose_numbers_are_finite_is_read(tmp_path: Path) -> None:
    landmarks = np.random.default_rng(3).uniform(0.2, 0.8, (3, 33, 4))
    landmarks[0, 5, 0] = np.nan
    path = saved(tmp_path, [{"pose_landmarks": one} for one in landmarks])
    assert "of 3 frames of key points, frame 2 was read" in read_estimate(path).notes[-1]
