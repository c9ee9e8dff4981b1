"""What was being read for a scene is dropped once another one is open: its people have the same ids."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from photographed_people import CAMERA, put_before_green
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from window_driver import active, strike, until

from app.dialogs import messages
from app.window.editor import Editor
from scripts.rigs.robot import robot_glb

pytestmark = pytest.mark.gl
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def busy(editor: Editor) -> Iterator[Callable[[], None]]:
    """Another job is under way, behind which all else waits until this is called."""
    event = threading.Event()
    editor.jobs.run("Thinking", lambda _progress, _cancelled: event.wait(60), lambda _result: None)
    yield event.set
    event.set()


def chosen(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a, **_k: (str(path), ""))


def test_a_skin_read_for_somebody_is_not_given_to_somebody_in_the_next_scene(
    editor: Editor, busy: Callable[[], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "robot.glb"
    path.write_bytes(robot_glb())
    chosen(monkeypatch, path)
    editor.actions["body.own_skin"].trigger()
    strike(editor, Qt.Key.Key_N, CTRL)
    assert active(editor).id == "c1", "of the new scene"
    busy()
    until(lambda: not editor.jobs.busy)
    assert active(editor).own_skin is None
    assert not editor.session.history.dirty


def test_a_skin_that_is_being_read_as_another_scene_opens_is_dropped_too(editor: Editor) -> None:
    begun, event, done = threading.Event(), threading.Event(), list[object]()

    def work(_progress: object, _cancelled: object) -> bool:
        begun.set()
        return event.wait(60)

    editor.jobs.run("Reading", work, done.append, for_scene=True)
    editor.jobs.run("Opening", lambda _progress, _cancelled: "another", done.append)
    assert begun.wait(60)
    strike(editor, Qt.Key.Key_N, CTRL)
    event.set()
    until(lambda: not editor.jobs.busy)
    assert done == ["another"]


def test_a_photo_that_was_to_be_added_to_a_scene_asks_nothing_in_the_next_one(
    editor: Editor, busy: Callable[[], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[str] = []

    def ask(_parent: object, name: str) -> str:
        asked.append(name)
        return messages.CANCEL

    monkeypatch.setattr(messages, "ask_for_its_people", ask)
    put_before_green(editor, tmp_path, CAMERA)
    editor.session.history.mark_saved()
    Image.new("RGB", (320, 240), (20, 160, 60)).save(tmp_path / "another.png")
    chosen(monkeypatch, tmp_path / "another.png")
    editor.refresh()
    editor.actions["file.add_photo"].trigger()
    strike(editor, Qt.Key.Key_N, CTRL)
    assert editor.session.document.photo is None, "of the new scene"
    busy()
    until(lambda: not editor.jobs.busy)
    assert asked == []
