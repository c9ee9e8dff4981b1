"""What a menu or a question opens over has no release: a handle is not dragged any more by a button long let go."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from small_hand import scrolled_to
from timeline_hand import TimelineHand, frame_of, set_moving
from window_hand import Hand, active, move_held, place_of, settled, strike

from app.dialogs.message_dialog import MessageDialog
from app.document import edits
from app.document.model.document import Photo
from app.viewport.overlays.horizon_line import HorizonLine
from app.viewport.overlays.light_ball import LightBall
from app.window.editor import Editor
from solver.camera import PinholeCamera

pytestmark = pytest.mark.gl
CAMERA = PinholeCamera(np.float32([0.3, 1.9, 4.5]), np.eye(3, dtype=np.float32), 900.0, (400.0, 300.0), (800, 600))
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton


def question(editor: Editor) -> None:
    """Opens in the middle of a drag, and is answered."""
    dialog = MessageDialog(editor.window, "Who is to be posed?")
    QTimer.singleShot(0, lambda: QTest.keyClick(dialog, Qt.Key.Key_Escape))
    dialog.ask()


@pytest.mark.parametrize("looked", [True, False])
def test_after_the_menu_of_a_handle_the_next_drag_ends_with_its_release(editor: Editor, looked: bool) -> None:
    hand, told = Hand(editor), []

    def dismiss() -> None:
        menu = QApplication.activePopupWidget()
        told.append(menu is not None)
        QTest.keyClick(menu, Qt.Key.Key_Escape)  # the button was let go over the menu

    QTimer.singleShot(0, dismiss)
    QTest.mousePress(editor.viewport, Qt.MouseButton.RightButton, pos=hand.place(place_of(editor, "left_wrist")))
    assert told == [True]
    start = hand.place(place_of(editor, "right_wrist"))
    if looked:
        hand.hover(start)
    hand.drag(start, QPoint(-10, -10), QPoint(-30, -40))
    settled(editor.session)
    pulled = active(editor).pose
    move_held(editor.viewport, start + QPoint(-90, -90), buttons=NONE)
    settled(editor.session)
    assert active(editor).pose == pulled
    assert not editor.session.in_step
    assert editor.session.history.steps() == ("Move right wrist · position",)


def test_a_handle_stays_where_it_was_and_no_longer_follows_the_pointer(editor: Editor) -> None:
    hand = Hand(editor)
    start = hand.place(place_of(editor, "left_wrist"))
    hand.drag(start, QPoint(10, -10), QPoint(40, -30), release=False)
    question(editor)
    settled(editor.session)
    pulled = active(editor).pose
    hand.hover(start + QPoint(120, -90))
    settled(editor.session)
    assert active(editor).pose == pulled
    assert not editor.session.in_step
    assert editor.session.history.steps() == ("Move left wrist · position",)
    hand.drag(start + QPoint(40, -30), QPoint(0, 10), QPoint(0, 30))
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
    Hand(editor).hover(start + QPoint(200, 0))
    assert view.camera == turned


def test_nor_does_it_with_the_axes_in_the_corner(editor: Editor) -> None:
    view, triad = editor.viewport, editor.session_view.triad
    start = triad.rect().center()
    QTest.mousePress(triad, LEFT, pos=start)
    for x in (10, 20):
        move_held(triad, start + QPoint(x, 0))
    question(editor)
    turned = view.camera
    move_held(triad, start + QPoint(-15, 5), buttons=NONE)
    assert view.camera == turned


def test_the_horizon_stays_where_it_was_dragged_as_one_step(editor: Editor) -> None:
    shown = Photo("gone.png", "0" * 64, CAMERA, visible=False)
    editor.session.edit("Photo", edits.set_photo(shown))
    editor.session.set_view(through_photo=True)
    strike(editor, Qt.Key.Key_H, Qt.KeyboardModifier.ShiftModifier)
    line = editor.viewport.findChild(HorizonLine)
    assert line is not None
    grip = line.grips[1]
    QTest.mousePress(grip, LEFT, pos=grip.rect().center())
    move_held(grip, grip.rect().center() + QPoint(0, 20))
    assert editor.session.in_step
    question(editor)
    assert not editor.session.in_step
    assert editor.session.history.steps() == ("Photo", "Move horizon")


def test_the_light_stays_where_it_was_dragged_and_is_written_down(editor: Editor) -> None:
    strike(editor, Qt.Key.Key_0, Qt.KeyboardModifier.AltModifier)
    ball = editor.viewport.findChild(LightBall)
    assert ball is not None
    start = ball.rect().center()
    QTest.mousePress(ball, LEFT, pos=start)
    move_held(ball, start + QPoint(12, -6))
    tried = editor.session_view.style
    question(editor)
    values = editor.settings.values
    assert (values.key_turn, values.key_height) == pytest.approx((tried.turn, tried.height))
    editor.settings.set(key_turn=10.0)
    assert editor.session_view.style.turn == pytest.approx(10.0), "nothing is only tried any more"


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
    hand = TimelineHand(editor)
    hand.drag(hand.on("ruler", 5), hand.on("ruler", 12), release=False)
    assert hand.track.held
    question(editor)
    assert not hand.track.held, "as long as it is, no frame between keys is solved"
    there = frame_of(editor)
    move_held(hand.track, hand.on("ruler", 30), buttons=NONE)
    assert frame_of(editor) == there == 12
