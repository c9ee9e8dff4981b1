"""The active person's outline in the photo, drawn over the photo: bodies should end where it does."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QTimer
from PySide6.QtGui import QImage, QPainter, QPaintEvent

from app.document.in_photo.photo_points import photo_points
from app.document.model.document import Character, Photo
from app.services.session import Session
from app.viewport.overlays.horizon_line import INK, SHADE
from app.viewport.overlays.photo_overlay import Array, PhotoOverlay
from app.viewport.overlays.point_certainty import seen_points
from rendering.camera.camera import PhotoView
from rendering.view.viewport import Viewport

Pixels = Callable[[Photo], NDArray[np.uint8] | None]
REST_MS = 150  # after the last change, until the photo is looked at again
LARGEST = 1200  # pixels of the drawn square
SHADED = 1.4  # pixels beside the line that are dark, so that it shows on snow and on light skin


class PhotoMatte(PhotoOverlay):
    """Shown in the view through the photo's camera; the pointer passes through. pixels: of a photo, once read."""

    def __init__(self, session: Session, viewport: Viewport, pixels: Pixels) -> None:
        super().__init__(session, viewport)
        self._pixels = pixels
        self._shown = True
        self._square = QRectF()  # in the photo's pixels
        self._asked: tuple[object, ...] = ()
        self.line: QImage | None = None
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._look)
        self.setAccessibleName("Person's outline in the photo")
        self.follow()

    @property
    def shown(self) -> bool:
        """Whether it is wanted."""
        return self._shown

    def set_shown(self, shown: bool) -> None:
        """Show it, or not."""
        self._shown = shown
        self.follow()

    def follow(self, *_: object) -> None:
        """Move over the active person in the photo, or hide."""
        photo, active, camera = self._session.document.photo, self._session.active, self._viewport.camera
        seen = self._shown and self._session.view.through_photo and isinstance(camera, PhotoView)
        if photo is None or active is None or not seen:
            self._asked, self.line = (), None
            self._rest.stop()
            self.hide()
            return
        if len(self._asked) != 3 or any(
            old is not new for old, new in zip(self._asked, (photo, active, camera), strict=True)
        ):
            self._asked = photo, active, camera
            self._rest.start()
        self.setGeometry(self._viewport.rect())
        self.show()
        self.update()

    def look_again(self) -> None:
        """Look again now that the photo's pixels are there."""
        if self.isVisible():
            self._rest.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line where it was last found."""
        if self.line is None or not isinstance(self._viewport.camera, PhotoView):
            return
        left, top, scale = self._rect()
        square = self._square
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        side = scale * square.width()
        painter.drawImage(QRectF(left + scale * square.x(), top + scale * square.y(), side, side), self.line)

    def _look(self) -> None:
        from solver.photo.matte import matte_of
        from solver.photo.runtime_log_filter import start_networks

        photo, active = self._session.document.photo, self._session.active
        if not self.isVisible() or photo is None or active is None:
            return
        if self._session.in_step:
            self._rest.start()
            return
        pixels = self._pixels(photo)
        if pixels is None:  # still being read, after which `look_again` is called, or gone
            return
        others = [self._where(photo, one) for one in self._session.document.characters if one.id != active.id]
        start_networks()
        found = matte_of(pixels[..., :3], self._where(photo, active), [other for other in others if len(other)])
        half = found.square.side / 2
        x, y = found.square.centre
        self._square = QRectF(x - half, y - half, 2 * half, 2 * half)
        side = min(max(round(2 * half * self._rect()[2]), 16), LARGEST)
        line, shade = found.outline(side, SHADED)
        cover = line + (1.0 - line) * SHADE.alphaF() * shade
        ink = np.zeros((side, side, 4), np.uint8)
        ink[..., :3] = (line / np.maximum(cover, 1e-6))[..., None] * (INK.red(), INK.green(), INK.blue())
        ink[..., 3] = np.round(255 * cover)
        self.line = QImage(ink.data, side, side, 4 * side, QImage.Format.Format_RGBA8888).copy()
        self.update()

    def _where(self, photo: Photo, character: Character) -> Array:
        """(N, 2) somebody's points in the photo: where networks saw them, else where the body has them."""
        seen = seen_points(self._session.document, character.id)
        if seen:
            return np.array([point.pixel for point in seen.values()], np.float64)
        return np.array([*photo_points(character, photo.camera).values()], np.float64).reshape(-1, 2)
