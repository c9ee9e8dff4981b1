"""The view goes the way of a film's camera as the time moves: what a film through the kept views will show."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.document.model.bookmark import Bookmark
from app.film.camera_way import camera_on_way
from app.services.clock import length_s
from app.services.session import Session
from rendering.camera.camera import OrbitCamera
from rendering.view.viewport import Viewport


class FilmWay(QObject):
    """Has the camera where a film of the range, or of the whole motion, has it at the time looked at, while the view's
    state says so. Between two frames the user may look from elsewhere. A view through a photo stays."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._viewport = session, viewport
        self._last: tuple[float, tuple[Bookmark, ...]] | None = None  # when it was where, and on which way
        session.changed.connect(self._go)

    def _go(self) -> None:
        view, views = self._session.view, self._session.document.bookmarks
        last, self._last = self._last, None
        if not view.film_way or len(views) < 2 or not isinstance(self._viewport.camera, OrbitCamera):
            return
        self._last = view.time_s, views  # before the camera moves, which the session may announce
        if last == self._last:
            return
        start, end = view.range_s or (0.0, length_s(self._session.document))
        share = min(max((view.time_s - start) / max(end - start, 1e-6), 0.0), 1.0)
        move = self._viewport.move_camera if last is None else self._viewport.set_camera
        move(camera_on_way(views, share))
