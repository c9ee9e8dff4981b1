"""Grey entries of menus and buttons of the toolbar say why they cannot be chosen now."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QAction, QContextMenuEvent, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolTip
from timeline_driver import TimelineMouse, set_moving
from window_driver import ViewMouse, laid_out, place_of, settled, strike, until

from app.document import edits
from app.window.commands.actions import always
from app.window.commands.why_grey import NOTHING_MOVES, why_grey
from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton


def opened(editor: Editor, title: str) -> QMenu:
    """A menu of the menu bar, opened by the mouse."""
    bar = editor.window.menuBar()
    action = next(each for each in bar.actions() if each.text().replace("&", "") == title)
    QTest.mouseClick(bar, LEFT, pos=bar.actionGeometry(action).center())
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def entries(menu: QMenu) -> Iterator[QAction]:
    """All entries of a menu and of those within it."""
    for action in menu.actions():
        inner = action.menu()
        if inner is not None:
            yield from entries(inner)  # type: ignore[arg-type]
        if not action.isSeparator():
            yield action


def tip_over(menu: QMenu, entry: QAction) -> str:
    """What is said where the pointer rests on an entry; "" for nothing, which is so after a moment."""
    place = menu.actionGeometry(entry).center()
    QApplication.sendEvent(menu, QHelpEvent(QEvent.Type.ToolTip, place, menu.mapToGlobal(place)))
    if entry.isEnabled():
        until(lambda: not QToolTip.isVisible())
        return ""
    return QToolTip.text()


def silent(menu: QMenu) -> list[str]:
    """The entries that are grey without a reason."""
    grey = [entry for entry in entries(menu) if not entry.isEnabled()]
    return [entry.text() for entry in grey if "Not now: " not in entry.toolTip() and "(no motion" not in entry.text()]


def test_every_command_that_may_be_grey_has_a_reason_and_no_other(editor: Editor) -> None:
    may_be = {id for id, command in editor.actions.commands.items() if command.enabled is not always}
    assert may_be == why_grey().keys()


def test_a_grey_entry_of_the_menu_bar_says_why_and_no_longer_once_it_can_be_chosen(editor: Editor) -> None:
    follow, animate = editor.actions["view.follow"], editor.actions["time.animate"]
    menu = opened(editor, "Time")
    assert not follow.isEnabled()
    assert tip_over(menu, follow).endswith(f"\nNot now: {NOTHING_MOVES}")
    assert tip_over(menu, animate) == "", "what can be chosen says what it does itself"
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(animate).center())
    settled(editor.session)
    menu = opened(editor, "Time")
    assert tip_over(menu, follow) == ""
    assert "Not now" not in follow.toolTip()
    assert "frames already" in tip_over(menu, animate)
    QTest.keyClick(menu, Qt.Key.Key_Escape)


@pytest.mark.parametrize("scene", ["one person", "nobody", "moving"])
def test_no_menu_of_the_bar_has_a_grey_entry_without_a_reason(editor: Editor, scene: str) -> None:
    if scene == "nobody":
        strike(editor, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
        settled(editor.session)
        assert not editor.session.document.characters
    if scene == "moving":
        set_moving(editor, 30)
    for action in editor.window.menuBar().actions():
        menu = opened(editor, action.text().replace("&", ""))
        assert silent(menu) == []
        QTest.keyClick(menu, Qt.Key.Key_Escape)


def reasons(open_menu: Callable[[], object]) -> list[str]:
    """Why entries of a context menu are grey, each of which has to say so."""
    said: list[str] = []

    def look() -> None:
        menu = QApplication.activePopupWidget()
        if not isinstance(menu, QMenu):
            QTimer.singleShot(20, look)
            return
        said.extend(f"without a reason: {text}" for text in silent(menu))
        said.extend(tip_over(menu, entry) for entry in menu.actions() if not entry.isEnabled() and entry.text())
        QTest.keyClick(menu, Qt.Key.Key_Escape)

    QTimer.singleShot(20, look)
    open_menu()
    until(lambda: bool(said))
    return said


def test_the_menus_of_handles_and_joints_say_what_the_solver_does_not_take(editor: Editor) -> None:
    editor.session.edit("Solver", edits.set_solver("c1", "pose_edition"), solve=True)
    settled(editor.session)
    editor.refresh()
    place = ViewMouse(editor).place(place_of(editor, "left_knee"))
    said = reasons(lambda: QTest.mouseClick(editor.viewport, Qt.MouseButton.RightButton, pos=place))
    assert "Not now: Pose edition takes no position effectors on this joint" in said


def test_the_menu_of_the_timeline_says_why(editor: Editor) -> None:
    set_moving(editor, 101, (40,))
    mouse = TimelineMouse(editor)
    place = mouse.on("ruler", 100)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, mouse.track.mapToGlobal(place))
    said = reasons(lambda: QApplication.sendEvent(mouse.track, event))
    assert "Not now: select a key first" in said
    assert "Not now: a range needs at least two frames" in said
    assert not [text for text in said if not text.startswith("Not now: ")]


def test_the_menu_of_a_person_says_why_it_moves_no_further_up(editor: Editor) -> None:
    strike(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier)
    settled(editor.session)
    editor.refresh()
    laid_out()
    more = editor.panels.people.rows[0].more
    assert reasons(lambda: QTest.mouseClick(more, LEFT)) == ["Not now: it is the first one"]


def test_the_search_says_why_a_command_is_not_for_now(editor: Editor) -> None:
    from app.window.commands.command_search import CommandSearch

    search = CommandSearch(editor.actions, editor.window)
    QTest.keyClicks(search.field, "follow the person")
    row = search.list.topLevelItem(0)
    assert row is not None
    assert (row.text(0), row.text(1)) == ("Follow the person", "not now")
    assert row.toolTip(0) == f"Not now: {NOTHING_MOVES}"


def test_the_menu_of_bodies_says_of_each_what_it_is(editor: Editor) -> None:
    said: list[str] = []

    def look() -> None:
        menu = QApplication.activePopupWidget()
        if not isinstance(menu, QMenu):
            QTimer.singleShot(20, look)
            return
        entry = menu.actions()[0]
        place = menu.actionGeometry(entry).center()
        QApplication.sendEvent(menu, QHelpEvent(QEvent.Type.ToolTip, place, menu.mapToGlobal(place)))
        said.extend([entry.toolTip(), QToolTip.text()])
        QTest.keyClick(menu, Qt.Key.Key_Escape)

    QTimer.singleShot(20, look)
    QTest.mouseClick(editor.panels.body.presets, LEFT)
    until(lambda: bool(said))
    assert said[0] == said[1] != ""
