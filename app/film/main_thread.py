"""Calls that only the main thread can do, such as drawing, made by a job in another thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from app.services.background.jobs import Cancelled, JobCancelled

Result = TypeVar("Result")
TIMEOUT_S = 0.05  # between two looks at whether the job was cancelled


@dataclass
class _Call:
    what: Callable[[], Any]
    done: Event = field(default_factory=Event)
    dropped: bool = False
    result: Any = None
    error: Exception | None = None


class MainThreadCaller(QObject):
    """Does things in the thread it was made in, one at a time between other events, so the window stays alive."""

    _asked = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._asked.connect(self._do, Qt.ConnectionType.QueuedConnection)

    def ask(self, what: Callable[[], Result], cancelled: Cancelled) -> Result:
        """The result of `what`, or what it raised. Called in a job's thread, which waits.

        Raises JobCancelled once the job is cancelled; a window that waits for its jobs to end is not waited for.
        """
        call = _Call(what)
        self._asked.emit(call)
        while not call.done.wait(TIMEOUT_S):
            if cancelled():
                call.dropped = True
                raise JobCancelled
        if call.error is not None:
            raise call.error
        result: Result = call.result
        return result

    def _do(self, call: _Call) -> None:
        if call.dropped:
            return
        try:
            call.result = call.what()
        except Exception as error:  # raised again where it was asked for
            call.error = error
        call.done.set()
