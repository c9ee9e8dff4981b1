"""How late the picture is, as the trackers' panel shows it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QLabel
from trackers_driver import opened
from window_driver import laid_out

from app.window.editor import Editor

pytestmark = pytest.mark.gl


def test_what_a_long_delay_is_of_can_be_read_whole(editor: Editor) -> None:
    panel = opened(editor)
    panel.latency.show_text("131 ms, 95 % below 243 ms; slow ones +145")
    laid_out()
    for label in (each for each in panel.findChildren(QLabel) if each.text() in ("Sample to pixel", "Packets")):
        assert label.width() >= label.fontMetrics().horizontalAdvance(label.text()), label.text()
    assert panel.rect().contains(QRect(panel.latency.mapTo(panel, QPoint()), panel.latency.size()))
