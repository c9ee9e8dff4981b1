"""Pose files that come, change and go while another window is worked in: the open library has them on the way back."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from window_driver import activated

from app.library.control import LibraryControl
from app.window.editor import Editor

pytestmark = pytest.mark.gl


@pytest.fixture
def elsewhere(editor: Editor, qtbot: object) -> Iterator[QWidget]:
    """Another window, such as a file manager's, which has the keys."""
    other = QWidget()
    other.show()
    go_to(other)
    yield other
    other.close()


def go_to(window: QWidget) -> None:
    window.raise_()
    activated(window)


def names(library: LibraryControl) -> list[str]:
    return [entry.name for entry in library.panel.view.shelf.entries]


@pytest.mark.slow
def test_files_that_came_and_went_elsewhere_are_seen_when_the_window_is_active_again(
    library: LibraryControl, elsewhere: QWidget, own: Path, editor: Editor
) -> None:
    shipped = {entry.name: entry.path for entry in library.shelf.entries}
    before = names(library)
    own.mkdir()
    shutil.copy(shipped["Pray"], own / "Mine.json")
    go_to(editor.window)
    assert names(library) == ["Pray", *before]
    assert library.panel.folders.itemText(1).startswith("My poses   1")
    go_to(elsewhere)
    shutil.copy(shipped["Deep squat"], own / "Mine.json")
    go_to(editor.window)
    assert names(library) == ["Deep squat", *before]
    go_to(elsewhere)
    (own / "Mine.json").unlink()
    go_to(editor.window)
    assert names(library) == before


@pytest.mark.slow
def test_coming_back_shows_the_chosen_pose_and_the_cards_where_they_were(
    library: LibraryControl, elsewhere: QWidget, own: Path, editor: Editor
) -> None:
    view = library.panel.view
    view.choose(library.shelf.entries[60].path)
    bar = view.verticalScrollBar()
    bar.setValue(bar.maximum() // 3)
    scrolled, chosen = bar.value(), view.entry
    assert scrolled > 0
    own.mkdir()
    shutil.copy(library.shelf.entries[0].path, own / "Mine.json")
    go_to(editor.window)
    assert view.shelf.entries[0].own
    assert (bar.value(), view.entry) == (scrolled, chosen)


def test_nothing_is_shown_again_if_nothing_changed_or_the_library_is_closed(
    library: LibraryControl, elsewhere: QWidget, own: Path, editor: Editor
) -> None:
    shown: list[int] = []
    library.panel.view.shelf.modelReset.connect(lambda: shown.append(1))
    go_to(editor.window)
    assert not shown
    QTest.mouseClick(library.panel.close_button, Qt.MouseButton.LeftButton)
    go_to(elsewhere)
    own.mkdir()
    shutil.copy(library.shelf.entries[0].path, own / "Mine.json")
    go_to(editor.window)
    assert not shown
