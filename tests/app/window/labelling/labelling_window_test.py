"""A folder of pictures labelled as a user does it: opened, a person dragged, checked by a key, gone through."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from dialog_driver import answering, button, naming
from labelling_driver import CAMERA, at, bar, coco, drag_wrist, label, opened, walk, wrist
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from window_driver import active, strike, until

from app.dialogs import folder_dialog
from app.document.exchange.label_files import FOLDER, files_of
from app.document.exchange.label_folder import save_label
from app.document.scene_file.io import load_scene
from app.look.mnemonics import unmarked
from app.window.editor import Editor
from solver.photo.sighting import NAMES, SeenPoint, Sighting

pytestmark = pytest.mark.gl
KEY, HELD = Qt.Key, Qt.KeyboardModifier
CTRL, SHIFT, ALT = HELD.ControlModifier, HELD.ShiftModifier, HELD.AltModifier


@pytest.mark.slow
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


@pytest.mark.parametrize(("key", "held"), [(KEY.Key_Return, CTRL), (KEY.Key_Right, ALT)])
def test_going_on_right_after_an_arrow_key_keeps_what_it_moved(
    begun: Editor, folder: Path, key: Qt.Key, held: Qt.KeyboardModifier
) -> None:
    before = begun.session.document.characters[0].pose.root_position
    strike(begun, KEY.Key_Left)
    after = begun.session.document.characters[0].pose.root_position
    assert np.linalg.norm(after - before) > 0.005
    strike(begun, key, held)
    at(begun, 2)
    kept = load_scene(folder / FOLDER / "a.scene.json").characters[0].pose.root_position
    np.testing.assert_allclose(kept, after, atol=1e-4)


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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("held", [CTRL, CTRL | SHIFT])
def test_what_was_decided_by_mistake_is_taken_back_in_the_menu(
    begun: Editor, folder: Path, held: Qt.KeyboardModifier
) -> None:
    assert not begun.actions["label.take_back"].isEnabled()
    strike(begun, KEY.Key_Return, held)
    at(begun, 2)
    strike(begun, KEY.Key_Left, ALT)
    at(begun, 1)
    until(begun.actions["label.take_back"].isEnabled)
    begun.actions["label.take_back"].trigger()
    until(lambda: bar(begun).state.text() == "Not checked")
    assert walk(begun).place == 0
    assert (label(folder, "a")["checked"], label(folder, "a")["usable"]) == (False, True)
    assert [(one["id"], one["checked"]) for one in coco(folder)["images"]] == [(1, False), (2, False), (3, False)]
    until(lambda: not begun.actions["label.take_back"].isEnabled())


@pytest.mark.slow
def test_the_usual_save_keeps_the_label_too_and_closing_asks_nothing(begun: Editor, folder: Path) -> None:
    after = drag_wrist(begun, QPoint(20, -40))
    strike(begun, KEY.Key_S, CTRL)
    place = label(folder, "a")["joint_names"].index("left_wrist")
    np.testing.assert_allclose(label(folder, "a")["people"][0]["joints_3d_world"][place], after, atol=1e-5)
    after = drag_wrist(begun, QPoint(20, -30))
    begun.window.close()
    np.testing.assert_allclose(label(folder, "a")["people"][0]["joints_3d_world"][place], after, atol=1e-5)


@pytest.mark.slow
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


def test_whose_pose_is_most_likely_off_is_the_active_one_until_the_picture_is_checked(
    editor: Editor, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = files_of(folder, folder / FOLDER)[1]
    document = load_scene(files.scene)
    assert document.photo is not None
    points = tuple(SeenPoint(name, (10.0 * i, 10.0), 1.0, 0.0, 0.1, 0.01) for i, name in enumerate(NAMES.values()))
    doubtful = Sighting(document.photo.sha256, points, limbs_apart=0.03)
    second = replace(document.characters[1], sighting=doubtful)
    save_label(files, document.with_character(second), checked=False)
    begun = opened(editor, folder, monkeypatch)
    strike(begun, KEY.Key_Right, ALT)
    at(begun, 2)
    assert active(begun).name == "Person 2"
    assert "Look at Person 2 first: the pose may be off." in begun.window.status.notice.text()
    there = files.scene.read_bytes()
    files.scene.write_bytes(there + b" ")
    with answering(button("Cancel")):
        strike(begun, KEY.Key_Return, CTRL)
    begun.refresh()
    assert "Person 2" in begun.panels.photo.unsure.text(), "it was not checked after all"
    files.scene.write_bytes(there)
    strike(begun, KEY.Key_Return, CTRL)
    at(begun, 3)
    strike(begun, KEY.Key_Left, ALT)
    at(begun, 2)
    assert active(begun).name == "Person 1", "somebody has looked"
    assert begun.panels.photo.unsure.text() == ""
    drag_wrist(begun, QPoint(20, -40))
    strike(begun, KEY.Key_Left, ALT)
    at(begun, 1)
    assert label(folder, "b")["checked"] is False
    strike(begun, KEY.Key_Right, ALT)
    at(begun, 2)
    assert active(begun).name == "Person 1", "it was right when it was checked"


@pytest.mark.slow
def test_another_file_ends_it_with_everything_kept(begun: Editor, folder: Path) -> None:
    after = drag_wrist(begun, QPoint(20, -40))
    begun.actions["file.new"].trigger()
    until(lambda: not bar(begun).isVisible())
    assert begun.session.path is None
    np.testing.assert_allclose(wrist(load_scene(folder / FOLDER / "a.scene.json")), after, atol=1e-5)


@pytest.mark.slow
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


@pytest.mark.slow
def test_keys_struck_faster_than_pictures_open_lead_to_the_last_one_asked_for(begun: Editor) -> None:
    begun.actions["label.next"].trigger()
    begun.actions["label.next"].trigger()
    at(begun, 3)
    assert bar(begun).name.text() == "c.png"


@pytest.mark.slow
def test_the_label_of_any_scene_with_a_photo_can_be_saved(
    editor: Editor, tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = naming(monkeypatch, tmp_path / "one", tmp_path / "one")
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
    with answering(button("Cancel")):  # the dialog did not see that there is a file of the longer name
        editor.actions["file.save_label"].trigger()


@pytest.mark.slow
def test_the_label_menu_itself_opens_a_folder(editor: Editor, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_dialog, "choose_folder", lambda *_: str(folder))
    bar = editor.window.menuBar()
    title = next(action for action in bar.actions() if unmarked(action.text()) == "Label")
    editor.refresh()
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.actionGeometry(title).center())
    menu = title.menu()
    assert isinstance(menu, QMenu)
    until(menu.isVisible)
    entry = next(action for action in menu.actions() if action.isEnabled() and not action.isSeparator())
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())
    at(editor, 1)
    assert editor.labels.labelling is not None
