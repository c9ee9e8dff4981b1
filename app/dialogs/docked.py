"""Dialogs that stand beside the view, as a part of the window, where they would cover the figure."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout

from app.look.theme import SPACE
from app.panels.widgets.buttons import IconButton
from app.panels.widgets.section import horizontal_layout, wrapped_label


def become_docked(dialog: QDialog, close_tip: str) -> None:
    """Make a dialog, laid out as a column, a part of a window instead of one of its own: with title and cross."""
    dialog.setWindowFlags(Qt.WindowType.Widget)
    dialog.setObjectName("panel")
    dialog.setAttribute(Qt.WidgetAttribute.WA_Moved)  # else Qt would centre a dialog over what it is in
    title, cross = wrapped_label(dialog.windowTitle(), "title"), IconButton("cross", close_tip)
    cross.clicked.connect(dialog.close)
    column = dialog.layout()
    assert isinstance(column, QVBoxLayout)
    column.setContentsMargins(SPACE * 2, SPACE, SPACE * 2, SPACE)
    column.insertWidget(0, horizontal_layout(title, cross))
