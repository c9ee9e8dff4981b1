"""Labelling a folder in which something is wrong: it is said, the rest goes on, and nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from dialog_driver import answering, button
from labelling_driver import NAMES, at, bar, drag_wrist, label, walk, wrist
from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from window_driver import strike, until

from app.dialogs import folder_dialog, messages
from app.document import edits
from app.document.exchange.label_files import FOLDER, files_of
from app.document.scene_file.io import load_scene
from app.document.scene_file.photo_link import sha256_of
from app.window.editor import Editor

pytestmark = pytest.mark.gl
KEY, HELD = Qt.Key, Qt.KeyboardModifier
CTRL, SHIFT, ALT = HELD.ControlModifier, HELD.ShiftModifier, HELD.AltModifier


@pytest.mark.slow
def test_a_picture_that_cannot_be_read_is_named_and_passed_over(editor: Editor, folder: Path) -> None:
    for files in files_of(folder, folder / FOLDER):
        if files.picture.name == "b.png":
            files.scene.unlink()
            files.label.unlink()
            files.picture.write_text("")
    editor.files.open_path(folder)  # as a folder that is dropped onto the window
    at(editor, 1)
    strike(editor, KEY.Key_Return, CTRL)
    at(editor, 3)
    until(lambda: editor.window.status.notice.text() == "Skipped: b.png is empty.")
    assert f"1 cannot be read\n{folder / 'b.png'} is empty." in bar(editor).count.toolTip()
    strike(editor, KEY.Key_Left, ALT)
    at(editor, 1)
    strike(editor, KEY.Key_Right, ALT)
    at(editor, 3)
    assert (bar(editor).line.value(), bar(editor).line.maximum()) == (1, 2)
    strike(editor, KEY.Key_Right, ALT | SHIFT)
    until(lambda: "No other picture is left to check; this one is not" in editor.window.status.notice.text())
    strike(editor, KEY.Key_Return, CTRL | SHIFT)
    said = "No picture is left to check: 1 of 3 checked, 1 left out, 1 cannot be read."
    until(lambda: said in editor.window.status.notice.text())
    assert bar(editor).line.value() == bar(editor).line.maximum()


@pytest.mark.slow
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


@pytest.mark.slow
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
    until(lambda: "size has changed" in bar(editor).state.text())
    strike(editor, KEY.Key_Return, CTRL)
    assert "read again" in said[0]
    assert walk(editor).place == 0
    strike(editor, KEY.Key_Return, CTRL | SHIFT)
    at(editor, 2)
    assert label(folder, "a")["usable"] is False


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_scene_whose_label_could_not_be_written_is_not_taken_for_one_that_another_program_changed(
    begun: Editor, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: said.append(text))
    arrays = folder / FOLDER / "a.npz"
    ours = arrays.read_bytes()
    np.savez(arrays, theirs=np.zeros(3))
    after = drag_wrist(begun, QPoint(20, -40))
    strike(begun, KEY.Key_Return, CTRL)
    until(lambda: bool(said))
    assert "a.npz is already there, and is not a label" in said[0]
    assert label(folder, "a")["checked"] is False
    arrays.write_bytes(ours)
    strike(begun, KEY.Key_Return, CTRL)
    at(begun, 2)
    assert label(folder, "a")["checked"] is True
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
    assert "labels is a file, not a folder. Move that file away" in said[1]
    assert not editor.labels.active


def test_a_folder_without_pictures_is_refused_before_the_scene_is_asked_about(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said, asked = list[str](), list[str]()
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: said.append(text))
    monkeypatch.setattr(messages, "ask_to_save", lambda *about: asked.append(str(about)) or messages.CANCEL)
    editor.session.edit("Rename", edits.rename_character("c1", "Ada"))
    (tmp_path / "empty").mkdir()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "empty"))])
    held = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    editor.window.dropEvent(QDropEvent(QPointF(50, 50), Qt.DropAction.CopyAction, data, *held))
    until(lambda: bool(said or asked))
    assert asked == []
    assert "there is no picture in it" in said[0]


@pytest.mark.slow
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


@pytest.mark.slow
def test_what_another_window_saved_is_shown_by_reload_and_undo_brings_back_what_was_done_here(
    begun: Editor, folder: Path
) -> None:
    scene, mine = folder / FOLDER / "a.scene.json", begun.session.document.characters[0].name
    names = [mine, "Anna", "Berta", "Clara"]
    for was, name, key, held in zip(
        names, names[1:], (KEY.Key_Right, KEY.Key_S, KEY.Key_Return), (ALT, CTRL, CTRL), strict=False
    ):
        after = drag_wrist(begun, QPoint(20, -40))
        theirs = scene.read_text(encoding="utf-8").replace(f'"{was}"', f'"{name}"')
        scene.write_text(theirs, encoding="utf-8")
        with answering(button(messages.RELOAD)):
            strike(begun, key, held)
        assert walk(begun).place == 0
        assert begun.session.document.characters[0].name == name
        assert not begun.session.unsaved
        assert scene.read_text(encoding="utf-8") == theirs
        strike(begun, KEY.Key_Z, CTRL)
        np.testing.assert_allclose(wrist(begun.session.document), after, atol=1e-5)
        assert begun.session.document.characters[0].name == mine
        assert begun.session.unsaved
        at(begun, 1)
    strike(begun, KEY.Key_Right, ALT)
    at(begun, 2)
    assert f'"{mine}"' in scene.read_text(encoding="utf-8"), "it was seen, so that nobody is asked again"


@pytest.mark.slow
def test_where_the_label_cannot_be_written_the_scene_stays_as_it_was(
    begun: Editor, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: said.append(text))
    (folder / FOLDER / "a.npz").write_bytes(b"an estimator's")
    before = {file.name: file.read_bytes() for file in (folder / FOLDER).iterdir()}
    strike(begun, KEY.Key_Return, CTRL)
    assert "a.npz" in said[0]
    assert {file.name: file.read_bytes() for file in (folder / FOLDER).iterdir()} == before
    assert walk(begun).place == 0


def test_a_folder_of_nothing_that_can_be_read_is_left_again(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(messages, "refuse", lambda _parent, text: said.append(text))
    for name in NAMES:
        (tmp_path / name).write_text("no picture")
    editor.labels.open(tmp_path)
    until(lambda: bool(said))
    assert said[0].startswith("No picture of this folder can be read. ")
    assert said[0].endswith("c.png is not a picture that this program can read."), "nor is it left open why"
    assert not editor.labels.active


@pytest.mark.slow
def test_a_scene_that_is_not_saved_is_asked_about_before_a_folder_takes_its_place(editor: Editor, folder: Path) -> None:
    editor.session.edit("Rename", edits.rename_character("c1", "Ada"))
    with answering(button(messages.CANCEL)):
        editor.files.open_path(folder)
    assert not editor.labels.active
    with answering(button(messages.DISCARD)):
        editor.files.open_path(folder)
    at(editor, 1)  # asked once


def test_the_folder_labelled_before_is_where_one_is_asked_for_next(
    begun: Editor, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts: list[str] = []

    def ask(_parent: object, _title: str, start: str) -> str:
        starts.append(start)
        return ""

    monkeypatch.setattr(folder_dialog, "choose_folder", ask)
    strike(begun, KEY.Key_W, CTRL)
    begun.actions["file.label"].trigger()
    assert starts == [str(folder)]
