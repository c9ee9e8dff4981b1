"""A value that changes often, as while dragging."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

ROOM = 6  # pixels to spare, for a digit that is wider than the last


class Readout(QLabel):
    """A label that keeps its size as long as the text fits.

    A plain label asks for a new layout with each new text, and the whole window is painted for one digit.
    """

    def show_text(self, text: str) -> None:
        """Show another text, in more room if it needs it; an empty text gives the room back."""
        if text == self.text():
            return
        self.ensurePolished()  # else the font is not yet the window's
        metrics = self.fontMetrics()
        needed = metrics.horizontalAdvance(text)
        sized = self.minimumWidth() == self.maximumWidth()
        if not text or not sized or needed > self.maximumWidth():
            self.setFixedSize(needed + ROOM if text else 0, metrics.height() + 2)
        self.setText(text)
