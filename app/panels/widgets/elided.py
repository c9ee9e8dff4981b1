"""One line of plain text that never asks for more room than it has."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.look.theme import current_theme


class ElidedText(QWidget):
    """Text that is cut short with an ellipsis if it does not fit; the caller puts the full text in a tool tip.

    It paints itself: no markup is understood, and a change of text asks for no new layout. room: a text that sets its
    width, for a column; without it, it takes what a layout gives it. tone: a theme colour by name. right, center: its
    alignment; left by default.
    """

    def __init__(
        self,
        *,
        tone: str = "text",
        smaller: float = 0.0,
        room: str = "",
        right: bool = False,
        center: bool = False,
    ) -> None:
        super().__init__()
        self._text, self._tone = "", tone
        self._shorter: str | None = None
        self._cuts = False
        sides = Qt.AlignmentFlag
        self._side = sides.AlignHCenter if center else sides.AlignRight if right else sides.AlignLeft
        if smaller:
            font = self.font()
            font.setPointSizeF(max(font.pointSizeF() - smaller, 7.5))
            self.setFont(font)
        taken = QSizePolicy.Policy.Fixed if room else QSizePolicy.Policy.Ignored
        self.setSizePolicy(taken, QSizePolicy.Policy.Fixed)
        if room:
            self.setFixedWidth(self.needed(room))

    def needed(self, text: str) -> int:
        """Pixels that a text takes uncut: one that is a fraction of a pixel too wide is cut as well."""
        return ceil(QFontMetricsF(self.font()).horizontalAdvance(text))

    def text(self) -> str:
        """The whole text, including what is cut off."""
        return self._text

    def shown(self) -> str:
        """The text as far as it fits."""
        line, metrics = " ".join(self._text.split()), self.fontMetrics()
        if self._shorter is None:
            return metrics.elidedText(line, Qt.TextElideMode.ElideRight, self.width())
        fitting = (text for text in (line, self._shorter) if metrics.horizontalAdvance(text) <= self.width())
        cut = metrics.elidedText(self._shorter, Qt.TextElideMode.ElideRight, self.width()) if self._cuts else ""
        return next(fitting, cut)

    def set_text(self, text: str, tone: str = "", shorter: str | None = None, cuts: bool = False) -> None:
        """Show another text, in another colour if one is named.

        shorter: what to show if the text does not fit. cuts: whether it is cut short if it does not fit either; else
        nothing shows then.
        """
        if (text, tone or self._tone, shorter, cuts) != (self._text, self._tone, self._shorter, self._cuts):
            self._text, self._tone, self._shorter, self._cuts = text, tone or self._tone, shorter, cuts
            self.setAccessibleName(text)
            self.update()

    def sizeHint(self) -> QSize:
        """One line high, and as wide as there is room."""
        return QSize(0, self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        """One line high."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, cut short with an ellipsis if there is too little room."""
        theme, painter = current_theme(), QPainter(self)
        painter.setPen(QColor(getattr(theme, self._tone) if self.isEnabled() else theme.faint))
        painter.drawText(self.rect(), int(self._side | Qt.AlignmentFlag.AlignVCenter), self.shown())
        painter.end()


def wrapped_lines(text: str, metrics: QFontMetrics, width: int, most: int = 2) -> list[str]:
    """The text on `most` lines at most, broken between words; the rest is cut short with an ellipsis.

    width: pixels of a line.
    """
    words, shown = text.split(), list[str]()
    while words and len(shown) < most - 1:
        fit = len(words)
        while fit > 1 and metrics.horizontalAdvance(" ".join(words[:fit])) > width:
            fit -= 1
        shown.append(" ".join(words[:fit]))
        words = words[fit:]
    shown += [" ".join(words)] if words else []
    cut = Qt.TextElideMode.ElideRight
    return [
        line if metrics.horizontalAdvance(line) <= width else metrics.elidedText(line, cut, width) for line in shown
    ]
