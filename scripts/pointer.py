"""The pointer, moved as a user moves it: in scripts that work the window, and in its tests."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget


def move_held(
    widget: QWidget,
    place: QPoint,
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
    buttons: Qt.MouseButton = Qt.MouseButton.LeftButton,
) -> None:
    """Move the pointer over a widget, the left button held. QTest's own move carries no button on some platforms."""
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(place),
        QPointF(widget.mapToGlobal(place)),
        Qt.MouseButton.NoButton,
        buttons,
        keys,
    )
    QApplication.sendEvent(widget, event)
    QApplication.processEvents()
