"""Looking for the fields that Tab goes through leaves widgets as they were."""

from __future__ import annotations

import gc
from weakref import ref

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from app.panels.widgets.tab_order import fields_of

pytestmark = pytest.mark.gl


class Area(QScrollArea):
    """A scroll area, as panels have one."""


def test_a_scroll_area_whose_fields_were_gone_through_is_let_go_of_once_it_is_closed(qapp: QApplication) -> None:
    window, inner, field = QWidget(), QWidget(), QLineEdit()
    area = Area(window)
    QVBoxLayout(inner).addWidget(field)
    area.setWidget(inner)
    window.show()
    viewport = area.viewport()  # in Python's hands as well
    assert fields_of(area) == [field]
    left = ref(area)
    window.close()
    window.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    del window, inner, field, area, viewport
    gc.collect()
    assert left() is None
