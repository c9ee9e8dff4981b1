"""The active person's points drawn over the photo, each of which can be dragged to where the photo has it.

A limb's point that networks did not see can also be put in by a click elsewhere: in an empty place, or on the person's
own body, where a drag still poses the body as usual.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen

from app.document import edits
from app.document.in_photo.photo_points import JOINTS, TITLES, from_marks, photo_points, with_points
from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.look.theme import current_theme
from app.services.session import Session
from app.viewport.overlays.depth_marks import DepthMarks
from app.viewport.overlays.hover_label import HoverLabel
from app.viewport.overlays.photo_overlay import Array, PhotoOverlay
from app.viewport.overlays.point_certainty import certainty_text, draw_lines, draw_rings, guesses, rings, seen_points
from app.viewport.overlays.unseen_points import (
    INWARD,
    add_point_text,
    draw_add_marker,
    draw_unseen,
    limb_reach,
    unseen_point_at,
    unseen_points,
)
from rendering.camera.camera import PhotoView
from rendering.camera.navigation import DRAG_STARTS
from rendering.view.viewport import Viewport
from solver.camera import PinholeCamera

REACH = 12.0  # pixels within which a point is meant
RADIUS, SMALL = 4.5, 3.0
STAYS = 1.0  # pixels of the photo
SMALL_ONES = (0, 7, 8, 19, 20, 29, 30)


class PhotoPoints(PhotoOverlay):
    """Lies over the view and takes the pointer only where a point is, or where a click would put one.

    points_shown_changed(): the points show now, or no longer do.
    """

    points_shown_changed = Signal()

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(session, viewport)
        self._points: dict[int, Array] = {}
        self._from_marks: dict[int, Array] = {}
        self._put: dict[int, Array] = {}  # by hand, in the photo's pixels: these stay while others are dragged
        self._put_before: dict[int, Array] = {}  # when the drag began
        self._of: Character | None = None  # the person they belong to, in the pose that they gave it
        self._others: dict[str, tuple[Character, dict[int, Array]]] = {}  # who was posed before, and theirs, by id
        self._as_put: Character | None = None  # that person as the last drag of a point left them
        self._start: Character | None = None  # the person whose point is dragged, before the drag
        self._under = self._dragged = self._adding = -1
        self._here = np.zeros(2)  # the pointer's place while a click would put a point there
        self._pointer: Array | None = None  # where it was last, over a point or not; None while it is elsewhere
        self._on_body: Array | None = None  # where the body was pressed; releasing there makes it a click
        self._off = np.zeros(2)
        self.label = HoverLabel(viewport)
        self.marks = DepthMarks(session, viewport)
        self.shown = True
        self.setAccessibleName("Points in the photo")
        self.follow()

    def set_shown(self, shown: bool) -> None:
        """Show them in the view through the photo's camera, or not."""
        self.shown = shown
        self.follow()

    def at(self, mark: int) -> QPointF | None:
        """Where a point is shown in the view, by BlazePose's number; None if it is not."""
        if not self.isVisible() or mark not in self._points:
            return None
        return QPointF(*self._in_view(self._points[mark]))

    def is_at(self, x: float, y: float) -> bool:
        """Whether a press at a pixel of the view would take a point."""
        return self.isVisible() and self._nearest(np.array([x, y])) >= 0

    def follow(self, *_: object) -> None:
        """Show the active person's points as the session and the camera are now."""
        active, camera, before = self._session.active, self._lens(), not self.isHidden()
        if active is None or camera is None or not self.shown:
            self._points = {}
            self._end()
            self._point(None)
            self.hide()
            self.marks.follow({})
        else:
            points = photo_points(active, camera)
            if self._start is None and (self._of is None or not _same(active, self._of)):
                self._take_up(active, points, camera)  # somebody else, or posed by other means
            self._points, self._from_marks = points, from_marks(active, camera)
            self.setGeometry(self._viewport.rect())
            self.setVisible(bool(self._points))
            if not before:  # later it would come above a photo that is being read
                self.raise_()
                self.label.raise_()
            self.marks.follow(self._all_in_view())
            if self._under >= 0 and self._start is None:
                self._point(self._pointer)  # the body may have moved from under it
            self.update()
        if before == self.isHidden():
            self.points_shown_changed.emit()

    @property
    def guesses(self) -> frozenset[int]:
        """The points that dashed lines lead to: guesses that were not put by hand."""
        active = self._session.active
        return guesses(self._session.document, active.id) - set(self._put) if active is not None else frozenset()

    @property
    def unseen(self) -> frozenset[int]:
        """The limbs' points that networks did not see and that were not put by hand: a click elsewhere puts one in."""
        active = self._session.active
        if active is None:
            return frozenset()
        return unseen_points(seen_points(self._session.document, active.id)) - set(self._put)

    @property
    def rings(self) -> dict[int, QPointF]:
        """Where in the view networks saw points that are elsewhere on the body."""
        active = self._session.active
        if active is None or not self._points:
            return {}
        left, top, scale = self._rect()
        seen = seen_points(self._session.document, active.id)
        return rings(self._all_in_view(), seen, scale, self._put, QPointF(left, top), self._from_marks)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw lines between related points; points, filled if put by hand; rings where networks saw them."""
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        view = self._all_in_view()
        unseen = self.unseen
        draw_lines(painter, view, self.guesses | unseen)
        draw_rings(painter, view, self.rings)
        for mark, at in view.items():
            radius = SMALL if mark in SMALL_ONES else RADIUS
            radius += 2.0 * (mark in (self._under, self._dragged, self._adding))
            if mark in unseen:
                draw_unseen(painter, at, radius)
                continue
            by_hand = mark in self._put
            painter.setPen(QPen(QColor(0, 0, 0, 120), 3.5))
            painter.setBrush(QColor(theme.accent) if by_hand else QColor(20, 23, 28, 150))
            painter.drawEllipse(at, radius, radius)
            painter.setPen(QPen(QColor(theme.accent if by_hand else "#ffffff"), 1.5))
            painter.drawEllipse(at, radius, radius)
        if self._adding in view:
            draw_add_marker(painter, view[INWARD[self._adding]], QPointF(*self._here), RADIUS)
        painter.end()

    def _takes(self, event: QMouseEvent) -> bool:
        taken, here = super()._takes(event), np.array([event.position().x(), event.position().y()])
        if event.type() == QEvent.Type.MouseButtonPress:
            plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
            self._on_body = here if plain and not taken and self._meant(here) >= 0 else None
        elif self._on_body is not None and np.hypot(*(here - self._on_body)) >= DRAG_STARTS:
            self._on_body = None  # the body is being dragged
        elif self._on_body is not None and event.type() == QEvent.Type.MouseButtonRelease:
            self._viewport.cancel_drag()
            self._begin(self._meant(self._on_body), self._on_body, put=True)
            self._on_body = None
            self._release()
        return taken

    def _take_up(self, active: Character, points: dict[int, Array], camera: PinholeCamera) -> None:
        """Go on with this person: those put by hand stay so that another pose since, as of a flipped limb, leaves where
        they were in the photo."""
        if self._of is not None:
            self._others[self._of.id] = self._as_put or self._of, self._put
        before, put = self._others.pop(active.id, (active, {}))
        at = photo_points(before, camera) if put else {}
        stay = {mark for mark in points.keys() & at.keys() if np.hypot(*(points[mark] - at[mark])) <= STAYS}
        self._put, self._of = {mark: place for mark, place in put.items() if mark in stay}, active
        self._as_put = before  # not as now: in many small steps they would be taken along unseen

    def _can_be_dragged(self) -> bool:
        return bool(self._points)

    def _is_dragged(self) -> bool:
        return self._start is not None

    def _press(self, here: Array) -> bool:
        mark = self._nearest(here)
        added = self._meant(here) if mark < 0 and not self._is_own_body(here) else -1
        if max(mark, added) < 0:
            return False
        self._begin(max(mark, added), here, put=mark < 0)
        return self._start is not None

    def _begin(self, mark: int, here: Array, put: bool) -> None:
        """Begin a drag of a point from where it is or, if it is being put in, from `here`."""
        active = self._session.active
        if active is None:
            return
        self._point(None)  # its label would cover what is aimed at
        self._pointer = here
        self._start, self._of, self._dragged, self._put_before = active, active, mark, dict(self._put)
        self._off = np.zeros(2) if put else self._in_view(self._points[mark]) - here
        if put:
            self._drag(here)

    def _drag(self, here: Array) -> None:
        camera, start = self._lens(), self._start
        self._pointer = here
        if camera is None or start is None:
            return
        if not self._is_as_dragged():
            self._abandon(start)
            return
        self._put[self._dragged] = self._in_photo(here + self._off)
        edit = edits.put_points(start.id, with_points(start, camera, self._put), self._put)
        title = TITLES[self._dragged].lower()
        self._session.edit(f"Match {title} to the photo", edit, merge_key=("photo point", start.id))
        self._of = self._as_put = self._session.active

    def _is_as_dragged(self) -> bool:
        """Whether the person is still the active one, in the pose that the drag gave: a key may delete or turn them."""
        active, of = self._session.active, self._of
        return active is not None and of is not None and _same(active, of)

    def _abandon(self, start: Character) -> None:
        """End a drag whose person is gone, is no longer active or was posed by other means, and keep all as it is."""
        self._start, self._dragged = None, -1
        self._put, self._of = {}, self._session.active
        self._session.close_step(("photo point", start.id))
        self.follow()

    def _release(self) -> None:
        if self._start is not None and not self._is_as_dragged():
            self._abandon(self._start)
        self._end()
        self.follow()
        self._point(self._pointer)  # it rests on the point, whose limb a key may flip at once

    def _cancel(self) -> None:
        if self._start is not None and not self._is_as_dragged():
            self._abandon(self._start)
        elif self._start is not None:
            self._session.cancel(("photo point", self._start.id))
            self._put, self._of, self._as_put = self._put_before, self._session.active, self._start
            self._start, self._dragged = None, -1
            self.follow()

    def _end(self) -> None:
        if self._start is not None:
            self._start, self._dragged = None, -1
            self._session.close_step()
            self._of = self._session.active

    def _point(self, here: Array | None) -> bool:
        self._pointer = here
        mark = -1 if here is None else self._nearest(here)
        adding = self._meant(here) if here is not None and mark < 0 else -1
        on_body = here is not None and adding >= 0 and self._is_own_body(here)
        if here is not None and adding >= 0:
            self._here = here
            at = self._in_view(self._points[adding]) if on_body else here  # the body is named at the pointer
            self.label.show_at(add_point_text(adding), *at)
            self.update()
        if (mark, adding) != (self._under, self._adding):
            was, (self._under, self._adding) = max(self._under, self._adding), (mark, adding)
            self._show_pointed(was)
        return max(mark, adding) >= 0 and not on_body

    def _show_pointed(self, was: int) -> None:
        """Name what is under the pointer and hover its joint: its limb's other reading shows, and its key works."""
        mark, tool = self._under, self._viewport.tool
        now = max(mark, self._adding)
        if now < 0:
            self.label.hide()
        elif mark >= 0:
            active = self._session.active
            seen = seen_points(self._session.document, active.id) if active is not None else {}
            at = self._in_view(self._points[mark])
            self.label.show_at(f"{certainty_text(mark, seen)}\nDrag it to where the photo has it", *at)
        if now >= 0 and was < 0 and tool is not None:
            tool.hover(None)  # it still names what was under the pointer before
        if now >= 0 or was >= 0:
            self._session.set_view(hover=("joint", JOINTS[mark]) if mark in JOINTS else None)
        if now >= 0:
            shape = Qt.CursorShape.CrossCursor if mark < 0 else Qt.CursorShape.PointingHandCursor
            self._viewport.setCursor(shape)
        self.update()

    def _nearest(self, here: Array) -> int:
        off = {mark: float(np.linalg.norm(self._in_view(at) - here)) for mark, at in self._points.items()}
        mark = min(off, key=lambda one: off[one], default=-1)
        return mark if mark >= 0 and off[mark] <= REACH else -1

    def _meant(self, here: Array) -> int:
        """Which unseen point a click there would put in: none on somebody else, a handle or a prop."""
        unseen = self.unseen
        mark = (
            unseen_point_at(here, {mark: self._in_view(at) for mark, at in self._points.items()}, unseen)
            if unseen
            else -1
        )
        free = (
            mark >= 0
            and self._is_in_reach(mark, here)
            and (self._viewport.pick(*here.tolist()) is None or self._is_own_body(here))
        )
        return mark if free else -1

    def _is_in_reach(self, mark: int, here: Array) -> bool:
        """Whether an unseen point may be at a pixel of the view: no arm or leg is so long as to have it anywhere."""
        active = self._session.active
        if active is None:
            return False
        positions, skeleton = joints_of(active).positions.astype(np.float64), skeleton_of(active)
        places = {each: positions[skeleton.index(name)] for each, name in JOINTS.items()}
        seen, reach = limb_reach(mark, self.unseen, places, self._viewport.current_view)
        return float(np.linalg.norm(here - self._in_view(self._points[seen]))) <= reach

    def _is_own_body(self, here: Array) -> bool:
        """Whether the active person's skin is there."""
        hit, active = self._viewport.pick(*here.tolist()), self._session.active
        return hit is not None and active is not None and (hit.kind, hit.id) == ("figure", active.id)

    def _lens(self) -> PinholeCamera | None:
        photo, view = self._session.document.photo, self._session.view
        seen = view.through_photo and isinstance(self._viewport.camera, PhotoView)
        return photo.camera if photo is not None and seen else None

    def _all_in_view(self) -> dict[int, QPointF]:
        return {mark: QPointF(*self._in_view(at)) for mark, at in self._points.items()}


def _same(one: Character, other: Character) -> bool:
    return one.id == other.id and one.pose == other.pose
