"""The *Add* menu, and what the status line says of a missed handle."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from window_driver import ViewMouse, active, settled, until

from app.document import edits
from app.look.mnemonics import unmarked
from app.window.editor import Editor

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("whole_view")]
LEFT = Qt.MouseButton.LeftButton


def test_the_add_menu_does_not_repeat_add_and_a_click_adds(editor: Editor) -> None:
    bar = editor.window.menuBar()
    title = next(each for each in bar.actions() if each.text().replace("&", "") == "Add")
    QTest.mouseClick(bar, LEFT, pos=bar.actionGeometry(title).center())
    menu = title.menu()
    assert isinstance(menu, QMenu)
    until(menu.isVisible)
    texts = [unmarked(action.text()) for action in menu.actions() if not action.isSeparator()]
    assert texts[:4] == ["Person", "Person where you click", "Box", "Plane"]
    assert not any(text.startswith("Add ") for text in texts)
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(editor.actions["prop.stairs"]).center())
    assert [prop.name for prop in editor.session.document.props] == ["Stairs"]
    assert editor.actions["prop.stairs"].text() == "Add stairs", "in all other places it says what it does"
    assert editor.actions["pose.add_person"].text() == "Add a person"


@pytest.mark.slow
def test_why_a_handle_is_missed_stands_once_in_the_status_line(editor: Editor) -> None:
    mouse, facts, who = ViewMouse(editor), editor.window.status.facts, active(editor)
    turns = [e.id for e in who.effectors if e.joint == "left_ankle" and e.kind == "rotation"]
    editor.session.edit("Alone", edits.remove_effectors(who.id, turns))  # its handle lies over the other one
    start = mouse.place(next(e.target for e in active(editor).effectors if e.joint == "left_ankle"))
    mouse.drag(start, QPoint(20, -120), QPoint(200, 10 - start.y()))
    settled(editor.session)
    there = mouse.place(next(e.target for e in active(editor).effectors if e.joint == "left_ankle"))
    until(lambda: ":" in facts["worst"].text())
    mouse.hover(QPoint(5, 5))
    mouse.hover(there)
    reason = facts["worst"].text().partition(": ")[2]
    until(lambda: reason in editor.hover_label.text())
    assert facts["under"].text() == "Left ankle · position"
