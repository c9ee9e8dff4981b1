"""The poses as cards, drawn as they come into sight: arrow keys move, Return or a double-click takes one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QMimeData,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    QUrl,
    Signal,
)
from PySide6.QtGui import QColor, QContextMenuEvent, QDrag, QFocusEvent, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.document.library.shelf import Entry
from app.library.pictures import PICTURE, Pictures
from app.look.icons import draw_icon
from app.look.theme import current_theme
from app.panels.widgets.elided import wrapped_lines
from app.panels.widgets.popups import drag_a_copy

NAME = 32  # logical pixels below the picture, for two lines
SMALLER = 1.0  # points: names are in small print, so that most fit
CARD = QSize(PICTURE.width() + 8, PICTURE.height() + NAME + 4)
COLUMNS = 3  # at least
GAP, ROUND = 4, 6.0
BESIDE_POINTER = QPoint(-14, -14)  # where a dragged card hangs
Index = QModelIndex | QPersistentModelIndex
OWN_KEYS = (
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End,
    Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Delete, Qt.Key.Key_F2, Qt.Key.Key_Return, Qt.Key.Key_Enter,
)  # fmt: skip
ENTRY = Qt.ItemDataRole.UserRole


class ShelfModel(QAbstractListModel):
    """The entries shown."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[Entry] = []

    def show(self, entries: Sequence[Entry]) -> None:
        """Show these in place of the previous ones."""
        self.beginResetModel()
        self.entries = list(entries)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - as Qt declares it
        """How many there are."""
        return 0 if parent.isValid() else len(self.entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Name, tip and the entry itself."""
        if not index.isValid():
            return None
        entry = self.entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return description_of(entry)
        return entry if role == ENTRY else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """An entry can be dragged."""
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The pose file, as file managers and other programs take it."""
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(self.entries[index.row()].path.absolute())) for index in indexes])
        return data

    def changed(self, path: object) -> None:
        """That file's picture is ready."""
        for row, entry in enumerate(self.entries):
            if entry.path == path:
                self.dataChanged.emit(self.index(row), self.index(row))


