"""Tab hides and shows the panels, F6 goes from panel to panel, and lists are used from the keyboard."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from document_samples import random_photo
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QMenu, QWidget
from window_driver import activated, active, answer_once_shown, laid_out, move_held, settled, strike, until

from app.document import edits
from app.look.mnemonics import unmarked
from app.panels.character_row import CharacterRow
from app.panels.panel_column import PANEL_NARROWEST, PANEL_WIDTH, SideArea
from app.panels.widgets.value_slider import ValueSlider
from app.window.areas import HIDDEN
from app.window.editor import Editor

pytestmark = pytest.mark.gl
Key, CTRL, SHIFT = Qt.Key, Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def sides(editor: Editor) -> list[SideArea]:
    return editor.window.findChildren(SideArea)


def press(editor: Editor, key: Qt.Key, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """A key for whatever has the keyboard."""
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, key, keys)
    QApplication.processEvents()


def area_of_focus(editor: Editor) -> int:
    """The place of the part of the window that has the keyboard, among those that show; -1 for none."""
    focused = QApplication.focusWidget()
    found = [i for i, area in enumerate(editor.window.areas) if area is focused or area.isAncestorOf(focused)]
    return found[0] if found else -1


def test_f11_fills_the_screen_and_goes_back_to_the_window_as_it_was(editor: Editor) -> None:
    size = editor.window.size()
    strike(editor, Key.Key_F11)
    until(editor.window.isFullScreen)
    editor.refresh()
    assert editor.actions["view.full_screen"].isChecked()
    strike(editor, Key.Key_F11)
    until(lambda: editor.window.size() == size)
    assert not editor.window.isFullScreen()


def test_tab_in_the_view_hides_the_panels_and_shows_them_again(editor: Editor) -> None:
    width = editor.viewport.width()
    strike(editor, Key.Key_Tab)
    assert not any(side.isVisible() for side in sides(editor))
    assert editor.viewport.hasFocus()
    assert editor.window.status.notices.shown == HIDDEN
    until(lambda: editor.viewport.width() > width + 500)
    editor.refresh()
    assert not editor.actions["view.panels"].isChecked()
    strike(editor, Key.Key_Tab)
    assert all(side.isVisible() for side in sides(editor))
    assert editor.window.status.notices.shown == "", "they are hidden no more"
    until(lambda: editor.viewport.width() == width)


@pytest.mark.parametrize("how", ["hidden", "pushed to the edge"])
def test_hands_that_are_asked_for_bring_back_the_panels_that_were(how: str, editor: Editor) -> None:
    laid_out()
    left, right = sorted(sides(editor), key=lambda side: side.x())
    if how == "hidden":
        strike(editor, Key.Key_Tab)
    else:
        columns = right.parentWidget()
        handle = columns.handle(columns.indexOf(right))
        middle = handle.rect().center()
        QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=middle)
        for short in (200, 60, 1):
            move_held(handle, handle.mapFrom(columns, QPoint(columns.width() - short, middle.y())))
        QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=middle)
    until(lambda: editor.viewport.width() > editor.window.width() - PANEL_WIDTH - 9)
    editor.refresh()
    editor.actions["pose.hands"].trigger()
    laid_out()
    assert left.isVisible()
    assert editor.window.status.notices.shown == ""
    assert right.width() == (PANEL_WIDTH if how == "hidden" else PANEL_NARROWEST)
    assert editor.panels.hands.isAncestorOf(editor.window.focusWidget())
    menu = next(action.menu() for action in editor.window.menuBar().actions() if unmarked(action.text()) == "View")
    menu.aboutToShow.emit()
    assert editor.actions["view.panels"].isChecked()


def test_a_name_is_typed_where_it_is_seen_though_panels_were_hidden_and_the_list_folded(editor: Editor) -> None:
    editor.panels.section("People and props").set_open(False)
    strike(editor, Key.Key_Tab)
    strike(editor, Key.Key_F2)
    laid_out()
    field = editor.window.focusWidget()
    assert isinstance(field, QLineEdit)
    assert field.isVisible()
    QTest.keyClicks(field, "Ada")
    QTest.keyClick(field, Key.Key_Return)
    assert active(editor).name == "Ada"


def test_a_first_photo_leaves_hidden_panels_hidden(editor: Editor) -> None:
    strike(editor, Key.Key_Tab)
    editor.session.edit("Photo", edits.set_photo(random_photo(np.random.default_rng(3), "a.png")))
    settled(editor.session)
    editor.refresh()
    assert not any(side.isVisible() for side in sides(editor))
    assert editor.viewport.hasFocus()


def test_tab_in_a_panel_goes_from_field_to_field_and_hides_nothing(editor: Editor) -> None:
    strike(editor, Key.Key_F6)
    seen = []
    for _ in range(6):
        seen.append(QApplication.focusWidget())
        press(editor, Key.Key_Tab)
    assert len(set(seen)) == 6
    assert all(side.isVisible() for side in sides(editor))


def test_panels_stay_hidden_when_the_library_opens_and_closes(editor: Editor) -> None:
    strike(editor, Key.Key_Tab)
    editor.pose_browsers.toggle_library()
    assert not any(side.isVisible() for side in sides(editor))
    editor.pose_browsers.toggle_library()
    assert not any(side.isVisible() for side in sides(editor))
    strike(editor, Key.Key_Tab)
    assert all(side.isVisible() for side in sides(editor))


def test_f6_goes_round_all_parts_of_the_window_and_shift_f6_back(editor: Editor) -> None:
    strike(editor, Key.Key_F6)
    count = len([area for area in editor.window.areas if area.isVisible()])
    order = [area_of_focus(editor)]
    for _ in range(count):
        press(editor, Key.Key_F6)
        order.append(area_of_focus(editor))
    assert order[0] == order[-1] or order[0] in order[1:]
    assert -1 not in order
    assert editor.viewport in [editor.window.areas[i] for i in order]
    here = area_of_focus(editor)
    press(editor, Key.Key_F6)
    press(editor, Key.Key_F6, SHIFT)
    assert area_of_focus(editor) == here
    press(editor, Key.Key_Tab, CTRL)
    assert area_of_focus(editor) != here


def test_f6_passes_over_panels_that_are_hidden(editor: Editor) -> None:
    strike(editor, Key.Key_Tab)
    strike(editor, Key.Key_F6)
    assert not any(side.isAncestorOf(QApplication.focusWidget()) for side in sides(editor))


def test_alt_down_and_alt_up_go_through_the_effectors(editor: Editor) -> None:
    ids = [effector.id for effector in active(editor).effectors]
    chosen = []
    for key in (Key.Key_Down, Key.Key_Down, Key.Key_Up, Key.Key_Up):
        strike(editor, key, Qt.KeyboardModifier.AltModifier)
        (one,) = editor.session.view.effectors
        chosen.append(ids.index(one))
    assert chosen == [0, 1, 0, len(ids) - 1]


def test_a_row_of_the_effector_list_is_used_from_the_keyboard(editor: Editor) -> None:
    rows = editor.panels.effectors.rows
    activated(editor.window)
    rows[1].setFocus(Qt.FocusReason.TabFocusReason)
    press(editor, Key.Key_Space)
    assert editor.session.view.effectors == {rows[1].effector_id}
    press(editor, Key.Key_Down)
    assert rows[2].hasFocus()
    press(editor, Key.Key_Return, CTRL)
    assert editor.session.view.effectors == {rows[1].effector_id, rows[2].effector_id}
    press(editor, Key.Key_Up)
    press(editor, Key.Key_Up)
    press(editor, Key.Key_Up)
    assert rows[0].hasFocus()
    seen: list[list[str]] = []

    def look(menu: QMenu) -> None:
        seen.append([unmarked(action.text()) for action in menu.actions()])
        menu.close()

    answer_once_shown(QMenu, look)
    middle, keyboard = rows[0].rect().center(), QContextMenuEvent.Reason.Keyboard
    QApplication.sendEvent(rows[0], QContextMenuEvent(keyboard, middle, rows[0].mapToGlobal(middle)))
    until(lambda: bool(seen))
    assert "Pin" in seen[0]


def test_a_person_is_chosen_and_renamed_from_the_keyboard(editor: Editor) -> None:
    editor.posing.add_person()
    settled(editor.session)
    editor.refresh()
    row = editor.panels.people.rows[0]
    activated(editor.window)
    row.setFocus(Qt.FocusReason.TabFocusReason)
    press(editor, Key.Key_Space)
    assert editor.session.view.character == row.character_id
    press(editor, Key.Key_F2)
    until(lambda: row.editor is not None and row.editor.hasFocus())
    assert row.rect().contains(row.editor.geometry()), "nothing of it is cut off"
    QTest.keyClicks(row.editor, "Anna")
    press(editor, Key.Key_Return)
    assert active(editor).name == "Anna"


@pytest.mark.slow
def test_escape_in_a_panel_gives_the_keyboard_back_to_the_view(editor: Editor) -> None:
    activated(editor.window)
    strike(editor, Key.Key_P, SHIFT)
    until(lambda: isinstance(QApplication.focusWidget(), QLineEdit))
    QTest.keyClicks(QApplication.focusWidget(), "kick")
    press(editor, Key.Key_Escape)
    assert isinstance(QApplication.focusWidget(), QLineEdit), "the first empties the field"
    press(editor, Key.Key_Escape)
    assert editor.viewport.hasFocus()
    editor.panels.people.rows[0].setFocus(Qt.FocusReason.TabFocusReason)
    press(editor, Key.Key_Escape)
    assert editor.viewport.hasFocus()


def test_f2_renames_the_person_clicked_in_the_list_and_the_selected_prop(editor: Editor) -> None:
    editor.posing.add_person()
    settled(editor.session)
    editor.refresh()
    editor.panels.section("People and props").set_open(True)
    activated(editor.window)
    first = editor.panels.people.rows[0]
    editor.viewport.setFocus()
    QTest.mouseClick(first, Qt.MouseButton.LeftButton, pos=QPoint(60, 16))
    assert editor.viewport.hasFocus(), "other keys go on meaning what they mean in the view"
    assert type_name(editor, "Anna") is first
    assert [c.name for c in editor.session.document.characters] == ["Anna", "Person 2"]
    editor.props.add("box")
    editor.panels.section("People and props").set_open(False)
    editor.refresh()
    type_name(editor, "Crate")
    assert [prop.name for prop in editor.session.document.props] == ["Crate"]


def type_name(editor: Editor, name: str) -> CharacterRow:
    """Press F2 and type a name into the row that opens for it; the row."""
    press(editor, Key.Key_F2)
    people = editor.panels.people
    row = next(row for row in (*people.rows, *people.prop_rows) if row.editor is not None)
    until(lambda: row.editor is not None and row.editor.hasFocus())
    QTest.keyClicks(row.editor, name)
    press(editor, Key.Key_Return)
    editor.refresh()
    return row


def test_keys_turn_the_view_and_come_nearer(editor: Editor) -> None:
    before = editor.viewport.final_view.camera
    for key in (Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down, Key.Key_Minus, Key.Key_Plus):
        strike(editor, key, CTRL)
        after = editor.viewport.final_view.camera
        turned = (after.yaw, after.pitch) != (before.yaw, before.pitch)
        nearer = after.distance / before.distance
        if key in (Key.Key_Minus, Key.Key_Plus):
            assert not turned
            assert (nearer < 0.9) is (key == Key.Key_Plus)
        else:
            assert turned
            assert nearer == pytest.approx(1.0)
        strike(editor, Key.Key_Z, Qt.KeyboardModifier.AltModifier)
        assert editor.viewport.final_view.camera == before


def focused() -> QWidget:
    """Who has the keyboard."""
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def tabbed(editor: Editor) -> list[QWidget]:
    """Where Tab goes from the first field of the panels until it comes back there."""
    activated(editor.window)
    strike(editor, Key.Key_F6)
    seen: list[QWidget] = []
    while focused() not in seen:
        seen.append(focused())
        press(editor, Key.Key_Tab)
    assert focused() is seen[0], "round"
    press(editor, Key.Key_Tab, SHIFT)
    assert focused() is seen[-1]
    return seen


def missed(editor: Editor, seen: list[QWidget]) -> list[str]:
    """What can be used in the panels, and Tab did not come to."""
    panels = [area for area in editor.window.areas if area is not editor.viewport]
    kinds = (QAbstractButton, ValueSlider, QLineEdit, QComboBox)
    all_there = [field for area in panels for kind in kinds for field in area.findChildren(kind)]
    takes = [f for f in all_there if f.isVisible() and f.isEnabled() and f.focusPolicy() & Qt.FocusPolicy.TabFocus]
    return [f.accessibleName() or f.toolTip() for f in takes if f not in seen]


@pytest.mark.slow
def test_tab_goes_through_every_field_of_the_panels_in_the_order_they_are_seen(editor: Editor) -> None:
    for section in (*editor.panels.left, *editor.panels.right):
        section.set_open(True)
    editor.session.select(active(editor).id, [active(editor).effectors[0].id])
    editor.refresh()
    seen = tabbed(editor)
    assert missed(editor, seen) == []
    assert set(editor.panels.effectors.rows) <= set(seen)
    for side in sides(editor):
        fields = [field for field in seen if side.isAncestorOf(field)]
        heights = [field.mapTo(side.widget(), field.rect().center()).y() for field in fields]
        assert all(below > above - 30 for above, below in itertools.pairwise(heights)), "from top to bottom"
        first = seen.index(fields[0])
        around = seen[first:] + seen[:first]
        assert around[: len(fields)] == fields, "one panel after the other"


@pytest.mark.slow
def test_tab_goes_on_through_the_library_and_what_is_below_the_view_and_never_into_it(editor: Editor) -> None:
    editor.session.edit("Length", edits.set_clip_length(active(editor).id, 40))
    editor.pose_browsers.toggle_library()
    editor.panels.curves.set_shown(True)
    editor.refresh()
    seen = tabbed(editor)
    assert missed(editor, seen) == []
    assert editor.viewport not in seen
    assert editor.window.panels_shown
    for area in (editor.pose_browsers.library.panel, editor.panels.timeline, editor.panels.curves):
        assert any(area.isAncestorOf(field) for field in seen)
