"""The floor's lines over a photo, a metre apart; dragging them up or down raises or lowers the floor below people."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen

from app.document.in_photo.horizon import set_floor
from app.document.model.document import Document
from app.document.model.history import StepKey
from app.services.session import Session
from app.viewport.overlays.horizon_line import INK, SHADE
from app.viewport.overlays.hover_label import HoverLabel
from app.viewport.overlays.photo_overlay import Array, PhotoOverlay
from rendering.camera.camera import PhotoView
from rendering.view.viewport import Viewport
from solver.photo.floor.floor_in_picture import floor_lines, floor_point_at, height_at

REACH = 5.0  # pixels within which a line is meant
LEAST_M, MOST_M = 5, 14  # metres of lines on each side of the people
DENSE = 4.0  # pixels: shorter pieces, near the horizon, are neither drawn nor taken
STRENGTH, FAINTEST = 0.65, 0.13
TIP = "Drag up or down: raise or lower the floor; people stay in the picture"


class FloorLines(PhotoOverlay):
    """Drawn over the view together with the horizon. Takes the pointer on a line if nothing else is under it.

    taken(x, y): whether something at a pixel of the view, besides bodies and handles, takes the pointer.
    """

    def __init__(self, session: Session, viewport: Viewport, taken: Callable[[float, float], bool]) -> None:
        super().__init__(session, viewport)
        self._taken = taken
        self.setAccessibleName("Floor lines over the photo")
        self.pieces = np.zeros((0, 2, 2))  # their ends in the view
        self._alpha = np.zeros(0)
        self._over = False
        self._start: tuple[Document, Array] | None = None  # and the spot of the floor being dragged
        self._key: StepKey | None = None
        self._label = HoverLabel(viewport)
        self.follow()

    def follow(self, *_: object) -> None:
        """Lie where the floor is now, or nowhere."""
        camera, photo, view = self._viewport.camera, self._session.document.photo, self._session.view
        shown = photo is not None and view.horizon and view.through_photo and isinstance(camera, PhotoView)
        self.setVisible(shown)
        if not shown or photo is None or not isinstance(camera, PhotoView):
            self.pieces, self._alpha = np.zeros((0, 2, 2)), np.zeros(0)
            self._point(None)
            if self._start is not None:  # a key has hidden them in mid-drag
                self._end()
                self._session.close_step()
            return
        roots = [c.pose.root_position for c in self._session.document.characters if c.visible]
        eye = photo.camera.position.astype(np.float64)
        about = np.median(roots, axis=0) if roots else eye - 4.0 * photo.camera.rotation[:, 2]
        away = float(np.hypot(*(about - eye)[[0, 2]]))
        reach = min(max(LEAST_M, round(0.8 * away)), MOST_M)
        ends, depth = floor_lines(photo.camera, about, reach)
        ends = self._in_view(ends)
        drawn = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) > DENSE
        self.pieces = ends[drawn]
        self._alpha = np.clip(STRENGTH * away / np.maximum(depth[drawn], 0.5), FAINTEST, STRENGTH)
        self.setGeometry(self._viewport.rect())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw faint lines with a fainter shade, to show on light and dark photos, within the photo."""
        photo, camera = self._session.document.photo, self._viewport.camera
        if photo is None or not isinstance(camera, PhotoView):
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(self._picture(camera))
        stronger = 1.5 if self._over or self._start is not None else 1.0
        for color, width, share in ((SHADE, 2.8, 1.0), (INK, 1.1, 1.0)):
            for level in (0.25, 0.5, 0.75, 1.0):  # a pen for each of a few strengths, not for each piece
                those = (self._alpha > STRENGTH * (level - 0.25)) & (self._alpha <= STRENGTH * level)
                ink = QColor(color)
                ink.setAlphaF(min(color.alphaF() * share * level * STRENGTH * stronger, 1.0))
                painter.setPen(QPen(ink, width))
                painter.drawLines([QLineF(*map(float, piece.ravel())) for piece in self.pieces[those]])

    def _picture(self, camera: PhotoView) -> QRectF:
        left, top, scale = camera.image_rect(self.width(), self.height())
        wide, tall = camera.lens.image_size
        return QRectF(left, top, scale * wide, scale * tall)

    def _is_on_line(self, here: Array) -> bool:
        camera = self._viewport.camera
        if not isinstance(camera, PhotoView) or not self._picture(camera).contains(*map(float, here)):
            return False  # nothing is drawn there
        start, along = self.pieces[:, 0], self.pieces[:, 1] - self.pieces[:, 0]
        share = np.clip(((here - start) * along).sum(axis=1) / (along**2).sum(axis=1), 0.0, 1.0)
        near = np.linalg.norm(start + share[:, None] * along - here, axis=1).min() <= REACH
        x, y = map(float, here)
        return bool(near) and not self._taken(x, y) and self._viewport.pick(x, y) is None

    def leave(self) -> None:
        """Note that the pointer is on something else."""
        self._point(None)

    def _can_be_dragged(self) -> bool:
        return len(self.pieces) > 0

    def _is_dragged(self) -> bool:
        return self._start is not None

    def _press(self, here: Array) -> bool:
        photo = self._session.document.photo
        if photo is None or not self._is_on_line(here):
            return False
        x, y = self._in_photo(here)
        spot = floor_point_at(photo.camera, (float(x), float(y)))
        if spot is None:
            return False
        self._start, self._key = (self._session.document, spot), self._session.history.step_key()
        self._point(here)
        return True

    def _drag(self, here: Array) -> None:
        assert self._start is not None
        assert self._key is not None
        if self._key.is_over:
            self._end()
            return
        document, spot = self._start
        photo = document.photo
        height = height_at(photo.camera, spot, float(self._in_photo(here)[1])) if photo is not None else None
        if photo is None or height is None:
            return
        self._session.edit("Move floor", set_floor(document, height), self._key)
        now = self._session.document.photo
        if now is not None:
            self._label.show_at(f"The camera is {now.camera.position[1]:.2f} m above the floor", here[0], here[1])

    def _release(self) -> None:
        self._session.close_step()
        self._end()

    def _cancel(self) -> None:
        if self._key is not None:
            self._session.cancel(self._key)
        self._end()

    def _end(self) -> None:
        self._start = self._key = None
        self._point(None)

    def _point(self, here: Array | None) -> bool:
        if here is not None and not self._is_on_line(here):
            here = None
        over = here is not None
        if over and not self._over:
            if self._viewport.tool is not None:
                self._viewport.tool.hover(None)  # what was under the pointer before no longer is
            self._viewport.setCursor(Qt.CursorShape.SizeVerCursor)
        elif self._over and not over:
            self._viewport.setCursor(Qt.CursorShape.ArrowCursor)
        if here is not None:
            self._label.show_at(TIP, here[0], here[1])
        else:
            self._label.hide()
        if over != self._over:
            self._over = over
            self.update()
        return over
