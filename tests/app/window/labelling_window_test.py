"""A folder of pictures labelled as a user does it: opened, a person dragged, checked by a key, gone through."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import numpy as np
import pytest
from dialog_hand import answering, button
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from window_hand import Hand, settled, strike, until

from app.dialogs import messages
from app.document import edits
from app.document.exchange.label_files import COCO_FILE, FOLDER, LabelFiles, files_of
from app.document.exchange.label_folder import save_label
from app.document.model.document import Document, Photo
from app.document.posing.create import new_character
from app.document.posing.solving import joints_of, skeleton_of
from app.document.scene_file.io import load_scene
from app.document.scene_file.photo_link import sha256_of
from app.labelling.bar import LabelBar
from app.labelling.labelling import Labelling
from app.window.editor import Editor
from solver.camera import PinholeCamera

pytestmark = pytest.mark.gl
CAMERA = PinholeCamera(np.float32([0.0, 1.0, 3.2]), np.eye(3, dtype=np.float32), 600.0, (400.0, 300.0), (800, 600))
KEY, HELD = Qt.Key, Qt.KeyboardModifier
CTRL, SHIFT, ALT = HELD.ControlModifier, HELD.ShiftModifier, HELD.AltModifier
NAMES = ("a.png", "b.png", "c.png")


def scene_of(picture: Path, people: int = 1) -> Document:
    document = Document()
    for number in range(people):
        person = new_character(document, f"Person {number + 1}")
        document = edits.add_character(person)(document)
    return edits.add_photo(Photo(str(picture), sha256_of(picture), CAMERA))(document)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three small pictures, each with a proposal of one person, of the second of two."""
    folder = tmp_path / "shoot"
    (folder / FOLDER).mkdir(parents=True)
    for shade, name in enumerate(NAMES):
        Image.new("RGB", (800, 600), (20 + 60 * shade, 140, 90)).save(folder / name)
    for place, files in enumerate(files_of(folder, folder / FOLDER)):
        save_label(files, scene_of(files.picture, 2 if place == 1 else 1), checked=False)
    return folder


def every(folder: Path) -> list[LabelFiles]:
    return files_of(folder, folder / FOLDER)


def label(folder: Path, name: str) -> dict:  # type: ignore[type-arg]
    return dict(json.loads((folder / FOLDER / f"{name}.json").read_text(encoding="utf-8")))


def coco(folder: Path) -> dict:  # type: ignore[type-arg]
    return dict(json.loads((folder / FOLDER / COCO_FILE).read_text(encoding="utf-8")))


def walk(editor: Editor) -> Labelling:
    assert editor.labels.labelling is not None
    return editor.labels.labelling


def at(editor: Editor, place: int) -> None:
    """Until the picture at a place, from 1, is open."""
    until(lambda: editor.labels.labelling is not None and walk(editor).place == place - 1 and not walk(editor).opening)
    until(lambda: not any(thread.name == "photo" for thread in threading.enumerate()))  # its pixels are there
    settled(editor.session)


def bar(editor: Editor) -> LabelBar:
    found = editor.window.findChild(LabelBar)
    assert found is not None
    return found


