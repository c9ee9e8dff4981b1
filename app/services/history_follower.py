"""The view following the history: it goes to the frame of each edit and, on undo and redo, to its person as well,
through the photo's camera where the step changed the photo one looked through, and out of it where the step led in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from app.document.in_photo.photo_membership import somebody_in_photo
from app.document.model.document import Document
from app.document.model.history import History
from app.services.clock import frames_after_edit, frames_to_show
from app.services.view_state import ViewState, activating, pruned, selecting

Props = tuple[str, frozenset[str]]  # as in ViewState: the one, "" for a person, and further ones
NO_PROPS: Props = ("", frozenset())


class HistoryFollower:
    """Has the view follow one history; asked after each of its changes."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._revision, self._before = history.revision, history.document
        self._back_to: Mapping[str, int] = {}  # the frames where a step was made, while it is taken back
        self._whose = ""  # who was active when a step was made, while it is taken back or brought back
        self._steps = False  # whether one is taken back or brought back
        self._chosen = NO_PROPS  # the props selected when the step was made that is taken back
        self._chosen_at: dict[int, Props] = {}  # the same of each step that added props, by its revision
        self._lost_photo = False  # a step took away the photo through whose camera one looked
        self._made_through: set[int] = set()  # the steps that changed the photo one looked through, by their revisions
        self._through = False  # whether such a step is taken back or brought back
        self._made_outside: set[int] = set()  # the steps that brought another photo while one looked from elsewhere
        self._led_in: set[int] = set()  # those of them that were taken back while one looked through it
        self._outside = 0  # the revision of such a step while it is taken back

    @contextmanager
    def undoing(self) -> Iterator[None]:
        """While this lasts, the newest step is being undone."""
        self._back_to, self._whose, self._steps = self._history.undo_frames, self._history.undo_active, True
        self._chosen = self._chosen_at.get(self._history.undo_revision, NO_PROPS)
        self._through = (of := self._history.undo_revision) in self._made_through
        self._outside = of if of in self._made_outside else 0
        try:
            yield
        finally:
            self._back_to, self._whose, self._steps, self._chosen = {}, "", False, NO_PROPS
            self._through, self._outside = False, 0

    @contextmanager
    def redoing(self) -> Iterator[None]:
        """While this lasts, the step undone last is being redone."""
        self._whose, self._steps = self._history.redo_active, True
        self._through = self._history.redo_revision in self._made_through | self._led_in
        try:
            yield
        finally:
            self._whose, self._steps, self._through = "", False, False

    def follow(self, view: ViewState, document: Document) -> ViewState:
        """The view at the frames to look at this document at; a result that was folded in changes nothing."""
        frames, time_s = view.frames, view.time_s
        if self._revision != self._history.revision:  # a result may come when the view is elsewhere already
            told = frames_to_show(self._before, document, self._back_to)
            if self._whose in told and self._whose != view.character:
                there = activating(view, self._whose) if self._whose in view.others else selecting(view, self._whose)
                view = replace(view, **there)
            frames, time_s = frames_after_edit(self._before, document, told, frames, time_s, view.character)
            people = {actor.id for actor in document.actors}
            if self._whose in people and view.character not in people:
                view = replace(view, **selecting(view, self._whose))  # a copy is gone: back to whom it was made from
            another = _picture(document) != _picture(self._before)
            if self._steps and another:
                here = somebody_in_photo(document, view.character, self._whose)
                view = replace(view, **selecting(view, here)) if here not in {"", view.character} else view
            if self._through:  # from elsewhere nobody would see what became of the photo or its camera
                view = replace(view, through_photo=True)
            elif self._outside:
                (self._led_in.add if view.through_photo else self._led_in.discard)(self._outside)
                view = replace(view, through_photo=False)
            elif view.through_photo and not self._steps and document.photo != self._before.photo:
                self._made_through.add(self._history.undo_revision)
            elif another and not self._steps:
                self._made_outside.add(self._history.undo_revision)
            if self._steps:
                view = _selecting_props_back(view, self._before, document, self._chosen)
            elif len(document.props) > len(self._before.props) and (view.prop or view.props):
                self._chosen_at[self._history.undo_revision] = (view.prop, view.props)
        self._revision, self._before = self._history.revision, document
        if document.photo is None:
            self._lost_photo |= view.through_photo
        elif self._lost_photo:
            self._lost_photo = False
            view = replace(view, through_photo=view.through_photo or self._steps)
        return pruned(replace(view, frames=frames, time_s=time_s), document)


def _picture(document: Document) -> str:
    return document.photo.sha256 if document.photo is not None else ""


def _selecting_props_back(view: ViewState, before: Document, document: Document, chosen: Props) -> ViewState:
    """The view with the props selected that a step brought back, as they were when they were deleted or had just been
    added; people who came back with them stay the ones selected. chosen: those selected again once copies are gone."""
    were, there = {prop.id for prop in before.props}, {prop.id for prop in document.props}
    if were - there and not there - were:
        return replace(view, prop=chosen[0], props=chosen[1]) if chosen[0] in {"", *there} and any(chosen) else view
    back = [prop.id for prop in document.props if prop.id not in were]
    if not back or len(document.actors) > len(before.actors):
        return view
    return replace(view, prop=back[0], props=frozenset(back[1:]), others=frozenset())
