"""Drawing curves on the timeline's own scale. Loads pyqtgraph, so it is imported when first needed."""

from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)

from app.document.curves.values import Curves
from app.look.theme import Theme, current_theme
from app.panels.curves.axis import FOOTROOM, HEADROOM, Array, Axis, axis_of, thinned
from app.panels.curves.legend import tabular
from app.panels.curves.palette import colors
from app.panels.timeline.drags import PanDrag, PlayheadDrag
from app.panels.timeline.track import Track

TICK_PX = 36.0  # the least distance between two numbers
LEGEND_PX, MOST_HEADROOM = 32.0, 0.5  # kept free for the names above the curves; at most this share of the height
WORDS_PX, MOST_FOOTROOM = 20.0, 0.25  # likewise for the key to dashed and solid lines below them
PALE = 185  # alpha of curves before the edit
KEY_PX = 18.0  # a piece of dashed or solid line beside its word: two dashes and a half


class Plot(pg.GraphicsView):
    """The curves of a clip over the frames visible on the timeline; the pointer scrubs, pans and zooms there.

    Everything but the playhead and the words is drawn once and kept as a picture, so that scrubbing costs no more than
    without curves.
    """

    def __init__(self, track: Track) -> None:
        super().__init__(background=None)
        self._track = track
        self._box = pg.ViewBox(enableMouse=False, enableMenu=False, defaultPadding=0.0)
        self.setCentralItem(self._box)
        self.setFocusProxy(track)  # its keys are the timeline's
        self.setAccessibleName("Curves")
        self._curves, self._x, self._hidden = Curves(), np.zeros(0), frozenset[int]()
        self._frame = 0.0
        self._picture: QPixmap | None = None
        self.axis = Axis(0.0, 1.0, (), 0)

    def show_curves(self, curves: Curves, rate: float, hidden: frozenset[int]) -> None:
        """Show curves. rate: frames of their clip per frame of the clock. hidden: the places of those not shown."""
        self._curves, self._hidden = curves, hidden
        count = len(curves.lines[0].after) if curves.lines else 0
        self._x = np.arange(count) / rate
        self.refit()

    def show_frame(self, frame: float) -> None:
        """Put the playhead at a frame of the clock."""
        if frame != self._frame:
            self._frame = frame
            self.viewport().update()

    def refit(self) -> None:
        """Show the frames that the timeline shows, in the theme's colours, and the range of the curves' values."""
        self._picture = None
        self.viewport().update()
        self._box.clear()
        if not len(self._x):
            return
        low, high = self._track.scale.visible()
        part = slice(*np.searchsorted(self._x, (low - 1.0, high + 1.0)))
        lines = [(i, line) for i, line in enumerate(self._curves.lines) if i not in self._hidden]
        found = [each[part] for _, line in lines for each in (line.after, line.before) if each is not None]
        headroom = min(max(HEADROOM, LEGEND_PX / max(self.height(), 1)), MOST_HEADROOM)
        words = min(WORDS_PX / max(self.height(), 1), MOST_FOOTROOM) if self._has_before else 0.0
        footroom = max(FOOTROOM, words)
        self.axis = axis_of(found, self._curves.unit, int(self.height() / TICK_PX), headroom, footroom)
        self._box.setRange(xRange=(low, high), yRange=(self.axis.low, self.axis.high), padding=0)
        tones = colors(current_theme(), len(self._curves.lines))
        for before in (True, False):
            for i, line in lines:
                y = line.before if before else line.after
                if y is not None:
                    self._add(self._x[part], y[part], _pen(tones[i], before))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Scrub, or pan with the middle button, as on the timeline; a second button cancels."""
        if self._track.held:
            self._track.cancel_drag()
        elif event.button() == Qt.MouseButton.LeftButton:
            self._track.hold(PlayheadDrag(self._track, event.position().x()))
        elif event.button() == Qt.MouseButton.MiddleButton:
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            self._track.hold(PanDrag(self._track, event.position().x()))
        self._track.setFocus(Qt.FocusReason.MouseFocusReason)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with it."""
        if event.buttons() == Qt.MouseButton.NoButton:
            self._track.drop()  # a menu got the release
        self._track.drag_to(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End it."""
        self._track.drop()
        self.viewport().unsetCursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Treat a second press as a press."""
        self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom as over the timeline, which is as wide."""
        self._track.wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the same frames in another size."""
        super().resizeEvent(event)
        if hasattr(self, "axis"):  # pyqtgraph resizes it before it is complete
            self.refit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the kept picture, the playhead, and the words over it, as at the first frame it is on the numbers."""
        ratio, theme = self.devicePixelRatioF(), current_theme()
        if self._picture is None or self._picture.devicePixelRatio() != ratio:
            self._picture = QPixmap(self.viewport().size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            kept = QPainter(self._picture)
            kept.setRenderHint(QPainter.RenderHint.Antialiasing)
            self.render(kept, QRectF(self.viewport().rect()))  # else a pixmap of many pixels is filled as if of few
            kept.end()
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawPixmap(0, 0, self._picture)
        x = self._track.scale.x(self._frame)
        painter.fillRect(QRectF(x - 0.75, 0, 1.5, self.height()), QColor(theme.accent))
        self._draw_words(painter)
        painter.end()

    def drawBackground(self, painter: QPainter, rect: QRectF) -> None:
        """Draw the background: contacts, frames as on the ruler, and a line at each number."""
        theme, scale, width, height = current_theme(), self._track.scale, self.width(), self.height()
        painter.fillRect(rect, QColor(theme.field))
        self._shade_spans(painter, theme)
        lines = QColor(theme.rule)
        lines.setAlpha(110)
        numbered, _ = scale.steps()
        low, high = (int(frame) for frame in scale.visible())
        for told in range(max(low - low % numbered, 0), high + numbered + 1, numbered):
            painter.fillRect(QRectF(scale.x(told - 1) - 0.5, 0, 1, height), lines)
        for value in self.axis.ticks:
            y = round(self.axis.y(value, height))
            painter.fillRect(QRectF(0, y - 0.5, width, 1), QColor(theme.hover) if value == 0 else lines)

    def _draw_words(self, painter: QPainter) -> None:
        """Draw the numbers over the curves, at the left edge, and the key to dashed and solid lines."""
        theme, height = current_theme(), self.height()
        font = tabular(self.font())
        font.setPointSizeF(max(font.pointSizeF() - 1.5, 7.0))
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        tall = metrics.height()
        places = [(value, self.axis.y(value, height)) for value in self.axis.ticks]
        places = [(value, y) for value, y in places if tall / 2 + 2 < y < height - 2]
        for value, y in places:
            text = self.axis.text(value) + (f" {self._curves.unit}" if value == places[-1][0] else "")
            top = min(y, height - tall / 2 - 2) - tall / 2
            _label(painter, text, QRectF(4, top, metrics.horizontalAdvance(text) + 6, tall), theme)
        if self._has_before:
            self._explain(painter, font, theme)

    @property
    def _has_before(self) -> bool:
        return any(line.before is not None for line in self._curves.lines)

    def _explain(self, painter: QPainter, font: QFont, theme: Theme) -> None:
        metrics = QFontMetricsF(font)
        x, y = self.width() - 8.0, self.height() - metrics.height() / 2 - 5
        for text, before in zip(reversed(self._curves.names), (False, True), strict=True):
            wide = metrics.horizontalAdvance(text)
            place = QRectF(x - wide - KEY_PX - 11, y - metrics.height() / 2, wide + KEY_PX + 14, metrics.height())
            _label(painter, text, place, theme, indent=KEY_PX + 9, opaque=True)
            painter.setPen(_pen(theme.muted, before))
            painter.drawLine(round(place.left() + 3), round(y), round(place.left() + 3 + KEY_PX), round(y))
            x = place.left() - 8

    def _shade_spans(self, painter: QPainter, theme: Theme) -> None:
        scale, tones = self._track.scale, colors(theme, max(len(self._curves.lines), 1))
        for line, first, last in self._curves.spans:
            if line in self._hidden:
                continue
            left, right = scale.x(self._x[first]), scale.x(self._x[last])
            if right < 0 or left > self.width():
                continue
            tone = QColor(tones[line])
            tone.setAlpha(22)
            painter.fillRect(QRectF(left, 0, max(right - left, 1.5), self.height()), tone)
            tone.setAlpha(150)
            painter.fillRect(QRectF(left, 1 + 4 * line, max(right - left, 1.5), 3), tone)

    def _add(self, x: Array, y: Array, pen: QPen) -> None:
        x, y = thinned(x, y, self.width())
        self._box.addItem(pg.PlotCurveItem(x, y, pen=pen, antialias=True, connect="finite"))


def _pen(color: str, before: bool) -> QPen:
    tone = QColor(color)
    tone.setAlpha(PALE if before else 255)
    pen = QPen(tone, 1.4 if before else 1.75)
    pen.setCosmetic(True)
    if before:
        pen.setDashPattern([4.0, 3.0])
    return pen


def _label(painter: QPainter, text: str, place: QRectF, theme: Theme, indent: float = 3, opaque: bool = False) -> None:
    """Draw a word on a background that curves pass under. opaque: they do not show through, as beside a line."""
    ground = QColor(theme.field)
    ground.setAlpha(255 if opaque else 190)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(place, 3, 3)
    painter.setPen(QColor(theme.muted))
    painter.drawText(place.adjusted(indent, 0, 0, 0), int(Qt.AlignmentFlag.AlignVCenter), text)
