"""The cards in an empty view: what each one starts, and when they show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.services.background.jobs import Jobs
from app.services.session import Session
from app.services.soon import soon

if TYPE_CHECKING:
    from app.viewport.overlays.start_cards import StartCards


@dataclass(frozen=True)
class StartActions:
    """What the cards open."""

    person: Callable[[], object]
    photo: Callable[[], object]
    library: Callable[[], object]
    motion: Callable[[], object]


class StartControl:
    """Shows the cards while the scene is empty and nothing is being read. They are made when first shown."""

    def __init__(self, session: Session, jobs: Jobs, actions: StartActions, view: QWidget) -> None:
        self._session, self._jobs, self._actions, self._view = session, jobs, actions, view
        self.cards: StartCards | None = None
        self._begun = False  # the window opens its first scene by itself
        session.opened.connect(self._begin)
        jobs.started.connect(lambda _title: self.refresh())
        jobs.finished.connect(lambda: soon(view, self.refresh))  # once its outcome is known

    def refresh(self) -> None:
        """Show the cards or put them away, depending on the scene."""
        document = self._session.document
        if not self._begun or document.characters or document.props or document.photos or self._jobs.busy:
            if self.cards is not None:
                self.cards.close_up()
            return
        if self.cards is None:
            self.cards = self._made()
        self.cards.open()

    def _begin(self) -> None:
        self._begun = True

    def _made(self) -> StartCards:
        from app.viewport.overlays.start_cards import Start, StartCards  # the window starts with a figure, without them

        actions = self._actions
        starts = (
            Start("body", "Pose a figure", "A standing figure, with handles to drag", actions.person),
            Start("photo", "From a photo", "The people in it become bodies to pose", actions.photo),
            Start("library", "From the library", "A figure, and poses to begin with", self._from_library),
            Start("play", "Open a motion", "BVH or AMASS, to play and to edit", actions.motion),
        )
        return StartCards(starts, self._view)

    def _from_library(self) -> None:
        self._actions.person()
        self._actions.library()
