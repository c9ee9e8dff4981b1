"""The camera follows the person who follows trackers, so that nobody walks out of the picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject

from app.services.session import Session
from app.tracking.tracking import Tracking
from rendering.camera.camera import OrbitCamera
from rendering.view.viewport import Viewport
from solver.values import FloatArray

OVER_THE_FLOOR = np.array([1.0, 0.0, 1.0])


class CameraFollow(QObject):
    """Moves the camera over the floor as far as the follower goes, from where the document has them; back with them
    when following ends, and with them again when their take has become their motion. A view through a photo stays where
    it is."""

    def __init__(self, session: Session, viewport: Viewport, tracking: Tracking) -> None:
        super().__init__(tracking)
        self._session, self._viewport, self._tracking = session, viewport, tracking
        self._at: FloatArray | None = None  # where the follower was last; None while nobody follows
        session.changed.connect(self._go)
        tracking.changed.connect(self._go)
        tracking.kept.connect(self._go_to_motion)

    def _go(self) -> None:
        following = self._tracking.following
        if following and self._at is None:  # trackers may be anywhere in their room: the view goes there with the body
            self._at = self._own_place()
        place = self._place() if following or self._at is not None else None
        if place is not None and self._at is not None:
            self._move(place - self._at)
        self._at = place if following else None

    def _go_to_motion(self, was: FloatArray) -> None:
        """was: (3,) metres, where they stood before."""
        place = self._place()
        if place is not None:
            self._move(place - was)

    def _place(self) -> FloatArray | None:
        """(3,) metres, the follower's root as shown."""
        shown = next((c for c in self._session.shown.characters if c.id == self._tracking.follows), None)
        return shown.pose.root_position if shown is not None else None

    def _own_place(self) -> FloatArray | None:
        """(3,) metres, the follower's root as the document has it."""
        own = next((c for c in self._session.document.characters if c.id == self._tracking.follows), None)
        return own.pose.root_position if own is not None else None

    def _move(self, way: FloatArray) -> None:
        camera, way = self._viewport.camera, way * OVER_THE_FLOOR
        if isinstance(camera, OrbitCamera) and way.any():
            x, y, z = (np.asarray(camera.target) + way).tolist()
            self._viewport.set_camera(replace(camera, target=(x, y, z)))
