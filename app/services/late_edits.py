"""Edits that wait until the solver is compiled."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

from app.document.model.document import Document
from app.document.model.history import Edit
from app.services.soon import soon
from app.services.view_state import ViewState, looking
from solver.errors import PoserError, UnknownName

if TYPE_CHECKING:
    from app.services.session import Session

PATIENCE_S = 0.5  # that the window waits for an edit before it is put off; one that needs no compiled code takes less
STEP_OVER_MS = 100  # after which it is looked again whether a drag is over


class _Late(NamedTuple):
    """What is put off. since: the history's revision when it was asked for. view: what was looked at then. names: of
    the people and props there were, by their ids."""

    what: str
    again: Callable[[], object]
    key: object | None
    since: int
    view: ViewState
    names: Mapping[str, str]


class LateEdits(QObject):
    """Edits put off so that they do not hold up the window: on a new machine the solver compiles for minutes, and one
    that calls a function not compiled yet would wait for all of that.

    They are done in the order in which they were asked for, each as a step of its own, where the user looked then.
    Once another document is open, nothing waits any more.

    said(text): what is put off, or is not done after all, for the user. held_up: the window is about to stand still
    for an unknown time.
    """

    said = Signal(str)
    held_up = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._service = session, session.service
        self._waiting: list[_Late] = []
        self._doing: _Late | None = None
        self._slow: tuple[object | None, threading.Thread] | None = None  # the last edit that took too long
        self._service.woken.connect(self._run_next)
        session.opened.connect(self._forget)

    @property
    def names(self) -> tuple[str, ...]:
        """What is put off, in the order in which it was asked for."""
        return tuple(each.what for each in self._waiting)

    @property
    def undone_next(self) -> str | None:
        """The newest that is put off, if no step was made since: undo drops it before it takes a step back."""
        newest = self._waiting[-1] if self._waiting else None
        return newest.what if newest is not None and self._session.history.undo_revision <= newest.since else None

    def is_ready(self, what: str, again: Callable[[], object], key: object | None = None) -> bool:
        """Whether compiled code is there; else `again` is called once it is, in place of what waits under that key."""
        self.drop(key)
        if self._service.awake:
            return True
        session = self._session
        self._waiting.append(_Late(what, again, key, session.history.revision, session.view, session.document.names))
        self.said.emit(f"“{what}” is done as soon as the solver is prepared.")
        session.changed.emit()  # it can be undone, and is not saved yet
        return False

    def in_time(
        self, edit: Edit, document: Document, what: str, again: Callable[[], object], key: object | None
    ) -> Edit | None:
        """The edit, done already if compiled code is still to come; None if it takes too long and is put off.

        PoserError where the edit is refused.
        """
        if self._service.awake:
            self.drop(key)
            return edit
        if self._is_slow(key):
            self.is_ready(what, again, key)
            return None
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
            self.drop(key)
            return lambda _document: made[0]
        self._slow = key, thread
        self.is_ready(what, again, key)
        return None

    def finish(self) -> None:
        """Do all of them here, as before a save; the window waits until the solver is prepared. In the middle of a drag
        none is done: its step would be cut in two, and so they follow it."""
        if not self._waiting:
            return
        self._session.end_key_repeat()
        if self._session.in_step:
            return
        with self.waited_for():
            self._service.wait_until_awake()
        for _ in self.names:
            if self._waiting:  # `_run_next` may do some behind the message that one of them is refused
                self._do_oldest()

    def drop_newest(self) -> bool:
        """Let the newest that waits never be done; False if nothing waits, or a step was made since."""
        if self.undone_next is None:
            return False
        self._waiting.pop()
        self._session.changed.emit()
        return True

    def drop(self, key: object | None) -> None:
        """Let what waits under a key never be done: something newer takes its place, or its drag was cancelled."""
        left = [each for each in self._waiting if key is None or each.key != key]
        if len(left) < len(self._waiting):
            self._waiting = left
            self._session.changed.emit()

    def tells_who_is_gone(self, refusal: PoserError) -> bool:
        """Say in passing that what was put off is not done, if it was for somebody or something that was taken out
        meanwhile; False for any other refusal."""
        late = self._doing
        if late is None or not isinstance(refusal, UnknownName):
            return False
        gone = late.names.get(refusal.name, "what it was for")
        self.said.emit(f"“{late.what}” was not done, as {gone} is no longer in the scene.")
        return True

    @contextmanager
    def waited_for(self) -> Iterator[None]:
        """While this lasts, the window waits for a solve, with a busy cursor if the solver is still to be compiled."""
        if self._service.awake:
            yield
            return
        self.held_up.emit()
        QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
        try:
            yield
        finally:
            QGuiApplication.restoreOverrideCursor()

    def _is_slow(self, key: object | None) -> bool:
        """Whether an edit with that key is still being tried: each move of a drag would hold up the window as long."""
        return key is not None and self._slow is not None and self._slow[0] == key and self._slow[1].is_alive()

    def _forget(self) -> None:
        self._waiting.clear()

    def _run_next(self) -> None:
        """Do the oldest that waits, and then the others; after a drag that goes on, whose step it would cut in two."""
        if not self._waiting:
            return
        if self._session.in_step:
            soon(self, self._run_next, STEP_OVER_MS)
            return
        soon(self, self._run_next)  # even if this one fails
        self._do_oldest()

    def _do_oldest(self) -> None:
        first, *self._waiting = self._waiting
        outer, self._doing = self._doing, first
        looked = self._session.view
        self._session.set_view(**looking(first.view))
        try:
            first.again()
            self._session.close_step()
        finally:
            self._doing = outer
            self._session.set_view(**looking(looked))
            self._session.changed.emit()  # also where it was refused
