"""Asking for a folder, by keys alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from dialog_driver import answering, key
from PySide6.QtCore import QItemSelectionModel, QSignalBlocker, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLineEdit, QListView, QWidget
from pytestqt.qtbot import QtBot
from window_driver import until

from app.dialogs.folder_dialog import choose_folder


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def typing(text: str, slow_disk: bool = False) -> Callable[[QDialog], None]:
    """Type a folder and press Return.

    slow_disk: the folder above, which Qt's list selects while its path is typed, stays selected, as it does now and
    then where the list of folders comes late.
    """

    def act(dialog: QDialog) -> None:
        field, shown = dialog.findChild(QLineEdit), dialog.findChild(QListView, "listView")
        assert field is not None
        assert shown is not None
        until(field.hasFocus)
        field.selectAll()
        QTest.keyClicks(field, text)
        if slow_disk:
            select, chosen = QItemSelectionModel.SelectionFlag, shown.selectionModel()
            with QSignalBlocker(chosen):
                chosen.clear()
                chosen.select(shown.rootIndex(), select.Select | select.Rows)
        QTest.keyClick(field, Qt.Key.Key_Return)

    return act


def test_a_folder_typed_in_full_is_taken_not_one_above_it(window: QWidget, tmp_path: Path) -> None:
    begin, shoot = tmp_path / "begin", tmp_path / "shoot"
    begin.mkdir()
    shoot.mkdir()
    with answering(typing(str(shoot), slow_disk=True)):
        assert choose_folder(window, "A folder", str(begin)) == str(shoot)


def test_a_folder_typed_below_the_users_own_is_taken(
    window: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shoot").mkdir()
    (tmp_path / "begin").mkdir()
    for home in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(home, str(tmp_path))
    with answering(typing("~/shoot", slow_disk=True)):
        assert choose_folder(window, "A folder", str(tmp_path / "begin")) == str(tmp_path / "shoot")


def test_a_folder_named_in_the_one_shown_is_taken(window: QWidget, tmp_path: Path) -> None:
    (tmp_path / "shoot").mkdir()
    with answering(typing("shoot")):
        assert choose_folder(window, "A folder", str(tmp_path)) == str(tmp_path / "shoot")


def test_escape_chooses_no_folder(window: QWidget, tmp_path: Path) -> None:
    with answering(key(Qt.Key.Key_Escape)):
        assert choose_folder(window, "A folder", str(tmp_path)) == ""
