"""The mouse over the view, who is active there, and ways to wait for the solver."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt, QThread, QTimer
from PySide6.QtGui import QEnterEvent, QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QWidget

from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.look.mnemonics import unmarked
from app.panels.widgets.field_editor import FieldEditor
from app.panels.widgets.value_slider import ValueSlider
from app.services.session import Session
from app.window.editor import Editor
from rendering.scene.values import RootHandle
from scripts.pointer import move_held
from solver.body.hands import Hands
from solver.camera import PinholeCamera

NO_KEYS = Qt.KeyboardModifier.NoModifier


class Clock:
    """A clock that the test turns on. now_s: seconds."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def settled(session: Session, timeout_s: float = 60.0) -> None:
    """Until everything that was asked for is solved and folded in."""
    assert session.service.wait(timeout_s)
    session.apply_results()


def until(condition: Callable[[], bool], timeout_ms: int = 60_000) -> None:
    """Let events happen until something is true."""
    end = time.monotonic() + timeout_ms / 1000
    while not condition():
        assert time.monotonic() < end, "it never came true"
        QTest.qWait(5)


def with_keyboard(window: QWidget) -> None:
    """Until a window has the keyboard; before, keys go elsewhere or nowhere.

    Qt calls a window active even while another one, to which it belongs or which belongs to it, has the keyboard.
    """
    assert QTest.qWaitForWindowFocused(window, 60_000)


def activated(window: QWidget) -> None:
    """Give a window the keyboard, whichever had it before, and wait until it has it."""
    window.activateWindow()
    with_keyboard(window)


def answer_once_shown(kind: type[QWidget], answer: Callable[..., None]) -> None:
    """Answer the dialog or the menu of that kind once it shows and has the keyboard."""

    def look() -> None:
        shown = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if isinstance(shown, kind) and shown.isActiveWindow():
            answer(shown)
        else:
            QTimer.singleShot(20, look)

    QTimer.singleShot(20, look)


def laid_out() -> None:
    """Until Qt has delivered what it holds: a layout that was asked for is done, and what that asked for as well.

    The screen's word on windows that were resized comes first: late, it would give them their former size again.
    """
    QGuiApplication.sync()
    for _ in range(5):
        QApplication.sendPostedEvents()
        QApplication.processEvents()


def double_click(widget: QWidget) -> None:
    """Double-click the middle of a widget. QTest's own leaves the button pressed."""
    QTest.mouseDClick(widget, Qt.MouseButton.LeftButton)
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton)


def written(editor: Editor, field: QWidget, text: str) -> None:
    """Double-click what can be typed into, and type."""
    activated(editor.window)
    double_click(field)
    until(lambda: isinstance(QApplication.focusWidget(), FieldEditor))
    for letter in text:
        QTest.keyClick(editor.window.windowHandle(), letter)
    QTest.keyClick(editor.window.windowHandle(), Qt.Key.Key_Return)
    QApplication.processEvents()


def point_at(widget: QWidget) -> None:
    """Bring the pointer onto the middle of a widget.

    As Qt tells the widget: whether the screen's own pointer follows depends on what other windows did to it before.
    """
    middle = QPointF(widget.rect().center())
    QApplication.sendEvent(widget, QEnterEvent(middle, QPointF(widget.mapTo(widget.window(), middle.toPoint())),
                                               QPointF(widget.mapToGlobal(middle.toPoint()))))  # fmt: skip
    move_held(widget, widget.rect().center(), buttons=Qt.MouseButton.NoButton)


class ViewMouse:
    """The mouse over the view, as a user moves it."""

    def __init__(self, editor: Editor) -> None:
        self.editor, self.view = editor, editor.viewport

    def place(self, point: object) -> QPoint:
        x, y = self.view.current_view.project(point)  # type: ignore[arg-type]
        return QPoint(round(float(x)), round(float(y)))

    def drag(self, start: QPoint, *ways: QPoint, release: bool = True, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
        QTest.mousePress(self.view, Qt.MouseButton.LeftButton, keys, start)
        for way in ways:
            self.move(start + way, keys)
        if release:
            self.release(start + ways[-1], keys)

    def move(self, place: QPoint, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
        move_held(self.view, place, keys)

    def hover(self, place: QPoint) -> None:
        move_held(self.view, place, buttons=Qt.MouseButton.NoButton)

    def click(self, place: QPoint, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
        QTest.mouseClick(self.view, Qt.MouseButton.LeftButton, keys, place)

    def roll(self, place: QPoint, notches: int, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
        """Turn the wheel with the left button held."""
        at, turn, left = QPointF(self.view.mapToGlobal(place)), QPoint(0, 120 * notches), Qt.MouseButton.LeftButton
        event = QWheelEvent(QPointF(place), at, QPoint(), turn, left, keys, Qt.ScrollPhase.NoScrollPhase, False)
        QApplication.sendEvent(self.view, event)

    def release(self, place: QPoint, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
        QTest.mouseRelease(self.view, Qt.MouseButton.LeftButton, keys, place)


def active(editor: Editor) -> Character:
    """The active character, who is there."""
    found = editor.session.active
    assert found is not None
    return found


def place_of(editor: Editor, joint: str) -> np.ndarray:
    """(3,) metres, a joint of the active character."""
    return joints_of(active(editor)).positions[skeleton_of(active(editor)).index(joint)].astype(np.float64)


def camera_of(editor: Editor) -> PinholeCamera:
    """The photo's camera."""
    photo = editor.session.document.photo
    assert photo is not None
    return photo.camera


def root_of(editor: Editor) -> RootHandle:
    """The root handle as the view shows it."""
    editor.session_view.refresh()
    root = editor.viewport.scene.root
    assert root is not None
    return root


def press_photo_button(editor: Editor, id: str) -> QPushButton:
    """Click a button of the photo's panel by the mouse, as soon as it can be clicked; it."""
    editor.refresh()
    buttons = editor.panels.photo.buttons
    assert buttons is not None
    button = buttons.by_id[id]
    until(lambda: button.isVisible() and button.isEnabled())
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    return button


def strike(editor: Editor, key: Qt.Key, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
    """Press a key over the view, once the window has the keyboard and its commands know what is selected."""
    activated(editor.window)
    editor.viewport.setFocus()
    editor.refresh()
    QTest.keyClick(editor.viewport, key, keys)


def running_threads(parent: object) -> list[QThread]:
    """The QThreads below an object that still run."""
    return [t for t in parent.findChildren(QThread) if t.isRunning()]  # type: ignore[attr-defined]


def choosing(title: str) -> None:
    """Choose the entry of that title in the menu that is about to open."""

    def choose(menu: QMenu) -> None:
        entry = next(action for action in menu.actions() if unmarked(action.text()) == title)
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(entry).center())

    answer_once_shown(QMenu, choose)


def typed(field: ValueSlider, text: str) -> None:
    """Double-click a field, type, Enter."""
    double_click(field)
    (line,) = [e for e in field.window().findChildren(FieldEditor) if e.isVisible()]
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def opened(editor: Editor, path: Path) -> Document:
    """The document once everything of that file is in it."""
    before = editor.session.document
    editor.files.open_path(path)
    until(lambda: not editor.jobs.busy and editor.session.document is not before, 60_000)
    return editor.session.document


def hands_of(editor: Editor) -> Hands:
    """How the active character holds the fingers, who holds them some way."""
    hands = active(editor).hands
    assert hands is not None
    return hands
