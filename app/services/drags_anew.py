"""Drags that begin anew on another surface: the person goes on from where they are shown."""

from __future__ import annotations

from app.document import edits
from app.document.model.document import Character
from app.document.model.history import Edit
from app.services.session import Session


def shown_on(session: Session, shown: Character) -> Edit:
    """The edit that shows a person where they were shown as a drag begins anew, which has just been cancelled.

    The next solve begins where the drag began, so that no earlier solve enters into what it finds, and leads them there
    from where they are shown. shown: as they were before the drag was cancelled.
    """
    begins = next((each for each in session.document.characters if each.id == shown.id), None)
    if begins is None or begins.frame != shown.frame or begins.pose == shown.pose:
        return edits.chain()
    session.findings.begin_anew(begins, shown.pose)
    return edits.show_pose(shown.id, shown.pose)