class CardDelegate(QStyledItemDelegate):
    """Draws a pose on a card."""

    def __init__(self, pictures: Pictures, parent: QListView) -> None:
        super().__init__(parent)
        self._pictures = pictures

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """All cards are of one size."""
        return CARD

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The picture and the name below it; a sign where the file cannot be used."""
        entry: Entry = index.data(ENTRY)
        theme, rect, state = current_theme(), option.rect, option.state  # type: ignore[attr-defined]
        chosen, hot = bool(state & QStyle.StateFlag.State_Selected), bool(state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.accent if chosen else theme.muted if hot else theme.rule), 1.0 + chosen))
        painter.setBrush(QColor(theme.raised if chosen or hot else theme.field))
        painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), ROUND, ROUND)
        picture = None if entry.trouble else self._pictures.of(entry)
        place = QRect(rect.left() + 4, rect.top() + 3, PICTURE.width(), PICTURE.height())
        if entry.trouble:
            draw_icon(
                painter, "warning", QRectF(place.center().x() - 14, place.center().y() - 14, 28, 28), theme.tolerated
            )
        elif picture is not None:
            width, height = (round(side / picture.devicePixelRatio()) for side in (picture.width(), picture.height()))
            corner = place.center() - QPoint(width // 2, height // 2)
            painter.drawPixmap(corner, picture)
        painter.setPen(QColor(theme.muted if entry.trouble else theme.text))
        font = painter.font()
        font.setPointSizeF(max(font.pointSizeF() - SMALLER, 7.5))
        painter.setFont(font)
        below = QRect(rect.left() + 5, rect.bottom() - NAME, rect.width() - 10, NAME - 2)
        name = "\n".join(wrapped_lines(entry.name, painter.fontMetrics(), below.width()))
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, name)
        painter.restore()


class ShelfView(QListView):
    """Cards that flow into as many columns as fit. One dragged elsewhere is a copy of its file.

    taken(entry): apply it. deleted(entry): Del was pressed. renamed(entry): F2 was pressed.
    menu(entry, place): it was right-clicked.
    """

    taken = Signal(object)
    chosen = Signal(object)
    deleted = Signal(object)
    renamed = Signal(object)
    menu = Signal(object, QPoint)

    def __init__(self, pictures: Pictures) -> None:
        super().__init__()
        self.shelf = ShelfModel()
        self.setModel(self.shelf)
        self.setItemDelegate(CardDelegate(pictures, self))
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setDragEnabled(True)  # which the line before has switched off
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setGridSize(CARD + QSize(GAP, GAP))
        self.setMouseTracking(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().setSingleStep(24)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Poses")
        self.setMinimumWidth(COLUMNS * (CARD.width() + GAP) + 16)
        self._pictures = pictures
        pictures.ready.connect(self.shelf.changed)
        self.doubleClicked.connect(lambda index: self.taken.emit(index.data(ENTRY)))

    @property
    def entry(self) -> Entry | None:
        """The chosen entry."""
        index = self.currentIndex()
        return index.data(ENTRY) if index.isValid() else None

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Show these; the chosen entry stays chosen if it is among them."""
        before = self.entry.path if self.entry else None
        self.shelf.show(entries)
        self._pictures.only(entries)
        if before is not None:
            self.choose(before)

    def choose(self, path: Path) -> None:
        """Choose the entry of a file and bring it into sight; choose none if it is not shown."""
        row = next((row for row, entry in enumerate(self.shelf.entries) if entry.path == path), None)
        self.setCurrentIndex(QModelIndex() if row is None else self.shelf.index(row))

    def step(self, by: int) -> Entry | None:
        """Choose the next or the previous usable entry, round the ends; None where there is none."""
        usable = [row for row, entry in enumerate(self.shelf.entries) if not entry.trouble]
        if not usable:
            return None
        here = self.currentIndex().row() if self.currentIndex().isValid() else -1 if by > 0 else len(self.shelf.entries)
        after = [row for row in usable if (row > here if by > 0 else row < here)]
        row = (after or usable)[0 if by > 0 else -1]
        self.setCurrentIndex(self.shelf.index(row))
        return self.shelf.entries[row]

    def startDrag(self, actions: Qt.DropAction) -> None:
        """Drag the chosen card; whoever takes the file gets a copy, for a move would take it out of the library."""
        index = self.currentIndex()
        if not index.isValid():
            return
        drag, card = QDrag(self), self.viewport().grab(self.visualRect(index))
        drag.setMimeData(self.shelf.mimeData([index]))
        drag.setPixmap(card.scaled(card.size() / 2, mode=Qt.TransformationMode.SmoothTransformation))
        drag.setHotSpot(BESIDE_POINTER)  # what a drop would do must stay readable below it
        drag_a_copy(drag)

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Announce the entry that is chosen now."""
        super().currentChanged(current, previous)
        self.chosen.emit(current.data(ENTRY) if current.isValid() else None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show what Qt makes the current card as the view gets the keyboard; a click says itself which one it is."""
        none = not self.currentIndex().isValid()
        super().focusInEvent(event)
        if none:
            clicked = event.reason() == Qt.FocusReason.MouseFocusReason
            self.setCurrentIndex(QModelIndex() if clicked else self.currentIndex())

    def event(self, event: QEvent) -> bool:
        """Keep keys that mean something here from the window's commands."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in OWN_KEYS:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return takes the chosen entry, Del deletes it, F2 renames it; arrow keys move."""
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.entry is not None:
            self.taken.emit(self.entry)
        elif key == Qt.Key.Key_Delete and self.entry is not None:
            self.deleted.emit(self.entry)
        elif key == Qt.Key.Key_F2 and self.entry is not None:
            self.renamed.emit(self.entry)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for a menu of the card under the pointer."""
        index = self.indexAt(event.pos())
        if index.isValid():
            self.setCurrentIndex(index)
            self.menu.emit(index.data(ENTRY), event.globalPos())


def description_of(entry: Entry) -> str:
    """What the tool tip says of a pose."""
    if entry.trouble:
        return entry.trouble
    said = [entry.name, entry.folder or "My poses", ", ".join(entry.tags)]
    return " · ".join(part for part in said if part)
