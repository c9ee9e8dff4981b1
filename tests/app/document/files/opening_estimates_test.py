"""What other estimators and programs wrote opens by what is in the file: people, what they do, their picture."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from estimates_samples import FOCAL, SIZE, TWO, parameters, romp, tracks, transl
from PIL import Image

from app.document.exchange.estimates import picture_beside
from app.document.exchange.file_kind import kind_of
from app.document.exchange.open_file import Opened, open_file
from app.document.exchange.skinned_export import export_skinned
from app.document.model.document import Document
from app.document.model.figure import joints_of
from app.document.posing.create import new_document
from solver.errors import InputRefused
from solver.estimates.point_layouts import BODY_25, COCO_17, OPENPOSE_18


def added(opened: Opened, to: Document | None = None) -> Document:
    assert opened.edit is not None
    return opened.edit(to or Document())


def key_points(path: Path) -> Path:
    flat = np.zeros((25, 3))
    named = {0: 0, 2: 12, 3: 14, 4: 16, 5: 11, 6: 13, 7: 15, 9: 24, 10: 26, 11: 28, 12: 23, 13: 25, 14: 27}
    for number, mark in named.items():
        flat[number] = [*TWO[1].pixels[mark], 0.9]
    path.write_text(json.dumps({"version": 1.3, "people": [{"pose_keypoints_2d": flat.ravel().tolist()}]}))
    return path


@pytest.mark.slow
def test_the_picture_that_a_file_names_itself_comes_along_wherever_the_folder_went(tmp_path: Path) -> None:
    for folder in ("labels", "moved"):
        (tmp_path / folder).mkdir()
    mine = tmp_path / "labels" / "a.npz"
    picture: dict[str, Any] = {"picture": "../Größe 1.png"}
    shifts = np.stack([transl(one) for one in TWO])
    np.savez(mine, **parameters(TWO), pred_cam_t_full=shifts, focal_length=FOCAL, img_size=np.array(SIZE), **picture)
    assert added(open_file(mine)).photo is None
    shown = Image.new("RGB", SIZE, "grey")
    shown.save(tmp_path / "Größe 1.png")
    document = added(open_file(mine))
    assert document.photo is not None
    assert Path(document.photo.path).resolve() == tmp_path / "Größe 1.png"
    mine = mine.rename(tmp_path / "moved" / "b.npz")
    (tmp_path / "Größe 1.png").rename(tmp_path / "moved" / "Größe 1.png")
    document = added(open_file(mine))
    assert document.photo is not None
    assert Path(document.photo.path) == tmp_path / "moved" / "Größe 1.png"


def test_a_picture_that_the_system_does_not_look_for_is_none_that_is_there(tmp_path: Path) -> None:
    picture: dict[str, Any] = {"picture": f"{'n' * 300}.png"}
    shifts = np.stack([transl(one) for one in TWO])
    mine = tmp_path / "a.npz"
    np.savez(mine, **parameters(TWO), pred_cam_t_full=shifts, focal_length=FOCAL, img_size=np.array(SIZE), **picture)
    document = added(open_file(mine))
    assert document.photo is None
    assert len(document.characters) == 2


@pytest.mark.slow
def test_parameters_in_an_archive_become_people(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", **romp())
    opened = open_file(tmp_path / "a.npz")
    assert len(added(opened).characters) == len(TWO)
    assert "ROMP" in opened.report


def test_people_of_a_film_come_with_their_motions(tmp_path: Path) -> None:
    (tmp_path / "a.pkl").write_bytes(pickle.dumps(tracks(5)))
    document = added(open_file(tmp_path / "a.pkl"))
    assert len(document.characters) == len(TWO)
    assert [len(actor.clip) for actor in document.actors] == [5, 4]


def test_key_points_come_with_the_picture_beside_them(tmp_path: Path) -> None:
    path = key_points(tmp_path / "a_keypoints.json")
    Image.new("RGB", SIZE, "grey").save(tmp_path / "A.JPG")
    assert picture_beside(path) == tmp_path / "A.JPG"
    document = added(open_file(path))
    assert len(document.characters) == 1
    assert document.photo is not None


def test_key_points_and_their_confidence_stay_with_the_person_as_what_was_seen(tmp_path: Path) -> None:
    path = key_points(tmp_path / "a_keypoints.json")
    Image.new("RGB", SIZE, "grey").save(tmp_path / "a.jpg")
    document = added(open_file(path))
    sighting = document.characters[0].sighting
    assert sighting is not None
    assert document.photo is not None
    assert sighting.photo == document.photo.sha256
    wrist, heel = sighting.by_mark[15], sighting.by_mark[29]
    assert wrist.pixel == pytest.approx(tuple(TWO[1].pixels[15]), abs=0.01)
    assert wrist.confidence == pytest.approx(0.9)
    assert wrist.depth_spread is None
    assert heel.confidence == 0.0, "not among the key points of the file"


@pytest.mark.slow
def test_a_picture_of_other_proportions_is_left_out_and_that_is_said(tmp_path: Path) -> None:
    shifts = [transl(one) for one in TWO]
    np.savez(tmp_path / "a.npz", **parameters(TWO), pred_cam_t_full=shifts, focal_length=FOCAL, img_size=np.array(SIZE))
    Image.new("RGB", (300, 900), "grey").save(tmp_path / "a.png")
    opened = open_file(tmp_path / "a.npz")
    assert added(opened).photo is None
    assert "other proportions" in opened.report


@pytest.mark.parametrize("names", ["smpl", "mixamo"])
def test_the_skeleton_of_a_glb_goes_to_the_named_person_or_stands_beside_the_others(tmp_path: Path, names: str) -> None:
    document = new_document()
    (path,) = export_skinned(tmp_path / "a.glb", document.characters, names=names)
    assert len(added(open_file(path), document).characters) == 2
    me = document.characters[0].id
    onto = added(open_file(path, me), document)
    assert [person.id for person in onto.characters] == [me]


def test_an_archive_that_is_none_is_refused_as_a_motion(tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_bytes(b"PK\x03\x04 and then nothing of the kind")
    with pytest.raises(InputRefused, match=r"a\.npz"):
        open_file(tmp_path / "a.npz")


@pytest.mark.parametrize(("start", "name", "kind"), [
    (b"glTF\x02", "a.bin", "glb"), (b"x", "a.glb", "glb"), (b"\x80\x04", "a", "estimate"), (b"x", "a.pkl", "estimate"),
    (b"\x80\x02", "a.pickle", "estimate"), (b"\x80\x04", "a.joblib", "estimate"),
])  # fmt: skip
def test_what_a_file_is_its_first_bytes_say_or_its_name(tmp_path: Path, start: bytes, name: str, kind: str) -> None:
    (tmp_path / name).write_bytes(start)
    assert kind_of(tmp_path / name) == kind


def test_json_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"weather": "fine"}')
    with pytest.raises(InputRefused, match=r"a\.json"):
        open_file(tmp_path / "a.json")


@pytest.mark.parametrize("text", ['{"a": 1}', "[]", '{"format": "recipes", "version": 1}'])
def test_json_of_no_known_kind_is_told_what_would_open(tmp_path: Path, text: str) -> None:
    (tmp_path / "strange.json").write_text(text)
    with pytest.raises(InputRefused, match="neither a scene, a pose file or a label of this program nor") as refused:
        open_file(tmp_path / "strange.json")
    assert "strange.json" in str(refused.value)
    assert "Choose a scene, a pose file or a label" in str(refused.value)
    assert "docs/estimates.md says whose are read" in str(refused.value)


@pytest.mark.sweep("1")
@pytest.mark.parametrize("larger", [1, 4])
def test_people_lie_on_a_picture_that_is_shown_smaller_than_its_file(tmp_path: Path, larger: int) -> None:
    path = tmp_path / "a_keypoints.json"
    flat = np.zeros((25, 3))
    for number, mark in BODY_25.items():
        flat[number] = [*(larger * TWO[1].pixels[mark]), 0.9]
    path.write_text(json.dumps({"people": [{"pose_keypoints_2d": flat.ravel().tolist()}]}))
    Image.new("L", (larger * SIZE[0], larger * SIZE[1])).save(tmp_path / "a.png")
    document = added(open_file(path))
    assert document.photo is not None
    shown = min(larger * SIZE[0], 4096) / SIZE[0]
    camera, person = document.photo.camera, document.characters[0]
    assert camera.image_size == (shown * SIZE[0], shown * SIZE[1])
    hips = shown * TWO[1].pixels[[23, 24]].mean(axis=0)
    assert camera.project(person.pose.root_position) == pytest.approx(hips, abs=40 * shown)


@pytest.mark.slow
def test_the_camera_is_that_of_the_picture_whatever_size_the_file_says(tmp_path: Path) -> None:
    shifts = np.stack([transl(one) for one in TWO])
    np.savez(tmp_path / "a.npz", **parameters(TWO), pred_cam_t_full=shifts, focal_length=FOCAL, img_size=np.array(SIZE))
    Image.new("RGB", (SIZE[0] // 2, SIZE[1] // 2), "grey").save(tmp_path / "a.png")
    document = added(open_file(tmp_path / "a.npz"))
    assert document.photo is not None
    camera = document.photo.camera
    assert (camera.image_size, camera.focal_px) == ((SIZE[0] // 2, SIZE[1] // 2), FOCAL / 2)


def test_a_picture_that_cannot_be_read_is_left_out_unless_it_was_named(tmp_path: Path) -> None:
    path, damaged = key_points(tmp_path / "a_keypoints.json"), tmp_path / "a.jpg"
    damaged.write_text("nothing")
    opened = open_file(path)
    assert len(added(opened).characters) == 1
    assert opened.hint == "a.jpg cannot be read, and was left out."
    with pytest.raises(InputRefused, match=r"a\.jpg is not a picture"):
        open_file(path, picture=damaged)


def test_of_a_data_set_the_named_picture_s_people_come_with_it(tmp_path: Path) -> None:
    flat = np.zeros((17, 3))
    for place, mark in COCO_17.items():
        flat[place] = [*TWO[1].pixels[mark], 2]
    images = [{"id": i, "file_name": f"{i}.png", "width": SIZE[0], "height": SIZE[1]} for i in (1, 2)]
    seen = [{"image_id": i, "keypoints": flat.ravel().tolist()} for i in (1, 2, 2)]
    (tmp_path / "coco.json").write_text(json.dumps({"images": images, "annotations": seen}))
    for i in (1, 2):
        Image.new("RGB", SIZE, "grey").save(tmp_path / f"{i}.png")
    document = added(open_file(tmp_path / "coco.json", picture=tmp_path / "2.png"))
    assert len(document.characters) == 2
    assert document.photo is not None
    assert Path(document.photo.path).name == "2.png"


@pytest.mark.slow
def test_shares_of_a_picture_lie_on_the_picture_beside_the_file(tmp_path: Path) -> None:
    flat = np.zeros((25, 3))
    for number, mark in BODY_25.items():
        flat[number] = [*(TWO[1].pixels[mark] / SIZE), 0.9]
    path = tmp_path / "a_keypoints.json"
    path.write_text(json.dumps({"people": [{"pose_keypoints_2d": flat.ravel().tolist()}]}))
    with pytest.raises(InputRefused, match=r"a_keypoints\.json holds shares of a picture, but not its size"):
        open_file(path)
    Image.new("L", SIZE).save(tmp_path / "a.png")
    opened = open_file(path)
    document = added(opened)
    assert opened.hint == ""
    assert document.photo is not None
    hips = TWO[1].pixels[[23, 24]].mean(axis=0)
    assert document.photo.camera.project(document.characters[0].pose.root_position) == pytest.approx(hips, abs=40)


@pytest.mark.slow
def test_of_alphapose_s_film_the_named_picture_s_people_come_with_it(tmp_path: Path) -> None:
    flat = np.zeros((18, 3))
    for number, mark in OPENPOSE_18.items():
        flat[number] = [*TWO[1].pixels[mark], 0.9]
    bodies = {"bodies": [{"joints": flat.ravel().tolist()}]}
    (tmp_path / "film.json").write_text(json.dumps({f"{i}.png": bodies for i in range(3)}))
    Image.new("L", SIZE).save(tmp_path / "1.png")
    document = added(open_file(tmp_path / "film.json", picture=tmp_path / "1.png"))
    assert document.photo is not None
    assert len(document.characters) == 1


def standing_joints() -> np.ndarray:
    """(22, 3) metres."""
    person = new_document().characters[0]
    return joints_of(person).positions[:22]


MOTIONS: dict[str, dict[str, Any]] = {
    "of SMPL's parameters": {"smpl_poses": np.zeros((4, 72)), "smpl_trans": np.zeros((4, 3))},
    "of joints' places": {"joints": np.tile(standing_joints(), (4, 1, 1))},
}


@pytest.mark.parametrize("motion", MOTIONS.values(), ids=MOTIONS)
def test_one_frame_of_a_motion_is_refused_not_left_out(tmp_path: Path, motion: dict[str, Any]) -> None:
    (tmp_path / "a.pkl").write_bytes(pickle.dumps(motion))
    with pytest.raises(InputRefused, match=r"a\.pkl is not a film of key points, .* Leave out --frame"):
        open_file(tmp_path / "a.pkl", frame=2)
