"""Saving in the real window: what somebody else did to the file meanwhile is noticed before it is lost."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from dialog_driver import answering, button, cross, key, naming
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from window_driver import strike, until

from app.document import edits
from app.document.model.document import Document, Photo
from app.document.posing.create import new_document
from app.document.scene_file.io import load_scene, save_scene
from app.window.editor import Editor
from solver.camera import PinholeCamera

pytestmark = pytest.mark.gl


def named(name: str) -> Document:
    return edits.rename_character("c1", name)(new_document())


def name_in(path: Path) -> str:
    return load_scene(path).characters[0].name


@pytest.fixture
def team(editor: Editor, tmp_path: Path) -> Path:
    """A scene that is open in the window and was changed there."""
    path = tmp_path / "team.json"
    save_scene(path, named("Opened"))
    editor.files.open_path(path)
    until(lambda: editor.session.path == path)
    editor.session.edit("Rename", edits.rename_character("c1", "Mine"))
    return path


@pytest.mark.slow
def test_a_file_that_another_program_changed_is_not_overwritten_unasked(editor: Editor, team: Path) -> None:
    save_scene(team, named("Theirs"))
    for leave in (key(Qt.Key.Key_Escape), cross, button("Cancel")):
        with answering(leave):
            editor.actions["file.save"].trigger()
        assert name_in(team) == "Theirs"
        assert editor.session.history.dirty
    with answering(button("Save"), button("Cancel")):
        assert not editor.window.close()
    assert name_in(team) == "Theirs"
    with answering(button("Save anyway")):
        editor.actions["file.save"].trigger()
    assert name_in(team) == "Mine"
    assert not editor.session.history.dirty


def test_own_saves_a_touched_file_and_a_deleted_one_are_no_reason_to_ask(editor: Editor, team: Path) -> None:
    editor.actions["file.save"].trigger()
    editor.session.edit("Rename", edits.rename_character("c1", "Again"))
    editor.actions["file.save"].trigger()
    assert name_in(team) == "Again"
    team.write_bytes(team.read_bytes())  # a newer date, the same content
    editor.session.edit("Rename", edits.rename_character("c1", "Third"))
    editor.actions["file.save"].trigger()
    assert name_in(team) == "Third"
    team.unlink()
    editor.session.edit("Rename", edits.rename_character("c1", "Fourth"))
    editor.actions["file.save"].trigger()
    assert name_in(team) == "Fourth"


@pytest.mark.slow
def test_save_as_keeps_both_and_asks_where_the_ending_makes_it_another_file(
    editor: Editor, team: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_scene(team, named("Theirs"))
    other = team.with_name("other.json")
    save_scene(other, named("Other"))
    naming(monkeypatch, other.with_suffix(""))
    with answering(key(Qt.Key.Key_Return), button("Cancel")):  # what loses nothing is the default
        editor.actions["file.save"].trigger()
    assert (name_in(team), name_in(other)) == ("Theirs", "Other")
    naming(monkeypatch, other.with_suffix(""))
    with answering(button("Replace")):
        editor.actions["file.save_as"].trigger()
    assert (name_in(team), name_in(other)) == ("Theirs", "Mine")
    assert editor.session.path == other


@pytest.mark.slow
def test_save_as_beside_what_another_program_saved_proposes_a_name_that_is_free(
    editor: Editor, team: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_scene(team, named("Theirs"))
    team.with_name(f"{team.stem} 2.json").write_text("{}")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *given: (given[2], ""))  # as it is proposed
    with answering(key(Qt.Key.Key_Return)):
        editor.actions["file.save"].trigger()
    assert editor.session.path == team.with_name(f"{team.stem} 3.json")
    assert name_in(editor.session.path) == "Mine"
    assert name_in(team) == "Theirs"


def test_a_dot_in_the_name_of_a_scene_is_no_ending(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "take 1.2"), ""))
    editor.actions["file.save_as"].trigger()
    assert editor.session.path == tmp_path / "take 1.2.json"
    assert editor.session.path.exists()


def test_save_as_offers_a_scene_that_is_named_as_another_format_a_name_that_tells_what_it_is(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = tmp_path / "wrong.bvh"
    save_scene(wrong, named("Hers"))
    editor.files.open_path(wrong)
    until(lambda: editor.session.path == wrong)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *given: (given[2], ""))  # as it is proposed
    strike(editor, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert editor.session.path == tmp_path / "wrong.json"
    assert name_in(tmp_path / "wrong.json") == "Hers"


def test_a_scene_with_a_photo_is_offered_the_photo_s_name_and_its_exports_too(
    editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = PinholeCamera(np.float32([0.0, 1.0, 3.0]), np.eye(3, dtype=np.float32), 600.0, (400.0, 300.0), (800, 600))
    editor.session.edit("Photo", edits.set_photo(Photo(str(tmp_path / "beach.jpg"), "0" * 64, camera, visible=False)))
    offered: list[str] = []

    def as_offered(*given: str) -> tuple[str, str]:
        offered.append(Path(given[2]).name)
        return str(tmp_path / offered[-1]), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", as_offered)
    strike(editor, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert editor.session.path == tmp_path / "beach.scene.json"
    with answering(button("Export…")):
        editor.actions["file.export_bvh"].trigger()
    until((tmp_path / "beach.bvh").exists)
    assert offered == ["beach.scene.json", "beach.bvh"]
