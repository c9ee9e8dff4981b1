"""A card of the library dragged out of its panel, by the mouse."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDrag, QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from window_driver import NO_KEYS, ViewMouse, move_held, settled, strike, until

from app.document.model.figure import joints_of, skeleton_of
from app.library.control import LibraryControl
from app.window.editor import Editor

pytestmark = pytest.mark.gl
COPY, LEFT = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton


def drag(
    library: LibraryControl, monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[QMimeData], object] = lambda _: None
) -> tuple[Path, list[QUrl], Qt.DropAction]:
    """Drag the fourth card; its file, what the drag brings, and what may be done with it. Qt would now wait for the
    button to be let go of somewhere on the screen: meanwhile(data) is done instead."""
    began: list[tuple[list[QUrl], Qt.DropAction]] = []

    def wait(drag: QDrag, actions: Qt.DropAction) -> Qt.DropAction:
        began.append((drag.mimeData().urls(), actions))
        assert not drag.pixmap().isNull()
        meanwhile(drag.mimeData())
        return actions

    monkeypatch.setattr(QDrag, "exec", wait)
    view = library.panel.view
    place = view.visualRect(view.shelf.index(3)).center()
    QTest.mousePress(view.viewport(), LEFT, NO_KEYS, place)
    for far in (6, 20, 40):
        move_held(view.viewport(), place + QPoint(far, 0))
    QTest.mouseRelease(view.viewport(), LEFT, NO_KEYS, place + QPoint(40, 0))
    ((urls, actions),) = began
    return view.shelf.entries[3].path, urls, actions


def test_a_card_is_dragged_out_as_a_copy_of_its_file(library: LibraryControl, monkeypatch: pytest.MonkeyPatch) -> None:
    path, urls, actions = drag(library, monkeypatch)
    assert [Path(url.toLocalFile()) for url in urls] == [path]
    assert actions == COPY, "a file manager that moved it would take it out of the library"
    assert library.panel.view.entry is not None
    assert library.panel.view.entry.path == path


@pytest.mark.slow
def test_a_card_let_go_of_over_the_view_lands_there_and_over_the_library_nothing_happens(
    library: LibraryControl, monkeypatch: pytest.MonkeyPatch, editor: Editor, own: Path
) -> None:
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    settled(editor.session)
    people = len(editor.session.document.characters)
    taken: list[bool] = []

    def hold_over_the_library(data: QMimeData) -> None:
        monkeypatch.setattr(QDragEnterEvent, "source", lambda _: library.panel.view)
        taken.append(held(library.panel, data, QPoint(60, 200)))

    drag(library, monkeypatch, hold_over_the_library)
    monkeypatch.undo()
    assert taken == [False]
    assert not library.panel.card.isVisible()

    def drop_on_the_view(data: QMimeData) -> None:
        place = editor.viewport.mapTo(editor.window, ViewMouse(editor).place((0.6, 0.0, 1.0)))
        assert held(editor.window, data, place)
        QApplication.sendEvent(editor.window, QDropEvent(QPointF(place), COPY, data, LEFT, NO_KEYS))

    folder = editor.settings.usual_folder()
    path, _, _ = drag(library, monkeypatch, drop_on_the_view)
    until(lambda: not editor.jobs.busy and len(editor.session.document.characters) > people)
    until(lambda: editor.window.status.notices.shown.startswith(f"Added “{path.stem}”."))
    assert editor.settings.values.recent == ()
    assert editor.settings.usual_folder() == folder != path.parent, "no scene is to be saved among the program's poses"
    assert not own.exists() or not list(own.iterdir()), "nothing is copied into the library"
    editor.session.history.mark_saved()


def test_a_card_let_go_of_over_somebody_poses_them_in_one_step(
    library: LibraryControl, monkeypatch: pytest.MonkeyPatch, editor: Editor
) -> None:
    session = editor.session
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    settled(session)
    first, second = session.document.characters
    assert session.view.character == second.id
    said: list[str] = []

    def drop_on_the_first(data: QMimeData) -> None:
        chest = joints_of(first).positions[skeleton_of(first).index("spine3")]
        place = editor.viewport.mapTo(editor.window, ViewMouse(editor).place(chest))
        assert held(editor.window, data, place)
        said.extend(does for does, _ in editor.drops.preview.card.lines)
        QApplication.sendEvent(editor.window, QDropEvent(QPointF(place), COPY, data, LEFT, NO_KEYS))

    drag(library, monkeypatch, drop_on_the_first)
    settled(session)
    assert f"Pose {first.name} like this" in said
    posed, other = session.document.characters
    assert (posed.id, other.pose) == (first.id, second.pose)
    assert posed.pose != first.pose
    assert session.view.character == first.id
    session.undo()
    assert session.document.characters[0].pose == first.pose


def held(widget: QWidget, data: QMimeData, place: QPoint) -> bool:
    """Hold what is dragged over a widget; whether it could be let go of there."""
    QApplication.sendEvent(widget, QDragEnterEvent(place, COPY, data, LEFT, NO_KEYS))
    move = QDragMoveEvent(place, COPY, data, LEFT, NO_KEYS)
    QApplication.sendEvent(widget, move)
    return move.isAccepted()
