"""A veil over panels while what they show is about to make way for something that is still being read."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.look.theme import SPACE
from app.panels.widgets.section import wrapped_label

VEIL = 0.8  # how much of what is below it hides


class WaitingCover(QWidget):
    """Lies over all of its parent, with a text at the top; clicks and the wheel do not get through."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.text = wrapped_label()
        self.text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE * 3, SPACE * 12, SPACE * 3, SPACE)
        column.addWidget(self.text)
        column.addStretch(1)
        parent.installEventFilter(self)
        self.hide()

    def show_text(self, text: str) -> None:
        """Cover the parent and say why."""
        self.text.setText(text)
        parent = self.parentWidget()
        if parent is not None:
            self.setGeometry(parent.rect())
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the parent's size."""
        parent = self.parentWidget()
        if event.type() == QEvent.Type.Resize and parent is not None:
            self.setGeometry(parent.rect())
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The veil, in the panels' colour."""
        colour = self.palette().color(QPalette.ColorRole.Window)
        colour.setAlphaF(VEIL)
        QPainter(self).fillRect(event.rect(), colour)
