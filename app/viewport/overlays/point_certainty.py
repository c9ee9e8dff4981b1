"""How certain the points in a photo are: dashed lines to guesses, rings where networks saw points, and words."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import hypot

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.document.in_photo.photo_points import LINES, TITLES, Array
from app.document.model.document import Document
from solver.photo.depth_ambiguity import depth_error, extent_px, is_guess
from solver.photo.sighting import SEEN, SeenPoint

HALO, LINE = QColor(0, 0, 0, 110), QColor(255, 255, 255, 190)
WIDE, THIN = 3.4, 1.5
DASH, GAP = 4.0, 4.0  # pixels
RING, BESIDE = 4.0, 7.0  # pixels: a ring's radius, and how far off its point it must be to show
TRUNK = (0, 7, 8, 11, 12, 23, 24)  # head, shoulders and hips


def seen_points(document: Document, id: str) -> Mapping[int, SeenPoint]:
    """What networks saw of a character in the document's photo, by BlazePose's numbers; empty at a later frame."""
    if document.photo is None:
        return {}
    character = next((c for c in document.characters if c.id == id), None)
    if character is None or character.sighting is None or character.frame:
        return {}
    return character.sighting.by_mark if character.sighting.photo == document.photo.sha256 else {}


def guesses(document: Document, id: str) -> frozenset[int]:
    """The points of a character on which looks disagreed much."""
    seen = seen_points(document, id)
    if not seen:
        return frozenset()
    sighting = document.character(id).sighting
    extent = extent_px(sighting) if sighting is not None else 1.0
    return frozenset(mark for mark, point in seen.items() if is_guess(point, extent))


def draw_lines(painter: QPainter, at: Mapping[int, QPointF], unsure: Collection[int]) -> None:
    """Draw lines between points that belong together, dashed outward to a guess; in the trunk, between two guesses.

    With a halo for light photos.
    """
    for color, width in ((HALO, WIDE), (LINE, THIN)):
        solid, dashed = QPen(color, width), QPen(color, width)
        for pen in (solid, dashed):
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        dashed.setDashPattern([DASH / width, GAP / width])
        for a, b in LINES:
            if a in at and b in at:
                painter.setPen(dashed if b in unsure and (a in unsure or b not in TRUNK) else solid)
                painter.drawLine(at[a], at[b])


def rings(
    at: Mapping[int, QPointF],
    seen: Mapping[int, SeenPoint],
    scale: float,
    put: Collection[int],
    corner: QPointF,
    off: Mapping[int, Array],
) -> dict[int, QPointF]:
    """Where in the view rings show: points that networks saw away from the body's, and that were not put by hand.

    scale: of the photo in the view; corner: its top left there. off: (2,) pixels of the photo by which networks mark
    points elsewhere than people do.
    """
    found = {}
    for mark, place in at.items():
        if mark in put or mark not in seen or seen[mark].confidence < SEEN:
            continue
        by_networks = seen[mark].pixel_spread is not None  # they look several times; other programs and people do not
        x, y = off[mark] + seen[mark].pixel if by_networks and mark in off else seen[mark].pixel
        ring = QPointF(corner.x() + scale * x, corner.y() + scale * y)
        if hypot(ring.x() - place.x(), ring.y() - place.y()) > BESIDE:
            found[mark] = ring
    return found


def draw_rings(painter: QPainter, at: Mapping[int, QPointF], found: Mapping[int, QPointF]) -> None:
    """Draw faint rings, each tied to its point by a hairline."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for color, width in ((QColor(0, 0, 0, 90), 3.0), (QColor(255, 255, 255, 170), 1.2)):
        painter.setPen(QPen(color, width))
        for ring in found.values():
            painter.drawEllipse(ring, RING, RING)
    for color, width in ((QColor(0, 0, 0, 60), 2.0), (QColor(255, 255, 255, 110), 0.8)):
        painter.setPen(QPen(color, width))
        for mark, ring in found.items():
            way = at[mark] - ring
            painter.drawLine(ring + way * (RING / hypot(way.x(), way.y())), at[mark])


def certainty_text(mark: int, seen: Mapping[int, SeenPoint]) -> str:
    """A point's name and how sure it is: “Left wrist: 14 px between looks, depth ± 9 cm”."""
    point = seen.get(mark)
    error = depth_error(point) if point is not None else None
    if point is None or error is None or point.pixel_spread is None:
        return TITLES[mark]
    return f"{TITLES[mark]}: {point.pixel_spread:.0f} px between looks, depth ± {100 * error:.0f} cm"
