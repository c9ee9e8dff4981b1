"""Where one looks as the document changes: where the edit was made, and where a step was made that is taken back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

from app.document.model.document import Document
from app.document.model.history import History
from app.services.clock import after_edit, told_frames
from app.services.view_state import ViewState, fitted


class Looking:
    """Takes the view along with one history; asked after each of its changes."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._revision, self._before = history.revision, history.document
        self._back_to: Mapping[str, int] = {}  # the frames where a step was made, while it is taken back

    @contextmanager
    def going_back(self) -> Iterator[None]:
        """While this lasts the newest step is taken back."""
        self._back_to = self._history.undo_frames
        try:
            yield
        finally:
            self._back_to = {}

    def follow(self, view: ViewState, document: Document) -> ViewState:
        """The view at the frames that this document is to be looked at; a result that was folded in moves nobody."""
        frames, time_s = view.frames, view.time_s
        if self._revision != self._history.revision:  # a result may come when one looks elsewhere already
            told = told_frames(self._before, document, self._back_to)
            frames, time_s = after_edit(document, told, frames, time_s, view.character)
        self._revision, self._before = self._history.revision, document
        return fitted(replace(view, frames=frames, time_s=time_s), document)
