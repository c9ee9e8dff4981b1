"""Copies of people and props, added in one step where the user sees them, and selected."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from app.document.edits.copies import Things, add_things, copies_of
from app.document.model.document import Document
from app.services.session import Session
from app.services.view_state import ViewState, selected_people, selected_props, selecting
from solver.errors import PoserError

InView = Callable[[NDArray[np.float64], NDArray[np.float64]], NDArray[np.int64]]  # as `edits.room.Seen`


def selected_things(document: Document, view: ViewState) -> Things:
    """The selected props, and the people selected with them; the selected people where no prop is."""
    return Things(() if view.prop else selected_people(view, document), selected_props(document, view))


def select_things(session: Session, things: Things) -> None:
    """Select all of these; the first of the people, else of the props, is the active one."""
    ids = [prop.id for prop in things.props]
    if things.people:
        first, *others = (person.id for person in things.people)
        what = {**selecting(session.view, first), "others": frozenset(others), "props": frozenset(ids)}
    else:
        what = {"prop": ids[0], "props": frozenset(ids[1:]), "others": frozenset()}
    session.set_view(**what)


def add_copies(
    session: Session, text: str, things: Things, in_view: InView | None = None, from_elsewhere: bool = False
) -> Things | None:
    """Add copies of people and props near them, where there is room, as one step, and select them; the copies, or None
    if they were refused.

    text: of the step, with {} for their name. from_elsewhere: as for `copies_of`; then they may be where the originals
    were, if that is free.
    """
    from app.document.edits.room import way_to_room  # not needed to show the window

    document, time_s = session.document, session.view.time_s
    things = Things(things.people, tuple(prop.at_time(time_s) for prop in things.props))
    try:
        copies = copies_of(document, things, from_elsewhere)
        copies = copies.moved(way_to_room(document, things, in_view, here_too=from_elsewhere))
    except PoserError as error:
        session.refused.emit(str(error))
        return None
    frames = {copy.slot: copy.clip.frame_at(time_s) for copy in copies.props if copy.clip is not None}
    unsolved = session.solving  # then a copy's pose is from before the last drag, as the original's is
    if not session.edit(text.format(copies.names), add_things(copies, frames), solve=unsolved):
        return None
    session.look_at_time(time_s)
    select_things(session, copies)
    return copies
