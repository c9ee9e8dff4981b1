"""Lengths, weights and angles typed in other units than a field shows. Real keys throughout."""

from __future__ import annotations

import pytest
from prop_driver import added, the_prop
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from window_driver import activated, active, double_click, settled, until

from app.panels.widgets.field_editor import FieldEditor
from app.panels.widgets.value_slider import ValueSlider
from app.window.editor import Editor

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("unfolded", "english")]


def type_into(editor: Editor, field: ValueSlider, text: str) -> str:
    """Double-click a number, type another and press Enter; what the field shows then."""
    activated(editor.window)
    editor.refresh()
    double_click(field)
    until(lambda: isinstance(QApplication.focusWidget(), FieldEditor))
    for letter in text:
        QTest.keyClick(editor.window.windowHandle(), letter)
    QTest.keyClick(editor.window.windowHandle(), Qt.Key.Key_Return)
    settled(editor.session)
    editor.refresh()
    return field.text()


@pytest.mark.slow
def test_a_body_is_as_tall_and_heavy_as_typed_in_feet_and_pounds(editor: Editor) -> None:
    body = editor.panels.body
    for typed, shown in (
        ("5'11\"", "180.3 cm"),
        ("5 ft 8 in", "172.7 cm"),
        ("1.8 m", "180.0 cm"),
        ("71 in", "180.3 cm"),
        ("1,800 mm", "180.0 cm"),
        ("1,75 m", "175.0 cm"),
    ):
        assert type_into(editor, body.stature, typed) == shown
    assert type_into(editor, body.weight, "150 lb") == "68.0 kg"


@pytest.mark.slow
def test_an_effector_and_a_prop_go_where_typed_in_inches(editor: Editor) -> None:
    wrist = next(e for e in active(editor).effectors if e.joint == "left_wrist")
    editor.session.select("c1", [wrist.id])
    assert type_into(editor, editor.panels.target.places[1], "4' 2\"") == "127.0 cm"
    assert active(editor).effector(wrist.id).target[1] == pytest.approx(1.27)
    added(editor, "box")
    editor.refresh()
    panel = editor.panels.prop_fields.panel
    assert panel is not None
    assert type_into(editor, panel.sizes[0], "1 1/2 ft") == "45.7 cm"
    assert the_prop(editor).size[0] == pytest.approx(0.4572)
    assert type_into(editor, panel.angles[1], "90deg / 4") == "22.5°"


def test_a_unit_of_something_else_is_told_with_those_that_fit(editor: Editor) -> None:
    field = editor.panels.body.weight
    shown = field.text()
    assert type_into(editor, field, "150 cm") == shown
    until(lambda: "is not a unit of weight: use kg, g, lb, oz or st. It stays" in QToolTip.text())


@pytest.mark.sweep("0-The minimum is 0.1 cm.")
@pytest.mark.parametrize(("typed", "told"), [("0", "The minimum is 0.1 cm."), ("2 km", "The maximum is 100000.0 cm.")])
def test_a_size_that_no_prop_can_have_is_told(editor: Editor, typed: str, told: str) -> None:
    added(editor, "box")
    editor.refresh()
    panel = editor.panels.prop_fields.panel
    assert panel is not None
    type_into(editor, panel.sizes[0], typed)
    until(lambda: QToolTip.text() == told)
    QToolTip.hideText()
    type_into(editor, panel.sizes[1], "2 m")
    assert QToolTip.text() == ""
    shown = panel.angles[0].text()
    assert type_into(editor, panel.angles[0], "1e30") == shown
    until(lambda: QToolTip.text() == f"“1e30” is too large. It stays {shown}.")
