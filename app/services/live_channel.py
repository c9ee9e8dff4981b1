"""The live channel: a stream poses a character outside the history, without undo steps and without autosave."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from app.services.session import Session
from app.services.streams import ClockSample, Stream

TICK_MS = 15  # as often as a screen can show it


class LiveChannel(QObject):
    """One stream at a time. clock: seconds, the one that the stream's samples go by. stopped: the stream has ended.

    With `automatic` the window's timer ticks; else the caller calls `tick`. Without a parent it goes when the session
    does, so that no timer ticks on for a session that is gone.
    """

    stopped = Signal()

    def __init__(
        self,
        session: Session,
        clock: Callable[[], float] = time.monotonic,
        automatic: bool = True,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent or session)
        self._session, self._clock, self._automatic = session, clock, automatic
        self._stream: Stream | None = None
        self._character = ""
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self.tick)
        session.opened.connect(self.stop)

    @property
    def running(self) -> bool:
        """Whether a stream poses somebody."""
        return self._stream is not None

    def start(self, character: str, stream: Stream) -> None:
        """Let a stream pose a character; a running one ends.

        character: "" for a stream that only turns the clock.
        """
        self.stop()
        self._character, self._stream = character, stream
        self.tick()
        if self._automatic:
            self._timer.start()

    def tick(self) -> int:
        """Take in every sample that is due, in order, and show the newest; return how many there were."""
        stream = self._stream
        if stream is None:
            return 0
        if self._character and all(actor.id != self._character for actor in self._session.document.actors):
            self.stop()
            return 0
        samples = stream.due(self._clock())
        newest = samples[-1] if samples else None
        if isinstance(newest, ClockSample):
            self._session.look_at_time(newest.at_s)
            if newest.last:
                self.stop()
        elif newest is not None:
            self._session.show_live(self._character, newest.pose)
        return len(samples)

    def stop(self) -> None:
        """End the stream; the character is again shown as the document has it."""
        if self._stream is None:
            return
        self._timer.stop()
        self._stream = None
        self._session.show_live(self._character, None)
        self.stopped.emit()
