"""In both themes one sees which of several choices is taken, and where a panel is scrolled to: by the pixels drawn;
so one sees which button has the keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from window_driver import laid_out

from app.look.theme import THEMES, apply_theme
from app.panels.widgets.buttons import SegmentedControl
from app.panels.widgets.value_slider import ValueSlider
from app.window.start import make_application

pytestmark = pytest.mark.parametrize("theme", THEMES)


def lightness(image: QImage, at: QPoint) -> float:
    """Relative luminance of a pixel, as WCAG has it."""
    channels = image.pixelColor(at).getRgbF()[:3]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(image: QImage, one: QPoint, other: QPoint) -> float:
    return contrast_of(lightness(image, one), lightness(image, other))


def contrast_of(*lightnesses: float) -> float:
    """That of two pixels by their luminances."""
    low, high = sorted(lightnesses)
    return (high + 0.05) / (low + 0.05)


def shown(qtbot: QtBot, widget: QWidget, theme: str) -> QWidget:
    """The widget in a window that wears the theme."""
    apply_theme(make_application(), THEMES[theme])
    window = QWidget()
    window.setObjectName("panel")
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    column.addWidget(widget)
    window.resize(300, 120)
    window.show()
    return window


def test_a_choice_that_is_clicked_stands_out_from_the_others(qtbot: QtBot, theme: str) -> None:
    control = SegmentedControl([("a", "Effectors"), ("b", "Pose and body")])
    _window = shown(qtbot, control, theme)
    QTest.mouseClick(control.button("b"), Qt.MouseButton.LeftButton)
    image = control.grab().toImage()
    inside = [control.button(id).geometry().topLeft() + QPoint(8, 4) for id in ("a", "b")]
    assert contrast(image, *inside) > 1.15


@pytest.mark.parametrize("kind", ["ordinary", "flat", "checked", "default"])
def test_a_button_shows_that_it_has_the_keyboard(qtbot: QtBot, theme: str, kind: str) -> None:
    button, other = QPushButton("Outlines"), QPushButton("Next")
    button.setProperty("flat", kind == "flat")
    button.setCheckable(kind == "checked")
    button.setChecked(kind == "checked")
    button.setDefault(kind == "default")
    both = QWidget()
    for each in (button, other):
        each.setParent(both)
    other.move(150, 0)
    window = shown(qtbot, both, theme)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    drawn = []
    for focused in (other, button):
        focused.setFocus(Qt.FocusReason.TabFocusReason)
        laid_out()
        drawn.append(button.grab().toImage())
    edge = QPoint(button.width() // 2, 0)
    assert contrast_of(*(lightness(image, edge) for image in drawn)) > 1.5


def test_the_handle_of_a_scroll_bar_stands_out_from_the_panel(qtbot: QtBot, theme: str) -> None:
    area, long = QScrollArea(), QWidget()
    long.resize(200, 400)
    area.setWidget(long)
    _window = shown(qtbot, area, theme)
    laid_out()
    bar = area.verticalScrollBar()
    corner = bar.mapTo(area, QPoint(bar.width() // 2, 0))
    image = area.grab().toImage()
    assert contrast(image, corner + QPoint(0, 10), corner + QPoint(0, bar.height() - 4)) > 1.4


def test_a_number_at_its_default_is_read_where_the_bar_is_filled(qtbot: QtBot, theme: str) -> None:
    slider = ValueSlider("Keep place", 0.0, 1.0, default=1.0)
    _window = shown(qtbot, slider, theme)
    laid_out()
    image = slider.grab().toImage()
    filled, number = QPoint(image.width() // 2, 4), [
        QPoint(x, y) for x in range(image.width() - 36, image.width() - 8) for y in range(6, image.height() - 6)
    ]  # fmt: skip
    assert max(contrast(image, filled, at) for at in number) > 3.5
