"""Drawing a timeline. The background is drawn once and kept; the playhead and what is being done go over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from app.look.theme import Theme
from app.panels.timeline.lanes import FOOT, KEYS, OTHERS, RANGE, RULER, SCROLL, Lanes
from app.panels.timeline.marks import Marks
from app.panels.timeline.scale import Scale
from app.services.clock import Clock

KEY_R, OTHER_R = 5.5, 3.0  # half of a diamond's diagonal, pixels
CLOSE, MANY = 4.0, 4  # so many keys, each nearer than so many pixels to the previous one, are drawn as one bar


@dataclass(frozen=True)
class TrackBackground:
    """What the background shows. chosen: the selected keys. ghosts: where moved ones came from; frames of the clip."""

    lanes: Lanes
    scale: Scale
    marks: Marks
    clock: Clock
    chosen: frozenset[int]
    ghosts: tuple[float, ...]
    theme: Theme


def paint_background(painter: QPainter, background: TrackBackground) -> None:
    """Draw everything that stays while time goes on."""
    lanes, scale, theme, clock = background.lanes, background.scale, background.theme, background.clock
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(QRectF(0, 0, scale.width, lanes.height), QColor(theme.field))
    _paint_extent(painter, background)
    _paint_ruler(painter, background)
    first, last = scale.x(clock.first), scale.x(clock.last)
    veil = QColor(theme.field)
    veil.setAlpha(150)
    painter.fillRect(QRectF(0, lanes.keys, max(first, 0), lanes.scroll - lanes.keys), veil)
    painter.fillRect(QRectF(last, lanes.keys, max(scale.width - last, 0), lanes.scroll - lanes.keys), veil)
    _paint_range(painter, first, last, theme)
    _paint_others(painter, background)
    _paint_contacts(painter, background)
    _paint_keys(painter, background)
    if not scale.whole:
        left, right = scroll_bar(scale)
        _pill(painter, QRectF(left, lanes.scroll + 2, right - left, SCROLL - 4), theme.hover)


def paint_playhead(painter: QPainter, background: TrackBackground, font: QFont, frame: float, number: str) -> None:
    """Draw the frame looked at, its number in the ruler and, hollow, the key that an edit would make there."""
    lanes, scale, theme = background.lanes, background.scale, background.theme
    x = scale.x(frame)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(QRectF(x - 0.75, lanes.ruler + 4, 1.5, lanes.scroll - lanes.ruler - 4), QColor(theme.accent))
    on_key = any(abs(place - frame) < 0.5 for _, place in background.marks.keys)
    first, last = background.marks.extent
    if not on_key and first - 0.5 <= frame <= last + 0.5:
        painter.setPen(QPen(QColor(theme.accent), 1.25))
        painter.setBrush(QColor(theme.field))
        painter.drawPath(_diamond(x, lanes.keys + KEYS / 2, KEY_R - 1))
    bold = QFont(font)
    bold.setWeight(QFont.Weight.DemiBold)
    width = max(QFontMetricsF(bold).horizontalAdvance(number) + 10, 20.0)
    left = min(max(x - width / 2, 1.0), scale.width - width - 1)
    tag = QRectF(left, lanes.ruler + 2, width, RULER - 5)
    painter.setFont(font)
    _paint_numbers(painter, background, tag)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.accent))
    painter.drawRoundedRect(tag, 4, 4)
    painter.setFont(bold)
    painter.setPen(QColor(theme.on_accent))
    painter.drawText(tag, Qt.AlignmentFlag.AlignCenter, number)


def paint_box(painter: QPainter, left: float, right: float, lanes: Lanes, theme: Theme) -> None:
    """Draw the box that selects keys."""
    fill = QColor(theme.accent)
    fill.setAlpha(45)
    painter.setPen(QPen(QColor(theme.accent), 1))
    painter.setBrush(fill)
    painter.drawRoundedRect(QRectF(left, lanes.keys + 1.5, max(right - left, 1.0), KEYS - 3), 3, 3)


def scroll_bar(scale: Scale) -> tuple[float, float]:
    """Where the scroll bar's handle begins and ends, in pixels."""
    most = max(scale.frames - 1, 1)
    left, width = scale.width * scale.start / most, scale.width * scale.span / most
    if width < 24:
        left, width = (scale.width - 24) * scale.start / max(most - scale.span, 1e-9), 24
    return left + 2, left + width - 2


