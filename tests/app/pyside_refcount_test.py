"""Watches over a fault of some PySide6 versions: calls that return None lose a reference to it, and abort in the end."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtWidgets import QWidget

from rendering.viewport import Viewport


@pytest.mark.gl
def test_qt_calls_that_return_none_keep_its_reference_count(qtbot: object) -> None:
    plain, view = QWidget(), Viewport()
    qtbot.addWidget(plain)
    qtbot.addWidget(view)
    for widget in (plain, view):
        widget.update()
        before = sys.getrefcount(None)
        for _ in range(500):
            widget.update()
        assert abs(sys.getrefcount(None) - before) < 50
