"""Unseen points of limbs, which networks did not see in the photo: a click in an empty place adds one."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.document.in_photo.photo_points import LINES, TITLES
from app.look.theme import current_theme
from app.viewport.overlays.point_certainty import TRUNK
from rendering.camera.camera import View
from solver.photo.sighting import SEEN, SeenPoint

Array = NDArray[np.float64]
NEAR = 0.4  # of the person's extent in the view: how near to a point a click has to be to mean it
STRETCH = 2.0  # lengths of its bones: how far a click may be from the seen point, which need not be quite right either
SHORTEST = 0.1  # metres, of bones to points that have no joint of their own, such as heels
HALO = QColor(0, 0, 0, 130)
DOTS = [2.0, 2.0]  # in widths of the line
INWARD = {outer: inner for inner, outer in LINES if outer not in TRUNK}  # the point that each point of a limb hangs on


def unseen_points(seen: Mapping[int, SeenPoint]) -> frozenset[int]:
    """The points of limbs, by BlazePose's numbers, that networks only supposed."""
    return frozenset(mark for mark, point in seen.items() if mark in INWARD and point.confidence < SEEN)


def unseen_point_at(here: Array, at: Mapping[int, Array], unseen: Collection[int]) -> int:
    """Which unseen point a click at `here`, (2,) pixels of the view, means: the nearest; -1 for none.

    at: where the person's points are in the view, by BlazePose's numbers.
    """
    off = {mark: float(np.linalg.norm(at[mark] - here)) for mark in unseen if mark in at}
    mark = min(off, key=lambda one: off[one], default=-1)
    if mark < 0:
        return -1
    extent = float(np.linalg.norm(np.ptp(np.array(list(at.values())), axis=0)))
    return mark if off[mark] <= NEAR * extent else -1


def limb_reach(mark: int, unseen: Collection[int], places: Mapping[int, Array], view: View) -> tuple[int, float]:
    """The seen point, by BlazePose's number, that an unseen one hangs on in the end, and how many pixels of the view
    from there a click can mean it.

    places: (3,) metres, the joints at the points, by BlazePose's numbers.
    """
    metres, inner = 0.0, mark
    while True:
        outer, inner = inner, INWARD[inner]
        metres += max(float(np.linalg.norm(places[outer] - places[inner])), SHORTEST)
        if inner not in unseen:
            return inner, STRETCH * metres / view.metres_per_pixel(places[inner])


def add_point_text(mark: int) -> str:
    """What a click there would do."""
    return f"{TITLES[mark]}: not seen in the photo\nClick where it is"


def draw_unseen(painter: QPainter, at: QPointF, radius: float) -> None:
    """Draw a point that nobody saw, dotted and hollow."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for color, width in ((HALO, 3.0), (QColor("#ffffff"), 1.4)):
        pen = QPen(color, width)
        pen.setDashPattern([each * 1.4 / width for each in DOTS])
        painter.setPen(pen)
        painter.drawEllipse(at, radius, radius)


def draw_add_marker(painter: QPainter, inner: QPointF, here: QPointF, radius: float) -> None:
    """Draw what a click would put in: a point under the pointer, and a line to it from the one it hangs on."""
    for color, width in ((HALO, 4.0), (QColor(current_theme().accent), 2.0)):
        pen = QPen(color, width)
        pen.setDashPattern([each * 4.0 / width for each in DOTS])
        painter.setPen(pen)
        painter.drawLine(inner, here)
        painter.setPen(QPen(color, width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(here, radius, radius)
