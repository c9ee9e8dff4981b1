"""Key points as libraries save them: mmpose, AlphaPose, YOLO, TensorFlow.js, ControlNet and MediaPipe."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from estimates_samples import BODY, SIZE, TWO, Seen

from solver.errors import InputRefused
from solver.estimates.estimate import KeyPoints
from solver.estimates.missing_landmarks import with_guessed_landmarks
from solver.estimates.people import EstimatedPeople, to_people
from solver.estimates.point_layouts import (
    COCO_17,
    COCO_NAMES,
    HALPE_26,
    HALPE_136,
    LAYOUTS,
    OPENPOSE_18,
    WHOLE_BODY_133,
)
from solver.estimates.read import estimate_in, read_estimate
from solver.evaluation.metrics import pa_mpjpe_mm
from solver.kinematics.fk import forward_kinematics
from solver.photo.sighting import NAMES


def saved(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content))
    return path


def rows(one: Seen, layout: dict[int, int] = COCO_17, count: int = 17) -> np.ndarray:
    """(count, 3) pixels and certainty, 0 where we have no such point."""
    found = np.zeros((count, 3))
    for number, mark in layout.items():
        if not np.isnan(one.pixels[mark]).any():
            found[number] = [*one.pixels[mark], 0.9]
    return found


def pixels(path: Path, place: int = 0) -> np.ndarray:
    told = read_estimate(path).people[place].content
    assert isinstance(told, KeyPoints)
    return told.pixels


def mmpose(one: Seen, layout: dict[int, int] = COCO_17, count: int = 17) -> dict[str, Any]:
    found = rows(one, layout, count)
    scores = found[:, 2].tolist()
    return {"keypoints": found[:, :2].tolist(), "keypoint_scores": scores, "bbox": [[1, 2, 3, 4]], "bbox_score": 0.8}


# As the datasets' documentation names them, for those points that our body has: of 26 and 136 points (Halpe), and of
# 133 (COCO-WholeBody), feet and the first and last knuckle of each hand.
OTHERS = {
    "halpe 26": (HALPE_26, {20: "left_toes", 21: "right_toes", 24: "left_heel", 25: "right_heel"}),
    "halpe 136": (
        HALPE_136, {24: "left_heel", 99: "left_index", 111: "left_pinky", 120: "right_index", 132: "right_pinky"}
    ),
    "whole body": (
        WHOLE_BODY_133,
        {17: "left_toes", 19: "left_heel", 20: "right_toes", 22: "right_heel", 96: "left_index",
         108: "left_pinky", 117: "right_index", 129: "right_pinky"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_feet_and_hands_of_larger_layouts_are_where_their_documentation_says(name: str) -> None:
    layout, told = OTHERS[name]
    short = {**NAMES, 17: "left_pinky", 18: "right_pinky", 19: "left_index", 20: "right_index"}
    assert {number: short[layout[number]] for number in told} == told
    assert {number: layout[number] for number in COCO_17} == COCO_17


@pytest.mark.parametrize("count", [17, 26, 133])
def test_what_mmpose_s_inferencer_and_its_demos_save_is_the_same_people(tmp_path: Path, count: int) -> None:
    people = [mmpose(one, LAYOUTS[count], count) for one in TWO]
    demo = {"meta_info": {"dataset_name": "coco"}, "instance_info": people}
    film = [{"frame_id": 0, "instances": people}]
    for content in (people, demo, film, {**demo, "instance_info": film}):
        path = saved(tmp_path / "a.json", content)
        assert read_estimate(path).kind == "mmpose key points"
        assert [person.score for person in read_estimate(path).people] == [0.8, 0.8]
        for place, one in enumerate(TWO):
            seen = pixels(path, place)
            assert seen[11:17] == pytest.approx(one.pixels[11:17])


def yolo(one: Seen) -> dict[str, Any]:
    x, y, sure = rows(one).T.tolist()
    return {"name": "person", "class": 0, "confidence": 0.7, "keypoints": {"x": x, "y": y, "visible": sure}}


def tensorflow(one: Seen) -> dict[str, Any]:
    points = zip(rows(one).tolist(), COCO_NAMES, strict=True)
    return {"score": 0.7, "keypoints": [{"x": x, "y": y, "score": s, "name": name} for (x, y, s), name in points]}


def alphapose(one: Seen, layout: dict[int, int] = COCO_17, count: int = 17) -> dict[str, Any]:
    found = rows(one, layout, count).ravel().tolist()
    return {"image_id": "a.jpg", "category_id": 1, "keypoints": found, "score": 2.9, "box": [1, 2, 3, 4], "idx": [1]}


def cmu(people: tuple[Seen, ...]) -> dict[str, Any]:
    return {
        "version": "AlphaPose v0.3",
        "bodies": [{"joints": rows(p, OPENPOSE_18, 18).ravel().tolist()} for p in people],
    }


FORMS: dict[str, tuple[str, Any]] = {
    "YOLO": ("YOLO key points", [yolo(one) for one in TWO]),
    "TensorFlow.js": ("TensorFlow.js key points", [tensorflow(one) for one in TWO]),
    "AlphaPose": ("COCO key points", [alphapose(one) for one in TWO]),
    "AlphaPose of 26": ("COCO key points", [alphapose(one, HALPE_26, 26) for one in TWO]),
    "AlphaPose of 136": ("COCO key points", [alphapose(one, HALPE_136, 136) for one in TWO]),
    "AlphaPose by picture": ("AlphaPose key points", {"a.jpg": cmu(TWO)}),
    "AlphaPose by picture, as of OpenPose": (
        "AlphaPose key points",
        {"a.jpg": {"version": 0.3, "people": [
            {"pose_keypoints_2d": rows(one, OPENPOSE_18, 18).ravel().tolist()} for one in TWO
        ]}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_the_same_points_come_from_each_library(tmp_path: Path, form: str) -> None:
    kind, content = FORMS[form]
    path = saved(tmp_path / "a.json", content)
    estimate = read_estimate(path)
    assert estimate.kind == kind
    assert all(person.score is not None and 0 < person.score <= 1 for person in estimate.people)
    for place, one in enumerate(TWO):
        assert pixels(path, place)[[*range(11, 17), *range(23, 29)]] == pytest.approx(
            one.pixels[[*range(11, 17), *range(23, 29)]]
        )


def test_alphapose_s_file_of_a_film_names_its_pictures(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.json", {f"{i}.jpg": cmu(TWO) for i in range(7)})
    with pytest.raises(InputRefused, match=r"holds the key points of 7 pictures \(0\.jpg, .*4\.jpg, …\)\. Name one of"):
        read_estimate(path)


def landmarks(one: Seen, seen: bool) -> list[dict[str, float]]:
    """MediaPipe's: shares of the picture, or metres about the hips."""
    world = with_guessed_landmarks(one.marks) - one.marks[[23, 24]].mean(axis=0)
    shares = with_guessed_landmarks(one.pixels) / np.array(SIZE)
    table = np.column_stack([shares, world[:, 2] * 0.2]) if seen else world
    return [{"x": x, "y": y, "z": z, "visibility": 0.95} for x, y, z in table.tolist()]


