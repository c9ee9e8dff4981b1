"""A slider that the mouse drags does not keep the keyboard: the next keys are the view's again."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from window_driver import active, move_held, settled, strike, written

from app.panels.widgets.value_slider import ValueSlider
from app.window.editor import Editor

pytestmark = pytest.mark.gl
KEY, LEFT, NO = Qt.Key, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def slider(editor: Editor) -> ValueSlider:
    """The tallest of the body's sliders in sight, while the view has the keyboard."""
    editor.panels.section("Body").set_open(True)
    editor.refresh()
    strike(editor, KEY.Key_Down, Qt.KeyboardModifier.AltModifier)  # selects the first handle
    assert editor.viewport.hasFocus()
    return editor.panels.body.sliders[0]


def press(key: Qt.Key) -> None:
    """A key for whoever has the keyboard."""
    holder = QApplication.focusWidget()
    assert isinstance(holder, QWidget)
    QTest.keyClick(holder, key)


def scrub(slider: ValueSlider, by: int, release: bool = True) -> None:
    middle = slider.rect().center()
    QTest.mousePress(slider, LEFT, NO, middle)
    move_held(slider, middle + QPoint(by, 0))
    if release:
        QTest.mouseRelease(slider, LEFT, NO, middle + QPoint(by, 0))


def nudged(editor: Editor, slider: ValueSlider) -> bool:
    """Whether an arrow key moves the selected handle, and not the slider."""
    settled(editor.session)
    value, (id,) = slider.value(), editor.session.view.effectors
    before = np.array(active(editor).effector(id).target)
    press(KEY.Key_Right)
    settled(editor.session)
    moved = bool(np.abs(active(editor).effector(id).target - before).max() > 1e-3)
    return moved and slider.value() == value


def test_arrow_keys_move_the_selected_handle_after_a_slider_was_dragged(editor: Editor, slider: ValueSlider) -> None:
    scrub(slider, 30)
    assert slider.value() != slider.default
    assert nudged(editor, slider)


def test_they_do_after_a_scrub_that_escape_took_back(editor: Editor, slider: ValueSlider) -> None:
    scrub(slider, 30, release=False)
    assert slider.hasFocus()
    press(KEY.Key_Escape)
    QTest.mouseRelease(slider, LEFT, NO, slider.rect().center())
    assert slider.value() == slider.default
    assert nudged(editor, slider)


def test_a_slider_that_is_clicked_or_reached_by_tab_keeps_the_keyboard(editor: Editor, slider: ValueSlider) -> None:
    QTest.mouseClick(slider, LEFT)
    assert slider.hasFocus()
    editor.viewport.setFocus()
    slider.setFocus(Qt.FocusReason.TabFocusReason)
    scrub(slider, 30)
    assert slider.hasFocus()
    before = slider.value()
    press(KEY.Key_Right)
    assert slider.value() > before


@pytest.mark.slow
def test_they_do_after_one_slider_was_clicked_or_typed_into_and_another_dragged(
    editor: Editor, slider: ValueSlider
) -> None:
    other = editor.panels.body.sliders[1]
    for begin in (lambda: QTest.mouseClick(slider, LEFT), lambda: written(editor, slider, "0.2")):
        editor.viewport.setFocus()
        begin()
        assert slider.hasFocus()
        scrub(other, 20)
        assert nudged(editor, other)
