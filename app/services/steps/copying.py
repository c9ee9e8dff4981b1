"""Copies of people and props, added in one step where the user sees them, and selected."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.edits.copies import Things, add_things, copies_of, copy_on
from app.document.model.document import Character, Document
from app.document.model.prop import Prop
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
        on = None if from_elsewhere else _copy_on_seat(document, things, copies, in_view)
        copies = on or copies.moved(way_to_room(document, things, in_view, here_too=from_elsewhere))
    except PoserError as error:
        session.refused.emit(str(error))
        return None
    frames = {copy.slot: copy.clip.frame_at(time_s) for copy in copies.props if copy.clip is not None}
    unsolved = session.solving  # then a copy's pose is from before the last drag, as the original's is
    edit = add_things(copies, frames)
    if on is not None:
        edit = edits.chain(edit, edits.at_ride(on.people[0].id, on.people[0].frame))
    if not session.edit(text.format(copies.names), edit, solve=unsolved):
        return None
    session.look_at_time(time_s)
    select_things(session, copies)
    return copies


def left_in_the_air(document: Document, original: Character, copy: Character) -> str:
    """What to say about a copy that has no room on the prop that bears the original; "" for nothing."""
    prop = _bearer(document, original)
    if prop is None or _bearer(document, copy) is not None:
        return ""
    return (
        f"There is no room for {copy.name} on {prop.name}, so nothing bears {copy.name}. "
        f"Hold S while you drag {copy.name} onto something."
    )


def _copy_on_seat(document: Document, things: Things, copies: Things, in_view: InView | None) -> Things | None:
    """The copy of one person beside them on the prop that bears them; None where there is neither prop nor room."""
    if things.props or len(things.people) != 1 or things.people[0].clip.source is not None:
        return None
    original, prop = things.people[0], _bearer(document, things.people[0])
    if prop is None:
        return None
    from app.document.edits.room import way_on

    way = way_on(document, original, prop, in_view)
    return None if way is None else Things((copy_on(copies.people[0], original, prop, way),))


def _bearer(document: Document, person: Character) -> Prop | None:
    """The prop on which somebody sits, lies or stands."""
    from app.document.posing.rest.borne import borne_by  # not needed to show the window

    return next((prop for prop in document.props if borne_by(person, prop)), None)
