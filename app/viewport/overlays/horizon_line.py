"""The horizon over a photo: a line with three grips; the middle one pitches the camera, the ends roll it.

Where the horizon is above or below the visible part of the photo, the grips wait at its edge as arrows pointing to it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.document.in_photo.horizon import horizon_of, set_horizon
from app.document.model.document import Document
from app.document.model.history import StepKey
from app.panels.widgets.drag_end_guard import DragEndGuard
from app.services.session import Session
from app.viewport.overlays.photo_overlay import Array, PhotoOverlay
from rendering.camera.camera import PhotoView
from rendering.view.viewport import Viewport

SIZE = 22  # pixels of a grip that take the pointer
SHARES = (0.04, 0.5, 0.96)  # of the visible part of the photo's width: where the grips are
INK, SHADE = QColor(255, 214, 102), QColor(0, 0, 0, 120)
REACH = 12.0  # pixels beside the line that still mean it
ROLLS = 0.2  # of the visible part of the photo's width: so far from its edges a press of the line takes that end
TIPS = ("Drag up or down: roll the camera", "Drag up or down: tilt the camera", "Drag up or down: roll the camera")


class HorizonLine(PhotoOverlay):
    """Drawn over the view through the photo's camera; it can be dragged by its grips and anywhere along it, unless
    there is something to pose there.

    taken(x, y): whether something else takes the pointer at that pixel of the view. pointed: the pointer comes onto
    the line.
    """

    pointed = Signal()

    def __init__(self, session: Session, viewport: Viewport, taken: Callable[[float, float], bool]) -> None:
        super().__init__(session, viewport)
        self._taken = taken
        self.ends: tuple[QPointF, QPointF] | None = None  # in the view, at the photo's edges
        self._shown = QRectF()  # the visible part of the photo
        self._held: _Grip | None = None  # the one that a press beside it has taken
        self._under = False  # whether the pointer is on the line
        self.grips = tuple(_Grip(place, session, viewport) for place in (0, 1, 2))
        self.follow()

    def follow(self, *_: object) -> None:
        """Move to where the horizon is, or hide."""
        camera, photo = self._viewport.camera, self._session.document.photo
        shown = self._session.view.horizon and self._session.view.through_photo
        heights = horizon_of(photo.camera) if photo is not None and shown and isinstance(camera, PhotoView) else None
        before = not self.isHidden()
        for widget in (self, *self.grips):
            widget.setVisible(heights is not None)
        if heights is None or photo is None or not isinstance(camera, PhotoView):
            self.ends = self._held = None
            for grip in self.grips:
                grip.finish()  # a key may have hidden it in mid-drag
            return
        left, top, scale = camera.image_rect(self._viewport.width(), self._viewport.height())
        wide, tall = (scale * side for side in photo.camera.image_size)
        self.ends = QPointF(left, top + scale * heights[0]), QPointF(left + wide, top + scale * heights[1])
        self.setGeometry(self._viewport.rect())
        self._shown = QRectF(left, top, wide, tall) & QRectF(self.rect())
        for grip, share in zip(self.grips, SHARES, strict=True):
            x = self._shown.left() + share * self._shown.width()
            grip.stand(self.ends, x, self._shown)
        self.update()
        for widget in (self, *self.grips) if not before else ():  # later, above a photo that is being read
            widget.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line across the photo, and nowhere else."""
        if self.ends is None:
            return
        painter = QPainter(self)
        painter.setClipRect(self._shown)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for color, width in ((SHADE, 3.5), (INK, 1.5)):
            painter.setPen(QPen(color, width))
            painter.drawLine(*self.ends)

    def _can_be_dragged(self) -> bool:
        return self.ends is not None

    def _is_dragged(self) -> bool:
        return self._held is not None

    def _is_on_line(self, here: Array) -> bool:
        if self.ends is None:
            return False
        start, along = (np.array([at.x(), at.y()]) for at in (self.ends[0], self.ends[1] - self.ends[0]))
        x, y = map(float, here)
        across = (here - start) @ np.array([-along[1], along[0]]) / max(float(np.linalg.norm(along)), 1.0)
        near = self._shown.contains(x, y) and abs(across) <= REACH
        return bool(near) and not self._taken(x, y) and self._viewport.pick(x, y) is None

    def _point(self, here: Array | None) -> bool:
        under = here is not None and self._is_on_line(here)
        if under != self._under:
            self._under = under
            if under:
                self.pointed.emit()
                if self._viewport.tool is not None:
                    self._viewport.tool.hover(None)  # what was under the pointer before no longer is
            shape = Qt.CursorShape.SizeVerCursor if under else Qt.CursorShape.ArrowCursor
            self._viewport.setCursor(shape)
        return under

    def _press(self, here: Array) -> bool:
        if not self._is_on_line(here):
            return False
        share = (here[0] - self._shown.left()) / max(self._shown.width(), 1.0)
        grip = self.grips[0 if share < ROLLS else 2 if share > 1.0 - ROLLS else 1]
        self._held = grip if grip.begin(float(here[1])) else None
        return self._held is not None

    def _drag(self, here: Array) -> None:
        if self._held is not None:
            self._held.drag_to(float(here[1]))
            self._held = self._held if self._held.dragged else None

    def _release(self) -> None:
        self._end(lambda grip: grip.finish())

    def _cancel(self) -> None:
        self._end(lambda grip: grip.cancel())

    def _end(self, how: Callable[[_Grip], None]) -> None:
        held, self._held, self._under = self._held, None, False
        if held is not None:
            how(held)


