"""The points of the active person drawn over the photo, each of which can be dragged to where the photo has it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen

from app.document import edits
from app.document.in_photo.photo_points import TITLES, photo_points, with_points
from app.document.model.document import Character
from app.look.theme import current_theme
from app.services.session import Session
from app.viewport.overlays.depth_marks import DepthMarks
from app.viewport.overlays.hover_label import HoverLabel
from app.viewport.overlays.over_photo import Array, OverPhoto
from app.viewport.overlays.photo_doubt import draw_lines, draw_rings, guesses, in_words, rings, seen_points
from rendering.camera.camera import PhotoView
from rendering.view.viewport import Viewport
from solver.camera import PinholeCamera

REACH = 12.0  # pixels within which a point is meant
RADIUS, SMALL = 4.5, 3.0
SMALL_ONES = (0, 7, 8, 19, 20, 29, 30)


class PhotoPoints(OverPhoto):
    """Lies over the view, and takes the pointer only where a point is."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(session, viewport)
        self._points: dict[int, Array] = {}
        self._put: dict[int, Array] = {}  # by hand, in the photo's pixels: those stay while others are dragged
        self._of: Character | None = None  # whom they are of, in the pose that they gave it
        self._start: Character | None = None  # whose point is dragged, before
        self._under = self._dragged = -1
        self._off = np.zeros(2)
        self._label = HoverLabel(viewport)
        self.marks = DepthMarks(session, viewport)
        self.shown = True
        self.setAccessibleName("Points in the photo")
        self.follow()

    def set_shown(self, shown: bool) -> None:
        """Show them, while one looks through the photo's camera, or not."""
        self.shown = shown
        self.follow()

    def at(self, mark: int) -> QPointF | None:
        """Where in the view a point is shown, by BlazePose's number; None for one that is not."""
        if not self.isVisible() or mark not in self._points:
            return None
        return QPointF(*self._in_view(self._points[mark]))

    def is_at(self, x: float, y: float) -> bool:
        """Whether a press at a pixel of the view would take a point."""
        return self.isVisible() and self._nearest(np.array([x, y])) >= 0

    def follow(self, *_: object) -> None:
        """Show the active person's points as the session and the camera are now."""
        active, camera = self._session.active, self._lens()
        if active is None or camera is None or not self.shown:
            self._points = {}
            self._end()
            self.hide()
            self.marks.follow({})
            return
        if self._start is None and (self._of is None or not _same(active, self._of)):
            self._put, self._of = {}, active  # somebody else, or posed by other means
        self._points = photo_points(active, camera)
        self.setGeometry(self._viewport.rect())
        self.setVisible(bool(self._points))
        self.raise_()
        self._label.raise_()
        self.marks.follow(self._all_in_view())
        self.update()

    @property
    def guesses(self) -> frozenset[int]:
        """The points to which dashed lines lead: those that are guesses, and nobody put by hand."""
        active = self._session.active
        return guesses(self._session.document, active.id) - set(self._put) if active is not None else frozenset()

    @property
    def rings(self) -> dict[int, QPointF]:
        """Where in the view networks saw points that the body has elsewhere."""
        active = self._session.active
        if active is None or not self._points:
            return {}
        left, top, scale = self._rect()
        seen = seen_points(self._session.document, active.id)
        return rings(self._all_in_view(), seen, scale, self._put, QPointF(left, top))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Lines between what belongs together; points, filled where put by hand; rings where networks saw them."""
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        view = self._all_in_view()
        draw_lines(painter, view, self.guesses)
        draw_rings(painter, view, self.rings)
        for mark, at in view.items():
            radius = SMALL if mark in SMALL_ONES else RADIUS
            radius += 2.0 * (mark in (self._under, self._dragged))
            by_hand = mark in self._put
            painter.setPen(QPen(QColor(0, 0, 0, 120), 3.5))
            painter.setBrush(QColor(theme.accent) if by_hand else QColor(20, 23, 28, 150))
            painter.drawEllipse(at, radius, radius)
            painter.setPen(QPen(QColor(theme.accent if by_hand else "#ffffff"), 1.5))
            painter.drawEllipse(at, radius, radius)
        painter.end()

    def _can_be_dragged(self) -> bool:
        return bool(self._points)

    def _is_dragged(self) -> bool:
        return self._start is not None

    def _press(self, here: Array) -> bool:
        mark, active = self._nearest(here), self._session.active
        if mark < 0 or active is None:
            return False
        self._start, self._dragged = active, mark
        self._off = self._in_view(self._points[mark]) - here
        return True

    def _drag(self, here: Array) -> None:
        camera, start = self._lens(), self._start
        if camera is None or start is None:
            return
        self._put[self._dragged] = self._in_photo(here + self._off)
        edit = edits.set_pose(start.id, with_points(start, camera, self._put))
        title = TITLES[self._dragged].lower()
        self._session.edit(f"Match {title} to the photo", edit, merge_key=("photo point", start.id))
        self._of = self._session.active

    def _release(self) -> None:
        self._end()
        self.follow()

    def _cancel(self) -> None:
        if self._start is not None:
            self._session.cancel(("photo point", self._start.id))
            self._put = {}
            self._start, self._dragged = None, -1
            self.follow()

    def _end(self) -> None:
        if self._start is not None:
            self._start, self._dragged = None, -1
            self._session.close_step()
            self._of = self._session.active

    def _point(self, here: Array | None) -> bool:
        mark = -1 if here is None else self._nearest(here)
        if mark != self._under:
            self._under = mark
            self._say(mark)
            self.update()
        return mark >= 0

    def _say(self, mark: int) -> None:
        if mark < 0:
            self._label.hide()
            return
        active = self._session.active
        seen = seen_points(self._session.document, active.id) if active is not None else {}
        text = f"{in_words(mark, seen)} · drag it to where the photo has it"
        self._label.show_at(text, *self._in_view(self._points[mark]))

    def _nearest(self, here: Array) -> int:
        off = {mark: float(np.linalg.norm(self._in_view(at) - here)) for mark, at in self._points.items()}
        mark = min(off, key=lambda one: off[one], default=-1)
        return mark if mark >= 0 and off[mark] <= REACH else -1

    def _lens(self) -> PinholeCamera | None:
        photo, view = self._session.document.photo, self._session.view
        seen = view.through_photo and isinstance(self._viewport.camera, PhotoView)
        return photo.camera if photo is not None and seen else None

    def _all_in_view(self) -> dict[int, QPointF]:
        return {mark: QPointF(*self._in_view(at)) for mark, at in self._points.items()}


def _same(one: Character, other: Character) -> bool:
    return one.id == other.id and one.pose == other.pose