def _paint_extent(painter: QPainter, background: TrackBackground) -> None:
    """Draw the active person's clip as a band behind its keys, in a tint of its colour; stronger where keys reach."""
    lanes, scale, theme, marks = background.lanes, background.scale, background.theme, background.marks
    if marks.extent[1] <= 0:
        return
    left, right = scale.x(marks.extent[0]) - KEY_R - 3, scale.x(marks.extent[1]) + KEY_R + 3
    band = QRectF(left, lanes.keys + 3, right - left, KEYS - 6)
    _pill(painter, band, theme.panel, 5)
    faint, strong = QColor(marks.color or theme.faint), QColor(marks.color or theme.faint)
    faint.setAlpha(90 if marks.moves else 40)
    strong.setAlpha(120)
    y = lanes.keys + KEYS / 2
    painter.fillRect(QRectF(left + 4, y - 1, right - left - 8, 2), faint)
    for first, last in marks.reach:
        _pill(painter, QRectF(scale.x(first - 1), y - 2, (last - first + 2) * scale.pixels, 4), strong, 2)
    strong.setAlpha(220)
    for first, last in marks.solved:
        _pill(painter, QRectF(scale.x(first - 1), y - 2, (last - first + 2) * scale.pixels, 4), strong, 2)


def _paint_ruler(painter: QPainter, background: TrackBackground) -> None:
    lanes, scale, theme = background.lanes, background.scale, background.theme
    ticks, lines = QColor(theme.rule), QColor(theme.rule)
    lines.setAlpha(110)
    numbered, tick = scale.steps()
    for told in _told(background, tick):
        x, long = scale.x(told - 1), told % numbered == 0 or told == 1
        painter.fillRect(QRectF(x - 0.5, lanes.keys - (7 if long else 4), 1, 7 if long else 4), ticks)
        if long:
            painter.fillRect(QRectF(x - 0.5, lanes.keys, 1, lanes.scroll - lanes.keys), lines)
    painter.fillRect(QRectF(0, lanes.keys - 0.5, scale.width, 1), ticks)


def _paint_numbers(painter: QPainter, background: TrackBackground, tag: QRectF) -> None:
    """Draw the ruler's numbers, except those behind the playhead's; fainter outside the range to play."""
    clock, theme, metrics = background.clock, background.theme, painter.fontMetrics()
    numbered, _ = background.scale.steps()
    for told in _told(background, numbered):
        text, x = f"{told:,}", background.scale.x(told - 1)
        half = metrics.horizontalAdvance(text) / 2 + 1
        if told in (1, clock.frames):  # else the edge would cut it
            x = min(max(x, half), background.scale.width - half)
        place = QRectF(x - half, background.lanes.ruler + 1, 2 * half, RULER - 8)
        if not place.intersects(tag.adjusted(-4, 0, 4, 0)):
            painter.setPen(QColor(theme.muted if clock.first <= told - 1 <= clock.last else theme.faint))
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)


def _told(background: TrackBackground, step: int) -> list[int]:
    """The frames in sight as users count them: 1, and the round numbers after it."""
    low, high = (int(frame) for frame in background.scale.visible())
    last = min(high + step, background.clock.frames - 1) + 1
    rounds = range(max(low - low % step, step), last + 1, step)
    return [1, *(told for told in rounds if told != 1)] if low <= 0 else list(rounds)


def _paint_range(painter: QPainter, first: float, last: float, theme: Theme) -> None:
    """Draw the bar above the ruler: the range to play, with a grip at each end."""
    _pill(painter, QRectF(first, 3, last - first, RANGE - 6), theme.hover, 1.5)
    for x in (first, last):
        _pill(painter, QRectF(x - 3, 1, 6, RANGE - 2), theme.muted, 2.5)


def _paint_others(painter: QPainter, background: TrackBackground) -> None:
    lanes, scale = background.lanes, background.scale
    if not background.marks.others:
        return
    y = lanes.others + OTHERS / 2 - 1
    path = QPainterPath()
    taken = -1e9
    for place in background.marks.others:
        x = scale.x(place)
        if -OTHER_R <= x <= scale.width + OTHER_R and x - taken >= 2:
            path.addPath(_diamond(x, y, OTHER_R))
            taken = x
    painter.fillPath(path, QColor(background.theme.faint))


