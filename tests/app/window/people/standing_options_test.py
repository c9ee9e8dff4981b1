"""Balance and feet in the window: chosen by mouse and keys, at work while one drags, and shown by the marks."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from small_window import scrolled_to
from window_driver import ViewMouse, place_of, settled, strike, until

from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.panels.option_rows import ChoiceRow, SwitchRow
from app.window.editor import Editor
from solver.ik.options import BALANCE, LEFT_FOOT, PROPOSAL_ALONE, RIGHT_FOOT, SOLID_FLOOR, STANDING, Switch

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("unfolded")]
LEFT, NO_KEYS = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


def person(editor: Editor) -> Character:
    return editor.session.document.characters[0]


def choose(editor: Editor, id: str, nth: int) -> None:
    """Open an option's list with the mouse and click one of its choices."""
    editor.refresh()
    row = editor.panels.solver.options.rows[id]
    assert isinstance(row, ChoiceRow)
    QTest.mouseClick(row.box, LEFT)
    choices = row.box.view()
    until(choices.isVisible)
    there = choices.visualRect(choices.model().index(nth, 0)).center()
    QTest.mouseMove(choices.viewport(), there)
    QTest.mouseClick(choices.viewport(), LEFT, NO_KEYS, there)
    until(lambda: not choices.isVisible())
    settled(editor.session)


def lean_over(editor: Editor, release: bool = True) -> None:
    """Drag the left hand far out to the side and down."""
    mouse, at = ViewMouse(editor), place_of(editor, "left_wrist")
    start = mouse.place(at)
    ways = [QPoint(12 * i, 9 * i) for i in range(1, 12)]
    mouse.drag(start, *ways, release=release)
    assert editor.session.service.wait(60.0)
    editor.session.apply_results()
    editor.refresh()


@pytest.mark.slow
def test_balance_is_chosen_and_holds_while_a_hand_is_dragged(editor: Editor, a_quick_finger: None) -> None:
    strike(editor, Qt.Key.Key_C, Qt.KeyboardModifier.ShiftModifier)
    choose(editor, BALANCE.id, 2)
    assert BALANCE.of(person(editor).solver_options) == "strict"
    assert editor.session.history.undo_text == "Set “Balance”"
    lean_over(editor, release=False)
    (mark,) = editor.viewport.scene.balances
    assert mark.state == "held"
    feet = [e for e in person(editor).effectors if e.joint.endswith("ankle") and e.kind == "position"]
    for effector in feet:
        at = joints_of(person(editor)).positions[skeleton_of(person(editor)).index(effector.joint)]
        assert np.linalg.norm(at - effector.target) < 1e-3
    ViewMouse(editor).release(QPoint(0, 0))
    strike(editor, Qt.Key.Key_C, Qt.KeyboardModifier.ShiftModifier)


def test_the_lists_of_feet_and_balance_begin_at_one_edge(editor: Editor) -> None:
    editor.refresh()
    rows = [editor.panels.solver.options.rows[option.id] for option in (LEFT_FOOT, RIGHT_FOOT, BALANCE)]
    scrolled_to(rows[0])
    until(lambda: len({row.box.x() for row in rows if isinstance(row, ChoiceRow)}) == 1, timeout_ms=3000)


def test_balance_is_chosen_with_the_keys_and_undone(editor: Editor) -> None:
    row = editor.panels.solver.options.rows[BALANCE.id]
    assert isinstance(row, ChoiceRow)
    row.box.setFocus()
    QTest.keyClick(row.box, Qt.Key.Key_Down)
    settled(editor.session)
    assert BALANCE.of(person(editor).solver_options) == "help"
    editor.session.undo()
    editor.refresh()
    assert row.box.currentData() == "off"


def test_a_foot_is_chosen_to_stay_flat_where_it_would_roll(editor: Editor, a_quick_finger: None) -> None:
    effector = next(e for e in person(editor).effectors if e.joint == "left_ankle" and e.kind == "position")
    mouse, start = ViewMouse(editor), ViewMouse(editor).place(place_of(editor, "left_ankle"))
    mouse.drag(start, QPoint(0, -4), QPoint(0, -10), QPoint(0, -16))
    settled(editor.session)
    raised = person(editor).effector(effector.id).target[1] - effector.target[1]
    assert raised > 0.02
    assert pitch(person(editor)) > 5.0
    choose(editor, LEFT_FOOT.id, 1)
    assert abs(pitch(person(editor))) < 1.0
    assert editor.session.history.undo_text == "Set “Left foot”"


def test_the_ball_of_a_foot_is_dragged_up_and_nothing_turns_red(editor: Editor, a_quick_finger: None) -> None:
    mouse, stood = ViewMouse(editor), place_of(editor, "left_ankle")
    start = mouse.place(place_of(editor, "left_foot"))
    mouse.drag(start, *(QPoint(0, -3 * i) for i in range(1, 6)))
    settled(editor.session)
    told = zip(person(editor).effectors, editor.session.finding.residuals, strict=True)
    told_of_foot = {(e.joint, e.kind): one.state for e, one in told if e.joint in ("left_ankle", "left_foot")}
    assert told_of_foot["left_foot", "position"] == "met"
    assert "unreachable" not in told_of_foot.values()
    assert pitch(person(editor)) < -5.0
    assert place_of(editor, "left_ankle")[1] > stood[1] + 1e-3, "it goes with the heel"


def pitch(character: Character) -> float:
    """Degrees by which the left sole goes down to the toes."""
    turn = joints_of(character).rotations[skeleton_of(character).index("left_ankle")]
    return float(np.degrees(np.arctan2(-turn[1, 2], turn[1, 1])))


def test_what_the_network_alone_leaves_out_is_grey_and_says_why(editor: Editor) -> None:
    rows = editor.panels.solver.options.rows
    assert all(row.isEnabled() for row in rows.values())
    tick(editor, PROPOSAL_ALONE)
    assert {id for id, row in rows.items() if not row.isEnabled()} == {option.id for option in STANDING}
    box = rows[BALANCE.id]
    assert isinstance(box, ChoiceRow)
    assert box.box.toolTip() == "“Network alone” leaves out what would see to it"
    QTest.mouseClick(box.box, LEFT)
    assert not box.box.view().isVisible()
    tick(editor, PROPOSAL_ALONE)
    assert all(row.isEnabled() for row in rows.values())


def test_feet_are_grey_without_a_solid_floor(editor: Editor) -> None:
    rows = editor.panels.solver.options.rows
    tick(editor, SOLID_FLOOR)
    assert {id for id, row in rows.items() if not row.isEnabled()} == {LEFT_FOOT.id, RIGHT_FOOT.id}
    tick(editor, SOLID_FLOOR)
    assert all(row.isEnabled() for row in rows.values())


def tick(editor: Editor, option: Switch) -> None:
    """Click an option's box."""
    row = editor.panels.solver.options.rows[option.id]
    assert isinstance(row, SwitchRow)
    QTest.mouseClick(row.box, LEFT, pos=QPoint(8, row.box.height() // 2))
    settled(editor.session)
    editor.refresh()
