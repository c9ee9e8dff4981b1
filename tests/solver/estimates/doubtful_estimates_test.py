"""Files of estimators that can be read, though something in them does not fit, and what is said of others."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from estimates_samples import BODY, FOCAL, SIZE, TWO, parameters, transl

from solver.errors import InputRefused
from solver.estimates.people import to_people
from solver.estimates.read import read_estimate

K = np.array([[FOCAL, 0.0, SIZE[0] / 2], [0.0, FOCAL, SIZE[1] / 2], [0.0, 0.0, 1.0]])
MIDDLE = np.array([0.0, 0.0, 4.0])


def smpl(count: int = 2, **more: Any) -> dict[str, Any]:
    people = (TWO * count)[:count]
    return {**parameters(people), "transl": np.stack([transl(one) for one in people]), "K": K, **more}


def written(tmp_path: Path, content: Any) -> Path:
    path = tmp_path / "a.pkl"
    path.write_bytes(pickle.dumps(content))
    return path


def notes(tmp_path: Path, content: Any) -> tuple[str, ...]:
    return read_estimate(written(tmp_path, content)).notes


def refusal(tmp_path: Path, content: Any) -> str:
    with pytest.raises(InputRefused) as caught:
        read_estimate(written(tmp_path, content))
    return str(caught.value)


def test_a_camera_that_does_not_fit_itself_or_its_picture_is_noted(tmp_path: Path) -> None:
    wide = K * [[1.0, 1.0, 1.0], [1.0, 1.5, 1.0], [1.0, 1.0, 1.0]]
    assert notes(tmp_path, smpl(K=wide)) == (
        "its camera has two focal lengths (1100 and 1650), of which the first was taken",
    )
    (note,) = notes(tmp_path, smpl(image_size=np.array([90, 120])))
    assert note.startswith("its camera's middle (600, 450) is outside its picture of 90 × 120 pixels")
    assert notes(tmp_path, smpl(image_size=np.array(SIZE))) == ()


@pytest.mark.parametrize("coco", [True, False])
def test_key_points_most_of_which_are_outside_their_picture_are_noted(tmp_path: Path, coco: bool) -> None:
    marks = [0, 2, 5, 7, 8, *range(11, 17), *range(23, 29)]
    rows = np.column_stack([TWO[0].pixels[marks], np.full(17, 2.0 if coco else 0.9)]).ravel().tolist()
    for side, noted in ((90, 1), (1200, 0)):
        picture = {"id": 1, "file_name": "a.jpg", "width": side, "height": side}
        content: dict[str, Any] = {"canvas_width": side, "canvas_height": side, "people": [{"pose_keypoints_2d": rows}]}
        if coco:
            content = {"images": [picture], "annotations": [{"image_id": 1, "keypoints": rows}]}
        (tmp_path / "a.json").write_text(json.dumps(content))
        found = read_estimate(tmp_path / "a.json").notes
        assert [note.startswith("most key points are outside its picture of 90") for note in found] == [True] * noted


def test_the_frames_of_a_film_without_a_rate_are_taken_for_people_and_the_way_out_is_said(tmp_path: Path) -> None:
    walk = MIDDLE + np.linspace(0.0, 1.0, 30)[:, None] * [1.0, 0.0, 0.0]
    (note,) = notes(tmp_path, smpl(30, transl=walk))
    assert "its 30 people stand inside one another" in note
    assert "as fps" in note
    assert notes(tmp_path, smpl(30, transl=10.0 * (walk - MIDDLE) + MIDDLE)) == (), "people beside one another"
    said = refusal(tmp_path, smpl(300, transl=np.tile(MIDDLE, (300, 1))))
    assert "holds 300 people. Leave out all but 100. If they are the frames of a film, save with them" in said
    hmr2 = smpl(300, pred_cam_t_full=np.tile(MIDDLE, (300, 1)))
    assert refusal(tmp_path, hmr2).endswith("Leave out all but 100."), "a film of these has a layout of its own"


def test_a_number_of_the_camera_is_to_be_corrected_not_a_person_left_out(tmp_path: Path) -> None:
    bad = K.copy()
    bad[0, 2] = np.nan
    assert refusal(tmp_path, smpl(K=bad)).endswith("K[0, 2] holds a number that is not finite (NaN). Correct it.")
    said = refusal(tmp_path, smpl(image_size=np.array([np.inf, 5.0])))
    assert said.endswith("image_size[0] holds a number that is not finite (infinite). Correct it.")


def test_what_is_missing_from_romp_or_has_another_shape_is_named(tmp_path: Path) -> None:
    results = {"cam_trans": MIDDLE[None], "smpl_betas": np.zeros((1, 10))}
    assert "holds no smpl_thetas. Save the output of ROMP or BEV" in refusal(tmp_path, {"results": results})
    romp = {**results, "smpl_thetas": np.zeros((1, 72)), "joints": np.zeros((1, 20, 3))}
    assert "joints has the shape (1, 20, 3), not (1, 71, 3), of which SMPL's 24" in refusal(tmp_path, romp)


def test_people_of_sam_3d_body_behind_the_camera_or_kilometres_away_are_refused(tmp_path: Path) -> None:
    points = np.random.default_rng(5).uniform(-0.5, 0.5, (70, 3))
    person = {"pred_keypoints_3d": points, "pred_cam_t": MIDDLE, "focal_length": FOCAL}
    assert len(to_people(read_estimate(written(tmp_path, [person])), BODY).result.people) == 1
    behind = [person, {**person, "pred_cam_t": -MIDDLE}]
    assert "[1].pred_cam_t has somebody behind its camera. Save pred_cam_t in metres" in refusal(tmp_path, behind)
    assert "somebody kilometres away" in refusal(tmp_path, [{**person, "pred_cam_t": 1e5 * MIDDLE}])


def test_a_list_of_something_else_is_described_by_what_is_in_it(tmp_path: Path) -> None:
    assert "[0] holds pred_cam_t, but no pred_keypoints_3d" in refusal(tmp_path, [{"pred_cam_t": MIDDLE}])
    assert "not known (a list, length 1, of bbox, mask)" in refusal(tmp_path, [{"bbox": [1, 2], "mask": [3]}])