def _paint_contacts(painter: QPainter, background: TrackBackground) -> None:
    """Draw a bar for each contact of a foot, the left one's above; in the colour of met effectors if held, in
    that of missed ones if the foot is off its place or in the air."""
    scale, marks, theme = background.scale, background.marks, background.theme
    held, missed, free = QColor(theme.met), QColor(theme.unreachable), QColor(theme.faint)
    held.setAlpha(200)
    missed.setAlpha(200)
    free.setAlpha(120)
    for number in range(len(marks.contacts)):
        bar = _bar(background, number)
        if bar.left() < scale.width and bar.right() > 0:
            off = number in marks.missed or number in marks.lifted
            color = missed if off else held if marks.holds(number) else free
            _pill(painter, bar, color, 1.5)


def paint_chosen_bar(painter: QPainter, background: TrackBackground, number: int) -> None:
    """Draw a ring around the bar that the keyboard acts on."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(background.theme.accent), 1.5))
    painter.drawRoundedRect(_bar(background, number).adjusted(-2.0, -1.5, 2.0, 1.5), 3.0, 3.0)


def _bar(background: TrackBackground, number: int) -> QRectF:
    foot, first, last = background.marks.contacts[number]
    left, width = background.scale.x(first), max((last - first) * background.scale.pixels, 1.5)
    return QRectF(left, background.lanes.feet + foot * FOOT + 1, width, FOOT - 2)


def _paint_keys(painter: QPainter, background: TrackBackground) -> None:
    scale, theme, y = background.scale, background.theme, background.lanes.keys + KEYS / 2
    seen = [(f, scale.x(p)) for f, p in background.marks.keys if -KEY_R <= scale.x(p) <= scale.width + KEY_R]
    painter.setBrush(QColor(theme.panel))
    painter.setPen(QPen(QColor(theme.muted), 1))
    for place in background.ghosts:
        painter.drawPath(_diamond(scale.x(place), y, KEY_R - 0.5))
    painter.setPen(Qt.PenStyle.NoPen)
    for chosen, color in ((False, theme.text), (True, theme.accent)):
        xs = [x for frame, x in seen if (frame in background.chosen) == chosen]
        for left, right in clusters(xs):
            _paint_cluster(painter, left, right, y, color, theme.field)
        for x in isolated(xs):
            if chosen:
                halo = QColor(color)
                halo.setAlpha(70)
                painter.strokePath(_diamond(x, y, KEY_R), QPen(halo, 6))
            painter.strokePath(_diamond(x, y, KEY_R), QPen(QColor(theme.field), 2.5))
            painter.fillPath(_diamond(x, y, KEY_R), QColor(color))


def clusters(xs: Sequence[float]) -> list[tuple[float, float]]:
    """Where keys are so close together that they are drawn as one: the first and the last of each such crowd."""
    runs = _runs(xs)
    return [(run[0], run[-1]) for run in runs if len(run) >= MANY]


def isolated(xs: Sequence[float]) -> list[float]:
    """The places of the keys that are drawn singly."""
    return [x for run in _runs(xs) if len(run) < MANY for x in run]


def _runs(xs: Sequence[float]) -> list[list[float]]:
    runs: list[list[float]] = []
    for x in xs:
        if runs and x - runs[-1][-1] < CLOSE:
            runs[-1].append(x)
        else:
            runs.append([x])
    return runs


def _paint_cluster(painter: QPainter, left: float, right: float, y: float, color: str, around: str) -> None:
    """Draw a bar pointed at both ends, as if its keys overlapped."""
    path = QPainterPath(QPointF(left, y - KEY_R))
    for corner in ((right, y - KEY_R), (right + KEY_R, y), (right, y + KEY_R), (left, y + KEY_R), (left - KEY_R, y)):
        path.lineTo(*corner)
    path.closeSubpath()
    painter.strokePath(path, QPen(QColor(around), 2.5))
    painter.fillPath(path, QColor(color))


def _diamond(x: float, y: float, r: float) -> QPainterPath:
    path = QPainterPath(QPointF(x, y - r))
    for corner in ((x + r, y), (x, y + r), (x - r, y)):
        path.lineTo(*corner)
    path.closeSubpath()
    return path


def _pill(painter: QPainter, place: QRectF, color: QColor | str, radius: float = 2.0) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(color))
    painter.drawRoundedRect(place, radius, radius)
