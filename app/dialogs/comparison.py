"""What every solver makes of the same handles: a picture, what is missed and how long it took, for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen
from PySide6.QtWidgets import QPushButton, QWidget

from app.dialogs.gallery import Tile, Tiles
from app.look.theme import SPACE, current_theme
from solver.ik.solver import SolverSpec

PICTURE, WORDS = QSize(184, 148), 60  # logical pixels: a tile's picture, and the height of the text below
TILE = QSize(PICTURE.width(), PICTURE.height() + WORDS)
ROWS = 2
RING = 3.5
WAITING, SOLVING, STOPPED = "Waiting…", "Solving…", "Not solved"
PREPARING = "Being prepared, once on this computer…"  # compiled, which takes up to a minute


class Mark(NamedTuple):
    """Where a handle is in a picture, logical pixels, and the state of its effector."""

    x: float
    y: float
    state: str


class Verdict(NamedTuple):
    """What is said about a pose. met: how many handles are met. off: by how much at worst. state: gives the colour.

    time: of a solve. whole: all of it in sentences, for the tool tip.
    """

    met: str
    off: str
    state: str
    time: str
    whole: str


class SolverTile(Tile):
    """One solver. refusal: why it cannot be taken, or what it is waiting for; shown in place of the picture."""

    def __init__(self, spec: SolverSpec) -> None:
        super().__init__(spec.title, spec.summary, TILE, PICTURE)
        self.spec, self.refusal = spec, ""
        self.verdict: Verdict | None = None
        self.marks: Sequence[Mark] = ()
        self._close(WAITING)

    def wait(self, why: str) -> None:
        """Say what it is waiting for: WAITING, SOLVING or PREPARING."""
        self._close(why)

    def refuse(self, reason: str) -> None:
        """Say why it cannot be taken."""
        self.setToolTip(f"{self.spec.summary}\n\n{reason}")
        self._close(reason)

    def judge(self, verdict: Verdict) -> None:
        """Show the verdict and let it be taken; the picture follows."""
        self.verdict, self.refusal, self.open = verdict, "", True
        self.setToolTip(f"{self.spec.summary}\n\n{verdict.whole}")
        self.setAccessibleDescription(f"{verdict.met}, {verdict.off}, {verdict.time}")
        self.setEnabled(True)
        self.update()

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Show where the handles are."""
        self.marks = marks
        self.update()

    def paint_more(self, painter: QPainter) -> None:
        """Draw handles over the picture, and name, misses and time below; or why there is no picture."""
        theme, inner = current_theme(), self.rect().adjusted(SPACE, SPACE, -SPACE, -SPACE)
        live = self.isEnabled()
        for mark in self.marks if live else ():
            painter.setPen(QPen(QColor(theme.state_color(mark.state)), 1.6))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(mark.x, mark.y), RING, RING)
        lines = QRect(inner.left(), PICTURE.height(), inner.width(), WORDS - SPACE)
        normal, strong = QFont(self.font()), QFont(self.font())
        strong.setWeight(QFont.Weight.DemiBold)
        painter.setFont(strong)
        painter.setPen(QColor(theme.text if live else theme.faint))
        height = lines.height() // 3
        first, second, third = (QRect(lines.left(), lines.top() + n * height, lines.width(), height) for n in range(3))
        painter.drawText(first, *_line(painter, self.spec.title, first.width()))
        painter.setFont(normal)
        if self.refusal:
            words = QRect(inner.left(), inner.top(), inner.width(), PICTURE.height() - 2 * SPACE)
            painter.setPen(QColor(theme.muted))
            painter.drawText(words, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.refusal)
        if self.verdict is not None:
            state = theme.state_color(self.verdict.state)
            painter.setPen(QColor(state if live else theme.faint))
            painter.drawText(second, *_line(painter, self.verdict.met, second.width()))
            painter.setPen(QColor(theme.muted if live else theme.faint))
            painter.drawText(second, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self.verdict.time)
            painter.drawText(third, *_line(painter, self.verdict.off, third.width()))

    def _close(self, why: str) -> None:
        self.refusal, self.open = why, False
        self.setEnabled(False)
        self.update()


class Comparison(Tiles):
    """A tile for every solver."""

    tiles: list[SolverTile]  # type: ignore[assignment]

    def __init__(self, parent: QWidget) -> None:
        self.search = QPushButton("Compare again")
        self.search.setToolTip("For the handles as they are now")
        self.stop = QPushButton("Stop")
        self.stop.setToolTip("Stop asking solvers")
        super().__init__(parent, "Compare solvers", TILE, ROWS, (self.search, self.stop))
        self.search.clicked.connect(self.again)

    def set_busy(self, busy: bool) -> None:
        """Show whether solvers are still at work; at the end, those that were not asked say so."""
        self.search.setEnabled(not busy)
        self.stop.setEnabled(busy)
        for tile in self.tiles:
            if not busy and tile.refusal in (WAITING, SOLVING, PREPARING):
                tile.refuse(STOPPED)


def _line(painter: QPainter, text: str, width: int) -> tuple[int, str]:
    """A line of text, cut short if it does not fit."""
    shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)
    return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), shown
