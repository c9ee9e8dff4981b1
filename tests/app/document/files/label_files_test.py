"""Labels: what is written of a picture's people is read back as it was, and what is damaged is refused by its place."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from photo_samples import level_camera, natural
from photographed_people import ear_and_nose
from PIL import Image

from app.document import edits
from app.document.exchange.export import export_smpl
from app.document.exchange.label import label_of, write_label
from app.document.exchange.label_coco import KEY_POINTS, key_points
from app.document.exchange.label_files import COCO_FILE, FOLDER, files_of, label_place
from app.document.exchange.label_folder import prepare, save_label
from app.document.exchange.label_state import Stage, state_of, states_of, write_coco
from app.document.exchange.open_file import open_file
from app.document.model.document import Document, Photo
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.create import new_character
from app.document.scene_file.io import load_scene
from app.document.scene_file.photo_link import sha256_of
from app.viewport.eyes import drawn_eyes
from solver.body.body import BodyShape
from solver.body.hand_presets import preset_hands
from solver.body.hands import relaxed_hands
from solver.body.whole_rig import SMPLH_JOINTS
from solver.camera import PinholeCamera
from solver.errors import InputRefused, PoserError
from solver.kinematics.fk import skinning_matrices
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.sighting import Sighting

SIZE = (800, 800)


def camera() -> PinholeCamera:
    seen = level_camera(distance=5.0, down=0.1)
    return PinholeCamera(
        seen.position.astype(np.float32), seen.rotation.astype(np.float32), seen.focal, seen.principal, SIZE
    )


def two_in(picture: Path) -> Document:
    Image.new("RGB", SIZE, "grey").save(picture)
    tall = BodyShape(np.array([1.5, *[0.0] * 9], np.float32), "female")
    document = Document()
    for name, shape, seed in (("Anna", tall, 1), ("Ben", BodyShape(), 2)):
        pose = natural(seed, facing=3.1 * seed, at=(0.8 * seed - 1.2, 0.3))
        document = edits.add_character(new_character(document, name, shape=shape, pose=pose))(document)
    return edits.add_photo(Photo(str(picture), sha256_of(picture), camera()))(document)


def opened(path: Path) -> Document:
    edit = open_file(path).edit
    assert edit is not None
    return edit(Document())


def labelled(tmp_path: Path) -> tuple[Document, Path]:
    document = two_in(tmp_path / "team.png")
    path = tmp_path / "team.json"
    write_label(path, label_of(document, tmp_path, checked=True))
    return document, path


def test_arrays_of_a_label_without_people_open_as_the_photo(tmp_path: Path) -> None:
    document = replace(two_in(tmp_path / "hall.png"), actors=())
    path = tmp_path / "hall.json"
    write_label(path, label_of(document, tmp_path, checked=True))
    for file in (path, path.with_suffix(".npz")):
        back = opened(file)
        assert (back.characters, len(back.photos)) == ((), 1)
        np.testing.assert_allclose(back.photos[0].camera.position, document.photos[0].camera.position, atol=1e-5)


def test_a_label_opens_with_the_same_people_joints_pixels_and_photo(tmp_path: Path) -> None:
    document, path = labelled(tmp_path)
    back = opened(path)
    assert [one.name for one in back.characters] == ["Anna", "Ben"]
    for before, after in zip(document.characters, back.characters, strict=True):
        assert after.shape == before.shape
        np.testing.assert_allclose(joints_of(after).positions, joints_of(before).positions, atol=1e-5)
        pixels = [camera().project(joints_of(one).positions) for one in (before, after)]
        np.testing.assert_allclose(pixels[1], pixels[0], atol=5e-3)
    assert back.photo is not None
    assert back.photo.path == str(tmp_path / "team.png")
    np.testing.assert_allclose(back.photo.camera.position, camera().position, atol=1e-5)
    np.testing.assert_allclose(back.photo.camera.rotation, camera().rotation, atol=1e-6)


def test_a_label_keeps_that_somebody_is_a_child(tmp_path: Path) -> None:
    document = edits.set_body("c1", "anny:child", BodyShape(gender="female"))(two_in(tmp_path / "team.png"))
    path = tmp_path / "team.json"
    write_label(path, label_of(document, tmp_path, checked=True))
    child, adult = opened(path).characters
    assert (child.body, child.shape.gender, adult.body) == ("anny:child", "female", "anny")
    assert joints_of(child).positions == pytest.approx(joints_of(document.characters[0]).positions, abs=1e-4)


@pytest.mark.parametrize("body", ["official SMPL", "anny:giant", "anny:rig:AAAA", "anny:rig:"])
def test_who_has_a_body_in_a_label_that_is_none_of_ours_gets_the_usual_one(body: str, tmp_path: Path) -> None:
    _, path = labelled(tmp_path)
    top = json.loads(path.read_text(encoding="utf-8"))
    top["people"][0]["body"] = body
    path.write_text(json.dumps(top), encoding="utf-8")
    assert [person.body for person in opened(path).characters] == ["anny", "anny"]


def test_a_label_keeps_how_fingers_are_held_as_smplx_has_them(tmp_path: Path) -> None:
    document = two_in(tmp_path / "team.png")
    anna = document.characters[0]
    rotations = np.array(anna.pose.rotations)
    rotations[SMPL_JOINTS.index("right_hand")] = from_rotation_vector(np.array([0.0, 0.0, 0.3]))
    held = preset_hands("peace", body_of(anna)).mixed(relaxed_hands(), 1.0, (0,))
    document = document.with_character(replace(anna, hands=held, pose=replace(anna.pose, rotations=rotations)))
    path = tmp_path / "team.json"
    write_label(path, label_of(document, tmp_path, checked=True))
    back = opened(path)
    assert back.characters[0].hands is not None
    assert back.characters[0].hands.rotations == pytest.approx(held.rotations, abs=1e-5)
    assert back.characters[1].hands is not None
    assert back.characters[1].hands.rotations == pytest.approx(relaxed_hands().rotations, abs=1e-5)
    (file,) = export_smpl(tmp_path / "anna.npz", [document.characters[0]])
    with np.load(file) as smplh, np.load(path.with_suffix(".npz")) as arrays:
        assert arrays["right_hand_pose"].shape == (2, 45)
        there = smplh["poses"].reshape(-1, 3)[SMPLH_JOINTS.index("right_index1") :][:15]
        assert arrays["right_hand_pose"][0] == pytest.approx(there.ravel(), abs=1e-4)
    label = json.loads(path.read_text(encoding="utf-8"))
    for one in label["people"]:
        del one["left_hand_pose"], one["right_hand_pose"]
    path.write_text(json.dumps(label), encoding="utf-8")
    assert opened(path).characters[0].hands == relaxed_hands()


def test_joints_agree_with_camera_matrix_and_extrinsics_of_the_file_itself(tmp_path: Path) -> None:
    _, path = labelled(tmp_path)
    label = json.loads(path.read_text(encoding="utf-8"))
    k, turn, shift = (np.array(label[name]) for name in ("K", "cam_rotation", "cam_translation"))
    for one in label["people"]:
        seen = np.array(one["joints_3d_world"]) @ turn.T + shift
        np.testing.assert_allclose(seen, one["joints_3d_camera"], atol=1e-9)
        assert (seen[:, 2] > 0).all()
        pixels = seen @ k.T
        np.testing.assert_allclose(pixels[:, :2] / pixels[:, 2:], one["joints_2d"], atol=1e-3)


@pytest.mark.slow
def test_arrays_hold_the_same_and_open_as_smpl_parameters(tmp_path: Path) -> None:
    document, path = labelled(tmp_path)
    label = json.loads(path.read_text(encoding="utf-8"))
    with np.load(path.with_suffix(".npz")) as arrays:
        assert arrays["body_pose"].shape == (2, 69)
        np.testing.assert_array_equal(arrays["joints_2d"][1], label["people"][1]["joints_2d"])
        np.testing.assert_array_equal(arrays["global_orient"][0], label["people"][0]["global_orient"])
        assert bool(arrays["checked"])
    again = opened(path.with_suffix(".npz"))
    assert len(again.characters) == len(document.characters)
    assert again.photo is not None
    assert Path(again.photo.path).name == "team.png"


def test_key_points_of_the_folder_lie_on_the_people(tmp_path: Path) -> None:
    document = two_in(tmp_path / "team.png")
    out = tmp_path / "labels"
    prepare(tmp_path, out, lambda _path: (document, 0), lambda _line: None, pytest.fail)
    coco = json.loads((out / COCO_FILE).read_text(encoding="utf-8"))
    assert [(one["file_name"], one["width"], one["checked"]) for one in coco["images"]] == [("../team.png", 800, False)]
    assert coco["categories"][0]["keypoints"] == list(KEY_POINTS)
    assert [one["image_id"] for one in coco["annotations"]] == [1, 1]
    for one, character in zip(coco["annotations"], document.characters, strict=True):
        points = np.array(one["keypoints"]).reshape(17, 3)
        np.testing.assert_allclose(points, key_points(character, camera()), atol=2e-2)
        knee = camera().project(joints_of(character).positions)[4]
        assert np.linalg.norm(points[13, :2] - knee) < 15.0
        ear, nose = ear_and_nose(character, camera())
        assert np.linalg.norm(points[3, :2] - ear) < 3.0
        assert np.linalg.norm(points[0, :2] - nose) < 3.0
        eyes = drawn_eyes(character, None, skinning_matrices(skeleton_of(character), character.pose))
        assert eyes is not None
        pupils = camera().project((eyes[:, :, 3] + eyes[:, :, 2]).astype(np.float64))
        assert np.linalg.norm(points[1:3, :2] - pupils, axis=1).max() < 3.0
        assert one["num_keypoints"] == int((points[:, 2] > 0).sum())


def test_an_unusable_picture_is_marked_and_left_out_of_the_key_points(tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        two_in(tmp_path / name)
    every = files_of(tmp_path, tmp_path)
    save_label(every[0], two_in(every[0].picture), checked=False, usable=False)
    save_label(every[1], two_in(every[1].picture), checked=True)
    states = states_of(every)
    assert [state.stage for state in states] == [Stage.UNUSABLE, Stage.CHECKED]
    write_coco(states, tmp_path)
    coco = json.loads((tmp_path / COCO_FILE).read_text(encoding="utf-8"))
    assert [(one["id"], one["file_name"]) for one in coco["images"]] == [(2, "b.png")]
    assert [one["image_id"] for one in coco["annotations"]] == [2, 2]
    assert len({one["id"] for one in coco["annotations"]}) == 2
    with np.load(every[0].label.with_suffix(".npz")) as arrays:
        assert not bool(arrays["usable"])


def test_the_label_goes_by_the_photo_of_its_name_among_several(tmp_path: Path) -> None:
    document = two_in(tmp_path / "team.png")
    other = Photo(str(tmp_path / "other.png"), "0" * 64, camera())
    document = edits.choose_photo(1)(edits.add_photo(other)(document))
    (files,) = files_of(tmp_path, tmp_path)
    _, label = save_label(files, document, checked=True)
    assert label["picture"]["path"] == "team.png"
    with pytest.raises(PoserError, match=r"team\.png is no longer among"):
        save_label(files, edits.set_photo(None)(edits.set_photo(other)(two_in(files.picture))), checked=True)


def test_people_who_were_read_off_another_photo_are_not_in_the_label(tmp_path: Path) -> None:
    document = two_in(tmp_path / "team.png")
    anna, ben = document.characters
    other = Photo(str(tmp_path / "other.png"), "ab" * 32, camera())
    seen = tuple(
        replace(one, sighting=Sighting(photo)) if photo else one
        for one, photo in ((anna, document.photos[0].sha256), (ben, other.sha256), (replace(anna, id="made"), ""))
    )
    document = edits.choose_photo(1)(edits.add_photo(other)(document.with_characters(seen)))
    (files,) = files_of(tmp_path, tmp_path)
    _, label = save_label(files, document, checked=True)
    assert [one["name"] for one in label["people"]] == [anna.name, anna.name]  # and the one who was added by hand


def test_somebody_beside_the_picture_has_no_annotation(tmp_path: Path) -> None:
    picture = tmp_path / "team.png"
    document = two_in(picture)
    anna, ben = document.characters
    aside = replace(ben.pose, root_position=ben.pose.root_position + np.float32([50.0, 0.0, 0.0]))
    (files,) = files_of(tmp_path, tmp_path)
    save_label(files, document.with_characters((replace(ben, pose=aside), anna)), checked=True)
    write_coco(states_of([files]), tmp_path)
    (annotation,) = json.loads((tmp_path / COCO_FILE).read_text(encoding="utf-8"))["annotations"]
    assert annotation["id"] == 2
    assert annotation["area"] > 0


def test_a_label_written_without_key_points_still_has_them_in_the_folder_s(tmp_path: Path) -> None:
    document = two_in(tmp_path / "team.png")
    (files,) = files_of(tmp_path, tmp_path)
    save_label(files, document, checked=False)
    before = state_of(files, 1).row
    label = json.loads(files.label.read_text(encoding="utf-8"))
    for one in label["people"]:
        del one["key_points"]
    files.label.write_text(json.dumps(label), encoding="utf-8")
    after = state_of(files, 1).row
    assert before is not None
    assert after is not None
    points = [[json.loads(one)["keypoints"] for one in row.people] for row in (before, after)]
    np.testing.assert_allclose(points[1], points[0], atol=2e-2)


def test_nobody_in_a_picture_is_a_label_too(tmp_path: Path) -> None:
    document = two_in(tmp_path / "team.png")
    assert document.photo is not None
    write_label(tmp_path / "team.json", label_of(edits.add_photo(document.photo)(Document()), tmp_path, False))
    back = opened(tmp_path / "team.json")
    assert (len(back.characters), back.photo is not None) == (0, True)


def test_preparing_goes_on_after_what_cannot_be_read_and_leaves_what_is_done(tmp_path: Path) -> None:
    two_in(tmp_path / "a.png")
    (tmp_path / "b.jpg").write_text("no picture")
    two_in(tmp_path / "c.png")
    asked: list[str] = []

    def read(path: Path) -> tuple[Document, int]:
        asked.append(path.name)
        if path.name == "b.jpg":
            raise InputRefused(path, "is not a picture", "Leave it out")
        return two_in(path), int(path.name == "c.png")

    lines: list[str] = []
    assert prepare(tmp_path, tmp_path / "out", read, lines.append, lines.append) == (2, 1)
    assert [line.rpartition("/")[2] for line in lines] == [
        "1 of 3  a.png: 2 people",
        "b.jpg is not a picture. Leave it out.",
        "3 of 3  c.png: 2 people, 1 more left out as unsure",
    ]
    first = files_of(tmp_path, tmp_path / "out")[0]
    save_label(first, load_scene(first.scene), checked=True)
    asked.clear()
    assert prepare(tmp_path, tmp_path / "out", read, lines.append, lines.append)[0] == 0
    assert asked == ["b.jpg"]
    assert json.loads(first.label.read_text(encoding="utf-8"))["checked"] is True


def test_pictures_that_differ_in_their_suffix_alone_have_files_of_their_own(tmp_path: Path) -> None:
    for name in ("a.png", "a.jpg", "coco.png"):
        (tmp_path / name).touch()
    names = [files.label.name for files in files_of(tmp_path, tmp_path)]
    assert names == ["a.jpg.json", "a.png.json", "coco.png.json"]


@pytest.mark.parametrize(
    "names", [("a.jpg", "a.scene.jpg"), ("a.jpg", "a.jpg.png", "a.png"), ("A.Scene.jpg", "a.png", "coco.jpg")]
)
def test_no_picture_has_the_files_of_another(tmp_path: Path, names: tuple[str, ...]) -> None:
    for name in names:
        (tmp_path / name).write_bytes(b"x")
    every = files_of(tmp_path, tmp_path)
    taken = [path.name.lower() for files in every for path in (files.scene, files.label)] + [COCO_FILE]
    assert len(set(taken)) == len(taken) == 2 * len(names) + 1


def test_a_label_that_is_saved_by_itself_goes_where_its_folder_has_it(tmp_path: Path) -> None:
    for name in ("a.png", "a.jpg", "b.jpg", "wave.gif"):
        (tmp_path / name).touch()
    assert label_place(tmp_path / "a.jpg") == tmp_path / "a.json"
    (tmp_path / FOLDER).mkdir()
    for name, label in (("a.jpg", "labels/a.jpg.json"), ("b.jpg", "labels/b.json"), ("wave.gif", "wave.json")):
        assert label_place(tmp_path / name) == tmp_path / label
    assert label_place(tmp_path / "gone" / "c.jpg") == tmp_path / "gone" / "c.json"


def test_a_foreign_file_in_a_labels_place_is_named_and_left_alone(tmp_path: Path) -> None:
    document = two_in(tmp_path / "team.png")
    (tmp_path / "team.json").write_text("{}")
    reasons: list[str] = []
    prepare(tmp_path, tmp_path, lambda _path: (document, 0), lambda _line: None, reasons.append)
    assert "team.json is already there, and is not a label" in reasons[0]
    assert (tmp_path / "team.json").read_text() == "{}"


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda top: top.update(version=3), "version"),
        (lambda top: top["joint_names"].reverse(), "joint_names"),
        (lambda top: top["cam_rotation"].reverse(), "cam_rotation"),
        (lambda top: top["K"].pop(), "K"),
        (lambda top: top["people"][1]["body_pose"].pop(), "people[1].body_pose"),
        (lambda top: top["people"][1]["left_hand_pose"].pop(), "people[1].left_hand_pose"),
        (lambda top: top["people"][1].pop("right_hand_pose"), "people[1].right_hand_pose"),
        (lambda top: top["people"][1]["betas"].__setitem__(0, 9.0), "people[1].betas[0]"),
        (lambda top: top["people"][0].pop("transl"), "people[0].transl"),
        (lambda top: top["people"][0].update(gender="tall"), "people[0].gender"),
    ],
)
def test_what_is_wrong_with_a_label_is_said_with_its_place(tmp_path: Path, change: Any, place: str) -> None:
    _, path = labelled(tmp_path)
    top = json.loads(path.read_text(encoding="utf-8"))
    change(top)
    path.write_text(json.dumps(top), encoding="utf-8")
    with pytest.raises(InputRefused, match=place.replace("[", r"\[")):
        open_file(path)


def test_a_scene_without_a_picture_has_no_label(tmp_path: Path) -> None:
    with pytest.raises(PoserError, match="needs a picture"):
        label_of(Document(), tmp_path, False)


def test_no_pictures_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputRefused, match=r"no picture in it\. Choose a folder with pictures in it"):
        files_of(tmp_path, tmp_path)
    with pytest.raises(InputRefused, match="there is no such folder"):
        files_of(tmp_path / "gone", tmp_path)
    (tmp_path / "walk.BVH").touch()
    with pytest.raises(InputRefused, match=r"or open its files instead: walk\.BVH\."):
        files_of(tmp_path, tmp_path)


def test_folders_within_a_folder_are_neither_searched_nor_taken_for_pictures_and_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "day.jpg").mkdir()
    Image.new("RGB", (8, 6)).save(tmp_path / "day.jpg" / "deep.png")
    with pytest.raises(InputRefused, match="folders within it are not searched"):
        files_of(tmp_path, tmp_path)
    Image.new("RGB", (8, 6)).save(tmp_path / "a.png")
    assert [files.picture.name for files in files_of(tmp_path, tmp_path)] == ["a.png"]


def test_arrays_of_something_else_are_not_replaced_by_a_label_s(tmp_path: Path) -> None:
    document = two_in(tmp_path / "team.png")
    label = label_of(document, tmp_path, checked=True)
    np.savez(tmp_path / "team.npz", global_orient=np.zeros((1, 3)))
    before = (tmp_path / "team.npz").read_bytes()
    with pytest.raises(InputRefused, match=r"team\.npz is already there, and is not a label"):
        write_label(tmp_path / "team.json", label)
    assert (tmp_path / "team.npz").read_bytes() == before
    assert not (tmp_path / "team.json").exists()
    write_label(tmp_path / "mine.json", label)
    write_label(tmp_path / "mine.json", label_of(document, tmp_path, checked=False))
    assert not json.loads((tmp_path / "mine.json").read_text(encoding="utf-8"))["checked"]


def test_a_label_of_a_picture_that_is_gone_belongs_beside_it(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    assert label_place(tmp_path / "gone.jpg") == tmp_path / "gone.json"
