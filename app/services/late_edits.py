"""Edits that have to wait until compiled code is there, so that they do not hold up the window meanwhile.

On a new machine the solver compiles for minutes, one function at a time. An edit that calls a function not compiled yet
would wait for all of that; so would whatever draws the window, if it ran there.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, SignalInstance

from app.document.model.document import Document
from app.document.model.history import Edit
from app.services.solve_service import SolveService

PATIENCE_S = 0.5  # that the window waits for an edit before it is put off; one that needs no compiled code takes less


class LateEdits(QObject):
    """done: called after each that was put off. opened: another document is open, and nothing waits any more.

    said(text): what is put off, for the user.
    """

    said = Signal(str)

    def __init__(
        self, service: SolveService, done: Callable[[], None], opened: SignalInstance, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._service, self._done = service, done
        self._waiting: list[tuple[str, Callable[[], object], object | None]] = []
        service.woken.connect(self._run_all)
        opened.connect(self._forget)

    @property
    def names(self) -> tuple[str, ...]:
        """What is put off, in the order in which it was asked for."""
        return tuple(what for what, _, _ in self._waiting)

    def is_ready(self, what: str, again: Callable[[], object], key: object | None = None) -> bool:
        """Whether compiled code is there; else `again` is called once it is, in place of what waits under that key."""
        if self._service.awake:
            return True
        self._waiting = [each for each in self._waiting if key is None or each[2] != key]
        self._waiting.append((what, again, key))
        self.said.emit(f"“{what}” is done as soon as the solver is prepared.")
        return False

    def in_time(
        self, edit: Edit, document: Document, what: str, again: Callable[[], object], key: object | None
    ) -> Edit | None:
        """The edit, done already if compiled code is still to come; None if it takes too long and is put off.

        PoserError where the edit is refused.
        """
        if self._service.awake:
            return edit
        made: list[Document] = []
        raised: list[Exception] = []

        def work() -> None:
            try:
                made.append(edit(document))
            except Exception as error:  # raised again in the thread that waits
                raised.append(error)

        thread = threading.Thread(target=work, name="edit before the solver is ready", daemon=True)
        thread.start()
        thread.join(PATIENCE_S)
        if raised:
            raise raised[0]
        if made:
            return lambda _document: made[0]
        self.is_ready(what, again, key)
        return None

    def drop_newest(self) -> bool:
        """Let the newest that waits never be done; False if nothing waits."""
        return bool(self._waiting and self._waiting.pop())

    def _forget(self) -> None:
        self._waiting.clear()

    def _run_all(self) -> None:
        waiting, self._waiting = self._waiting, []
        for _, again, _ in waiting:
            again()
            self._done()
