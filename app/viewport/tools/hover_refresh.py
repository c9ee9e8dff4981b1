"""Refreshes what is hovered when something else has moved below a pointer that keeps still."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

from app.services.session import Session
from rendering.camera.navigation import Pointer

LOOK_AGAIN_MS = 50  # after a change; while a motion plays, twenty times a second


class HoverRefresh(QObject):
    """Calls `look` with the pointer's last place soon after each change of the session, until the pointer is gone, and
    with None when the view is resized, as everything in it then moves."""

    def __init__(
        self, session: Session, look: Callable[[Pointer | None], None], view: QWidget, parent: QObject
    ) -> None:
        super().__init__(parent)
        view.installEventFilter(self)
        self._look = look
        self._last: Pointer | None = None
        self._soon = QTimer(self, singleShot=True, interval=LOOK_AGAIN_MS)
        self._soon.timeout.connect(self._look_again)
        session.changed.connect(self._changed)
        session.solved.connect(self._changed)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Name nothing any more when the view is resized."""
        if event.type() == QEvent.Type.Resize and self._last is not None:
            self._look(None)
        return False

    @property
    def waiting(self) -> bool:
        """Whether something has changed under the pointer, so that a look is about to come."""
        return self._soon.isActive()

    def seen(self, pointer: Pointer | None) -> None:
        """Note that the pointer is here and what is under it is known; None while it is elsewhere or dragging."""
        self._last = pointer
        self._soon.stop()

    def _changed(self) -> None:
        if self._last is not None and not self.waiting:
            self._soon.start()

    def _look_again(self) -> None:
        if self._last is not None:
            self._look(self._last)