def errors_mm(found: EstimatedPeople) -> list[float]:
    return [
        float(np.mean(pa_mpjpe_mm(forward_kinematics(BODY.skeleton(p.shape), p.pose).positions, truth.places)))
        for p, truth in zip(found.result.people, TWO, strict=True)
    ]


def mediapipe(form: str) -> Any:
    seen, world = ([landmarks(one, kind) for one in TWO] for kind in (True, False))
    if form == "python":
        return {"pose_landmarks": seen, "pose_world_landmarks": world}
    if form == "web":
        return [{"landmarks": seen, "worldLandmarks": world}]
    return {"poseWorldLandmarks": world}


@pytest.mark.slow
@pytest.mark.parametrize("form", ["python", "web", "metres alone"])
def test_mediapipe_s_landmarks_are_posed_as_a_photo_s(tmp_path: Path, form: str) -> None:
    path = saved(tmp_path / "a.json", mediapipe(form))
    assert read_estimate(path).kind == "MediaPipe landmarks"
    found = to_people(read_estimate(path), BODY)  # the proportions of the picture come from the metres
    assert max(errors_mm(found)) < 50
    if form != "metres alone":
        assert found.result.camera.image_size[0] / found.result.camera.image_size[1] == pytest.approx(4 / 3)


@pytest.mark.slow
def test_mediapipe_s_landmarks_of_the_picture_alone_need_its_size(tmp_path: Path) -> None:
    path = saved(tmp_path / "a.json", landmarks(TWO[1], True))
    with pytest.raises(InputRefused, match=r"holds shares of a picture, but not its size\. Put the picture beside it"):
        to_people(read_estimate(path), BODY)
    (person,) = to_people(read_estimate(path), BODY, SIZE).result.people
    posed = forward_kinematics(BODY.skeleton(person.shape), person.pose).positions
    assert float(np.mean(pa_mpjpe_mm(posed, TWO[1].places))) < 60
    told = {"image_width": SIZE[0], "image_height": SIZE[1], "pose_landmarks": {"landmark": landmarks(TWO[1], True)}}
    assert to_people(read_estimate(saved(path, told)), BODY).result.camera.image_size == SIZE


