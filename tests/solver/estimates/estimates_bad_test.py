"""Files of estimators that are damaged, hostile or of another layout: refused in one line."""

from __future__ import annotations

import json
import pickle
import re
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from estimates_samples import BODY, TWO, parameters, tracks, transl
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solver.errors import InputRefused
from solver.estimates.content import numbers
from solver.estimates.estimate import SmplParameters
from solver.estimates.people import to_people
from solver.estimates.plain_pickle import plain_content
from solver.estimates.read import read_estimate


class Runs:
    """Makes a folder when it is unpickled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> Any:
        return Path.mkdir, (self.folder,)


def good() -> dict[str, Any]:
    return {**parameters(TWO), "pred_cam_t_full": np.stack([transl(one) for one in TWO])}


def written(tmp_path: Path, content: Any) -> Path:
    path = tmp_path / "a.pkl"
    path.write_bytes(pickle.dumps(content))
    return path


def refusal(tmp_path: Path, content: Any) -> str:
    path = written(tmp_path, content)
    with pytest.raises(InputRefused) as caught:
        to_people(read_estimate(path), BODY)
    return str(caught.value)


@pytest.mark.parametrize("packed", [pickle.dumps, lambda content: zlib.compress(pickle.dumps(content))])
def test_nothing_in_a_pickle_is_run(tmp_path: Path, packed: Any) -> None:
    (tmp_path / "a.pkl").write_bytes(packed({**good(), "more": Runs(tmp_path / "made")}))
    with pytest.raises(InputRefused, match=r"a\.pkl: this pickle asks for pathlib.*nothing in it was run\. Save it as"):
        read_estimate(tmp_path / "a.pkl")
    assert not (tmp_path / "made").exists()


def test_nothing_in_an_array_of_objects_is_run(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", results=np.array({"smpl_thetas": Runs(tmp_path / "made")}, dtype=object))
    with pytest.raises(InputRefused, match=r"a\.npz, results: this pickle asks for"):
        read_estimate(tmp_path / "a.npz")
    assert not (tmp_path / "made").exists()


def test_a_tensor_of_torch_is_refused_with_the_way_to_save_it(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    said = refusal(tmp_path, {**good(), "betas": torch.zeros(2, 10)})
    assert "asks for a tensor of torch" in said
    assert ".cpu().numpy()" in said


def test_a_number_that_is_not_finite_is_named_with_its_place(tmp_path: Path) -> None:
    content = good()
    content["body_pose"][:, 4, 0, 2] = np.nan
    assert "a.pkl, body_pose[0, 4, 0, 2] holds a number that is not finite (NaN)" in refusal(tmp_path, content)


@pytest.mark.parametrize("name", ["body_pose", "betas", "pred_cam_t_full", "score"])
def test_who_has_a_number_that_is_not_finite_is_left_out_and_named_and_the_other_comes(
    tmp_path: Path, name: str
) -> None:
    content = {**good(), "score": np.array([[0.8], [0.9]])}
    whole = read_estimate(written(tmp_path, content)).people[1]
    content[name].reshape(2, -1)[0, -1] = np.nan
    found = read_estimate(written(tmp_path, content))
    (one,) = found.people
    assert (one.score, found.notes[0]) == (
        0.9, f"person 1 of 2 was left out: a number in {name} is not finite (NaN, infinite or null)",
    )  # fmt: skip
    assert isinstance(one.content, SmplParameters)
    assert isinstance(whole.content, SmplParameters)
    np.testing.assert_array_equal(one.content.rotations, whole.content.rotations)
    np.testing.assert_array_equal(one.content.hip_centre, whole.content.hip_centre)


def test_one_of_romp_s_people_and_of_sam_3d_body_s_is_left_out_likewise(tmp_path: Path) -> None:
    thetas, shifts = np.zeros((3, 72)), np.tile([0.0, 0.0, 4.0], (3, 1))
    thetas[1, 5] = np.inf
    romp = read_estimate(written(tmp_path, {"smpl_thetas": thetas, "cam_trans": shifts}))
    points = np.random.default_rng(0).random((70, 3))
    each = {"pred_keypoints_3d": points, "pred_cam_t": shifts[0], "focal_length": 900.0}
    sam = read_estimate(written(tmp_path, [each, {**each, "pred_cam_t": [0.0, None, 4.0]}, each]))
    for found, name in ((romp, "smpl_thetas"), (sam, "pred_cam_t")):
        assert len(found.people) == 2
        assert found.notes[0].startswith(f"person 2 of 3 was left out: a number in {name} is not finite")


def test_a_matrix_that_turns_nothing_is_named(tmp_path: Path) -> None:
    content = good()
    content["body_pose"][0, 3] *= 2
    said = refusal(tmp_path, content)
    assert "a.pkl, body_pose[0, 3] holds a matrix that is not a rotation. Save rotation matrices" in said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"body_pose": np.zeros((2, 5))}, "global_orient, body_pose has the shapes"),
        ({"body_pose": np.full((2, 69), 90.0), "global_orient": np.zeros((2, 3))}, "Angles are radians"),
        ({"pred_cam_t_full": np.zeros((2, 1))}, r"pred_cam_t_full has the shape (2, 1), not (2, 3)"),
        ({"pred_cam_t_full": np.array([[0, 0, -4.0], [0, 0, 4.0]])}, "has somebody behind its camera"),
        ({"pred_cam_t_full": np.full((2, 3), 1e9)}, "kilometres away"),
        (
            {"pred_cam_t_full": [[0, 0, 4e3], [0, 0, 5e3]], "focal_length": 1100.0},
            "has somebody smaller than a pixel, so far away. Save places in metres",
        ),
        ({"betas": [[0.0, None, *[0.0] * 8]] * 2}, "betas[0, 1] holds no number (null). Correct it, or"),
        ({"betas": np.full((2, 10), np.inf)}, "betas[0, 0] holds a number that is not finite (infinite). Correct it"),
        ({"betas": np.zeros((4, 5))}, "betas has the shape (4, 5), not (2, 10)"),
        ({"focal_length": -3.0}, "focal_length has a focal length of -3 pixels"),
        ({"img_size": "large"}, "img_size holds no table of numbers. Save plain numbers"),
        ({"image_size": [0, -3]}, "image_size has a picture with a side of 0 pixels. Save its width and height in"),
        ({"scaled_focal_length": 0.5}, "scaled_focal_length has a focal length of 0.5 pixels"),
        ({"focal_length": []}, "focal_length holds 0 numbers, not one focal length. Save one, in pixels"),
        ({"K": np.diag([0.0, 1.0, 1.0])}, "K has a focal length of 0 pixels"),
        ({"K": np.eye(3, 4)}, "K has the shape (3, 4), not (3, 3). Save it for the one camera"),
        (
            {"cam_rotation": np.eye(3, 4), "cam_translation": np.zeros(3)},
            "cam_rotation has the shape (3, 4), not (3, 3)",
        ),
        ({"cam_rotation": np.ones((3, 3)), "cam_translation": np.zeros(3)}, "holds a matrix that is not a rotation"),
        ({"cam_rotation": np.eye(3), "cam_translation": np.zeros(4)}, "cam_translation has the shape (4,), not (3,)"),
    ],
)
def test_what_does_not_fit_is_named(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    assert said in refusal(tmp_path, {**good(), **change})


def test_of_tracks_the_frame_of_a_person_with_nan_is_left_out(tmp_path: Path) -> None:
    content = tracks()
    whole = read_estimate(written(tmp_path, content))
    first = content["img/000000.jpg"]
    first["camera"] = np.array(first["camera"], np.float64)
    first["camera"][0] = np.nan
    found = read_estimate(written(tmp_path, content))
    assert len(found.people) == len(whole.people) - 1
    said = f"1 of {len(whole.people)} poses in its frames was left out: a number is not finite (NaN, infinite or null)"
    assert found.notes == (said,)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("size", [[np.nan, 3], [4, 3]], "img/000000.jpg, size[0][0] holds a number that is not finite (NaN). Correct"),
        ("size", [["large", 3], [4, 3]], "img/000000.jpg, size[0] holds no table of numbers"),
        ("size", [[900, 0], [4, 3]], "img/000000.jpg, size[0] has a picture with a side of 0 pixels"),
        ("3d_joints", [np.zeros(4)], "img/000000.jpg, smpl[0], 3d_joints has the shape (4,), not (45, 3). Save"),
        ("tid", [np.nan, 2], "img/000000.jpg, tid[0] holds a number that is not finite (NaN)"),
        ("time", np.nan, "img/000000.jpg, time holds a number that is not finite (NaN)"),
        ("time", [1, 2], "img/000000.jpg, time holds 2 numbers, not one"),
    ],
)
def test_what_does_not_fit_in_tracks_is_named_with_its_picture(
    tmp_path: Path, name: str, value: Any, said: str
) -> None:
    content = tracks()
    content["img/000000.jpg"][name] = value
    assert f"a.pkl, {said}" in refusal(tmp_path, content)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("pred_cam_t", np.ones(4), "[1].pred_cam_t has the shape (4,), not (1, 3). Save three numbers"),
        ("focal_length", np.ones((3, 2)), "[1].focal_length holds 6 numbers, not one focal length"),
        ("focal_length", 0.0, "[1].focal_length has a focal length of 0 pixels. Save it in pixels"),
        ("pred_keypoints_3d", np.ones((17, 3)), "[1].pred_keypoints_3d has the shape (17, 3), not (70, 3)"),
    ],
)
def test_what_does_not_fit_in_sam_3d_body_is_named_with_its_person(
    tmp_path: Path, name: str, value: Any, said: str
) -> None:
    points = np.arange(210.0).reshape(70, 3) / 100
    people = [{"pred_keypoints_3d": points, "pred_cam_t": np.array([0, 0, 4.0]), "focal_length": 900.0}] * 2
    assert f"a.pkl, {said}" in refusal(tmp_path, [people[0], {**people[1], name: value}])


@pytest.mark.parametrize(
    ("side", "said"),
    [
        ("wide", "holds no table"),
        ([4, 4], "holds 2 numbers, not one side"),
        (0, "has a picture with a side of 0 pixels"),
        (200_000, "has a picture with a side of 200000 pixels"),
    ],
)
def test_a_picture_of_no_size_is_named(tmp_path: Path, side: Any, said: str) -> None:
    path, points = tmp_path / "a.json", list(range(51))
    images = [{"id": 6}, {"id": 7, "width": side, "height": 480}]
    path.write_text(json.dumps({"images": images, "annotations": [{"image_id": 7, "keypoints": points}]}))
    with pytest.raises(InputRefused, match=rf"a\.json, images\[1\]\.width {said}"):
        read_estimate(path)
    path.write_text(json.dumps({"canvas_width": 640, "canvas_height": side, "people": [{"pose_keypoints_2d": points}]}))
    with pytest.raises(InputRefused, match=rf"a\.json, canvas_height {said}"):
        read_estimate(path)


def test_places_of_several_people_must_be_there(tmp_path: Path) -> None:
    said = refusal(tmp_path, parameters(TWO))
    assert "does not say where its 2 people stand. Save transl or pred_cam_t_full" in said


def test_nobody_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"version": 1.3, "people": []}))
    with pytest.raises(InputRefused, match=r"a\.json holds no people"):
        read_estimate(tmp_path / "a.json")


NONE = {"global_orient": np.zeros((0, 3)), "body_pose": np.zeros((0, 63)), "transl": np.zeros((0, 3))}
NONE_LABELLED: dict[str, Any] = {"images": [{"id": 7, "width": 640, "height": 480}], "annotations": []}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (NONE, "a.pkl holds no people. Choose"),
        ({"smpl_thetas": np.zeros((0, 72)), "cam_trans": np.zeros((0, 3))}, "a.pkl holds no people. Choose"),
        (NONE_LABELLED, "a.pkl holds no people. Choose"),
        (
            {**NONE_LABELLED, "annotations": [{"image_id": 7, "bbox": [1, 2, 3, 4]}]},
            "a.pkl holds no people to pose: none of its annotations has keypoints",
        ),
    ],
    ids=["SMPL-X", "ROMP", "COCO", "boxes"],
)
def test_an_estimate_of_nobody_says_so_in_every_layout(tmp_path: Path, content: dict[str, Any], said: str) -> None:
    assert said in refusal(tmp_path, content)


class Table:
    """As data frames are: an array when asked, whose entries are not taken by number."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.array([[0.0, np.nan]], dtype)


