"""Where the people of a photo go: into the untouched initial scene, into the open one, or into a new one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app.dialogs import messages
from app.services.background.photo_import import ADD, NEW_SCENE
from app.services.session import Session


class PhotoDestination:
    """Asks the user what is needed, before the work begins or, if the scene was touched only meanwhile, after it.

    name: the photo's. may_close: whether the open document may go; asks about unsaved changes.
    """

    def __init__(self, session: Session, name: str, may_close: Callable[[], bool], window: QWidget) -> None:
        self._session, self._name, self._may_close, self._window = session, name, may_close, window
        self._answer = ""
        self._given_up = -1  # the revision of the document that may go

    def ask(self) -> bool:
        """Whether to open the photo at all."""
        session = self._session
        document = session.document
        if session.untouched or not (document.characters or document.photo):
            return True
        self._answer = messages.ask_where_to(self._window, self._name, has_photo=document.photo is not None)
        return self._answer == messages.ADD or (self._answer == messages.NEW_SCENE and self._may_go())

    def __call__(self) -> str | None:
        """ADD or NEW_SCENE, now that the people are known; None if they are not wanted after all."""
        if not self._answer and not self.ask():
            return None
        if self._answer != messages.NEW_SCENE:
            return ADD
        return NEW_SCENE if self._may_go() else None

    def _may_go(self) -> bool:
        if self._session.history.revision != self._given_up and not self._may_close():
            return False
        self._given_up = self._session.history.revision
        return True
