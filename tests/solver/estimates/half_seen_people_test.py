"""Key points of people who are seen in part, as behind somebody else or at the edge of a picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from estimates_samples import BODY, FOCAL, SIZE, STANDING, TURNED, TWO, Seen, seen

from solver.estimates.estimate import KeyPoints
from solver.estimates.people import to_people
from solver.estimates.point_layouts import BODY_25, COCO_17
from solver.estimates.read import read_estimate
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.rotations import to_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.roles import Role

LEFT_HALF = [mark for mark in COCO_17.values() if mark in (2, 7, *range(11, 29, 2))]
RIGHT_HALF = [mark for mark in COCO_17.values() if mark in (5, 8, *range(12, 29, 2))]
JOINTS = {11: "left_shoulder", 12: "right_shoulder", 23: "left_hip", 24: "right_hip", 27: "left_ankle"}


def points(one: Seen, layout: dict[int, int], hidden: list[int] | None = None) -> list[float]:
    """x, y and 2 for each of the layout's points; three zeros for those hidden, by BlazePose's number."""
    flat = np.zeros((25 if layout is BODY_25 else 17, 3))
    for number, mark in layout.items():
        if mark not in (hidden or ()):
            flat[number] = [*one.pixels[mark], 2.0]
    return [float(value) for value in flat.ravel()]


def points_in(path: Path, content: Any) -> KeyPoints:
    """The key points of the one person in a file of that content."""
    (person,) = read_estimate(written(path, content)).people
    assert isinstance(person.content, KeyPoints)
    return person.content


def written(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content))
    return path


@pytest.mark.parametrize(
    "hidden",
    [LEFT_HALF, RIGHT_HALF, [11, 24], [12, 23, 15]],
    ids=["left half", "right half", "diagonal", "other diagonal"],
)
@pytest.mark.parametrize("turn", [0.0, np.pi], ids=["front", "back"])
def test_somebody_of_whom_one_shoulder_and_one_hip_are_seen_is_posed_where_they_are(
    hidden: list[int], turn: float, tmp_path: Path
) -> None:
    one = seen((0.0, -0.55, -4.0), {**STANDING, Role.PELVIS: (0.0, turn, 0.0)}, 0.2)
    file = written(tmp_path / "a.json", {"annotations": [{"image_id": 7, "keypoints": points(one, COCO_17, hidden)}]})
    result = to_people(read_estimate(file), BODY, SIZE).result
    (person,) = result.people
    places = forward_kinematics(BODY.skeleton(person.shape), person.pose).positions
    there = FOCAL * one.places[:, :2] / one.places[:, 2:] + np.array(SIZE) / 2
    visible = [SMPL_JOINTS.index(name) for mark, name in JOINTS.items() if mark not in hidden]
    off = np.linalg.norm(result.camera.project(places) - there, axis=1)
    assert off[visible].max() < 3.0, "pixels"
    turned = one.turns[0].T @ TURNED @ result.camera.rotation.T @ person.pose.rotations[0]
    assert np.degrees(np.linalg.norm(to_rotation_vector(turned))) < 15.0, "they face where they faced"


@pytest.mark.slow
def test_a_crowd_with_all_kinds_of_hidden_points_comes_in_without_those_seen_too_little(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    hidden = [rng.choice(list(COCO_17.values()), k % 12, replace=False).tolist() for k in range(24)]
    people = [{"image_id": 7, "keypoints": points(TWO[k % 2], COCO_17, gone)} for k, gone in enumerate(hidden)]
    estimate = read_estimate(written(tmp_path / "crowd.json", {"annotations": people}))
    assert 12 < len(estimate.people) < 24
    assert "too few joints" in estimate.notes[0]
    found = to_people(estimate, BODY, SIZE).result.people
    assert len(found) == len(estimate.people)
    assert all(np.isfinite(person.pose.rotations).all() for person in found)


def test_annotations_whose_key_points_are_null_are_boxes_alone(tmp_path: Path) -> None:
    annotations = [
        {"image_id": 7, "keypoints": points(TWO[0], COCO_17)},
        {"image_id": 7, "iscrowd": 1, "keypoints": None},
        {"image_id": 8, "bbox": [1, 2, 3, 4], "keypoints": None},
    ]
    assert len(read_estimate(written(tmp_path / "a.json", {"annotations": annotations})).people) == 1


def test_somebody_of_whom_openpose_has_no_body_is_left_out_with_a_notice(tmp_path: Path) -> None:
    people = [{"pose_keypoints_2d": values} for values in ([], points(TWO[0], BODY_25))]
    estimate = read_estimate(written(tmp_path / "a_keypoints.json", {"people": people}))
    assert len(estimate.people) == 1
    assert estimate.notes == ("one person shows too few joints to tell a pose, and was left out",)


@pytest.mark.parametrize("gap", [[None] * 3, [None, None, 0.0], [0.0, None, 2.0]], ids=["all", "place", "y alone"])
@pytest.mark.parametrize("layout", [COCO_17, BODY_25], ids=["COCO", "OpenPose"])
def test_a_key_point_whose_numbers_are_null_counts_as_not_seen(
    gap: list[Any], layout: dict[int, int], tmp_path: Path
) -> None:
    wrist = next(number for number, mark in layout.items() if mark == 15)
    values: list[Any] = points(TWO[0], layout)
    values[3 * wrist : 3 * wrist + 3] = gap
    key, name = ("keypoints", "annotations") if layout is COCO_17 else ("pose_keypoints_2d", "people")
    told = points_in(tmp_path / "a.json", {name: [{"image_id": 7, key: values}]})
    values[3 * wrist : 3 * wrist + 3] = [0.0] * 3
    hidden = points_in(tmp_path / "b.json", {name: [{"image_id": 7, key: values}]})
    np.testing.assert_array_equal(told.pixels, hidden.pixels)
    assert told.confidence[15] == 0.0


def test_mmpose_points_that_are_null_count_as_not_seen(tmp_path: Path) -> None:
    table = np.reshape(points(TWO[0], COCO_17), (17, 3))
    places: list[Any] = table[:, :2].tolist()
    places[9] = [None, None]
    scores = [0.9] * 9 + [None] + [0.9] * 7
    told = points_in(tmp_path / "a.json", [{"keypoints": places, "keypoint_scores": scores}])
    assert told.confidence[15] == 0.0
    assert told.confidence[16] == 0.9
