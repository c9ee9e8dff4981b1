"""How frames between keys come about: solved or by the joints alone, switched and compared in the window."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from small_window import make_small
from timeline_driver import TimelineMouse, set_moving
from window_driver import answer_once_shown, laid_out, settled, strike, until

from app.document import edits
from app.document.model.between import pose_at
from app.document.model.figure import skeleton_of
from app.look.mnemonics import unmarked
from app.panels.timeline.timeline import ROOMY, STEPS
from app.window.editor import Editor
from solver.kinematics.fk import forward_kinematics

pytestmark = pytest.mark.gl
BY_FEET = "Feet step from place to place"
LEFT, KEY, GHOST = Qt.MouseButton.LeftButton, Qt.Key, ("before", "c1")


@pytest.fixture
def mouse(editor: Editor) -> TimelineMouse:
    """Somebody without a motion who reaches up from frame 0 to frame 40, all between solved, at frame 20."""
    session = editor.session
    session.edit("Animate", edits.set_clip_length("c1", 60))
    editor.refresh()
    laid_out()
    mouse = TimelineMouse(editor)
    mouse.to_frame(40)
    wrist = next(e for e in session.active.effectors if e.joint == "left_wrist")
    target = wrist.target + np.float32([0.1, 0.6, 0.3])
    session.edit("Reach", edits.set_target("c1", wrist.id, target), solve=True)
    settled(session)
    mouse.to_frame(20)
    until(lambda: not editor.in_betweens.solving and not editor.in_betweens.missing("c1"))
    editor.refresh()
    return mouse


def by_joints(editor: Editor) -> np.ndarray:
    """The joints at frame 20 as the joints alone go there."""
    return forward_kinematics(skeleton_of(editor.session.active), pose_at(clip_of(editor), 20)).positions


def clip_of(editor: Editor):  # type: ignore[no-untyped-def]
    return editor.session.document.actor("c1").clip


def shown(editor: Editor) -> np.ndarray:
    return next(figure.joints for figure in editor.viewport.scene.figures if figure.id == "c1")


def ghosts(editor: Editor) -> list[np.ndarray]:
    return [figure.joints for figure in editor.viewport.scene.figures if figure.id == GHOST]


def choose(mouse: TimelineMouse, text: str) -> dict[str, bool]:
    """Click the button and an entry of its menu; the entries, and which are ticked."""
    found: dict[str, bool] = {}

    def pick(menu: QMenu) -> None:
        actions = {unmarked(action.text()): action for action in menu.actions() if not action.isSeparator()}
        found.update({name: action.isChecked() for name, action in actions.items()})
        QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(actions[text]).center())

    answer_once_shown(QMenu, pick)
    QTest.mouseClick(mouse.timeline.between, LEFT)
    mouse.editor.refresh()
    return found


@pytest.mark.slow
def test_a_key_switches_to_the_joints_alone_and_back_to_what_was_solved(editor: Editor, mouse: TimelineMouse) -> None:
    solved, joints, steps = shown(editor), by_joints(editor), editor.session.history.steps()
    assert np.abs(solved - joints).max() > 3e-3
    strike(editor, KEY.Key_J)
    assert shown(editor) == pytest.approx(joints, abs=1e-5)
    assert mouse.track.marks.solved == mouse.track.marks.reach, "nothing waits to be solved"
    editor.refresh()
    assert editor.actions["time.by_joints"].isChecked()
    strike(editor, KEY.Key_J)
    assert shown(editor) == pytest.approx(solved, abs=1e-6), "at once: what was solved still belongs"
    assert editor.in_betweens.missing("c1") == 0
    assert editor.session.history.steps()[len(steps) :] == (
        "Go by the joints between keys",
        "Solve between keys",
    )
    editor.session.undo()
    assert shown(editor) == pytest.approx(joints, abs=1e-5)


@pytest.mark.slow
def test_its_key_works_on_the_timeline_as_in_the_view(editor: Editor, mouse: TimelineMouse) -> None:
    solved, joints, scrubbed = shown(editor), by_joints(editor), mouse.on("ruler", 20)
    mouse.activate()
    mouse.click(scrubbed)
    assert mouse.track.hasFocus()
    mouse.press(KEY.Key_J)
    editor.refresh()
    assert shown(editor) == pytest.approx(joints, abs=1e-5)
    mouse.press(KEY.Key_J)
    editor.refresh()
    assert shown(editor) == pytest.approx(solved, abs=1e-6)


@pytest.mark.slow
def test_without_a_motion_both_ways_are_compared_as_before_and_after(editor: Editor, mouse: TimelineMouse) -> None:
    solved, joints = shown(editor), by_joints(editor)
    assert mouse.timeline.before.isEnabled()
    assert "joints" in mouse.timeline.before.toolTip()
    strike(editor, KEY.Key_M)
    assert shown(editor) == pytest.approx(solved, abs=1e-6)
    (ghost,) = ghosts(editor)
    assert ghost == pytest.approx(joints, abs=1e-5)
    mouse.to_frame(40)
    assert ghosts(editor) == [], "a key is the same in both"
    mouse.to_frame(20)
    strike(editor, KEY.Key_J)
    assert ghosts(editor) == []
    assert not mouse.timeline.before.isEnabled(), "nothing is left to compare"


@pytest.mark.slow
def test_curves_call_the_two_ways_by_their_names(editor: Editor, mouse: TimelineMouse) -> None:
    strike(editor, KEY.Key_C)
    panel = editor.panels.curves
    until(lambda: bool(panel.curves.lines))
    (line,) = panel.curves.lines
    assert panel.curves.names == ("joints", "solved")
    assert line.before is not None
    assert np.abs(line.before - line.after).max() > 1e-3


@pytest.mark.slow
def test_the_button_offers_both_ways_and_takes_the_one_that_is_clicked(editor: Editor, mouse: TimelineMouse) -> None:
    solved, joints = "Every frame is solved", "Joints alone, evenly from key to key"
    steps = editor.session.history.steps()
    assert choose(mouse, solved) == {solved: True, joints: False, BY_FEET: True}
    assert editor.session.history.steps() == steps, "it was so already"
    choose(mouse, joints)
    assert clip_of(editor).between.by == "joints"
    assert choose(mouse, solved) == {solved: False, joints: True, BY_FEET: True}
    assert clip_of(editor).between.by == "solver"


def test_over_a_motion_it_also_says_how_long_an_edit_takes_to_fade(editor: Editor) -> None:
    set_moving(editor, 120)
    mouse, session = TimelineMouse(editor), editor.session
    mouse.to_frame(60)
    wrist = next(e for e in session.active.effectors if e.joint == "left_wrist")
    session.edit("Raise", edits.set_target("c1", wrist.id, wrist.target + np.float32([0, 0.4, 0])), solve=True)
    settled(session)
    assert mouse.track.marks.reach == ((46.0, 59.0), (61.0, 74.0))
    offered = choose(mouse, "Edits fade within 1 s")
    assert offered["Edits fade within 0.5 s"]
    assert not offered["Edits fade within 1 s"]
    assert mouse.track.marks.reach == ((31.0, 59.0), (61.0, 89.0))
    assert session.history.undo_text == "Let edits fade"


@pytest.mark.slow
def test_with_nobody_there_is_nothing_to_choose(editor: Editor, mouse: TimelineMouse) -> None:
    from app.panels.timeline.in_between_menu import fill_in_between_menu

    menu = QMenu(editor.window)
    editor.session.edit("Nobody", edits.remove_character("c1"))
    fill_in_between_menu(menu, editor.session, mouse.timeline)
    assert menu.actions() == []
    assert not mouse.timeline.by_joints
    steps = editor.session.history.steps()
    mouse.timeline.switch_in_betweens()
    assert editor.session.history.steps() == steps
    menu.deleteLater()


def test_the_button_is_lit_and_the_line_bright_while_joints_alone_lead_from_key_to_key(
    editor: Editor, mouse: TimelineMouse
) -> None:
    assert not mouse.timeline.between.isChecked()
    mouse.strike(KEY.Key_J)
    editor.refresh()
    assert mouse.timeline.between.isChecked()
    assert mouse.track.marks.solved == ((1, 39),)
    assert "each joint just turns evenly" in mouse.timeline.between.toolTip()
    choose(mouse, "Every frame is solved")
    assert not mouse.timeline.between.isChecked()


def test_a_small_window_has_no_button_and_offers_the_same_by_a_right_click(editor: Editor) -> None:
    make_small(editor)
    set_moving(editor, 60)
    timeline, offered = editor.panels.timeline, list[str]()
    assert timeline.between.isHidden()

    def pick(menu: QMenu) -> None:
        QTest.keyClick(menu, KEY.Key_Up)  # the last entry, which opens a menu of its own
        QTest.keyClick(menu, KEY.Key_Right)
        inner = QApplication.activePopupWidget()
        assert isinstance(inner, QMenu)
        offered.extend(unmarked(action.text()) for action in inner.actions() if action.text())
        QTest.keyClick(inner, KEY.Key_Down)
        QTest.keyClick(inner, KEY.Key_Return)

    answer_once_shown(QMenu, pick)
    QTest.mouseClick(timeline.track, LEFT)
    middle = timeline.track.rect().center()
    by_key = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, middle, timeline.track.mapToGlobal(middle))
    QApplication.sendEvent(timeline.track, by_key)
    assert "Edits fade within 1 s" in offered
    assert clip_of(editor).between.by == "joints"


def test_a_window_as_at_150_percent_says_how_many_frames_there_are(editor: Editor) -> None:
    editor.window.resize(1067, 667)
    set_moving(editor, 60)
    timeline = editor.panels.timeline
    assert ROOMY <= timeline.width() < STEPS
    assert timeline.between.isVisible()
    assert timeline.label.shown().startswith("of 60")
