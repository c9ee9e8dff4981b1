"""A call that is made once Qt has done what it is in the middle of, or a moment later."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


def soon(owner: QObject, call: Callable[[], object], after_ms: int = 0) -> None:
    """Make the call after so many milliseconds, unless its owner goes first.

    `QTimer.singleShot` does the same, but PySide keeps what that is to call for good where its owner goes first.
    """
    timer = QTimer(owner, singleShot=True, interval=after_ms)
    timer.timeout.connect(call)
    timer.timeout.connect(timer.deleteLater)
    timer.start()
