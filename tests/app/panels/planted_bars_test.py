"""Bars of planted feet on the timeline: a click holds that foot there, another one lets it go."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QToolTip
from timeline_driver import TimelineMouse
from window_driver import activated, answer_once_shown, laid_out, settled, strike, until

from app.document import edits
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.history import Edit
from app.look.mnemonics import unmarked
from app.panels.timeline.lanes import FOOT, lanes_of
from app.window.editor import Editor
from solver.effectors.kinds import Position
from solver.kinematics.pose import Motion

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def mouse(editor: Editor) -> TimelineMouse:
    """Somebody who stands, jumps and stands again: each foot is planted twice."""
    pose = editor.session.active.pose
    roots = np.tile(pose.root_position, (90, 1))
    roots[30:60, 1] += np.sin(np.linspace(0, np.pi, 30)) * 0.3
    motion = Motion(roots, np.broadcast_to(pose.rotations, (90, 24, 3, 3)), 30.0)
    editor.session.edit("Jump", edits.import_motion("c1", motion))
    editor.refresh()
    laid_out()
    mouse = TimelineMouse(editor)
    assert [foot for foot, *_ in mouse.track.marks.contacts] in ([0, 0, 1, 1], [0, 1, 0, 1])
    return mouse


def on_bar(mouse: TimelineMouse, foot: int, frame: float) -> QPoint:
    top = lanes_of(mouse.track.marks).feet
    return QPoint(round(mouse.track.scale.x(frame)), round(top + (foot + 0.5) * FOOT))


def held(mouse: TimelineMouse) -> set[tuple[int, str]]:
    """Which feet are held, and in which half of the motion."""
    marks = mouse.track.marks
    found = [each for number, each in enumerate(marks.contacts) if marks.holds(number)]
    return {(foot, "before" if first < 30 else "after") for foot, first, _ in found}


def test_a_click_on_a_bar_holds_that_foot_alone_and_another_lets_it_go(editor: Editor, mouse: TimelineMouse) -> None:
    assert held(mouse) == set()
    mouse.click(on_bar(mouse, 1, 80))
    assert held(mouse) == {(1, "after")}
    assert not mouse.timeline.feet.isChecked(), "not all of them are held"
    assert editor.session.history.undo_text == "Hold a planted foot"
    mouse.click(on_bar(mouse, 0, 10))
    assert held(mouse) == {(1, "after"), (0, "before")}
    mouse.click(on_bar(mouse, 1, 80))
    assert held(mouse) == {(0, "before")}
    assert editor.session.history.undo_text == "Let a planted foot go"
    mouse.click(on_bar(mouse, 0, 10))
    assert held(mouse) == set()
    assert not mouse.timeline.feet.isChecked()
    editor.session.undo()
    assert held(mouse) == {(0, "before")}


def test_a_right_click_on_a_bar_offers_to_hold_that_foot_and_then_to_let_it_go(
    editor: Editor, mouse: TimelineMouse
) -> None:
    def choose(text: str) -> None:
        answer_once_shown(QMenu, lambda menu: QTest.mouseClick(menu, LEFT, pos=place_in(menu, text)))
        place = on_bar(mouse, 1, 80)
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, mouse.track.mapToGlobal(place))
        QApplication.sendEvent(mouse.track, event)

    choose("Hold the right foot in its place")
    assert held(mouse) == {(1, "after")}
    choose("Let the right foot go")
    assert held(mouse) == set()
    assert editor.session.history.undo_text == "Let a planted foot go"


def place_in(menu: QMenu, text: str) -> QPoint:
    return next(menu.actionGeometry(each).center() for each in menu.actions() if unmarked(each.text()) == text)


def test_the_button_holds_all_and_a_bar_takes_one_out(editor: Editor, mouse: TimelineMouse) -> None:
    QTest.mouseClick(mouse.timeline.feet, LEFT)
    assert len(held(mouse)) == 4
    before = np.array(mouse.track.grab().toImage().bits())
    mouse.click(on_bar(mouse, 0, 80))
    assert held(mouse) == {(0, "before"), (1, "before"), (1, "after")}
    assert not np.array_equal(before, np.array(mouse.track.grab().toImage().bits())), "its bar has another colour"
    QTest.mouseClick(mouse.timeline.feet, LEFT)
    assert len(held(mouse)) == 4, "the button means all of them"
    QTest.mouseClick(mouse.timeline.feet, LEFT)
    assert held(mouse) == set()


def test_beside_the_bars_and_after_a_drag_nothing_is_switched(editor: Editor, mouse: TimelineMouse) -> None:
    steps = editor.session.history.steps()
    mouse.click(on_bar(mouse, 0, 45))
    mouse.drag(on_bar(mouse, 0, 10), on_bar(mouse, 0, 20))
    assert editor.session.history.steps() == steps


def tip(mouse: TimelineMouse, place: QPoint) -> str:
    event = QHelpEvent(QEvent.Type.ToolTip, place, mouse.track.mapToGlobal(place))
    QApplication.sendEvent(mouse.track, event)
    return QToolTip.text()


def test_a_bar_says_what_it_is_and_what_a_click_does(mouse: TimelineMouse) -> None:
    assert tip(mouse, on_bar(mouse, 1, 10)).startswith("Right foot planted, frames 1 to 3")
    assert tip(mouse, on_bar(mouse, 1, 10)).endswith("click to hold it there")
    assert "click a bar" in tip(mouse, on_bar(mouse, 0, 45))
    mouse.click(on_bar(mouse, 1, 10))
    assert tip(mouse, on_bar(mouse, 1, 10)).endswith("click to let it go")


def color(mouse: TimelineMouse, foot: int, frame: float) -> str:
    """Of a foot's bar, in a word."""
    laid_out()
    seen = mouse.track.grab().toImage().pixelColor(on_bar(mouse, foot, frame))
    return "red" if seen.red() > 1.3 * seen.green() else "green" if seen.green() > 1.3 * seen.red() else "grey"


