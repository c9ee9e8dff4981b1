"""A foreign skeleton from the front: its bones, and which of its joints are ours."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.look.theme import SPACE, Theme, current_theme
from app.panels.widgets.external_text import shortened
from solver.rig.foreign_skeleton import ForeignSkeleton
from solver.rig.roles import Role

LONGEST = 30  # letters of a name
MARGIN = 5 * SPACE  # pixels around the figure, for names
NEAR = 14.0  # pixels within which a joint is meant
OURS_NEARER = 3.0  # pixels by which joints that are ours count as nearer than they are
EDGE = 4.0  # pixels that stay free beside a name
DOT, LARGE, SMALL = 4.5, 7.0, 2.5  # pixels, radii of joints that are ours, the one looked at, and all others


class JointPicture(QWidget):
    """The figure with its joints: ours in colours, by side. picked(joint): a click on one, by its index."""

    picked = Signal(int)

    def __init__(self, skeleton: ForeignSkeleton, places: NDArray[np.floating], parent: QWidget | None = None) -> None:
        """places: (J, 2) to the right of the picture and up, in any unit."""
        super().__init__(parent)
        self._skeleton, self._places = skeleton, places
        self._joints: Mapping[str, int] = {}
        self._doubtful: frozenset[str] = frozenset()
        self._selected = ""
        self._hovered = -1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(QSize(240, 240))
        self.setMouseTracking(True)
        self.setAccessibleName("The skeleton from the front")

    def show_map(self, joints: Mapping[str, int], doubtful: Sequence[str], selected: str) -> None:
        """Which joints are ours, which of our joints are in doubt, and which of ours is looked at."""
        self._joints, self._doubtful, self._selected = joints, frozenset(doubtful), selected
        self.update()

    def place(self, joint: int) -> QPointF:
        """Where a joint is drawn, in the widget."""
        return QPointF(*self._drawn()[joint])

    def joint_at(self, place: QPointF) -> int:
        """The joint at a place of the widget, rather one of ours; -1 if none is near."""
        away = np.linalg.norm(self._drawn() - place.toTuple(), axis=1)
        away[list(self._joints.values())] -= OURS_NEARER
        nearest = int(np.argmin(away))
        return nearest if away[nearest] < NEAR else -1

    def _drawn(self) -> NDArray[np.floating]:
        """(J, 2) pixels to the right and down, where the joints are drawn."""
        low, high = self._places.min(axis=0), self._places.max(axis=0)
        frame = np.array([self.width(), self.height()])
        scale = np.min((frame - 2 * MARGIN) / np.maximum(high - low, 1e-9))
        drawn: NDArray[np.floating] = frame / 2 + (self._places - (low + high) / 2) * scale * [1.0, -1.0]
        return drawn

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say the name of the joint below."""
        hovered = self.joint_at(event.position())
        if hovered != self._hovered:
            self._hovered = hovered
            self.setCursor(Qt.CursorShape.PointingHandCursor if hovered >= 0 else Qt.CursorShape.ArrowCursor)
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take a joint."""
        joint = self.joint_at(event.position())
        if joint >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.picked.emit(joint)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw bones, joints and names."""
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.rule), 1.0))
        painter.setBrush(QColor(theme.field))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setPen(QColor(theme.muted))
        corner = QRectF(self.rect()).adjusted(SPACE * 1.5, SPACE, -SPACE * 1.5, -SPACE)
        painter.drawText(corner, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, "the figure's right")
        painter.drawText(corner, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight, "the figure's left")
        painter.setPen(QPen(QColor(theme.faint), 1.5))
        places = [QPointF(*place) for place in self._drawn()]
        for j, parent in enumerate(self._skeleton.parents):
            if parent >= 0:
                painter.drawLine(places[parent], places[j])
        roles = {j: role for role, j in self._joints.items()}
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.faint))
        for j, place in enumerate(places):
            if j not in roles:
                painter.drawEllipse(place, SMALL, SMALL)
        for j, role in roles.items():
            painter.setBrush(QColor(_color(theme, role)))
            painter.setPen(QPen(QColor(theme.tolerated), 2.0) if role in self._doubtful else Qt.PenStyle.NoPen)
            radius = LARGE if role == self._selected else DOT
            painter.drawEllipse(places[j], radius, radius)
        self._paint_names(painter, theme, roles)
        painter.end()

    def _paint_names(self, painter: QPainter, theme: Theme, roles: Mapping[int, str]) -> None:
        """The names of the joint looked at and the one below the pointer, then of ours, as far as there is room."""
        first = [j for j in (self._hovered, self._joints.get(self._selected, -1)) if j >= 0]
        taken: list[QRectF] = []
        dots = [(j, QRectF(self.place(j) - QPointF(DOT, DOT), QSizeF(2 * DOT, 2 * DOT))) for j in roles]
        metrics, inside = QFontMetricsF(painter.font()), QRectF(self.rect()).adjusted(EDGE, EDGE, -EDGE, -EDGE)
        for j in dict.fromkeys([*first, *roles]):
            text, place = _short(self._skeleton.labels[j]), self.place(j)
            size = QSizeF(metrics.horizontalAdvance(text), metrics.height())
            boxes = _around(place, size, place.x() >= self.width() / 2 - 1)
            free = [
                box
                for box in boxes
                if inside.contains(box)
                and not any(box.intersects(other) for other in taken)
                and not any(box.intersects(dot) for at, dot in dots if at != j)
            ]
            if not free and j not in first:
                continue
            box = free[0] if free else boxes[0]
            box.moveLeft(min(max(box.left(), EDGE), self.width() - size.width() - EDGE))
            taken.append(box)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.raised if j in first else theme.field))  # no bone strikes a name through
            painter.drawRoundedRect(box.adjusted(-3, -1, 3, 1), 3, 3)
            painter.setPen(QColor(theme.text if j in first else theme.muted))
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)


def _around(place: QPointF, size: QSizeF, right_first: bool) -> list[QRectF]:
    """Where a name of that size may stand about a joint, the best place first."""
    left, right = place.x() - LARGE - 3 - size.width(), place.x() + LARGE + 3
    beside, middle = (right, left) if right_first else (left, right), place.y() - size.height() / 2
    corners = [(beside[0], middle), (place.x() - size.width() / 2, place.y() - LARGE - size.height()),
               (place.x() - size.width() / 2, place.y() + LARGE), (beside[1], middle)]  # fmt: skip
    return [QRectF(QPointF(*corner), size) for corner in corners]


def _short(label: str) -> str:
    """A joint's name without the figure's, which all of them share: "mixamorig:LeftArm"."""
    return shortened(re.split(r"[:|]", label)[-1] or label, LONGEST)


def _color(theme: Theme, role: str) -> str:
    return {"left": theme.accent, "right": theme.met}.get(Role(role).side, theme.text)
