"""The names of curves, each with its value at the frame looked at; a click hides a curve or shows it again."""

from __future__ import annotations

from math import isnan

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from app.look.theme import current_theme
from app.panels.curves.axis import number

TIP = "Dashed: before the edit; solid: after it. Click to hide or show this curve"
HEIGHT, SWATCH, PAD = 20, 14, 7  # pixels


class Legend(QWidget):
    """One entry for each curve. toggled(): the set of hidden curves has changed."""

    toggled = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.entries: tuple[Entry, ...] = ()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(4)

    def show_lines(self, names: tuple[str, ...], colors: tuple[str, ...], unit: str, widest: float, two: bool) -> None:
        """Have an entry for each of these. widest: the largest value to be shown. two: there is a before."""
        if names != tuple(entry.name for entry in self.entries):
            for entry in self.entries:
                self._row.removeWidget(entry)
                entry.deleteLater()
            self.entries = tuple(Entry(name) for name in names)
            for entry in self.entries:
                self._row.addWidget(entry)
                entry.show()  # else it does not count in the size below
                entry.clicked.connect(lambda _checked=False: self.toggled.emit())
        for entry, color in zip(self.entries, colors, strict=True):
            entry.restyle(color, unit, widest, two)
        self.adjustSize()

    def fit(self, room: int) -> None:
        """Leave the values out if they do not fit into so many pixels."""
        full = sum(entry.width_with(values=True) + self._row.spacing() for entry in self.entries)
        for entry in self.entries:
            entry.set_brief(full > room)
        self.adjustSize()

    def hidden_lines(self) -> frozenset[int]:
        """The places of the curves that are hidden."""
        return frozenset(i for i, entry in enumerate(self.entries) if not entry.isChecked())


class Entry(QToolButton):
    """A curve's colour, name and values."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name, self.value = name, ""
        self._color, self._decimals, self._width = "#000000", 1, 0.0
        self._brief = False
        self.setCheckable(True)
        self.setChecked(True)
        self.setToolTip(TIP)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def restyle(self, color: str, unit: str, widest: float, two: bool) -> None:
        """Take a colour, and make room for the longest value."""
        self._color, self._decimals = color, 2 if unit == "m/s" else 1
        long = number(-abs(widest), self._decimals)
        metrics = QFontMetricsF(tabular(self.font()))
        self._width = metrics.horizontalAdvance(f"{long} → {long}" if two else long)
        self.setFixedSize(self.sizeHint())
        self.update()

    def show_values(self, before: float | None, after: float) -> None:
        """Show the curve's values at the frame looked at; NaN where there is none."""
        parts = [each for each in (before, after) if each is not None]
        texts = ["–" if isnan(each) else number(each, self._decimals) for each in parts]
        same = len(texts) == 2 and texts[0] == texts[1]
        value = texts[-1] if same else " → ".join(texts)
        if value != self.value:
            self.value = value
            self.update()

    def set_brief(self, brief: bool) -> None:
        """Show the name alone, or the values too."""
        if brief != self._brief:
            self._brief = brief
            self.setFixedSize(self.sizeHint())

    def width_with(self, values: bool) -> int:
        """Pixels for swatch and name, and for the longest values."""
        name = QFontMetricsF(self.font()).horizontalAdvance(self.name)
        return round(3 * PAD + SWATCH + name + (PAD + self._width if values else 0))

    def sizeHint(self) -> QSize:
        """Room for what it shows."""
        return QSize(self.width_with(values=not self._brief), HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it as a small opaque plate over the curves."""
        theme, painter, on = current_theme(), QPainter(self), self.isChecked()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plate = QColor(theme.hover if self.underMouse() else theme.raised)
        plate.setAlpha(235)
        painter.setBrush(plate)
        painter.setPen(QPen(QColor(theme.accent if self.hasFocus() else theme.rule), 1))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        painter.setPen(QPen(QColor(self._color if on else theme.faint), 2.5))
        middle = self.height() / 2
        painter.drawLine(PAD, round(middle), PAD + SWATCH, round(middle))
        left = PAD + SWATCH + PAD
        painter.setPen(QColor(theme.text if on else theme.faint))
        painter.drawText(QRectF(left, 0, self.width(), self.height()), int(Qt.AlignmentFlag.AlignVCenter), self.name)
        if self._brief:
            painter.end()
            return
        painter.setFont(tabular(self.font()))
        painter.setPen(QColor(theme.muted if on else theme.faint))
        room = QRectF(0, 0, self.width() - PAD, self.height())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), self.value)
        painter.end()


def tabular(font: QFont) -> QFont:
    """The font with digits of one width."""
    result = QFont(font)
    result.setFeature(QFont.Tag("tnum"), 1)
    return result
