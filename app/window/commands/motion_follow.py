"""The view goes along with somebody who moves, so that nobody walks out of the picture."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject

from app.services.session import Session
from rendering.camera.camera import OrbitCamera
from rendering.view.viewport import Viewport
from solver.values import FloatArray

OVER_THE_FLOOR = np.array([1.0, 0.0, 1.0])


class MotionFollow(QObject):
    """Moves the camera over the floor as far as the active person goes from frame to frame, while the view's state says
    so. It first goes to them. Posing does not move it, nor does a view through a photo go along."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._viewport = session, viewport
        self._last: tuple[str, float, FloatArray] | None = None  # whom it followed when, and where they were
        session.changed.connect(self._go)

    def _go(self) -> None:
        view, active = self._session.view, self._session.active
        last, self._last = self._last, None
        if not view.follow or active is None:
            return
        place = active.pose.root_position
        self._last = active.id, view.time_s, place  # before the camera moves, which the session may announce
        camera = self._viewport.camera
        if not isinstance(camera, OrbitCamera):
            return
        if last is None:
            way = place - np.asarray(camera.target)
        elif last[0] == active.id and last[1] != view.time_s:
            way = place - last[2]
        else:
            return
        if (way * OVER_THE_FLOOR).any():
            self._viewport.carry_camera(way * OVER_THE_FLOOR)
