"""Whether the picture that is open has been seen: before that, nobody can say that it is right."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

LOOK_MS = 400  # a key that is struck twice in less than that was meant for the picture before


class FirstLook(QObject):
    """shows: whether the view's last picture was of the photo, or of the scene as the user wants it without. seen(): by
    now it has been painted, and looked at for a moment."""

    seen = Signal()

    def __init__(self, shows: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shows = shows
        self._moment = QTimer(self, singleShot=True, interval=LOOK_MS)
        self._moment.timeout.connect(self._looked)
        self.taken = False

    def begin(self) -> None:
        """Another picture is open."""
        self._moment.stop()
        self.taken = False

    def painted(self) -> None:
        """Note that the view was painted."""
        if not self.taken and not self._moment.isActive() and self._shows():
            self._moment.start()

    def _looked(self) -> None:
        self.taken = True
        self.seen.emit()
