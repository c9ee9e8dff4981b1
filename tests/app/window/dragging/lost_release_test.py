"""What a menu or a question opens over has no release: a handle is not dragged any more by a button long let go."""

from __future__ import annotations

import numpy as np
import pytest
from dialog_driver import question
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from small_window import scrolled_to
from timeline_driver import TimelineMouse, frame_of, set_moving
from window_driver import ViewMouse, active, move_held, place_of, settled, strike

from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


@pytest.mark.parametrize("looked", [True, False])
def test_after_the_menu_of_a_handle_the_next_drag_ends_with_its_release(editor: Editor, looked: bool) -> None:
    mouse, told = ViewMouse(editor), []

    def dismiss() -> None:
        menu = QApplication.activePopupWidget()
        told.append(menu is not None)
        QTest.keyClick(menu, Qt.Key.Key_Escape)  # the button was let go over the menu

    QTimer.singleShot(0, dismiss)
    QTest.mousePress(editor.viewport, Qt.MouseButton.RightButton, pos=mouse.place(place_of(editor, "left_wrist")))
    assert told == [True]
    start = mouse.place(place_of(editor, "right_wrist"))
    if looked:
        mouse.hover(start)
    mouse.drag(start, QPoint(-10, -10), QPoint(-30, -40))
    settled(editor.session)
    pulled = active(editor).pose
    move_held(editor.viewport, start + QPoint(-90, -90), buttons=NONE)
    settled(editor.session)
    assert active(editor).pose == pulled
    assert not editor.session.in_step
    assert editor.session.history.steps() == ("Move right wrist · position",)


def test_a_handle_stays_where_it_was_and_no_longer_follows_the_pointer(editor: Editor) -> None:
    mouse = ViewMouse(editor)
    start = mouse.place(place_of(editor, "left_wrist"))
    mouse.drag(start, QPoint(10, -10), QPoint(40, -30), release=False)
    question(editor)
    settled(editor.session)
    pulled = active(editor).pose
    mouse.hover(start + QPoint(120, -90))
    settled(editor.session)
    assert active(editor).pose == pulled
    assert not editor.session.in_step
    assert editor.session.history.steps() == ("Move left wrist · position",)
    mouse.drag(start + QPoint(40, -30), QPoint(0, 10), QPoint(0, 30))
    settled(editor.session)
    assert len(editor.session.history.steps()) == 2, "it can be taken again"
    for _ in range(2):
        strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not np.allclose(active(editor).pose.rotations, pulled.rotations)


def test_the_view_no_longer_turns_with_the_pointer(editor: Editor) -> None:
    view, start = editor.viewport, QPoint(40, 200)
    QTest.mousePress(view, LEFT, pos=start)
    for x in (20, 60):
        move_held(view, start + QPoint(x, 0))
    question(editor)
    turned = view.camera
    ViewMouse(editor).hover(start + QPoint(200, 0))
    assert view.camera == turned


@pytest.mark.usefixtures("unfolded")
def test_a_number_that_was_scrubbed_is_one_step(editor: Editor) -> None:
    slider = scrolled_to(editor.panels.body.stature)
    middle = slider.rect().center()
    QTest.mousePress(slider, LEFT, pos=middle)
    for x in (10, 25):
        move_held(slider, middle + QPoint(x, 0))
    assert editor.session.in_step
    question(editor)
    assert not editor.session.in_step
    assert editor.session.history.steps() == ("Change stature",)


def test_the_playhead_stays_and_frames_between_keys_are_solved_again(editor: Editor) -> None:
    set_moving(editor, 40, keys=(39,))
    mouse = TimelineMouse(editor)
    mouse.drag(mouse.on("ruler", 5), mouse.on("ruler", 12), release=False)
    assert mouse.track.held
    question(editor)
    assert not mouse.track.held, "as long as it is, no frame between keys is solved"
    there = frame_of(editor)
    move_held(mouse.track, mouse.on("ruler", 30), buttons=NONE)
    assert frame_of(editor) == there == 12
