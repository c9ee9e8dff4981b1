"""The name of what is under the pointer, beside it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

ASIDE, BELOW = 16, 14  # pixels from the pointer, so that the label does not cover what is aimed at


class HoverLabel(QLabel):
    """A small label within a view; the pointer passes through it."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self._view = view
        self.setObjectName("hover")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_at(self, text: str, x: float, y: float) -> None:
        """Show a text beside a pixel of the view, on the side with room for it; "" for none."""
        if not text:
            self.hide()
            return
        if text != self.text():
            self.setText(text)
            self.adjustSize()
        view = self._view
        left, top = round(x) + ASIDE, round(y) + BELOW
        if left + self.width() > view.width():
            left = round(x) - ASIDE - self.width()
        if top + self.height() > view.height():
            top = round(y) - BELOW - self.height()
        self.move(max(left, 0), max(top, 0))
        self.show()
        self.raise_()
