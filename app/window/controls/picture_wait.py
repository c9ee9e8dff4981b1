"""While the next picture of a folder is being opened: the panels are grey, and no command changes the one before."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from app.panels.widgets.external_text import shortened
from app.window.controls.label_control import LabelControl

SOON_MS = 250  # a picture that opens sooner needs no grey panels, which would only flicker
CHANGES = ("edit.", "pose.", "body.", "contact.", "prop.", "time.")
READING = "{} is being read. Its people will be here."
WAIT = "Wait until {} is open."


class PictureWait(QObject):
    """Follows a folder being labelled. cover(text): has the window's panels grey under a text, or with "" no longer."""

    def __init__(self, labels: LabelControl, cover: Callable[[str], object]) -> None:
        super().__init__(labels)
        self._labels, self._cover = labels, cover
        self._soon = QTimer(self, singleShot=True, interval=SOON_MS)
        self._soon.timeout.connect(self._cover_now)
        labels.changed.connect(self._follow)

    def why_not(self, command: str) -> str:
        """Why a command may not be run just now, "" if it may: nobody sees the picture that it would change."""
        name = self._labels.opening
        return WAIT.format(shortened(name)) if name and command.startswith(CHANGES) else ""

    def _follow(self) -> None:
        if not self._labels.opening:
            self._soon.stop()
            self._cover("")
        elif not self._soon.isActive():
            self._soon.start()

    def _cover_now(self) -> None:
        if self._labels.opening:
            self._cover(READING.format(shortened(self._labels.opening)))
