"""The networks that read photos are loaded while a photo is still being chosen, not before and not for other files."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent
from PySide6.QtWidgets import QFileDialog
from window_driver import until

from app.services.background.photo_warm_up import PhotoWarmUp
from app.window.editor import Editor
from solver.photo.detection import models

ROOT = Path(__file__).resolve().parents[4]
NAMED = """
import sys
from PySide6.QtCore import QCoreApplication
from app.window import start
def begin(self, file):
    print("loading" if "ready" in vars(self.photos) and self.photos.ready.thread else "nothing", file.name)
    QCoreApplication.quit()
start.Editor.begin = begin
sys.exit(start.run(sys.argv[1]))
"""


def dragged_over(editor: Editor, *names: str) -> bool:
    """Whether the window takes what is dragged over it."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(f"/pictures/{name}") for name in names])
    event = QDragEnterEvent(
        QPoint(50, 50), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    editor.window.dragEnterEvent(event)
    return event.isAccepted()


def loading(editor: Editor) -> threading.Thread | None:
    return editor.photos.ready.thread


def test_a_photo_dragged_over_the_window_loads_the_networks_beside_it(editor: Editor) -> None:
    assert loading(editor) is None, "nobody has asked for a photo yet"
    assert dragged_over(editor, "walk.bvh")
    assert loading(editor) is None
    assert dragged_over(editor, "walk.bvh", "beach.JPG")
    thread = loading(editor)
    assert thread is not None
    until(lambda: not editor.photos.ready.busy)
    dragged_over(editor, "beach.JPG")
    assert loading(editor) is thread, "once is enough"


@pytest.mark.parametrize("command", ["file.open", "file.photo"])
def test_they_load_while_the_file_dialog_is_open(editor: Editor, monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    begun: list[bool] = []

    def cancelled(*_: object, **__: object) -> tuple[str, str]:
        begun.append(loading(editor) is not None)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", cancelled)
    editor.actions[command].trigger()
    assert begun == [True]
    until(lambda: not editor.photos.ready.busy)


def test_quitting_while_they_load_leaves_nothing_running(editor: Editor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a, **_k: ("", ""))
    editor.actions["file.photo"].trigger()
    thread = loading(editor)
    assert thread is not None
    editor.window.close()
    editor.shut_down()
    assert not thread.is_alive()


def test_pointing_at_a_recent_photo_loads_them(editor: Editor) -> None:
    editor.window.set_recent(("/scenes/a.json", "/pictures/b.png"), lambda _path: None)
    scene, photo = editor.window.recent.actions()
    editor.window.recent.popup(QPoint(200, 200))
    editor.window.recent.setActiveAction(scene)
    assert loading(editor) is None
    editor.window.recent.setActiveAction(photo)
    assert loading(editor) is not None
    editor.window.recent.close()
    until(lambda: not editor.photos.ready.busy)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "so_far"), [("beach.jpg", "loading"), ("walk.bvh", "nothing")])
def test_for_a_photo_named_on_the_command_line_they_load_while_the_window_comes_up(
    qapp: object, tmp_path: Path, name: str, so_far: str
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", NAMED, str(tmp_path / name)],
        cwd=ROOT,
        env={**os.environ, "XDG_CONFIG_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=110,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == f"{so_far} {name}"


def test_a_missing_network_troubles_nobody_before_a_photo_is_opened(
    editor: Editor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from solver.photo.detection import blazepose

    blazepose._interpreters.cache_clear()
    monkeypatch.setattr(models, "FOLDER", tmp_path)
    errors: list[object] = []
    monkeypatch.setattr(threading, "excepthook", errors.append)
    dragged_over(editor, "beach.jpg")
    until(lambda: not editor.photos.ready.busy)
    assert errors == []


def test_where_another_estimator_reads_photos_ours_is_not_loaded() -> None:
    ready = PhotoWarmUp(lambda: "free", lambda: "somebody-elses")
    ready.begin()
    assert ready.thread is None
