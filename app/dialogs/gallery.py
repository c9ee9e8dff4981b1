"""The gallery of variations: thumbnails to click, what they cost, and more like the one that was taken."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton, QDialog, QGridLayout, QPushButton, QVBoxLayout, QWidget

from app.look.theme import SPACE, current_theme
from app.panels.widgets.section import note, row

COLUMNS = 4
TILE = QSize(132, 168)  # logical pixels
ROUND = 6.0


class Tile(QAbstractButton):
    """One variation. taken: whether it is the pose shown."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.setFixedSize(TILE)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(f"Take pose {number + 1}")
        self.setAccessibleName(f"Pose {number + 1}")
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.taken = False
        self._picture: QPixmap | None = None

    @property
    def drawn(self) -> bool:
        """Whether its picture is there."""
        return self._picture is not None

    def show_picture(self, pixels: NDArray[np.uint8], ratio: float) -> None:
        """Show (H, W, 4) uint8 RGBA, `ratio` pixels for each logical one."""
        height, width = pixels.shape[:2]
        data = np.ascontiguousarray(pixels)
        image = QImage(data.data, width, height, 4 * width, QImage.Format.Format_RGBA8888).copy()
        self._picture = QPixmap.fromImage(image)
        self._picture.setDevicePixelRatio(ratio)
        self.update()

    def set_taken(self, taken: bool) -> None:
        """Mark it as the pose shown, or not."""
        self.taken = taken
        self.update()

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
        if self._picture is not None:
            painter.setOpacity(1.0 if self.isEnabled() else 0.35)
            painter.drawPixmap(0, 0, self._picture)
        painter.end()


class Gallery(QDialog):
    """Stays open beside the view while one tries its poses.

    taken(number): a tile was clicked. more(number): more like that one is wanted. again(): a new search.
    """

    taken = Signal(int)
    more = Signal(int)
    again = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Tool)
        self.setWindowTitle("Variations")
        self.tiles: list[Tile] = []
        self._taken: int | None = None
        self.text = note()
        holder = QWidget()
        self._grid = QGridLayout(holder)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(SPACE)
        self._grid.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        holder.setMinimumSize(COLUMNS * (TILE.width() + SPACE) - SPACE, 3 * (TILE.height() + SPACE) - SPACE)
        self.like = QPushButton("More like this")
        self.like.setToolTip("Poses like the one that was taken last")
        self.like.clicked.connect(lambda: self._taken is not None and self.more.emit(self._taken))
        self.search = QPushButton("Search again")
        self.search.setToolTip("For the handles as they are now, as different as can be")
        self.search.clicked.connect(self.again)
        for button in (self.like, self.search):
            button.setAutoDefault(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE * 2, SPACE * 2, SPACE * 2, SPACE * 2)
        column.setSpacing(SPACE)
        column.addWidget(self.text)
        column.addWidget(holder)
        column.addWidget(row(self.like, self.search, stretch=True))
        self.offer(0)

    def offer(self, count: int) -> None:
        """Make room for so many pictures in place of those that were there."""
        for tile in self.tiles:
            self._grid.removeWidget(tile)
            tile.deleteLater()
        self.tiles = [Tile(number) for number in range(count)]
        for number, tile in enumerate(self.tiles):
            tile.clicked.connect(lambda _checked=False, number=number: self.taken.emit(number))
            self._grid.addWidget(tile, number // COLUMNS, number % COLUMNS)
        self.mark(None)

    def mark(self, number: int | None) -> None:
        """Show which one was taken."""
        self._taken = number
        for i, tile in enumerate(self.tiles):
            tile.set_taken(i == number)
        self.like.setEnabled(number is not None)

    def say(self, text: str) -> None:
        """What the pictures are, one line."""
        self.text.setText(text)

    def set_out_of_date(self, out: bool) -> None:
        """Whether the pictures are for handles that are no longer as they were."""
        for tile in self.tiles:
            tile.setEnabled(not out)
        self.like.setEnabled(not out and self._taken is not None)

    def done(self, result: int) -> None:
        """The dialog closes, however that came."""
        super().done(result)
        self.closed.emit()
