"""A slider's mark where its label or its number is written: both stay readable."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from window_driver import NO_KEYS, move_held

from app.look.theme import current_theme
from app.panels.widgets.value_slider import ValueSlider

LEFT = Qt.MouseButton.LeftButton


@pytest.mark.parametrize(("to", "whole"), [(30, False), (120, True), (240, True), (283, False)])
def test_the_mark_is_dragged_to_a_text_and_does_not_cross_it(qtbot: object, to: int, whole: bool) -> None:
    slider = ValueSlider("Facing", -180.0, 180.0, default=0.0, decimals=0)
    slider.resize(300, 26)
    slider.show()
    middle = slider.rect().center()
    QTest.mousePress(slider, LEFT, NO_KEYS, middle)
    for x in (middle.x() + 10, to):
        move_held(slider, QPoint(x, middle.y()))
    image, height = slider.grab().toImage(), slider.height()
    color = current_theme().accent
    marked = [
        max(image.pixelColor(x, y).name() == color for x in range(4, image.width() - 4)) for y in range(2, height - 2)
    ]
    assert marked[0]
    assert marked[-1], "above and below"
    assert all(marked) is whole
    QTest.mouseRelease(slider, LEFT, NO_KEYS, QPoint(to, middle.y()))
    slider.close()