@pytest.fixture
def begun(editor: Editor, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    """The window with the folder, opened by its command."""
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    editor.actions["file.label"].trigger()
    at(editor, 1)
    return editor


def wrist(document: Document) -> np.ndarray:
    (person, *_) = document.characters
    return np.asarray(joints_of(person).positions[skeleton_of(person).index("left_wrist")])


def drag_wrist(editor: Editor, by: QPoint) -> np.ndarray:
    """Drag the left hand's handle through the photo's camera; where the wrist is then."""
    hand = Hand(editor)
    active = editor.session.active
    assert active is not None
    target = next(e for e in active.effectors if e.joint == "left_wrist").target
    hand.drag(hand.place(target), by * 0.5, by)
    settled(editor.session)
    until(lambda: not editor.session.in_step)
    return wrist(editor.session.document)


def test_a_corrected_person_is_kept_with_scene_label_and_key_points_and_is_there_again(
    begun: Editor, folder: Path
) -> None:
    before = wrist(begun.session.document)
    after = drag_wrist(begun, QPoint(30, -60))
    assert np.linalg.norm(after - before) > 0.1
    assert bar(begun).state.text() == "Not checked"
    strike(begun, KEY.Key_Return, CTRL)
    at(begun, 2)
    found = label(folder, "a")
    assert found["checked"] is True
    place = found["joint_names"].index("left_wrist")
    np.testing.assert_allclose(found["people"][0]["joints_3d_world"][place], after, atol=1e-5)
    with np.load(folder / FOLDER / "a.npz") as arrays:
        np.testing.assert_allclose(arrays["joints_3d_world"][0][place], after, atol=1e-5)
        assert bool(arrays["checked"])
    np.testing.assert_allclose(wrist(load_scene(folder / FOLDER / "a.scene.json")), after, atol=1e-5)
    images = coco(folder)["images"]
    assert [(one["file_name"], one["checked"]) for one in images] == [
        ("../a.png", True), ("../b.png", False), ("../c.png", False),
    ]  # fmt: skip
    points = next(one for one in coco(folder)["annotations"] if one["image_id"] == 1)["keypoints"]
    pixel = np.array(points).reshape(17, 3)[9, :2]
    assert np.linalg.norm(pixel - CAMERA.project(after[None])[0]) < 25.0
    strike(begun, KEY.Key_Left, ALT)
    at(begun, 1)
    np.testing.assert_allclose(wrist(begun.session.document), after, atol=1e-5)
    until(lambda: bar(begun).state.text() == "Checked")
    assert begun.session.view.through_photo


def test_the_bar_counts_and_its_buttons_go_on_back_and_out(begun: Editor, folder: Path) -> None:
    shown = bar(begun)
    assert (shown.place.text(), shown.name.text(), shown.count.text()) == ("1 of 3", "a.png", "0 of 3 checked")
    for number in (2, 3):
        QTest.mouseClick(shown.check, Qt.MouseButton.LeftButton)
        at(begun, number)
    assert (shown.place.text(), shown.count.text(), shown.line.value()) == ("3 of 3", "2 of 3 checked", 2)
    QTest.mouseClick(shown.back, Qt.MouseButton.LeftButton)
    at(begun, 2)
    QTest.mouseClick(shown.on, Qt.MouseButton.LeftButton)
    at(begun, 3)
    QTest.mouseClick(shown.check, Qt.MouseButton.LeftButton)
    until(lambda: shown.count.text() == "3 of 3 checked")
    until(lambda: "All pictures are checked" in begun.window.status.notice.text())
    QTest.mouseClick(shown.close_folder, Qt.MouseButton.LeftButton)
    until(lambda: not shown.isVisible())
    assert begun.session.path == folder / FOLDER / "c.scene.json"
    until(lambda: not begun.actions["label.next"].isEnabled())


def test_what_is_moved_and_not_confirmed_is_kept_and_no_longer_checked(begun: Editor, folder: Path) -> None:
    strike(begun, KEY.Key_Return, CTRL)
    at(begun, 2)
    strike(begun, KEY.Key_Left, ALT)
    at(begun, 1)
    strike(begun, KEY.Key_Right, ALT)
    at(begun, 2)
    assert label(folder, "a")["checked"] is True, "it was only looked at"
    strike(begun, KEY.Key_Left, ALT)
    at(begun, 1)
    after = drag_wrist(begun, QPoint(-20, -50))
    until(lambda: bar(begun).state.text() == "Not checked")
    assert bar(begun).count.text() == "0 of 3 checked"
    strike(begun, KEY.Key_Right, ALT)
    at(begun, 2)
    assert label(folder, "a")["checked"] is False
    np.testing.assert_allclose(wrist(load_scene(folder / FOLDER / "a.scene.json")), after, atol=1e-5)
    assert not begun.session.history.steps(), "undo goes back within a picture"
    strike(begun, KEY.Key_Right, ALT | SHIFT)
    at(begun, 3)
    strike(begun, KEY.Key_Right, ALT | SHIFT)
    at(begun, 1)


def test_a_picture_that_is_left_out_is_in_no_key_points_and_passed_over(begun: Editor, folder: Path) -> None:
    strike(begun, KEY.Key_Return, CTRL | SHIFT)
    at(begun, 2)
    assert (label(folder, "a")["checked"], label(folder, "a")["usable"]) == (False, False)
    assert [one["id"] for one in coco(folder)["images"]] == [2, 3]
    strike(begun, KEY.Key_Right, ALT)
    at(begun, 3)
    strike(begun, KEY.Key_Right, ALT | SHIFT)
    at(begun, 2)
    strike(begun, KEY.Key_Left, ALT)
    at(begun, 1)
    until(lambda: bar(begun).state.text() == "Left out")
    strike(begun, KEY.Key_Return, CTRL)
    at(begun, 2)
    assert label(folder, "a")["usable"] is True


def test_the_usual_save_keeps_the_label_too_and_closing_asks_nothing(begun: Editor, folder: Path) -> None:
    after = drag_wrist(begun, QPoint(20, -40))
    strike(begun, KEY.Key_S, CTRL)
    place = label(folder, "a")["joint_names"].index("left_wrist")
    np.testing.assert_allclose(label(folder, "a")["people"][0]["joints_3d_world"][place], after, atol=1e-5)
    after = drag_wrist(begun, QPoint(20, -30))
    begun.window.close()
    np.testing.assert_allclose(label(folder, "a")["people"][0]["joints_3d_world"][place], after, atol=1e-5)


def test_keys_go_from_person_to_person(begun: Editor) -> None:
    strike(begun, KEY.Key_Right, ALT)
    at(begun, 2)
    names = []
    for key in (KEY.Key_PageDown, KEY.Key_PageDown, KEY.Key_PageUp):
        strike(begun, key)
        active = begun.session.active
        assert active is not None
        names.append(active.name)
    assert names == ["Person 2", "Person 1", "Person 2"]


def test_another_file_ends_it_with_everything_kept(begun: Editor, folder: Path) -> None:
    after = drag_wrist(begun, QPoint(20, -40))
    begun.actions["file.new"].trigger()
    until(lambda: not bar(begun).isVisible())
    assert begun.session.path is None
    np.testing.assert_allclose(wrist(load_scene(folder / FOLDER / "a.scene.json")), after, atol=1e-5)


def test_a_picture_that_cannot_be_read_is_named_and_passed_over(editor: Editor, folder: Path) -> None:
    for files in every(folder):
        if files.picture.name == "b.png":
            files.scene.unlink()
            files.label.unlink()
            files.picture.write_text("no picture")
    editor.files.open_path(folder)  # as a folder that is dropped onto the window
    at(editor, 1)
    strike(editor, KEY.Key_Return, CTRL)
    at(editor, 3)
    until(lambda: "b.png" in editor.window.status.notice.text())
    assert "1 cannot be read" in bar(editor).count.toolTip()
    strike(editor, KEY.Key_Left, ALT)
    at(editor, 1)


def test_a_damaged_label_is_said_and_stays_until_it_may_be_replaced(editor: Editor, folder: Path) -> None:
    damaged = folder / FOLDER / "a.json"
    damaged.write_text('{"format": "contrapposto-label", "version": 99}')
    editor.labels.open(folder)
    at(editor, 1)
    until(lambda: "cannot be read" in bar(editor).state.text())
    drag_wrist(editor, QPoint(20, -40))
    with answering(button(messages.CANCEL)) as asked:
        strike(editor, KEY.Key_Return, CTRL)
    assert "newer" in asked[0].more.text()  # type: ignore[attr-defined]
    strike(editor, KEY.Key_Right, ALT)
    at(editor, 2)
    assert json.loads(damaged.read_text())["version"] == 99
    strike(editor, KEY.Key_Left, ALT)
    at(editor, 1)
    with answering(button(messages.REPLACE)):
        strike(editor, KEY.Key_Return, CTRL)
    at(editor, 2)
    assert label(folder, "a")["checked"] is True


def test_a_picture_that_was_changed_since_is_told_until_it_is_checked(editor: Editor, folder: Path) -> None:
    Image.new("RGB", (800, 600), "red").save(folder / "a.png")
    editor.labels.open(folder)
    at(editor, 1)
    until(lambda: "changed since its label" in bar(editor).state.text())
    strike(editor, KEY.Key_Return, CTRL)
    at(editor, 2)
    assert label(folder, "a")["picture"]["sha256"] == sha256_of(folder / "a.png")
    strike(editor, KEY.Key_Left, ALT)
    at(editor, 1)
    until(lambda: bar(editor).state.text() == "Checked")


def test_a_picture_of_another_size_cannot_be_checked_but_left_out(
    editor: Editor, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: said.append(text))
    Image.new("RGB", (400, 300), "red").save(folder / "a.png")
    editor.labels.open(folder)
    at(editor, 1)
    until(lambda: "another size" in bar(editor).state.text())
    strike(editor, KEY.Key_Return, CTRL)
    assert "read anew" in said[0]
    assert walk(editor).place == 0
    strike(editor, KEY.Key_Return, CTRL | SHIFT)
    at(editor, 2)
    assert label(folder, "a")["usable"] is False


def test_the_last_picture_comes_back_as_it_was_left(begun: Editor) -> None:
    for number in (2, 3):
        strike(begun, KEY.Key_Right, ALT)
        at(begun, number)
    after = drag_wrist(begun, QPoint(20, -40))
    strike(begun, KEY.Key_Left, ALT)
    at(begun, 2)
    strike(begun, KEY.Key_Right, ALT)
    at(begun, 3)
    np.testing.assert_allclose(wrist(begun.session.document), after, atol=1e-5)


def test_keys_struck_faster_than_pictures_open_lead_to_the_last_one_asked_for(begun: Editor) -> None:
    begun.actions["label.next"].trigger()
    begun.actions["label.next"].trigger()
    at(begun, 3)
    assert bar(begun).name.text() == "c.png"


def test_what_cannot_be_written_stays_open_with_its_correction(
    begun: Editor, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: said.append(text))
    (folder / FOLDER / "a.scene.json").unlink()
    (folder / FOLDER / "a.scene.json").mkdir()
    after = drag_wrist(begun, QPoint(20, -40))
    strike(begun, KEY.Key_Right, ALT)
    until(lambda: bool(said))
    assert "a.scene.json" in said[0]
    assert walk(begun).place == 0
    np.testing.assert_allclose(wrist(begun.session.document), after, atol=1e-6)
    (folder / FOLDER / "a.scene.json").rmdir()
    strike(begun, KEY.Key_Right, ALT)
    at(begun, 2)
    np.testing.assert_allclose(wrist(load_scene(folder / FOLDER / "a.scene.json")), after, atol=1e-5)


def test_a_folder_without_pictures_or_room_for_labels_is_refused(
    editor: Editor, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: said.append(text))
    (tmp_path / "empty").mkdir()
    editor.labels.open(tmp_path / "empty")
    until(lambda: len(said) == 1)
    assert "no picture" in said[0]
    (folder / FOLDER).rename(folder / "old")
    (folder / FOLDER).write_text("a file in its place")
    editor.labels.open(folder)
    until(lambda: len(said) == 2)
    assert "cannot be made" in said[1]
    assert not editor.labels.active


def test_the_label_of_any_scene_with_a_photo_can_be_saved(
    editor: Editor, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def name(_parent: object, _title: str, start: str, _kinds: str) -> tuple[str, str]:
        asked.append(start)
        return str(tmp_path / "one"), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", name)
    assert not editor.actions["file.save_label"].isEnabled()
    editor.files.open_path(folder / FOLDER / "a.scene.json")
    until(editor.actions["file.save_label"].isEnabled)
    after = drag_wrist(editor, QPoint(20, -40))
    editor.actions["file.save_label"].trigger()
    assert asked == [str(folder / FOLDER / "a.json")]
    found = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))
    assert found["checked"] is True
    place = found["joint_names"].index("left_wrist")
    np.testing.assert_allclose(found["people"][0]["joints_3d_world"][place], after, atol=1e-5)
    assert (tmp_path / "one.npz").exists()
    assert label(folder, "a")["checked"] is False, "the folder's own label stays"


