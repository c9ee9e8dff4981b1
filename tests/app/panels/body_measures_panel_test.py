"""Stature in centimetres, weight in kilograms and bodies by name, in the body panel."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from window_hand import settled

from app.panels import body_panel
from app.panels.widgets.field_editor import FieldEditor
from app.panels.widgets.value_slider import ValueSlider
from app.window.editor import Editor

pytestmark = pytest.mark.gl
LEFT = Qt.MouseButton.LeftButton


def typed(field: ValueSlider, text: str) -> None:
    """Double-click a field, type, Enter."""
    QTest.mouseDClick(field, LEFT)
    (line,) = [e for e in field.window().findChildren(FieldEditor) if e.isVisible()]
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def shape_of(editor: Editor):  # type: ignore[no-untyped-def]
    active = editor.session.active
    assert active is not None
    return active.shape


def test_a_stature_that_is_typed_is_the_bodys_stature_and_one_step(editor: Editor) -> None:
    editor.refresh()
    panel = editor.panels.body
    assert panel.stature.text() == "170.0 cm"
    typed(panel.stature, "182")
    settled(editor.session)
    editor.refresh()
    assert panel.stature.text() == "182.0 cm"
    assert shape_of(editor).betas[0] == pytest.approx(1.77, abs=0.03)
    assert len(editor.session.history.steps()) == 1
    assert editor.session.history.undo_text == "Change stature"
    editor.session.undo()
    editor.refresh()
    assert panel.stature.text() == "170.0 cm"


def test_a_weight_that_is_typed_is_met_and_one_out_of_reach_goes_as_far_as_it_can(editor: Editor) -> None:
    editor.refresh()
    panel = editor.panels.body
    typed(panel.weight, "80")
    settled(editor.session)
    editor.refresh()
    assert panel.weight.text() == "80.0 kg"
    typed(panel.weight, "160")
    settled(editor.session)
    editor.refresh()
    assert shape_of(editor).betas[1] == 5.0
    assert 100 < panel.weight.value() < 130, "what the body really weighs then"


def test_another_body_by_name_is_one_step_and_shows_in_every_slider(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose(_parent: object, _place: object, fill) -> None:  # type: ignore[no-untyped-def]
        menu = QMenu()
        fill(menu)
        assert [a.text() for a in menu.actions()][:3] == ["Average", "Child", "Elder"]
        next(a for a in menu.actions() if a.text() == "Strong").trigger()

    monkeypatch.setattr(body_panel, "show_menu", choose)
    editor.refresh()
    panel = editor.panels.body
    QTest.mouseClick(panel.presets, LEFT)
    settled(editor.session)
    editor.refresh()
    assert panel.sliders[2].value() == pytest.approx(2.8)
    assert panel.stature.value() > 174
    assert len(editor.session.history.steps()) == 1
    assert "Strong" in editor.session.history.undo_text
