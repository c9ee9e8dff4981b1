"""Bars of planted feet on the timeline: a click holds that foot there, another one lets it go."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from timeline_driver import TimelineHand
from window_driver import laid_out

from app.document import edits
from app.panels.timeline.lanes import FOOT, lanes_of
from app.window.editor import Editor
from solver.kinematics.pose import Motion

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def hand(editor: Editor) -> TimelineHand:
    """Somebody who stands, jumps and stands again: each foot is planted twice."""
    pose = editor.session.active.pose
    roots = np.tile(pose.root_position, (90, 1))
    roots[30:60, 1] += np.sin(np.linspace(0, np.pi, 30)) * 0.3
    motion = Motion(roots, np.broadcast_to(pose.rotations, (90, 24, 3, 3)), 30.0)
    editor.session.edit("Jump", edits.import_motion("c1", motion))
    editor.refresh()
    laid_out()
    hand = TimelineHand(editor)
    assert [foot for foot, *_ in hand.track.marks.contacts] in ([0, 0, 1, 1], [0, 1, 0, 1])
    return hand


def on_bar(hand: TimelineHand, foot: int, frame: float) -> QPoint:
    top = lanes_of(hand.track.marks).feet
    return QPoint(round(hand.track.scale.x(frame)), round(top + (foot + 0.5) * FOOT))


def held(hand: TimelineHand) -> set[tuple[int, str]]:
    """Which feet are held, and in which half of the motion."""
    marks = hand.track.marks
    found = [each for number, each in enumerate(marks.contacts) if marks.holds(number)]
    return {(foot, "before" if first < 30 else "after") for foot, first, _ in found}


def test_a_click_on_a_bar_holds_that_foot_alone_and_another_lets_it_go(editor: Editor, hand: TimelineHand) -> None:
    assert held(hand) == set()
    hand.click(on_bar(hand, 1, 80))
    assert held(hand) == {(1, "after")}
    assert not hand.timeline.feet.isChecked(), "not all of them are held"
    assert editor.session.history.undo_text == "Hold a planted foot"
    hand.click(on_bar(hand, 0, 10))
    assert held(hand) == {(1, "after"), (0, "before")}
    hand.click(on_bar(hand, 1, 80))
    assert held(hand) == {(0, "before")}
    assert editor.session.history.undo_text == "Let a planted foot go"
    hand.click(on_bar(hand, 0, 10))
    assert held(hand) == set()
    assert not hand.timeline.feet.isChecked()
    editor.session.undo()
    assert held(hand) == {(0, "before")}


def test_the_button_holds_all_and_a_bar_takes_one_out(editor: Editor, hand: TimelineHand) -> None:
    QTest.mouseClick(hand.timeline.feet, LEFT)
    assert len(held(hand)) == 4
    before = np.array(hand.track.grab().toImage().bits())
    hand.click(on_bar(hand, 0, 80))
    assert held(hand) == {(0, "before"), (1, "before"), (1, "after")}
    assert not np.array_equal(before, np.array(hand.track.grab().toImage().bits())), "its bar has another colour"
    QTest.mouseClick(hand.timeline.feet, LEFT)
    assert len(held(hand)) == 4, "the button means all of them"
    QTest.mouseClick(hand.timeline.feet, LEFT)
    assert held(hand) == set()


def test_beside_the_bars_and_after_a_drag_nothing_is_switched(editor: Editor, hand: TimelineHand) -> None:
    steps = editor.session.history.steps()
    hand.click(on_bar(hand, 0, 45))
    hand.drag(on_bar(hand, 0, 10), on_bar(hand, 0, 20))
    assert editor.session.history.steps() == steps


def test_a_bar_says_what_it_is_and_what_a_click_does(hand: TimelineHand) -> None:
    def tip(place: QPoint) -> str:
        event = QHelpEvent(QEvent.Type.ToolTip, place, hand.track.mapToGlobal(place))
        QApplication.sendEvent(hand.track, event)
        return QToolTip.text()

    assert tip(on_bar(hand, 1, 10)).startswith("Right foot planted, frames 1 to 3")
    assert tip(on_bar(hand, 1, 10)).endswith("click to hold it there")
    assert "click a bar" in tip(on_bar(hand, 0, 45))
    hand.click(on_bar(hand, 1, 10))
    assert tip(on_bar(hand, 1, 10)).endswith("click to let it go")


def press(hand: TimelineHand, *keys: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    for key in keys:
        QTest.keyClick(hand.track, key, held)


def test_bars_are_chosen_held_and_let_go_of_with_keys_alone(editor: Editor, hand: TimelineHand) -> None:
    key, track, player = Qt.Key, hand.track, hand.track.player
    track.setFocus()
    press(hand, key.Key_Down, held=Qt.KeyboardModifier.ShiftModifier)
    assert "Left foot planted, frames 1 to" in track.accessibleDescription()
    press(hand, key.Key_Space)
    assert held(hand) == {(0, "before")}
    press(hand, key.Key_Right)
    assert player.frame > 45, "where the bar is"
    press(hand, key.Key_Down, key.Key_Return)
    assert held(hand) == {(0, "before"), (1, "after")}
    press(hand, key.Key_Home, key.Key_Left)
    assert "planted, frames 1 to" in track.accessibleDescription(), "there is none before the first"
    assert player.frame < 30
    press(hand, key.Key_End)
    assert player.frame > 45
    press(hand, key.Key_Right, key.Key_Delete, key.Key_Delete)
    assert held(hand) == {(0, "before")}, "the last bar stays chosen, and what is let go of stays so"
    press(hand, key.Key_Up, key.Key_Home, key.Key_Space)
    assert held(hand) == set()
    assert editor.session.history.undo_text == "Let a planted foot go"
    frame = player.frame
    press(hand, key.Key_Escape, key.Key_Right)
    assert player.frame == frame + 1, "arrows mean frames again"
    assert track.accessibleDescription() == ""


def test_the_chosen_bar_has_a_ring_while_the_timeline_has_the_keyboard(editor: Editor, hand: TimelineHand) -> None:
    def picture() -> QImage:
        laid_out()
        return hand.track.grab().toImage()

    editor.window.activateWindow()
    assert QTest.qWaitForWindowActive(editor.window)
    hand.track.setFocus()
    plain = picture()
    press(hand, Qt.Key.Key_Down, held=Qt.KeyboardModifier.ShiftModifier)
    ringed = picture()
    assert ringed != plain
    editor.viewport.setFocus()
    away = picture()
    hand.track.setFocus()
    press(hand, Qt.Key.Key_Escape)
    editor.viewport.setFocus()
    assert picture() == away


def test_what_is_said_of_the_chosen_bar_goes_along_with_what_is_done_to_it(editor: Editor, hand: TimelineHand) -> None:
    track = hand.track
    track.setFocus()
    press(hand, Qt.Key.Key_Down, held=Qt.KeyboardModifier.ShiftModifier)
    assert track.accessibleDescription().endswith("to hold it there")
    press(hand, Qt.Key.Key_Space)
    editor.refresh()
    assert track.accessibleDescription().endswith("to let it go")
    editor.session.undo()
    editor.refresh()
    assert track.accessibleDescription().endswith("to hold it there")
    editor.session.undo()
    editor.refresh()
    assert not track.marks.contacts
    assert track.accessibleDescription() == "", "there is no motion any more"


def test_of_bars_the_one_nearest_to_the_frame_is_chosen_and_the_same_keys_leave_it(
    editor: Editor, hand: TimelineHand
) -> None:
    hand.track.setFocus()
    hand.to_frame(80)
    for said in ("Left foot planted, frames 6", ""):  # of the second half
        press(hand, Qt.Key.Key_Down, held=Qt.KeyboardModifier.ShiftModifier)
        assert hand.track.accessibleDescription().startswith(said)
    assert hand.track.accessibleDescription() == ""
    assert hand.track.player.frame == 80
    press(hand, Qt.Key.Key_Down, held=Qt.KeyboardModifier.ShiftModifier)
    press(hand, Qt.Key.Key_Down)
    assert hand.track.accessibleDescription().startswith("Right foot planted, frames 6"), "the other foot's, then"
    press(hand, Qt.Key.Key_Space)
    assert held(hand) == {(1, "after")}


def test_while_the_pointer_is_held_keys_mean_no_bar_and_esc_takes_the_drag_back(
    editor: Editor, hand: TimelineHand
) -> None:
    hand.track.setFocus()
    press(hand, Qt.Key.Key_Down, held=Qt.KeyboardModifier.ShiftModifier)
    chosen = hand.track.accessibleDescription()
    hand.drag(hand.on("ruler", 5), hand.on("ruler", 20), release=False)
    press(hand, Qt.Key.Key_Space)
    assert held(hand) == set()
    press(hand, Qt.Key.Key_Escape)
    assert not hand.track.held
    assert hand.track.accessibleDescription() == chosen
    press(hand, Qt.Key.Key_Escape)
    assert hand.track.accessibleDescription() == ""


def test_without_planted_feet_there_is_no_bar_to_choose(editor: Editor, hand: TimelineHand) -> None:
    editor.session.undo()
    editor.refresh()
    assert not hand.track.marks.contacts
    press(hand, Qt.Key.Key_Down, held=Qt.KeyboardModifier.ShiftModifier)
    assert hand.track.accessibleDescription() == ""
