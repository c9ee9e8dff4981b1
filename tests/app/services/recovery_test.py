"""Unsaved work of a crashed run in the real window: offered, brought back, and deleted by nothing but “Discard”."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from dialog_driver import answering, button, cross, key
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QLabel
from window_driver import laid_out, until

from app.document import edits
from app.document.model.document import Document
from app.document.posing.create import new_document
from app.document.scene_file.io import load_scene, save_scene
from app.document.scene_file.photo_link import sha256_of
from app.services.background.recovery_files import found_recoveries, keep
from app.window.editor import Editor

pytestmark = pytest.mark.gl


@pytest.fixture
def crashed(editor: Editor) -> Path:
    """The recovery file of a run that crashed."""
    folder = editor.autosave.folder
    folder.mkdir(exist_ok=True)
    keep(folder / "dead.json", named("Survivor"), None)
    return folder / "dead.json"


def named(name: str) -> Document:
    return edits.rename_character("c1", name)(new_document())


def words(dialog: QDialog) -> list[str]:
    return [label.text() for label in dialog.findChildren(QLabel)]


def first_name(editor: Editor) -> str:
    return editor.session.document.characters[0].name


def test_leaving_the_question_keeps_the_work_and_only_discard_deletes_it(editor: Editor, crashed: Path) -> None:
    for leave in (key(Qt.Key.Key_Escape), cross, button("Later")):
        with answering(leave):
            editor.begin()
        assert crashed.is_file()
        assert first_name(editor) == "Person 1"
    with answering(button("Discard")):
        editor.begin()
    assert list(crashed.parent.glob("dead.*")) == []
    assert first_name(editor) == "Person 1"


@pytest.mark.slow
def test_enter_brings_the_work_back_unsaved_and_it_stays_on_disk_all_the_time(editor: Editor, crashed: Path) -> None:
    editor.autosave.file.mkdir(parents=True)  # so that it cannot be written
    with answering(key(Qt.Key.Key_Return)):
        editor.begin()
    assert first_name(editor) == "Survivor"
    assert crashed.is_file(), "the only copy"
    editor.autosave.file.rmdir()
    with answering(key(Qt.Key.Key_Return)):
        editor.begin()
    assert not crashed.exists()
    assert load_scene(editor.autosave.file).characters[0].name == "Survivor"
    assert editor.session.history.dirty
    editor.session.undo()
    assert first_name(editor) == "Survivor", "what was there before the offer is not behind an undo"


def test_a_file_to_open_comes_after_the_offer(editor: Editor, crashed: Path, tmp_path: Path) -> None:
    save_scene(tmp_path / "asked.json", named("Asked"))
    with answering(button("Later")):
        editor.begin(tmp_path / "asked.json")
    until(lambda: first_name(editor) == "Asked")
    assert crashed.is_file()


def test_a_file_whose_newer_work_was_brought_back_is_not_opened_over_it(editor: Editor, tmp_path: Path) -> None:
    file = tmp_path / "team.json"
    seen = save_scene(file, named("Saved"))
    folder = editor.autosave.folder
    folder.mkdir(exist_ok=True)
    keep(folder / "dead.json", named("Newer"), file, seen)
    with answering(button("Bring back")):
        editor.begin(file)
    assert not editor.jobs.busy
    assert first_name(editor) == "Newer"
    assert editor.session.path == file
    assert editor.session.seen == seen == sha256_of(file)


def test_recovery_files_are_private_to_the_user(editor: Editor) -> None:
    before = os.umask(0)
    try:
        editor.autosave.folder.mkdir(mode=0o755, exist_ok=True)  # as an earlier version left it
        editor.session.edit("Rename", edits.rename_character("c1", "Ada"))
        editor.autosave.write_now()
    finally:
        os.umask(before)
    folder = editor.autosave.folder
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    modes = {p.suffix: stat.S_IMODE(p.stat().st_mode) for p in folder.iterdir() if p.suffix != ".lock"}
    assert modes == {".json": 0o600, ".note": 0o600}


def test_a_failure_keeps_unsaved_work_and_leaves_an_untouched_scene_alone(editor: Editor) -> None:
    said: list[str] = []

    def read(dialog: QDialog) -> None:
        said.append(" ".join(words(dialog)))
        button("OK")(dialog)

    def fail() -> None:
        with answering(read):
            editor.emergency(RuntimeError, RuntimeError("lost"), None)

    fail()
    assert "Nothing is lost" in said[0]
    assert found_recoveries(editor.autosave.folder) == []
    assert not editor.autosave.file.exists()
    editor.session.edit("Rename", edits.rename_character("c1", "Ada"))
    fail()
    assert str(editor.autosave.file) in said[1]
    assert editor.autosave.file.is_file()


def test_what_killed_runs_left_half_written_is_cleared_at_the_next_start(editor: Editor, crashed: Path) -> None:
    folder = crashed.parent
    for name in (".contrapposto-0123456789ab.tmp", "gone.note", "gone.lock"):
        (folder / name).write_text("")
        os.utime(folder / name, (0, 0))
    assert editor.autosave.write_now() is not None  # a living window's files, which stay
    mine = {p.name for p in folder.glob(f"{editor.autosave.file.stem}.*")}
    with answering(button("Later")):
        editor.begin()
    assert {p.name for p in folder.iterdir()} == {"dead.json", "dead.note", *mine}


def test_an_autosave_that_fails_says_so_once_without_a_box(editor: Editor) -> None:
    folder = editor.autosave.folder
    folder.write_text("a file where the folder should be")
    told: list[str] = []
    editor.autosave.failed.connect(told.append)
    for name in ("Ada", "Ben"):
        editor.session.edit("Rename", edits.rename_character("c1", name))
        editor.autosave.write()
    assert len(told) == 1
    assert str(folder) in editor.window.status.notices.shown
    folder.unlink()
    editor.autosave.file.mkdir(parents=True)
    editor.session.edit("Rename", edits.rename_character("c1", "Cleo"))
    editor.autosave.write()
    editor.autosave.wait()
    laid_out()
    assert len(told) == 1, "the trouble goes on"
    editor.autosave.file.rmdir()
    editor.autosave.write()
    editor.autosave.wait()
    assert found_recoveries(folder) == []  # its owner lives
    assert load_scene(editor.autosave.file).characters[0].name == "Cleo"