def test_a_table_of_another_library_is_refused_by_its_content() -> None:
    with pytest.raises(InputRefused, match=r"betas\[0, 1\] holds a number that is not finite \(NaN\)"):
        numbers(Table(), "estimator stranger", "betas")


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    content = good()
    orient = content.pop("global_orient")
    assert "a.pkl holds body_pose, but no global_orient. Save" in refusal(tmp_path, content)
    assert "a.pkl holds global_orient, but no body_pose. Save" in refusal(tmp_path, {"global_orient": orient})
    rig = {"mhr_model_params": np.zeros(204), "shape_params": np.zeros(45)}
    said = refusal(tmp_path, [rig])
    assert "a.pkl, [0] holds the parameters of MHR's own rig, but no pred_keypoints_3d. Save pred_keypoints_3d" in said


def test_people_of_too_few_points_are_counted_where_nobody_else_is_there(tmp_path: Path) -> None:
    same = [100.0, 100.0, 1.0] * 17
    (tmp_path / "a.json").write_text(
        json.dumps([{"image_id": 1, "keypoints": same}, {"image_id": 1, "keypoints": same}])
    )
    with pytest.raises(InputRefused, match="2 people show too few joints to tell a pose, and were left out"):
        read_estimate(tmp_path / "a.json")


def test_an_archive_of_other_files_is_called_one_and_not_empty(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "photos.zip", "w") as archive:
        archive.writestr("notes.txt", "taken in May")
    with pytest.raises(
        InputRefused,
        match=r"photos\.zip is an archive without arrays in it\. Save it again with numpy\.savez, or unpack it",
    ):
        read_estimate(tmp_path / "photos.zip")


