"""Deleting one's own poses: they go to the system's bin, and for good only where there is none."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from dialog_driver import answering, button
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from window_driver import laid_out, strike

from app.dialogs.message_dialog import MessageDialog
from app.library import folders
from app.library.control import LibraryControl
from app.library.panel import ALL, OWN
from app.window.editor import Editor

pytestmark = [
    pytest.mark.gl,
    pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the bin cannot be put into a folder of the test's"),
]


@pytest.fixture
def mine(library: LibraryControl, own: Path) -> Path:
    """The file of a pose in the user's folder, its card chosen."""
    own.mkdir()
    shutil.copy(folders.shipped_folder() / "Fighting" / "Sword lunge.json", own / "lunge.json")
    QImage(10, 10, QImage.Format.Format_RGB32).save(str(own / "lunge.png"))
    library.read()
    library.panel.choose_folder(OWN)
    library.panel.view.step(1)
    return own / "lunge.json"


def strike_delete(library: LibraryControl) -> None:
    QTest.keyClick(library.panel.view, Qt.Key.Key_Delete)
    laid_out()


def test_a_deleted_pose_can_be_taken_out_of_the_bin_again(
    library: LibraryControl, mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    text = mine.read_text(encoding="utf-8")
    with answering(button("Delete"), kind=MessageDialog) as shown:
        strike_delete(library)
    assert [dialog.more.text() for dialog in shown] == ["Its file and its picture go to the bin."]
    assert list(mine.parent.iterdir()) == []
    assert not library.panel.view.shelf.entries
    assert library.panel.said.text() == "“Sword lunge” is in the bin."
    thrown = tmp_path / "data" / "Trash" / "files"
    assert {path.name for path in thrown.iterdir()} == {"lunge.json", "lunge.png"}
    (thrown / "lunge.json").rename(mine)
    assert mine.read_text(encoding="utf-8") == text
    library.read()
    assert [entry.name for entry in library.panel.view.shelf.entries] == ["Sword lunge"]


def test_where_there_is_no_bin_a_pose_is_deleted_for_good_only_after_another_question(
    library: LibraryControl, mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "nowhere"))
    with answering(button("Delete"), button("Cancel"), kind=MessageDialog) as shown:
        strike_delete(library)
    assert shown[1].text.text() == "“Sword lunge” cannot go to the bin."
    assert mine.exists()
    with answering(button("Delete"), button("Delete"), kind=MessageDialog):
        strike_delete(library)
    assert list(mine.parent.iterdir()) == []
    assert library.panel.said.text() == "“Sword lunge” is deleted."


def test_once_the_last_of_ones_own_poses_is_gone_the_library_opens_with_all_poses(
    library: LibraryControl, mine: Path, editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "nowhere"))
    with answering(button("Delete"), button("Delete"), kind=MessageDialog):
        strike_delete(library)
    assert not library.panel.view.shelf.entries
    library.panel.search.setFocus()
    QTest.keyClick(library.panel.search, Qt.Key.Key_Escape)
    assert not library.is_open
    strike(editor, Qt.Key.Key_P, Qt.KeyboardModifier.ShiftModifier)
    assert library.is_open
    assert len(library.panel.view.shelf.entries) > 100
    assert library.panel.folders.currentData() == ALL
