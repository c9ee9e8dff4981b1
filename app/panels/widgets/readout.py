"""A label for a value that changes often, as during a drag."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

ROOM = 6  # spare pixels, for a digit wider than the last


class Readout(QLabel):
    """A label that keeps its size as long as the text fits.

    A plain label asks for a new layout with each new text, so that the whole window is painted for one digit.
    """

    _room = -1  # pixels for the text itself, without the style's padding

    def show_text(self, text: str) -> None:
        """Show another text, in more room if it needs it; an empty text gives the room back."""
        if text == self.text():
            return
        self.ensurePolished()  # else font and padding are not yet the window's
        needed = self.fontMetrics().horizontalAdvance(text)
        self.setText(text)
        if not text:
            self._room = -1
            self.setFixedSize(0, self.sizeHint().height())
        elif needed > self._room:
            self._room = needed + ROOM
            hint = self.sizeHint()
            self.setFixedSize(hint.width() + ROOM, hint.height())
