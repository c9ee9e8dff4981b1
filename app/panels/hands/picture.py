"""Small pictures of hands, drawn from the places of the fingers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF

from app.look.theme import Theme
from solver.body.body import Body
from solver.body.fingers import finger_points, wrist_place
from solver.body.hands import Hands

Array = NDArray[np.float64]
Stroke = tuple[Array, float, bool]  # its ends, metres across, and whether it is the last of its finger
SIZE = (64, 60)  # logical pixels
EDGE = 1.0  # logical pixels between something nearer and what it covers
_THICK_M = ((0.023, 0.021, 0.018), *[(0.020, 0.0175, 0.0155)] * 3, (0.0175, 0.0155, 0.0135))  # of fingers' parts
_PALM_M, _ARM_M, _BALL_M = 0.024, 0.042, 0.027
_NEAR_M = 0.07  # the range of depths, about the palm's, over which colours go from darkest to lightest
_DARKEST = 0.45
# A view: how far it is turned from facing the palm to the thumb's side, degrees; whether the thumb's side is up; how
# many metres are as tall as the picture; and what is in its middle, metres from the wrist along the hand and up.
_PALM, _SIDE, _UP = (
    (20.0, False, 0.245, (0.088, 0.0)),
    (72.0, False, 0.2, (0.075, -0.02)),
    (0.0, True, 0.2, (0.05, 0.03)),
)
_FROM_SIDE = ("pinch", "claw", "cupped", "grip_thick", "grip_thin", "holding_a_cup", "loose_fist")
_VIEWS = {"thumbs_up": _UP, "ok": (50.0, False, 0.245, (0.088, -0.01)), **dict.fromkeys(_FROM_SIDE, _SIDE)}


def hand_picture(hands: Hands, side: int, body: Body, theme: Theme, ratio: float, id: str = "") -> QPixmap:
    """One hand (0: left) as palm and rounded strokes in a theme's colours; nearer parts cover those behind them.

    ratio: physical pixels for each logical one. id: of a preset, which is seen from where it is easiest to recognise.
    """
    turn, thumb_up, tall, middle = _VIEWS.get(id, _PALM)
    picture = QPixmap(round(SIZE[0] * ratio), round(SIZE[1] * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    scale, a = SIZE[1] / tall, np.radians(turn)
    eye = np.array([0.0, -np.cos(a), np.sin(a)])
    up = np.array([0.0, 0.0, 1.0]) if thumb_up else np.array([1.0, 0.0, 0.0])
    axes = np.stack([np.cross(up, eye), up, eye])
    wrist = wrist_place(body)
    fingers = finger_points(hands if side == 0 else hands.mirrored(), body)[0] - wrist
    along = np.array([middle[0], 0.0, middle[1]]) if thumb_up else np.array([middle[0], middle[1], 0.0])
    centre = axes @ along

    def seen(*points: Array | list[float]) -> Array:
        """(N, 3): x and y in the picture, logical pixels, and how near, metres."""
        x, y, z = axes @ np.array(points).T
        flip = 1.0 if side == 0 else -1.0
        return np.stack([SIZE[0] / 2 + flip * scale * (x - centre[0]), SIZE[1] / 2 - scale * (y - centre[1]), z], -1)

    palm = seen([0.004, 0, 0.014], [0.004, 0, -0.014], fingers[4, 0], fingers[3, 0], fingers[2, 0], fingers[1, 0])
    arm, ball = seen([-0.07, 0, 0], [0, 0, 0]), seen([0.014, 0, 0.006], fingers[0, 0])
    strokes: list[Stroke] = [(arm, _ARM_M, True), (ball, _BALL_M, True)]
    for chain, thick in zip(fingers, _THICK_M, strict=True):
        strokes += [(seen(*chain[part : part + 2]), thick[part], part == 2) for part in range(3)]
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    depth = float(palm[:, 2].mean())
    behind = [stroke for stroke in strokes if stroke[0][:, 2].mean() <= depth]
    before = [stroke for stroke in strokes if stroke[0][:, 2].mean() > depth]
    for group in (behind, before):
        for ends, metres, ended in sorted(group, key=lambda stroke: float(stroke[0][:, 2].mean())):
            _stroke(painter, ends, scale * metres, ended, _shade(theme, float(ends[:, 2].mean()) - depth), theme)
        if group is behind:
            _palm(painter, palm, scale * _PALM_M, _shade(theme, 0.0), theme)
    painter.end()
    return picture


def _shade(theme: Theme, nearer: float) -> QColor:
    share = _DARKEST + (1 - _DARKEST) * float(np.clip(0.5 + nearer / _NEAR_M, 0, 1))
    back, front = (
        np.array([QColor(each).redF(), QColor(each).greenF(), QColor(each).blueF()])
        for each in (theme.panel, theme.text)
    )
    return QColor.fromRgbF(*(back + 0.82 * share * (front - back)))


def _stroke(painter: QPainter, ends: Array, thick: float, ended: bool, colour: QColor, theme: Theme) -> None:
    """ended: it is the last of its finger; the other parts of a finger run into one another without an edge."""
    a, b = (QPointF(*end[:2]) for end in ends)
    round_cap, flat_cap = Qt.PenCapStyle.RoundCap, Qt.PenCapStyle.FlatCap
    edge = QPen(QColor(theme.panel), thick + 2 * EDGE, Qt.PenStyle.SolidLine, round_cap if ended else flat_cap)
    painter.setPen(edge)
    painter.drawLine(QLineF((a + b) / 2 if ended else a, b))
    if ended:
        edge.setCapStyle(flat_cap)
        painter.setPen(edge)
        painter.drawLine(QLineF(a, b))
    painter.setPen(QPen(colour, thick, Qt.PenStyle.SolidLine, round_cap))
    painter.drawLine(QLineF(a, b))


def _palm(painter: QPainter, palm: Array, thick: float, colour: QColor, theme: Theme) -> None:
    shape = QPolygonF([QPointF(x, y) for x, y, _ in palm])
    for each, width in ((QColor(theme.panel), thick + 2 * EDGE), (colour, thick)):
        pen = QPen(each, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        painter.setBrush(each)
        painter.drawPolygon(shape)
