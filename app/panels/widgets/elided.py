"""One line of plain text that never asks for more room than it has."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.look.theme import current_theme


class ElidedText(QWidget):
    """Text that is cut short with an ellipsis where it does not fit; whoever shows it says it in full in a tool tip.

    It paints itself: no markup is understood, and another text asks for no new layout. room: a text whose width is
    its own, for a column; without it the text takes what a layout gives it. tone: a theme colour by name.
    right, center: where it stands in that; at the left without.
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
        sides = Qt.AlignmentFlag
        self._side = sides.AlignHCenter if center else sides.AlignRight if right else sides.AlignLeft
        if smaller:
            font = self.font()
            font.setPointSizeF(max(font.pointSizeF() - smaller, 7.5))
            self.setFont(font)
        taken = QSizePolicy.Policy.Fixed if room else QSizePolicy.Policy.Ignored
        self.setSizePolicy(taken, QSizePolicy.Policy.Fixed)
        if room:
            self.setFixedWidth(self.fontMetrics().horizontalAdvance(room))

    def text(self) -> str:
        """The whole text, also of what is cut off."""
        return self._text

    def set_text(self, text: str, tone: str = "") -> None:
        """Show another text, in another colour if one is named."""
        if (text, tone or self._tone) != (self._text, self._tone):
            self._text, self._tone = text, tone or self._tone
            self.setAccessibleName(text)
            self.update()

    def sizeHint(self) -> QSize:
        """One line high, and as wide as there is room."""
        return QSize(0, self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        """One line high."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, cut short with an ellipsis where there is too little room."""
        theme, painter = current_theme(), QPainter(self)
        painter.setPen(QColor(getattr(theme, self._tone) if self.isEnabled() else theme.faint))
        line = " ".join(self._text.split())
        shown = self.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), int(self._side | Qt.AlignmentFlag.AlignVCenter), shown)
        painter.end()