def test_what_torch_saved_is_refused_and_the_message_says_how_to_save_it(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.pkl", "w") as archive:  # as it packs what it saves
        archive.writestr("a/data.pkl", pickle.dumps({"body_pose": 0}))
        archive.writestr("a/data/0", bytes(8))
    with pytest.raises(InputRefused, match=r"a\.pkl was written by torch\.save.*np\.savez\(path"):
        read_estimate(tmp_path / "a.pkl")


@pytest.mark.parametrize(
    ("data", "said"), [(b"", "is empty"), (b"hello", "is neither an .npz nor"), (b" [1, 2]", "layout")]
)
def test_a_file_of_another_kind_is_called_neither_json_nor_cut_short(tmp_path: Path, data: bytes, said: str) -> None:
    (tmp_path / "a.pkl").write_bytes(data)
    with pytest.raises(InputRefused, match=re.escape(said)):
        read_estimate(tmp_path / "a.pkl")


def test_an_array_of_bare_objects_is_refused_as_such(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", **{**good(), "betas": np.array([object()])})
    with pytest.raises(InputRefused, match="betas holds objects that are neither numbers nor arrays; nothing in it"):
        read_estimate(tmp_path / "a.npz")


def test_numbers_of_a_kind_that_is_no_real_one_are_named(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", **{**good(), "betas": np.zeros((2, 10), complex)})
    with pytest.raises(InputRefused, match="betas holds numbers of the kind complex128. Save them as float32"):
        read_estimate(tmp_path / "a.npz")


def test_key_points_of_another_count_and_of_several_pictures_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"people": [{"pose_keypoints_2d": [1.0] * 60}]}))
    with pytest.raises(
        InputRefused,
        match=r"people\[0\]\.pose_keypoints_2d has 60 numbers, not three for each of 17, 18, .* or 136 points",
    ):
        read_estimate(path)
    path.write_text(json.dumps([{"image_id": i, "keypoints": [1.0] * 51} for i in range(2)]))
    with pytest.raises(InputRefused, match="holds the key points of 2 pictures"):
        read_estimate(path)


