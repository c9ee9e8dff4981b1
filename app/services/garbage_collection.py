"""Python's collector of reference cycles, kept to the window's thread.

Python runs it in whichever thread makes one object too many. A widget or a timer in a cycle, collected in the solver's
thread, is destroyed there, which Qt forbids: the program crashes. Here it runs between two events instead.
"""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QObject, QTimer

LOOK_EVERY_MS = 100
OLDEST = 2
PAUSE = 20  # times as long as the last full collection took, which bounds the time they cost


class MainThreadCollector(QObject):
    """Collects in the thread it is made in, generation by generation as Python would, until `stop`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._was_on = gc.isenabled()
        self._next_whole = 0.0
        gc.disable()  # objects are still counted
        self._look = QTimer(self)
        self._look.setInterval(LOOK_EVERY_MS)
        self._look.timeout.connect(self._collect)
        self._look.start()

    def stop(self) -> None:
        """Leave collecting to Python again."""
        self._look.stop()
        if self._was_on:
            gc.enable()
            self._was_on = False

    def _collect(self) -> None:
        full = [count > most > 0 for count, most in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        if full[OLDEST] and time.monotonic() >= self._next_whole:
            started = time.monotonic()
            gc.collect()
            ended = time.monotonic()
            self._next_whole = ended + PAUSE * (ended - started)
        elif any(full[:OLDEST]):
            gc.collect(1 if full[1] else 0)
