"""People come to rest: while the window waits where that is quick, else in a job, with progress and cancel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from app.document import edits
from app.document.model.document import Document
from app.document.model.history import Edit
from app.services.background.jobs import Cancelled, Jobs, Progress
from app.services.session import Session
from app.services.steps.contacts import are_aimed_at
from solver.sentences import and_more

PATIENCE_S = 0.1  # that the window waits: most are at rest by then
CHANGED = "{} did not settle: the scene was changed meanwhile."


class ComingToRest:
    """Has people of a session come to rest, one after another, as one step.

    said(text): what the user should know in passing.
    """

    def __init__(self, session: Session, jobs: Jobs, said: Callable[[str], None]) -> None:
        self._session, self._jobs, self._said = session, jobs, said
        self._is_under_way = False

    def begin(self, title: str, ids: Sequence[str]) -> None:
        """Let these people come to rest, in the step of that title; does nothing while others still do.

        The window waits for it while another job runs, which may take long, while an answer is still to come, which
        would count as a change, and before compiled code is loaded.
        """
        session = self._session
        if self._is_under_way and self._jobs.busy:
            return
        if self._jobs.busy or session.solving or not session.service.awake:
            self._take(title, ids, edits.chain(*map(edits.come_to_rest, ids)))
            return
        self._is_under_way = True
        document = session.document
        name = _named(document, ids)
        done = partial(self._done, title, ids, document, session.history.document)
        self._jobs.run(f"Settling {name}", partial(self._work, ids, document), done, patience_s=PATIENCE_S)

    def _work(self, ids: Sequence[str], document: Document, progress: Progress, cancelled: Cancelled) -> Document:
        try:
            for number, id in enumerate(ids):
                document = edits.come_to_rest(id, partial(_tell, progress, number, len(ids)))(document)
        except BaseException:
            self._is_under_way = False
            raise
        return document

    def _done(self, title: str, ids: Sequence[str], before: Document, whole: Document, after: Document) -> None:
        """before: the document as it was seen; whole: as it was, at no frame."""
        self._is_under_way = False
        if self._session.history.document is not whole or self._session.document.frames != before.frames:
            self._said(CHANGED.format(_named(before, ids)))
            return

        moved = [id for id in ids if after.actor(id) is not before.actor(id)]

        def edit(document: Document) -> Document:
            for id in moved:
                document = document.with_character(after.character(id))
            return document

        if moved:
            self._take(title, ids, edit)

    def _take(self, title: str, ids: Sequence[str], edit: Edit) -> None:
        # not as a placement, which would take the pose along unchanged: contacts are kept as it comes to rest
        self._session.edit(title, edit, solve=are_aimed_at(self._session.document, ids))


def _tell(progress: Progress, number: int, count: int, share: float) -> None:
    """Progress with one person among so many."""
    progress((number + share) / count, "")


def _named(document: Document, ids: Sequence[str]) -> str:
    return and_more(document.character(ids[0]).name, len(ids))