def test_points_that_are_all_at_one_place_are_nobody(tmp_path: Path) -> None:
    spot = {"pred_keypoints_3d": np.zeros((70, 3)), "pred_cam_t": np.array([0.0, 0.0, 4.0]), "focal_length": 1000.0}
    assert "[0].pred_keypoints_3d has all points in one place. Leave that person out" in refusal(tmp_path, [spot])
    path = tmp_path / "a.json"
    path.write_text(json.dumps({"people": [{"pose_keypoints_2d": [100.0, 80.0, 0.9] * 25}]}))
    with pytest.raises(InputRefused, match="holds no people"):
        to_people(read_estimate(path), BODY)


def test_a_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.estimates.plain_pickle.LARGEST", 1 << 20)
    (tmp_path / "a.pkl").write_bytes(zlib.compress(bytes(1 << 24)))
    with pytest.raises(InputRefused, match="would unpack to more than 1 MB"):
        read_estimate(tmp_path / "a.pkl")


@pytest.mark.slow
def test_lists_of_lists_of_lists_are_not_followed_for_ever() -> None:
    shared: Any = [0]
    for _ in range(30):
        shared = [shared, shared]
    with pytest.raises(InputRefused, match="has an absurd number of parts"):
        plain_content(pickle.dumps(shared), "a.pkl")


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_file_is_read_or_refused_never_more(tmp_path: Path, data: st.DataObject) -> None:
    read_or_refuse_damaged(tmp_path, data)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_many_damaged_files_are_read_or_refused_never_more(tmp_path: Path, data: st.DataObject) -> None:
    read_or_refuse_damaged(tmp_path, data)


def read_or_refuse_damaged(folder: Path, data: st.DataObject) -> None:
    small = {**parameters(TWO[:1]), "transl": transl(TWO[0])[None], "focal_length": 900.0}
    whole = bytearray(pickle.dumps(small, protocol=data.draw(st.integers(2, 5))))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    path = folder / "a.pkl"
    path.write_bytes(bytes(whole[: data.draw(st.integers(1, len(whole)))]))
    refused = ""
    try:
        read_estimate(path)
    except InputRefused as error:
        refused = str(error)
    assert not refused or "a.pkl" in refused
