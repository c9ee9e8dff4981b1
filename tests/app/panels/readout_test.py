"""A readout shows a value that changes often."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from window_driver import laid_out

from app.panels.widgets.readout import Readout


class _Layouts(QObject):
    """Counts the layouts that a widget is asked for."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Counts requests for a layout."""
        self.count += event.type() == QEvent.Type.LayoutRequest
        return super().eventFilter(watched, event)


def shown(qtbot: QtBot) -> tuple[QWidget, Readout]:
    panel, readout = QWidget(), Readout()
    QHBoxLayout(panel).addWidget(readout)
    qtbot.addWidget(panel)
    readout.show_text("1.00 ms")
    panel.show()
    return panel, readout


def test_another_value_of_the_same_length_asks_for_no_new_layout(qtbot: QtBot) -> None:
    panel, readout = shown(qtbot)
    laid_out()
    layouts = _Layouts()
    panel.installEventFilter(layouts)
    readout.show_text("1.11 ms")
    laid_out()
    assert (readout.text(), layouts.count) == ("1.11 ms", 0)


def test_a_longer_value_gets_the_room_it_needs(qtbot: QtBot) -> None:
    _, readout = shown(qtbot)
    readout.show_text("12.3 cm (left wrist position)")
    assert readout.width() >= readout.fontMetrics().horizontalAdvance(readout.text())


def test_what_a_style_pads_the_value_with_does_not_cut_it_off(qtbot: QtBot) -> None:
    panel, readout = shown(qtbot)
    panel.setStyleSheet("QLabel { padding: 2px 30px; }")
    readout.show_text("a name of some length")
    assert readout.width() - 60 >= readout.fontMetrics().horizontalAdvance(readout.text())


def test_an_empty_value_gives_its_room_back(qtbot: QtBot) -> None:
    _, readout = shown(qtbot)
    readout.show_text("")
    assert readout.width() == 0
