"""A card over a part of the window while files are held above it: where they would go, and what would happen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.look.theme import current_theme

EDGE, ROUND = 8.0, 10.0  # pixels from the edges, and of the corners
BESIDE, ABOVE, APART = 20, 14, 8  # around the text, and between files
WRAPPED = int(Qt.AlignmentFlag.AlignHCenter) | int(Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap)
TINT = 28  # of 255


class DropCard(QWidget):
    """Covers its parent and lets all events through to it. Lines: what happens, and to what, in pairs.

    box: where these were last drawn.
    """

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.lines: tuple[tuple[str, str], ...] = ()
        self.usable, self._on_top = True, False
        self.box = QRectF()
        over.installEventFilter(self)
        self.hide()

    def say(self, lines: Sequence[tuple[str, str]], usable: bool, on_top: bool = False) -> None:
        """Show these lines. usable: False if a drop does nothing. on_top: at the top edge, when it matters what is
        under the pointer; else in the middle."""
        parent = self.parentWidget()
        assert parent is not None
        self.lines, self.usable, self._on_top = tuple(lines), usable, on_top
        self.setAccessibleName(". ".join(does for does, _ in self.lines))
        self.setGeometry(parent.rect())
        self.show()
        self.raise_()
        self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the parent's size."""
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(watched.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a frame around the place, and the lines in it."""
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        color = QColor(theme.accent if self.usable else theme.tolerated)
        tint = QColor(color)
        tint.setAlpha(TINT)
        painter.setPen(QPen(color, 2.0))
        painter.setBrush(tint)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(EDGE, EDGE, -EDGE, -EDGE), ROUND, ROUND)
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        most = max(self.width() - 2 * round(EDGE) - 2 * BESIDE - 24, 40)
        parts = [(text, bold if first else self.font(), first) for pair in self.lines
                 for first, text in zip((True, False), pair, strict=True) if text]  # fmt: skip
        sizes = [QFontMetrics(font).boundingRect(0, 0, most, 4000, WRAPPED, text).size() for text, font, _ in parts]
        gaps = [APART if first and i else 2 for i, (_, _, first) in enumerate(parts)]
        width = max((size.width() for size in sizes), default=0) + 2 * BESIDE + 2
        height = sum(size.height() for size in sizes) + sum(gaps[1:]) + 2 * ABOVE
        above = 2 * EDGE if self._on_top else (self.height() - height) / 2
        self.box = card = QRectF((self.width() - width) / 2, above, width, height)
        painter.setPen(QPen(color, 1.0))
        painter.setBrush(QColor(theme.raised))
        painter.drawRoundedRect(card, ROUND, ROUND)
        top = card.top() + ABOVE
        for i, (text, font, first) in enumerate(parts):
            top += gaps[i] if i else 0
            painter.setFont(font)
            painter.setPen(QColor(theme.text if first else theme.muted))
            place = QRectF(card.left() + BESIDE, top, card.width() - 2 * BESIDE, sizes[i].height() + 2)
            painter.drawText(place, WRAPPED, text)
            top += sizes[i].height()
