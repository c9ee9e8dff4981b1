"""People and props are put in another order in their list, by the mouse and from the menu of a row."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFrame, QMenu
from window_driver import NO_KEYS, laid_out, move_held, settled, strike

from app.document import edits
from app.look.mnemonics import unmarked
from app.panels.character_row import CharacterRow
from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
AT = QPoint(60, 16)


@pytest.fixture
def three(editor: Editor) -> Editor:
    """Three people and two props."""
    for _ in range(2):
        editor.posing.add_person()
    for kind in ("box", "ball"):
        editor.props.add(kind)
    settled(editor.session)
    editor.refresh()
    laid_out()
    return editor


def people(editor: Editor) -> list[str]:
    return [row.name.text() for row in editor.panels.people.rows]


def props(editor: Editor) -> list[str]:
    return [row.name.text() for row in editor.panels.people.prop_rows]


def line(editor: Editor) -> QFrame | None:
    found = editor.panels.people.findChild(QFrame, "insertion")
    return found if found is not None and found.isVisible() else None


def drag(editor: Editor, row: CharacterRow, by: QPoint, release: bool = True) -> None:
    QTest.mousePress(row, LEFT, NO_KEYS, AT)
    for share in (0.5, 1.0):
        move_held(row, AT + by * share)
    if release:
        let_go(editor, row, AT + by)


def let_go(editor: Editor, row: CharacterRow, place: QPoint) -> None:
    QTest.mouseRelease(row, LEFT, NO_KEYS, place)
    editor.refresh()
    laid_out()


@pytest.mark.slow
def test_a_dragged_row_comes_where_the_line_is_in_one_step_and_stays_selected(three: Editor) -> None:
    rows, steps = three.panels.people.rows, len(three.session.history.steps())
    drag(three, rows[2], QPoint(0, -80), release=False)
    shown = line(three)
    assert shown is not None
    assert shown.y() < rows[0].y() < shown.y() + 6
    let_go(three, rows[2], AT + QPoint(0, -80))
    assert line(three) is None
    assert people(three) == ["Person 3", "Person 1", "Person 2"]
    assert rows[0].property("selected")
    assert len(three.session.history.steps()) == steps + 1
    strike(three, Qt.Key.Key_Z, CTRL)
    three.refresh()
    assert people(three) == ["Person 1", "Person 2", "Person 3"]
    drag(three, rows[0], QPoint(0, 34))
    assert people(three) == ["Person 2", "Person 1", "Person 3"]


@pytest.mark.slow
def test_a_row_that_hardly_moves_or_is_dragged_far_to_a_side_stays(three: Editor) -> None:
    rows, steps = three.panels.people.rows, three.session.history.steps()
    drag(three, rows[0], QPoint(0, 3))
    drag(three, rows[0], QPoint(0, 12))
    drag(three, rows[0], QPoint(600, 80))
    assert three.session.history.steps() == steps
    assert three.session.view.character == rows[0].character_id


@pytest.mark.sweep("Esc")
@pytest.mark.parametrize("how", ["Esc", "somebody leaves", "a new scene"])
def test_a_drag_ends_with_esc_and_where_the_list_changes_meanwhile(three: Editor, how: str) -> None:
    rows = three.panels.people.rows
    drag(three, rows[1], QPoint(0, -80), release=False)
    assert line(three) is not None
    if how == "Esc":
        strike(three, Qt.Key.Key_Escape)
    elif how == "somebody leaves":
        three.session.edit("Leave", edits.remove_character(rows[0].character_id))
    else:
        three.session.history.mark_saved()
        strike(three, Qt.Key.Key_N, CTRL)
    three.refresh()
    before, steps = people(three), len(three.session.history.steps())
    assert line(three) is None
    let_go(three, rows[min(1, len(rows) - 1)], AT + QPoint(0, -80))
    assert (people(three), len(three.session.history.steps())) == (before, steps)


@pytest.mark.slow
def test_props_keep_to_their_own_list(three: Editor) -> None:
    drag(three, three.panels.people.prop_rows[1], QPoint(0, -200))
    assert (people(three), props(three)) == (["Person 1", "Person 2", "Person 3"], ["Ball", "Box"])


def test_the_menu_of_a_row_moves_it_as_well(three: Editor) -> None:
    menu = QMenu()
    three.panels.people.rows[0]._fill(menu)
    places = {unmarked(action.text()): action for action in menu.actions()}
    assert not places["Move up"].isEnabled()
    places["Move down"].trigger()
    three.refresh()
    assert people(three) == ["Person 2", "Person 1", "Person 3"]