class _Grip(QWidget):
    def __init__(self, place: int, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._place, self._session, self._viewport = place, session, viewport
        self._start: tuple[Document, tuple[float, float], float] | None = None  # and where the pointer was, in the view
        self._key: StepKey | None = None
        self._share = SHARES[place]  # of the photo's width that is to the left of it
        self.beyond = 0  # -1 where the horizon is above the visible part of the photo, 1 where it is below
        self.setAccessibleName(("Left end of the horizon", "Horizon", "Right end of the horizon")[place])
        self.setToolTip(TIPS[place])
        self.setCursor(Qt.CursorShape.SizeVerCursor)
        DragEndGuard(self, self.finish)

    def stand(self, ends: tuple[QPointF, QPointF], x: float, shown: QRectF) -> None:
        """Move onto the line at x, or to the nearest edge of the visible part of the photo; pixels of the view."""
        self._share = (x - ends[0].x()) / max(ends[1].x() - ends[0].x(), 1.0)
        on_line = ends[0].y() + self._share * (ends[1].y() - ends[0].y())
        self.beyond = (on_line > shown.bottom()) - (on_line < shown.top())
        y = min(max(on_line, shown.top() + SIZE / 2), max(shown.bottom() - SIZE / 2, shown.top() + SIZE / 2))
        self.setGeometry(round(x - SIZE / 2), round(y - SIZE / 2), SIZE, SIZE)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.begin(self.mapToParent(event.position()).y()):
            self.setFocus()  # for Esc
        elif self._start is not None:
            self.cancel()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.drag_to(self.mapToParent(event.position()).y())

    @property
    def dragged(self) -> bool:
        """Whether a drag of it is under way."""
        return self._start is not None

    def begin(self, y: float) -> bool:
        """Begin a drag with the pointer at that height of the view, pixels; False if there is no horizon."""
        photo = self._session.document.photo
        heights = horizon_of(photo.camera) if photo is not None else None
        if heights is None:
            return False
        self._start, self._key = (self._session.document, heights, y), self._session.history.step_key()
        return True

    def drag_to(self, y: float) -> None:
        """Go on with the drag, if there is one, to a height of the view, pixels."""
        camera = self._viewport.camera
        if self._start is None or self._key is None or not isinstance(camera, PhotoView):
            return
        if self._key.is_over:
            self._end()
            return
        document, (left, right), from_y = self._start
        _, _, scale = camera.image_rect(self._viewport.width(), self._viewport.height())
        by = (y - from_y) / scale
        # An end is further out than its grip, and has to move that much further for the line to follow the pointer.
        left += by * (1.0 / (1.0 - self._share), 1.0, 0.0)[self._place]
        right += by * (0.0, 1.0, 1.0 / self._share)[self._place]
        self._session.edit("Move horizon", set_horizon(document, left, right), self._key)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.finish()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._start is not None:
            self.cancel()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(SHADE, 1.5))
        painter.setBrush(INK)
        size, middle = 6.5 if self._place == 1 else 5.0, SIZE / 2
        if not self.beyond:
            painter.drawEllipse(QPointF(middle, middle), size, size)
            return
        tip, base = middle + self.beyond * 1.2 * size, middle - self.beyond * 0.9 * size
        corners = [QPointF(middle, tip), QPointF(middle + 1.4 * size, base), QPointF(middle - 1.4 * size, base)]
        painter.drawPolygon(QPolygonF(corners))

    def finish(self) -> None:
        """Keep what the drag did."""
        if self._start is not None:
            self._end()
            self._session.close_step()

    def cancel(self) -> None:
        """Take the drag back."""
        if self._key is not None:
            self._session.cancel(self._key)
        self._end()

    def _end(self) -> None:
        self._start = self._key = None
        self._viewport.setFocus()
