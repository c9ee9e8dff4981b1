"""Ends a question that nobody answers, so that a failing test fails instead of waiting for ever."""

from __future__ import annotations

import time

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QWidget
from shiboken6 import getCppPointer

PATIENCE_S = 60.0  # longer than any test lets a dialog wait
LOOK_MS = 250


class Unanswered:
    """Looks for a modal dialog or a menu that stays open for `patience_s`, and closes it.

    A question runs an event loop within whatever asked it, often in a fixture's teardown; no time limit of a test ends
    that loop, for what it raises is caught at the next event. closed: what the questions said.
    """

    def __init__(self, patience_s: float = PATIENCE_S) -> None:
        self._patience_s = patience_s
        self._seen: tuple[int, ...] = ()  # not the widget: that would keep a closed window alive
        self._since_s = 0.0
        self.closed: list[str] = []
        self._timer = QTimer(interval=LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def stop(self) -> None:
        """Look no more."""
        self._timer.stop()

    def _look(self) -> None:
        found = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        seen = () if found is None else tuple(getCppPointer(found))
        if seen != self._seen:
            self._seen, self._since_s = seen, time.monotonic()
        elif found is not None and time.monotonic() - self._since_s > self._patience_s:
            self.closed.append(said(found))
            self._seen = ()
            if isinstance(found, QDialog):
                found.done(QDialog.DialogCode.Rejected)
            else:
                found.close()


def said(widget: QWidget) -> str:
    """The texts that it shows, to tell which one it was."""
    texts = [label.text() for label in widget.findChildren(QLabel) if label.text()]
    return f"{type(widget).__name__} “{widget.windowTitle()}”: {' '.join(texts)}"