@pytest.mark.slow
def test_control_net_s_shares_of_its_canvas_are_pixels(tmp_path: Path) -> None:
    shares = [rows(one, OPENPOSE_18, 18) / [*SIZE, 1.0] for one in TWO]
    people = [{"pose_keypoints_2d": one.ravel().tolist(), "face_keypoints_2d": None} for one in shares]
    canvas = {"canvas_width": SIZE[0], "canvas_height": SIZE[1]}
    found = to_people(read_estimate(saved(tmp_path / "a.json", [{"people": people, "animals": [], **canvas}])), BODY)
    assert found.result.camera.image_size == SIZE
    hips = [found.result.camera.project(person.pose.root_position) for person in found.result.people]
    assert hips == pytest.approx(np.array([one.pixels[[23, 24]].mean(axis=0) for one in TWO]), abs=40)
    with pytest.raises(InputRefused, match="holds shares of a picture, but not its size"):
        to_people(read_estimate(saved(tmp_path / "a.json", {"people": people})), BODY)


FILMS: list[tuple[Any, str]] = [
    ([{"frame_id": i, "instances": [mmpose(one)] if one else []} for i, one in enumerate((None, *TWO))], "mmpose"),
    ({"instance_info": [{"instances": []}, *({"instances": [mmpose(one)]} for one in TWO)]}, "mmpose"),
    ([{"people": [{"pose_keypoints_2d": rows(one, OPENPOSE_18, 18).ravel().tolist()}] if one else []}
      for one in (None, *TWO)], "OpenPose"),
    ({"frames": [{"landmarks": {"landmark": []}}, *({"landmarks": landmarks(one, True)} for one in TWO)]}, "MediaPipe"),
]  # fmt: skip


@pytest.mark.parametrize(("film", "kind"), FILMS)
def test_of_a_film_the_first_frame_with_somebody_is_read_or_the_one_asked_for(
    tmp_path: Path, film: Any, kind: str
) -> None:
    path = saved(tmp_path / "film.json", film)
    first, last = read_estimate(path), estimate_in(film, path, frame=3)
    assert last is not None
    assert first.kind.startswith(kind)
    assert first.notes == ("of 3 frames of key points, frame 2 was read; “convert --frame” reads another one",)
    assert last.notes == ("of 3 frames of key points, frame 3 was read",)
    places = [one.people[0].content.pixels[[23, 24]].mean(axis=0) for one in (first, last)]  # type: ignore[union-attr]
    size = SIZE if kind == "MediaPipe" else (1, 1)  # these are shares of the picture
    hips = [one.pixels[[23, 24]].mean(axis=0) for one in TWO]
    assert np.array(places) * size == pytest.approx(np.array(hips), abs=1.0)


