"""Saving in the real window: what somebody else did to the file meanwhile is noticed before it is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from dialog_hand import answering, button, cross, key
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from window_hand import until

from app.document import edits
from app.document.create import new_document
from app.document.io import load_scene, save_scene
from app.document.state import Document
from app.workplace import Workplace

pytestmark = pytest.mark.gl


def named(name: str) -> Document:
    return edits.rename_character("c1", name)(new_document())


def name_in(path: Path) -> str:
    return load_scene(path).characters[0].name


@pytest.fixture
def team(workplace: Workplace, tmp_path: Path) -> Path:
    """A scene that is open in the window and was changed there."""
    path = tmp_path / "team.json"
    save_scene(path, named("Opened"))
    workplace.files.open_path(path)
    until(lambda: workplace.session.path == path)
    workplace.session.edit("Rename", edits.rename_character("c1", "Mine"))
    return path


def test_a_file_that_another_program_changed_is_not_overwritten_unasked(workplace: Workplace, team: Path) -> None:
    save_scene(team, named("Theirs"))
    for leave in (key(Qt.Key.Key_Escape), cross, button("Cancel")):
        with answering(leave):
            workplace.actions["file.save"].trigger()
        assert name_in(team) == "Theirs"
        assert workplace.session.history.dirty
    with answering(button("Save"), button("Cancel")):
        assert not workplace.window.close()
    assert name_in(team) == "Theirs"
    with answering(button("Save anyway")):
        workplace.actions["file.save"].trigger()
    assert name_in(team) == "Mine"
    assert not workplace.session.history.dirty


def test_own_saves_a_touched_file_and_a_deleted_one_are_no_reason_to_ask(workplace: Workplace, team: Path) -> None:
    workplace.actions["file.save"].trigger()
    workplace.session.edit("Rename", edits.rename_character("c1", "Again"))
    workplace.actions["file.save"].trigger()
    assert name_in(team) == "Again"
    team.write_bytes(team.read_bytes())  # a newer date, the same content
    workplace.session.edit("Rename", edits.rename_character("c1", "Third"))
    workplace.actions["file.save"].trigger()
    assert name_in(team) == "Third"
    team.unlink()
    workplace.session.edit("Rename", edits.rename_character("c1", "Fourth"))
    workplace.actions["file.save"].trigger()
    assert name_in(team) == "Fourth"


def test_save_as_keeps_both_and_asks_where_the_ending_makes_it_another_file(
    workplace: Workplace, team: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_scene(team, named("Theirs"))
    other = team.with_name("other.json")
    save_scene(other, named("Other"))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(other.with_suffix("")), ""))
    with answering(key(Qt.Key.Key_Return), button("Cancel")):  # what loses nothing is the default
        workplace.actions["file.save"].trigger()
    assert (name_in(team), name_in(other)) == ("Theirs", "Other")
    with answering(button("Replace")):
        workplace.actions["file.save_as"].trigger()
    assert (name_in(team), name_in(other)) == ("Theirs", "Mine")
    assert workplace.session.path == other
