"""Where to begin: cards in the middle of a view that shows nobody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QWidget

from app.look.icons import draw_icon
from app.look.theme import SPACE, current_theme

CARD = QSize(172, 132)  # logical pixels
ICON = 32
BESIDE, OVER = 4, 2  # cards in a row, with enough room and without


@dataclass(frozen=True)
class Start:
    """One way to begin: what its card shows, and what a click does."""

    icon: str
    title: str
    text: str
    run: Callable[[], object]


class StartCards(QWidget):
    """The cards, in one row or in two. The arrow keys and Tab go from card to card, Space and Enter choose."""

    def __init__(self, starts: tuple[Start, ...], view: QWidget) -> None:
        super().__init__(view)
        self._view = view
        self.cards = tuple(Card(start, self) for start in starts)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(SPACE * 2)
        view.installEventFilter(self)
        self.hide()

    def open(self) -> None:
        """Show the cards. The first takes the keyboard focus if the view had it."""
        if self.isHidden():
            self._place()
            self.show()
            self.raise_()
            if self._view.hasFocus():
                self.cards[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def close_up(self) -> None:
        """Hide the cards; the view gets the keyboard focus if one of them had it."""
        if not self.isHidden():
            focused = any(card.hasFocus() for card in self.cards)
            self.hide()
            if focused:
                self._view.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the cards in the middle, and take the keyboard focus when it comes to the view."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        elif event.type() == QEvent.Type.FocusIn and self.isVisible():
            self.cards[0].setFocus(Qt.FocusReason.OtherFocusReason)
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        gap = self._grid.spacing()
        wide = BESIDE * (CARD.width() + gap) + gap <= self._view.width()
        for number, card in enumerate(self.cards):
            self._grid.addWidget(card, *divmod(number, BESIDE if wide else OVER))
        self.adjustSize()
        room = self._view.size() - self.size()
        self.move(room.width() // 2, room.height() // 2)


class Card(QAbstractButton):
    """A picture, a title and a line or two about it."""

    def __init__(self, start: Start, parent: QWidget) -> None:
        super().__init__(parent)
        self._start = start
        self.setText(start.title)
        self.setAccessibleDescription(start.text)
        self.setFixedSize(CARD)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.clicked.connect(lambda _checked=False: start.run())

    def event(self, event: QEvent) -> bool:
        """Let Enter choose as Space does."""
        if event.type() == QEvent.Type.KeyPress and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):  # type: ignore[attr-defined]
            self.click()
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the card in the theme's colours; the one with the keyboard focus or the pointer stands out."""
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        lively = self.underMouse() or self.hasFocus()
        painter.setPen(QColor(theme.accent if lively else theme.rule))
        painter.setBrush(QColor(theme.hover if self.underMouse() or self.isDown() else theme.raised))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        left, width = SPACE * 2, self.width() - 4 * SPACE
        draw_icon(painter, self._start.icon, QRectF(left, SPACE * 2, ICON, ICON), theme.accent, weight=1.4)
        title = QFont(self.font())
        title.setWeight(QFont.Weight.DemiBold)
        top, line = SPACE * 3 + ICON, QFontMetrics(title).height()
        painter.setFont(title)
        painter.setPen(QColor(theme.text))
        painter.drawText(QRectF(left, top, width, line), int(Qt.AlignmentFlag.AlignLeft), self._start.title)
        painter.setFont(self.font())
        painter.setPen(QColor(theme.muted))
        rest = QRectF(left, top + line + 2, width, self.height() - top - line - SPACE)
        painter.drawText(rest, int(Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap), self._start.text)
        painter.end()
