"""A drag right after a click is a drag, a held key switches once, and Alt leaves the keyboard where it was."""

from __future__ import annotations

import time

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from small_window import scrolled_to
from timeline_driver import TimelineMouse, frame_of, keys_of, set_moving
from window_driver import NO_KEYS, ViewMouse, active, double_click, move_held, place_of, settled, strike, until

from app.panels.widgets.field_editor import FieldEditor
from app.services.background.jobs import Cancelled, Progress
from app.viewport.overlays.light_ball import SIZE, LightBall
from app.window.editor import Editor
from rendering.scene.style import KEY_TURN

pytestmark = pytest.mark.gl
LEFT, RIGHT, ALT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.KeyboardModifier.AltModifier


def click_and_drag(widget: QWidget, start: QPoint, *ways: QPoint) -> None:
    """A click, and a press at the same place a moment later, which Qt calls a double-click; that one is dragged."""
    QTest.mouseClick(widget, LEFT, pos=start)
    place, at = QPointF(start), QPointF(widget.mapToGlobal(start))
    event = QMouseEvent(QEvent.Type.MouseButtonDblClick, place, at, LEFT, LEFT, NO_KEYS)
    QApplication.sendEvent(widget, event)
    for way in ways:
        move_held(widget, start + way)
    QTest.mouseRelease(widget, LEFT, pos=start + ways[-1])


def right_press(widget: QWidget, place: QPoint) -> bool:
    """Press the right button as X11 does, with the menu's event at once; whether a menu opened."""
    opened = []

    def dismiss() -> None:
        menu = QApplication.activePopupWidget()
        opened.append(menu is not None)
        if menu is not None:
            menu.close()

    QTimer.singleShot(0, dismiss)
    QTest.mousePress(widget, RIGHT, pos=place)
    at = widget.mapToGlobal(place)
    QApplication.sendEvent(widget, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, at))
    QApplication.processEvents()
    QTest.mouseRelease(widget, RIGHT, pos=place)
    return opened == [True]


def hold(widget: QWidget, key: Qt.Key, times: int) -> None:
    """Hold a key that has the widget's attention, so that it comes again and again."""
    for again in range(times):
        event = QKeyEvent(QEvent.Type.KeyPress, key, NO_KEYS, "", again > 0)
        QApplication.sendEvent(widget, event)
    QTest.keyRelease(widget, key)


def test_a_handle_that_was_clicked_is_dragged_at_once_and_not_pinned(editor: Editor) -> None:
    start = ViewMouse(editor).place(place_of(editor, "left_wrist"))
    click_and_drag(editor.viewport, start, QPoint(10, -10), QPoint(30, -40))
    settled(editor.session)
    assert editor.session.history.steps() == ("Move left wrist · position",)
    assert not any(effector.pinned for effector in active(editor).effectors)


def test_escape_takes_a_drag_back_before_it_cancels_what_is_being_done(editor: Editor) -> None:
    def wait(progress: Progress, cancelled: Cancelled) -> None:
        while not cancelled():
            time.sleep(0.01)

    editor.jobs.run("Waiting", wait, lambda _nothing: None)
    mouse = ViewMouse(editor)
    mouse.drag(mouse.place(place_of(editor, "left_wrist")), QPoint(10, -10), QPoint(30, -40), release=False)
    strike(editor, Qt.Key.Key_Escape)
    assert editor.session.history.steps() == ()
    assert editor.job_bar.cancel.isEnabled()
    strike(editor, Qt.Key.Key_Escape)
    assert not editor.job_bar.cancel.isEnabled()
    until(lambda: not editor.jobs.busy)


def test_a_key_that_was_clicked_is_dragged_at_once(editor: Editor) -> None:
    set_moving(editor, 60, keys=(40,))
    mouse = TimelineMouse(editor)
    start, end = mouse.on("keys", 40), mouse.on("keys", 50)
    click_and_drag(mouse.track, start, (end - start) * 0.5, end - start)
    assert keys_of(editor) == [0, 50]