@pytest.mark.slow
def test_the_bar_of_a_foot_that_is_off_its_place_is_red_and_says_why_once_it_is_solved(
    editor: Editor, mouse: TimelineMouse
) -> None:
    session = editor.session

    def solved(edit: Edit) -> None:
        session.edit("Aside", edit, solve=True)
        settled(session)
        until(lambda: not editor.in_betweens.solving and not editor.in_betweens.missing("c1"))
        editor.refresh()

    QTest.mouseClick(mouse.timeline.feet, LEFT)
    mouse.to_frame(32)
    pose, joints, aside = session.active.pose, joints_of(session.active).positions, np.float32([0.1, 0.0, 0.0])
    solved(edits.set_pose("c1", replace(pose, root_position=pose.root_position + aside)))
    assert color(mouse, 0, 10) == "green"
    assert tip(mouse, on_bar(mouse, 0, 10)).endswith("held there: click to let it go")
    strike(editor, Qt.Key.Key_J)  # by the joints alone
    assert color(mouse, 0, 10) == "red"
    assert "not held there, as joints go evenly" in tip(mouse, on_bar(mouse, 0, 10))
    assert color(mouse, 0, 80) == "green", "the recording stays as it is there"
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert color(mouse, 0, 10) == "green"
    strike(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    hips = skeleton_of(session.active).names[0]
    solved(edits.add_effector("c1", Position(hips, joints[0] + 15 * aside, id="hips", pinned=True)))
    assert color(mouse, 1, 10) == "red"
    assert "your keys draw it away: up to" in tip(mouse, on_bar(mouse, 1, 10))


def test_the_bar_of_a_foot_that_a_key_lifts_is_red_and_says_so(editor: Editor, mouse: TimelineMouse) -> None:
    QTest.mouseClick(mouse.timeline.feet, LEFT)
    mouse.to_frame(10)
    pose = editor.session.active.pose
    up = replace(pose, root_position=pose.root_position + np.float32([0.0, 0.2, 0.0]))
    editor.session.edit("Up", edits.set_pose("c1", up))
    assert color(mouse, 0, 5) == "red"
    assert tip(mouse, on_bar(mouse, 0, 5)).endswith("held where a key has lifted it, 20 cm up. Click to let it go")
    assert color(mouse, 0, 80) == "green", "the key is elsewhere"
    mouse.click(on_bar(mouse, 0, 5))
    assert color(mouse, 0, 5) == "grey"


def press(mouse: TimelineMouse, *keys: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    for key in keys:
        QTest.keyClick(mouse.track, key, held)


def test_bars_are_chosen_held_and_let_go_of_with_keys_alone(editor: Editor, mouse: TimelineMouse) -> None:
    key, track, player = Qt.Key, mouse.track, mouse.track.player
    track.setFocus()
    press(mouse, key.Key_Down, held=Qt.KeyboardModifier.ShiftModifier)
    assert "Left foot planted, frames 1 to" in track.accessibleDescription()
    press(mouse, key.Key_Space)
    assert held(mouse) == {(0, "before")}
    press(mouse, key.Key_Right)
    assert player.frame > 45, "where the bar is"
    press(mouse, key.Key_Down, key.Key_Return)
    assert held(mouse) == {(0, "before"), (1, "after")}
    press(mouse, key.Key_Home, key.Key_Left)
    assert "planted, frames 1 to" in track.accessibleDescription(), "there is none before the first"
    assert player.frame < 30
    press(mouse, key.Key_End)
    assert player.frame > 45
    press(mouse, key.Key_Right, key.Key_Delete, key.Key_Delete)
    assert held(mouse) == {(0, "before")}, "the last bar stays chosen, and what is let go of stays so"
    press(mouse, key.Key_Up, key.Key_Home, key.Key_Space)
    assert held(mouse) == set()
    assert editor.session.history.undo_text == "Let a planted foot go"
    frame = player.frame
    press(mouse, key.Key_Escape, key.Key_Right)
    assert player.frame == frame + 1, "arrows mean frames again"
    assert track.accessibleDescription() == ""


def test_the_chosen_bar_has_a_ring_while_the_timeline_has_the_keyboard(editor: Editor, mouse: TimelineMouse) -> None:
    def picture() -> QImage:
        laid_out()
        return mouse.track.grab().toImage()

    activated(editor.window)
    mouse.track.setFocus()
    plain = picture()
    press(mouse, Qt.Key.Key_Down, held=Qt.KeyboardModifier.ShiftModifier)
    ringed = picture()
    assert ringed != plain
    editor.viewport.setFocus()
    away = picture()
    mouse.track.setFocus()
    press(mouse, Qt.Key.Key_Escape)
    editor.viewport.setFocus()
    assert picture() == away


def test_what_is_said_of_the_chosen_bar_goes_along_with_what_is_done_to_it(
    editor: Editor, mouse: TimelineMouse
) -> None:
    track = mouse.track
    track.setFocus()
    press(mouse, Qt.Key.Key_Down, held=Qt.KeyboardModifier.ShiftModifier)
    assert track.accessibleDescription().endswith("to hold it there")
    press(mouse, Qt.Key.Key_Space)
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
    editor: Editor, mouse: TimelineMouse
) -> None:
    mouse.track.setFocus()
    mouse.to_frame(80)
    for said in ("Left foot planted, frames 6", ""):  # of the second half
        press(mouse, Qt.Key.Key_Down, held=Qt.KeyboardModifier.ShiftModifier)
        assert mouse.track.accessibleDescription().startswith(said)
    assert mouse.track.accessibleDescription() == ""
    assert mouse.track.player.frame == 80
    press(mouse, Qt.Key.Key_Down, held=Qt.KeyboardModifier.ShiftModifier)
    press(mouse, Qt.Key.Key_Down)
    assert mouse.track.accessibleDescription().startswith("Right foot planted, frames 6"), "the other foot's, then"
    press(mouse, Qt.Key.Key_Space)
    assert held(mouse) == {(1, "after")}


def test_while_the_pointer_is_held_keys_mean_no_bar_and_esc_takes_the_drag_back(
    editor: Editor, mouse: TimelineMouse
) -> None:
    mouse.track.setFocus()
    press(mouse, Qt.Key.Key_Down, held=Qt.KeyboardModifier.ShiftModifier)
    chosen = mouse.track.accessibleDescription()
    mouse.drag(mouse.on("ruler", 5), mouse.on("ruler", 20), release=False)
    press(mouse, Qt.Key.Key_Space)
    assert held(mouse) == set()
    press(mouse, Qt.Key.Key_Escape)
    assert not mouse.track.held
    assert mouse.track.accessibleDescription() == chosen
    press(mouse, Qt.Key.Key_Escape)
    assert mouse.track.accessibleDescription() == ""


def test_without_planted_feet_there_is_no_bar_to_choose(editor: Editor, mouse: TimelineMouse) -> None:
    editor.session.undo()
    editor.refresh()
    assert not mouse.track.marks.contacts
    press(mouse, Qt.Key.Key_Down, held=Qt.KeyboardModifier.ShiftModifier)
    assert mouse.track.accessibleDescription() == ""