@pytest.mark.parametrize(
    ("number", "words"),
    [(4, "has no frame 4. Give --frame a number from 1 to 3"), (1, "holds no people")],
)
def test_a_frame_that_is_not_there_or_empty_is_told(tmp_path: Path, number: int, words: str) -> None:
    film = FILMS[0][0]
    with pytest.raises(InputRefused, match=re.escape(words)):
        estimate_in(film, tmp_path / "film.json", frame=number)


def test_a_film_with_other_things_beside_its_people_is_read(tmp_path: Path) -> None:
    film = [{"instances": [], "people": 2, "landmarks": 3}, {"instances": [mmpose(TWO[0])], "people": None}]
    found = estimate_in(film, tmp_path / "film.json")
    assert found is not None
    assert len(found.people) == 1


def test_a_score_that_is_no_number_is_none(tmp_path: Path) -> None:
    for score in (float("nan"), "high", None):
        found = estimate_in([{**mmpose(TWO[0]), "bbox_score": score}], tmp_path / "one.pkl")
        assert found is not None
        assert found.people[0].score is None


def test_a_frame_of_what_is_no_film_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match="is not a film of key points"):
        estimate_in([mmpose(TWO[0])], tmp_path / "one.json", frame=1)


BAD: list[tuple[Any, str]] = [
    ([{**mmpose(TWO[0]), "keypoints": [[1, 2, 3]] * 17}], "[0].keypoints holds points in 3D"),
    ([{**mmpose(TWO[0]), "keypoints": [[1, 2]] * 16}], "[0].keypoints has the shape (16, 2), not two numbers a point"),
    ([{"keypoints": [[1, 2]] * 19, "keypoint_scores": [1] * 19}], "has 57 numbers, not three"),
    ([{"keypoints": {"x": [1, 2], "y": [1], "visible": [1, 1]}}], "[0].keypoints has not as many x as y and visible"),
    ([{"keypoints": [{"x": 1, "y": 1, "name": f"paw {i}"} for i in range(17)]}], "names points other than COCO's 17"),
    ({"pose_landmarks": [{"x": 0.5, "y": 0.5, "z": 0.0}] * 33}, "pose_landmarks[0] has all landmarks at one place"),
    (
        {"pose_landmarks": landmarks(TWO[0], True), "pose_world_landmarks": [landmarks(TWO[0], False)] * 2},
        "pose_world_landmarks has 2 people, not 1 as pose_landmarks",
    ),
    ({"pose_landmarks": []}, "holds no people"),
    ([{"keypoints": [], "keypoint_scores": []}], "holds no people"),
    ({"pose_landmarks": [{"x": None, "y": 0.5, "z": 0.0}] * 33}, "pose_landmarks[0, 0] holds no number (null)"),
    ({"pose_landmarks": {"landmark": landmarks(TWO[0], True)[:5]}}, "has a layout that is not known"),
    ({"pose_landmarks": {"landmark": [{"y": 0.5}] * 33}}, "has a layout that is not known"),
    ({"pose_landmarks": [*landmarks(TWO[0], True)[:32], [0.5, 0.5, 0.0]]}, "has a layout that is not known"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "words"), BAD)
def test_a_near_miss_is_named_with_its_place(tmp_path: Path, content: Any, words: str) -> None:
    with pytest.raises(InputRefused, match=re.escape(words)):
        read_estimate(saved(tmp_path / "a.json", content))


def test_somebody_of_too_few_points_is_left_out_and_told(tmp_path: Path) -> None:
    nobody = {**mmpose(TWO[0]), "keypoint_scores": [0.0] * 17}
    estimate = read_estimate(saved(tmp_path / "a.json", [nobody, mmpose(TWO[1])]))
    assert len(estimate.people) == 1
    assert estimate.notes == ("one person shows too few joints to tell a pose, and was left out",)