def test_the_light_that_was_clicked_is_dragged_at_once(editor: Editor) -> None:
    strike(editor, Qt.Key.Key_0, ALT)
    ball, middle = editor.viewport.findChild(LightBall), QPoint(SIZE // 2, SIZE // 2)
    assert ball is not None
    click_and_drag(ball, middle, QPoint(10, 0), QPoint(25, -10))
    assert editor.settings.values.key_turn > KEY_TURN + 20
    assert np.hypot(*(ball.spot() - QPointF(middle) - QPointF(25, -10)).toTuple()) <= 2


@pytest.mark.slow
@pytest.mark.usefixtures("unfolded")
def test_a_slider_that_was_clicked_is_scrubbed_at_once_and_a_double_click_types(editor: Editor) -> None:
    slider = scrolled_to(editor.panels.body.stature)
    before, middle = slider.value(), slider.rect().center()
    click_and_drag(slider, middle, QPoint(10, 0), QPoint(25, 0))
    assert slider.value() > before
    assert slider.findChild(FieldEditor) is None
    assert len(editor.session.history.steps()) == 1
    QTest.mouseDClick(slider, Qt.MouseButton.MiddleButton)
    QTest.mouseClick(slider, LEFT)
    assert slider.findChild(FieldEditor) is None
    double_click(slider)
    assert slider.findChild(FieldEditor) is not None


@pytest.mark.usefixtures("unfolded")
def test_the_right_button_takes_a_scrub_back_and_opens_no_menu(editor: Editor) -> None:
    slider = scrolled_to(editor.panels.body.stature)
    before, middle = slider.value(), slider.rect().center()
    QTest.mousePress(slider, LEFT, pos=middle)
    move_held(slider, middle + QPoint(25, 0))
    assert slider.value() != before
    assert not right_press(slider, middle + QPoint(25, 0))
    move_held(slider, middle + QPoint(60, 0))
    QTest.mouseRelease(slider, LEFT, pos=middle + QPoint(60, 0))
    assert slider.value() == before
    assert not editor.session.in_step
    assert editor.session.history.steps() == ()
    assert right_press(slider, middle), "without a scrub there is the menu"


def test_the_right_button_takes_a_drag_of_a_key_back_and_opens_no_menu(editor: Editor) -> None:
    set_moving(editor, 60, keys=(40,))
    mouse = TimelineMouse(editor)
    mouse.drag(mouse.on("keys", 40), mouse.on("keys", 50), release=False)
    assert not right_press(mouse.track, mouse.on("keys", 50))
    mouse.release(mouse.on("keys", 50))
    assert keys_of(editor) == [0, 40]
    assert right_press(mouse.track, mouse.on("keys", 40)), "without a drag there is the menu"


def test_a_held_key_sets_one_key_of_the_timeline_and_goes_on_from_frame_to_frame(editor: Editor) -> None:
    set_moving(editor, 60)
    mouse = TimelineMouse(editor)
    mouse.click(mouse.on("ruler", 20))
    for times in (2, 3):
        steps = editor.session.history.steps()
        hold(mouse.track, Qt.Key.Key_I, times)
        assert len(editor.session.history.steps()) == len(steps) + 1
    hold(mouse.track, Qt.Key.Key_Right, 5)
    assert frame_of(editor) == 25
    hold(mouse.track, Qt.Key.Key_Space, 4)
    assert editor.player.playing
    hold(mouse.track, Qt.Key.Key_Space, 1)


def test_held_shortcuts_step_on_but_switch_and_add_once(editor: Editor) -> None:
    actions = editor.actions
    going_on = {id for id in actions.commands if actions[id].autoRepeat()}
    assert {"edit.undo", "edit.redo", "time.frame_after", "view.turn_left", "pose.library_next"} <= going_on
    assert not {"time.play", "time.set_key", "pose.pin", "pose.duplicate", "edit.delete", "view.before"} & going_on
    assert not [id for id in going_on if actions.commands[id].checked is not None], "a switch would flicker"


@pytest.mark.parametrize("wheel", [False, True])
def test_alt_let_go_of_leaves_the_keyboard_to_the_view(editor: Editor, wheel: bool) -> None:
    view = editor.viewport
    strike(editor, Qt.Key.Key_Escape)
    QTest.keyPress(view, Qt.Key.Key_Alt, ALT)
    if wheel:
        place = view.rect().center()
        turn = QWheelEvent(
            QPointF(place), QPointF(view.mapToGlobal(place)), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, ALT,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(view, turn)
    QTest.keyRelease(view, Qt.Key.Key_Alt)
    assert view.hasFocus()
    assert not editor.window.menuBar().hasFocus()
