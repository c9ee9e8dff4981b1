"""The base of overlays over a photo in the view; they take the pointer only where something can be dragged."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QRegion
from PySide6.QtWidgets import QWidget

from app.services.session import Session
from rendering.camera.camera import PhotoView
from rendering.camera.photo_halves import is_in_copy, photo_half
from rendering.view.viewport import Viewport

Array = NDArray[np.float64]
PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)  # a drag may follow a click at once
KEYS = (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride)


class PhotoOverlay(QWidget):
    """Covers the view and sees its events first. Derived classes say what lies where, and what a drag does.

    Places are (2,) pixels of the view. A derived class calls `follow` once it is made.
    """

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._viewport = session, viewport
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        session.changed.connect(self.follow)
        viewport.camera_changed.connect(self.follow)
        viewport.camera_changed.connect(self._keep_to_photo)
        viewport.installEventFilter(self)
        self._keep_to_photo()

    def follow(self, *_: object) -> None:
        """Move to where the session and the camera now say, or hide."""
        raise NotImplementedError  # each has its own; Qt's metaclass leaves no room for an ABC

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the pointer where something can be dragged; during a drag take all of it, and Esc."""
        if event.type() == QEvent.Type.Resize:
            self.follow()
            self._keep_to_photo()
        if not self._can_be_dragged():
            return False
        if event.type() == QEvent.Type.WindowBlocked and self._is_dragged():
            self._release()  # a dialog will get the button's release
        if isinstance(event, QKeyEvent) and event.type() in KEYS:
            if event.key() != Qt.Key.Key_Escape or not self._is_dragged():
                return False
            event.accept()
            if event.type() == QEvent.Type.KeyPress:
                self._cancel()
            return True
        if event.type() == QEvent.Type.Leave and not self._is_dragged():
            self._point(None)
        return isinstance(event, QMouseEvent) and self._takes(event)

    def _keep_to_photo(self, *_: object) -> None:
        """Show nothing over the photo's copy."""
        camera, wide, tall = self._viewport.camera, self._viewport.width(), self._viewport.height()
        if isinstance(camera, PhotoView) and camera.halved:
            left, top, right, bottom = map(round, photo_half(camera, wide, tall))
            self.setMask(QRegion(left, top, right - left, bottom - top))
        elif not self.mask().isEmpty():
            self.clearMask()

    def _takes(self, event: QMouseEvent) -> bool:
        here = np.array([event.position().x(), event.position().y()])
        if not self._is_dragged() and is_in_copy(self._viewport.current_view, here):
            self._point(None)
            return False
        if event.type() == QEvent.Type.MouseMove:
            if self._is_dragged() and event.buttons() == Qt.MouseButton.NoButton:
                self._release()  # a menu got the button's release
            if not self._is_dragged():
                return self._point(None if event.buttons() else here)
            self._drag(here)
            return True
        if event.type() in PRESSES:
            if self._is_dragged():
                self._cancel()  # another button
                return True
            plain = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
            if not plain or not self._press(here):
                return False
            self._viewport.setFocus()  # for Esc
            return True
        if event.type() == QEvent.Type.MouseButtonRelease and self._is_dragged():
            if event.button() == Qt.MouseButton.LeftButton:
                self._release()
            return True
        return False

    def _can_be_dragged(self) -> bool:
        """Whether anything of it could be."""
        return False

    def _is_dragged(self) -> bool:
        return False

    def _point(self, here: Array | None) -> bool:
        """Take note of the pointer's place, None for nowhere; whether something of this is under it."""
        return False

    def _press(self, here: Array) -> bool:
        """Begin a drag if there is something to drag."""
        return False

    def _drag(self, here: Array) -> None:
        """Go on with it."""

    def _release(self) -> None:
        """Keep what it did."""

    def _cancel(self) -> None:
        """Take it back."""

    def _in_view(self, pixel: Array) -> Array:
        left, top, scale = self._rect()
        return np.asarray([left, top] + scale * pixel)

    def _in_photo(self, at: Array) -> Array:
        left, top, scale = self._rect()
        return np.asarray((at - [left, top]) / scale)

    def _rect(self) -> tuple[float, float, float]:
        """Where the photo's top left corner is in the view, and pixels of the view per pixel of the photo."""
        camera = self._viewport.camera
        assert isinstance(camera, PhotoView)
        return camera.image_rect(self._viewport.width(), self._viewport.height())
