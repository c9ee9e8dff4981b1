"""Galleries of poses: thumbnails to click or go through by keys; that of variations offers more of one kind."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QDialog,
    QGridLayout,
    QPushButton,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from app.dialogs.docked import become_docked
from app.look.theme import SPACE, current_theme
from app.panels.widgets.section import horizontal_layout, wrapped_label
from app.panels.widgets.vertical_scroll import VerticalScrollArea

COLUMNS, LEAST = 4, 2  # tiles in a row, if the screen has room for them and if not
TILE = QSize(132, 168)  # logical pixels
NARROW = SPACE * 5 // 4  # above and below: three rows of poses fit below the toolbar on a screen of 1024 x 700
ROUND = 6.0
STEPS = {  # to the right, and down
    Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1),
}  # fmt: skip


class Tile(QAbstractButton):
    """One pose. picture: the size of its picture, at the top. taken: whether it is the pose shown.

    open: whether it can be taken at all, which it cannot while out of date. stepped(right, down): an arrow key asks for
    another tile.
    """

    stepped = Signal(int, int)

    def __init__(self, name: str, tip: str, size: QSize = TILE, picture: QSize = TILE) -> None:
        super().__init__()
        self.setFixedSize(size)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(tip)
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.picture, self.taken, self.open = picture, False, True
        self.drawn = False  # whether its picture is there and need not be drawn again
        self._pixmap: QPixmap | None = None

    def show_picture(self, pixels: NDArray[np.uint8], ratio: float) -> None:
        """Show (H, W, 4) uint8 RGBA, `ratio` pixels for each logical one."""
        height, width = pixels.shape[:2]
        data = np.ascontiguousarray(pixels)
        image = QImage(data.data, width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()
        self._pixmap = QPixmap.fromImage(image)
        self._pixmap.setDevicePixelRatio(ratio)
        self.drawn = True
        self.update()

    def set_taken(self, taken: bool) -> None:
        """Mark it as the pose shown, or not."""
        if taken != self.taken:
            self.taken = taken
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter takes it as a click does; arrows go on to another one."""
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif key in STEPS:
            self.stepped.emit(*STEPS[key])
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the figure on a card, with a frame where the pointer or the choice is."""
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        hot = self.isEnabled() and (self.underMouse() or self.hasFocus())
        edge = theme.accent if self.taken else theme.muted if hot else theme.rule
        painter.setPen(QPen(QColor(edge), 2.0 if self.taken else 1.0))
        painter.setBrush(QColor(theme.raised if hot or self.taken else theme.field))
        painter.drawRoundedRect(box, ROUND, ROUND)
        if self._pixmap is not None:
            painter.setOpacity(1.0 if self.isEnabled() else 0.35)
            painter.drawPixmap(0, 0, self._pixmap)
            painter.setOpacity(1.0)
        self.paint_more(painter)
        painter.end()

    def paint_more(self, painter: QPainter) -> None:
        """Draw anything else on the card; here nothing."""


class Tiles(QDialog):
    """Tiles in rows, a line above that says what they are, buttons below. Stays open while the user tries the poses.

    tile: the size of each. rows: of COLUMNS tiles, to make room for if the screen has it. taken(number): a tile was
    clicked. again(): search again, for the handles as they are.
    """

    taken = Signal(int)
    again = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget, title: str, tile: QSize, rows: int, buttons: Sequence[QPushButton]) -> None:
        super().__init__(parent, Qt.WindowType.Tool)
        self.setWindowTitle(title)
        self.tiles: list[Tile] = []
        self.columns, self._tile = COLUMNS, tile
        self._wraps = self.fontMetrics().lineSpacing()  # pixels of height that the line above has had
        self.text = wrapped_label()
        holder = QWidget()
        self._grid = QGridLayout(holder)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(SPACE)
        self._grid.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._grid.setSizeConstraint(QGridLayout.SizeConstraint.SetMinimumSize)  # squeezed rows would overlap at first
        for button in buttons:
            button.setAutoDefault(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE * 2, NARROW, SPACE * 2, NARROW)
        column.setSpacing(SPACE)
        column.addWidget(self.text)
        self._shelf = _Shelf(holder, tile, rows)
        self._shelf.resized.connect(self._flow)
        column.addWidget(self._shelf)
        column.addWidget(horizontal_layout(*buttons, stretch=True))

    def place(self, corner: QPoint) -> None:
        """Take the size it needs and put its corner there, or where the screen has room for it."""
        room = self.screen().availableGeometry()
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
        wanted = QSize(self.wide_in(room.width()), self.sizeHint().height())
        place = QRect(corner, wanted.boundedTo(room.size() - QSize(0, bar)))
        place.moveRight(min(place.right(), room.right()))
        place.moveBottom(min(place.bottom(), room.bottom()))
        self.setGeometry(place)

    def wide_in(self, room: int) -> int:
        """Its width where there are so many pixels: with whole tiles in a row, as many as there is room for."""
        wanted, tile = self.sizeHint().width(), self._tile.width() + SPACE
        return max(wanted - tile * max(0, -((room - wanted) // tile)), self.minimumSizeHint().width())

    def become_docked(self) -> None:
        """Become a part of a window instead of one of its own, with a title and a cross to close it."""
        become_docked(self, "Close (Esc)")
        self.setMinimumWidth(self.minimumSizeHint().width())

    def take_focus(self) -> None:
        """Come to the front with the keyboard focus, for the arrow keys."""
        self.activateWindow()  # not every window manager gives such a window the focus by itself
        if not self.isWindow():
            self.setFocus()

    def lay(self, tiles: Sequence[Tile]) -> None:
        """Lay out these tiles in place of the previous ones; the keyboard goes to the first of them if it is here."""
        here = self._has_keyboard
        if here and not self.isWindow():
            self.setFocus()  # else it would be nowhere once the tile that has it goes
        for tile in self.tiles:
            self._grid.removeWidget(tile)
            tile.deleteLater()
        self.tiles = list(tiles)
        for number, tile in enumerate(self.tiles):
            tile.clicked.connect(lambda _checked=False, number=number: self.taken.emit(number))
            tile.stepped.connect(lambda right, down, number=number: self._step(number, right + down * self.columns))
            self._grid.addWidget(tile, *divmod(number, self.columns))
        self._grid.activate()
        if self.tiles and here:
            self.tiles[0].setFocus(Qt.FocusReason.OtherFocusReason)  # arrows go on from there
        self.mark(None)

    def mark(self, number: int | None) -> None:
        """Show which of them is the pose shown."""
        for i, tile in enumerate(self.tiles):
            tile.set_taken(i == number)

    def say(self, text: str) -> None:
        """Say what the pictures are, in one line; the dialog grows where that wraps, and the tiles keep their room."""
        self.text.setText(text)
        if self.isVisible() and self.isWindow():
            wraps, self._wraps = self._wraps, max(self._wraps, self.text.heightForWidth(self.text.width()))
            below = self.screen().availableGeometry().bottom() - self.geometry().bottom()
            self.resize(self.width(), self.height() + min(self._wraps - wraps, max(below, 0)))

    def set_out_of_date(self, out: bool) -> None:
        """Set whether the pictures are for handles that have changed since."""
        for tile in self.tiles:
            tile.setEnabled(tile.open and not out)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """An arrow key while no tile has the focus goes to the first that can be taken."""
        if event.key() in STEPS and not any(tile.hasFocus() for tile in self.tiles):
            self._step(-1, 1)
        else:
            super().keyPressEvent(event)

    def done(self, result: int) -> None:
        """Handle the closing of the dialog, however it came about."""
        super().done(result)
        self.closed.emit()

    @property
    def _has_keyboard(self) -> bool:
        """Whether keys come here, and not to the view or a field beside it."""
        if self.isWindow():
            return self.isActiveWindow()
        focus = self.window().focusWidget()
        return focus is not None and (focus is self or self.isAncestorOf(focus))

    def _flow(self) -> None:
        """Put as many tiles in a row as there is room for."""
        room = self._shelf.viewport().width()
        columns = max(LEAST, min(COLUMNS, (room + SPACE) // (self._tile.width() + SPACE)))
        if columns != self.columns:
            self.columns = columns
            for number, tile in enumerate(self.tiles):
                self._grid.addWidget(tile, *divmod(number, columns))
            self._grid.activate()

    def _step(self, number: int, by: int) -> None:
        while 0 <= (number := number + by) < len(self.tiles):
            if self.tiles[number].isEnabled():
                self.tiles[number].setFocus(Qt.FocusReason.OtherFocusReason)
                self._shelf.ensureWidgetVisible(self.tiles[number], 0, SPACE)
                return


class _Shelf(VerticalScrollArea):
    """Shows all tiles, and scrolls on a screen too small for that. resized(): its room changed."""

    resized = Signal()

    def __init__(self, holder: QWidget, tile: QSize, rows: int) -> None:
        super().__init__(holder, tab_stop=False)
        self._tile, self._rows = tile, rows

    def sizeHint(self) -> QSize:
        """As large as all tiles."""
        return QSize(self._wide(COLUMNS), self._high(self._rows))

    def minimumSizeHint(self) -> QSize:
        """As wide as the fewest tiles in a row, and one row high."""
        return QSize(self._wide(LEAST), TILE.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Signal the change."""
        super().resizeEvent(event)
        self.resized.emit()

    def _wide(self, columns: int) -> int:
        return columns * (self._tile.width() + SPACE) - SPACE + self.verticalScrollBar().sizeHint().width()

    def _high(self, rows: int) -> int:
        return rows * (self._tile.height() + SPACE) - SPACE


class Gallery(Tiles):
    """Variations. more(number): the user wants more like that one."""

    more = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        self.like = QPushButton("More like this")
        self.like.setToolTip("Poses like the one that was taken last")
        self.search = QPushButton("Search again")
        self.search.setToolTip("For the handles as they are now, as different as can be")
        self._taken: int | None = None
        super().__init__(parent, "Variations", TILE, 3, (self.like, self.search))
        self.like.clicked.connect(lambda: self._taken is not None and self.more.emit(self._taken))
        self.search.clicked.connect(self.again)
        self.offer(0)

    def offer(self, count: int) -> None:
        """Make room for so many pictures in place of the previous ones."""
        self.lay([Tile(f"Pose {number + 1}", f"Take pose {number + 1}") for number in range(count)])

    def mark(self, number: int | None) -> None:
        """Show which one was taken."""
        super().mark(number)
        self._taken = number
        self.like.setEnabled(number is not None)

    def set_out_of_date(self, out: bool) -> None:
        """Whether the pictures are for handles that are no longer as they were."""
        super().set_out_of_date(out)
        self.like.setEnabled(not out and self._taken is not None)
