"""People of a pose for several take hold of each other: in a job, folded into the step that posed them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QTimer

from app.document.model.document import Document
from app.document.model.history import Edit
from app.services.background.jobs import Cancelled, JobCancelled, Jobs, Progress
from app.services.session import Session
from app.services.view_state import ViewState, edit_in_view

PATIENCE_S = 0.1  # that the window waits
MOST_OWED = 20  # documents in which people may still take hold
CHANGED = "Hands did not take hold in “{}”: the scene was changed meanwhile."
Hold = Callable[[Callable[[float], object] | None], Edit]
Fold = Callable[[Edit], None]


class _Owed(NamedTuple):
    """Hands that did not take hold. posed: the document in which they were to."""

    posed: Document
    name: str
    hold: Hold
    fold: Fold


class _Without(NamedTuple):
    """A step that redo would bring back, in which hands do not hold that have taken hold now. since: the revision at
    which it began. posed: the document before they did."""

    since: int
    posed: Document
    ids: list[str]
    owed: _Owed


class TakingHold:
    """Has people who were just posed hold each other, as part of that step, unless the scene changes meanwhile; then
    once undo or redo brings the scene back as it was posed. A step that was made meanwhile and is done again has them
    hold as well, if it left them as they were posed.

    said(text): what the user should know in passing.
    """

    def __init__(self, session: Session, jobs: Jobs, said: Callable[[str], None]) -> None:
        self._session, self._jobs, self._said = session, jobs, said
        self._newest: object = None  # of what was begun
        self._left = 0  # jobs of this kind of which nothing was heard yet
        self._owed: deque[_Owed] = deque(maxlen=MOST_OWED)
        self._without: _Without | None = None
        # not QTimer.singleShot: PySide keeps what that is to call for good where the session goes first
        self._soon = QTimer(session, singleShot=True, interval=0)
        self._soon.timeout.connect(self._go_on)
        session.changed.connect(self._look_soon)
        jobs.idle.connect(self._go_on)

    def begin(self, name: str, hold: Hold, fold: Fold, in_passing: bool = False) -> None:
        """Let those who took the pose of that name in the last step hold each other, in place of those before.

        hold(told): the edit, for the document as seen. fold(edit): to put its outcome into the step. in_passing: the
        window does not wait at all. While another job runs, which may take long, it waits for all of it.
        """
        session, jobs = self._session, self._jobs
        whole, revision = session.history.document, session.history.revision
        seen, view = session.document, session.view
        self._newest = token = object()

        def took(after: Document) -> None:
            if moved := _fold(view, seen, after, fold):
                since, owed = session.history.redo_revision, _Owed(whole, name, hold, fold)
                self._without = _Without(since, whole, moved, owed) if since else None

        if not jobs.busy:
            self._left = 0
        elif not self._left:
            took(hold(None)(seen))
            return

        def work(progress: Progress, _cancelled: Cancelled) -> Document:
            def told(share: float) -> None:
                if self._newest is not token or session.history.revision != revision:
                    raise JobCancelled
                progress(share, "")

            told(0.0)
            return hold(told)(seen)

        def done(after: Document) -> None:
            if self._newest is token and session.history.revision == revision:
                self._left -= 1
                took(after)
            else:
                given_up()

        def given_up() -> None:
            self._left -= 1
            if self._newest is token and session.history.undo_document is whole:
                self._said(CHANGED.format(name))
            if self._newest is not token or session.history.revision != revision:  # else the user gave it up
                self._owed.append(_Owed(whole, name, hold, fold))

        self._left += 1
        patience_s = 0.0 if in_passing else PATIENCE_S
        jobs.run(f"“{name}”: hands take hold", work, done, for_scene=True, patience_s=patience_s, given_up=given_up)

    def _look_soon(self) -> None:
        if self._owed or self._without is not None:
            self._soon.start()

    def _go_on(self) -> None:
        """Let those take hold who were to in the document as it is now, or in the one before it."""
        now = self._session.history.document
        if (without := self._without) is not None and without.since == self._session.history.undo_revision:
            self._without = None
            if all(_as_posed(without.posed, now, id) for id in without.ids):
                self._owed.append(without.owed._replace(posed=now))
            else:
                self._said(CHANGED.format(without.owed.name))
        owed = next((each for each in self._owed if each.posed is now), None)
        if owed is not None and not self._session.in_step and not self._jobs.busy:
            self._owed.remove(owed)
            self.begin(owed.name, owed.hold, owed.fold, in_passing=True)

    def drop(self) -> None:
        """Let nobody take hold after all."""
        self._newest = None


def _as_posed(posed: Document, now: Document, id: str) -> bool:
    """Whether somebody is there still, built and posed as they were."""
    was = posed.actor(id)
    return any(each.id == id and (each.clip, each.build) == (was.clip, was.build) for each in now.actors)


def _fold(view: ViewState, before: Document, after: Document, fold: Fold) -> list[str]:
    """Whose hands have taken hold, by id."""
    if moved := [actor.id for actor in after.actors if actor is not before.actor(actor.id)]:
        fold(edit_in_view(view, partial(_put, after, moved)))
    return moved


def _put(after: Document, ids: list[str], document: Document) -> Document:
    for id in ids:
        document = document.with_character(after.character(id))
    return document
