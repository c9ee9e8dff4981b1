"""Drawing a number in a bar."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from app.look.theme import current_theme


@dataclass(frozen=True)
class Bar:
    """A number as shown. label: "" for the number alone, in the middle. origin, here: where the filled part begins
    and ends, in pixels; origin is None for a number without bounds. changed: it differs from the default."""

    label: str
    number: str
    origin: float | None
    here: float
    changed: bool
    lively: bool
    focus: bool
    enabled: bool


STUB = 4.0  # pixels of the mark above and below a text that it would cross
ASIDE = 8  # pixels of the texts from the ends


def paint_bar(painter: QPainter, size: QSize, bar: Bar) -> None:
    """Draw the bar over the whole of `size` (logical pixels) in the theme's colours."""
    theme = current_theme()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    whole = QRectF(0, 0, size.width(), size.height())
    outline = QPainterPath()
    outline.addRoundedRect(whole.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
    painter.fillPath(outline, QColor(theme.field if bar.enabled else theme.panel))
    if bar.origin is not None:
        painter.save()
        painter.setClipPath(outline)
        left, width = min(bar.origin, bar.here), max(abs(bar.here - bar.origin), 1.5)
        painter.fillRect(
            QRectF(left, 0, width, whole.height()), QColor(theme.accent_soft if bar.enabled else theme.raised)
        )
        if bar.lively or (bar.changed and bar.label):  # alone in the middle, the mark would cross the number
            over = bar.label and _crosses_text(painter, bar, whole.width())
            color, height = QColor(theme.accent if bar.lively else theme.muted), STUB if over else whole.height()
            painter.fillRect(QRectF(bar.here - 1, 0, 2, height), color)
            painter.fillRect(QRectF(bar.here - 1, whole.height() - height, 2, height), color)
        painter.restore()
    painter.setPen(QPen(QColor(theme.accent if bar.focus else theme.rule), 1))
    painter.drawPath(outline)
    inner, middle = whole.adjusted(ASIDE, 0, -ASIDE, 0), Qt.AlignmentFlag.AlignVCenter
    painter.setPen(QColor(theme.text if bar.enabled else theme.faint))
    if not bar.label:
        painter.drawText(inner, int(middle | Qt.AlignmentFlag.AlignHCenter), bar.number)
        return
    painter.drawText(inner, int(middle | Qt.AlignmentFlag.AlignLeft), bar.label)
    default = theme.muted if bar.enabled else theme.faint  # a default over the filled part is read as well
    painter.setPen(QColor(theme.text if bar.enabled and bar.changed else default))
    painter.drawText(inner, int(middle | Qt.AlignmentFlag.AlignRight), bar.number)


def _crosses_text(painter: QPainter, bar: Bar, width: float) -> bool:
    """Whether the mark is where the label is written, at the left end, or the number, at the right one."""
    wide, end = painter.fontMetrics().horizontalAdvance, width - ASIDE
    in_label = ASIDE - 2 < bar.here < ASIDE + wide(bar.label) + 2
    return in_label or end - wide(bar.number) - 2 < bar.here < end + 2