def test_what_another_window_saved_meanwhile_is_not_replaced_unasked(begun: Editor, folder: Path) -> None:
    scene = folder / FOLDER / "a.scene.json"
    theirs = scene.read_text(encoding="utf-8") + "\n"
    scene.write_text(theirs, encoding="utf-8")
    drag_wrist(begun, QPoint(20, -40))
    with answering(button(messages.CANCEL)):
        strike(begun, KEY.Key_Right, ALT)
    assert walk(begun).place == 0
    assert scene.read_text(encoding="utf-8") == theirs
    with answering(button(messages.SAVE_ANYWAY)):
        strike(begun, KEY.Key_Right, ALT)
    at(begun, 2)
    assert scene.read_text(encoding="utf-8") != theirs


def test_a_folder_of_nothing_that_can_be_read_is_left_again(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: said.append(text))
    for name in NAMES:
        (tmp_path / name).write_text("no picture")
    editor.labels.open(tmp_path)
    until(lambda: bool(said))
    assert "No picture of this folder can be read" in said[0]
    assert not editor.labels.active


def test_a_scene_that_is_not_saved_is_asked_about_before_a_folder_takes_its_place(editor: Editor, folder: Path) -> None:
    editor.session.edit("Rename", edits.rename_character("c1", "Ada"))
    with answering(button(messages.CANCEL)):
        editor.files.open_path(folder)
    assert not editor.labels.active
    with answering(button(messages.DISCARD)):
        editor.files.open_path(folder)
    at(editor, 1)  # asked once
