"""People of a pose for several take hold of each other: in a job, folded into the step that posed them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from app.document.model.document import Document
from app.document.model.history import Edit
from app.services.background.jobs import Cancelled, JobCancelled, Jobs, Progress
from app.services.session import Session
from app.services.view_state import ViewState, edit_in_view

PATIENCE_S = 0.1  # that the window waits
CHANGED = "Hands did not take hold in “{}”: the scene was changed meanwhile."
Hold = Callable[[Callable[[float], object] | None], Edit]
Fold = Callable[[Edit], None]


class TakingHold:
    """Has people who were just posed hold each other, as part of that step, unless the scene changes meanwhile.

    said(text): what the user should know in passing.
    """

    def __init__(self, session: Session, jobs: Jobs, said: Callable[[str], None]) -> None:
        self._session, self._jobs, self._said = session, jobs, said
        self._newest: object = None  # of what was begun
        self._left = 0  # jobs of this kind of which nothing was heard yet

    def begin(self, name: str, hold: Hold, fold: Fold, in_passing: bool = False) -> None:
        """Let those who took the pose of that name in the last step hold each other, in place of those before.

        hold(told): the edit, for the document as seen. fold(edit): to put its outcome into the step. in_passing: the
        window does not wait at all. While another job runs, which may take long, it waits for all of it.
        """
        session, jobs = self._session, self._jobs
        whole, revision = session.history.document, session.history.revision
        seen, view = session.document, session.view
        self._newest = token = object()
        if not jobs.busy:
            self._left = 0
        elif not self._left:
            _fold(view, seen, hold(None)(seen), fold)
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
                _fold(view, seen, after, fold)
            else:
                given_up()

        def given_up() -> None:
            self._left -= 1
            if self._newest is token and session.history.undo_document is whole:
                self._said(CHANGED.format(name))

        self._left += 1
        patience_s = 0.0 if in_passing else PATIENCE_S
        jobs.run(f"“{name}”: hands take hold", work, done, for_scene=True, patience_s=patience_s, given_up=given_up)

    def drop(self) -> None:
        """Let nobody take hold after all."""
        self._newest = None


def _fold(view: ViewState, before: Document, after: Document, fold: Fold) -> None:
    if moved := [actor.id for actor in after.actors if actor is not before.actor(actor.id)]:
        fold(edit_in_view(view, partial(_put, after, moved)))


def _put(after: Document, ids: list[str], document: Document) -> Document:
    for id in ids:
        document = document.with_character(after.character(id))
    return document
