"""A delegate for list entries with a description in small print below their title."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.look.theme import SPACE, current_theme

ROOM = 440  # logical pixels that the list is wide
LINE_ROOM = ROOM - 12  # that its rows are wide, as the list has a border
Index = QModelIndex | QPersistentModelIndex
WRAPPED = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)


class DescribedItemDelegate(QStyledItemDelegate):
    """Draws the entries. role: where an entry keeps its lines, a tuple of sentences; without any, only its title."""

    def __init__(self, parent: QWidget, role: int) -> None:
        super().__init__(parent)
        self._role = role

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As high as its lines are within the list's width."""
        height = sum(box.height() for _, box, _ in self._lines(option, index))
        return QSize(ROOM, height + SPACE + 2)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the title, and its lines below."""
        theme = current_theme()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        if chosen:
            painter.fillRect(option.rect, QColor(theme.accent_soft))
        corner = option.rect.topLeft()
        for number, (text, box, font) in enumerate(self._lines(option, index)):
            painter.setFont(font)
            painter.setPen(QColor(theme.text if number < 2 else theme.muted))
            painter.drawText(box.translated(corner), WRAPPED, text)
        painter.restore()

    def _lines(self, option: QStyleOptionViewItem, index: Index) -> list[tuple[str, QRect, QFont]]:
        """Each line with its place, from the entry's corner, and its font; the title first."""
        title, small = QFont(option.font), QFont(option.font)
        title.setWeight(QFont.Weight.DemiBold)
        small.setPointSizeF(max(small.pointSizeF() - 0.5, 7.5))
        texts = [(str(index.data()), title), *((line, small) for line in index.data(self._role) or ())]
        lines, top = [], SPACE // 2 + 1
        for text, font in texts:
            room = QRect(SPACE, top, LINE_ROOM - 2 * SPACE, 10_000)
            box = QFontMetrics(font).boundingRect(room, WRAPPED, text)
            box.setWidth(room.width())
            lines.append((text, box, font))
            top = box.bottom() + 1
        return lines
