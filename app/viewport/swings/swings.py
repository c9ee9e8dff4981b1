"""People who jump among solid things in a drag, drawn as they swing over; the document has them there at once."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from PySide6.QtCore import QObject, QTimer, Signal

from app.document.model.document import Character, Document
from app.document.posing.surroundings import surroundings_of
from app.services.session import Session
from app.viewport.swings.drawn import Drawn, drawn_next
from solver.effectors.resolve import tied_figures
from solver.ik.memory import SettledMemory

EVERY_MS = 16


class Swings(QObject):
    """moved(): somebody is drawn elsewhere a moment later. clock: seconds."""

    moved = Signal()

    def __init__(self, session: Session, parent: QObject | None = None, clock: Callable[[], float] = monotonic) -> None:
        super().__init__(parent)
        self._session, self.clock = session, clock
        self._drawn: dict[str, Drawn] = {}
        self._next = QTimer(self, interval=EVERY_MS, singleShot=True)
        self._next.timeout.connect(self.moved)

    @property
    def swinging(self) -> bool:
        """Whether anybody is drawn on their way."""
        return any(drawn.ends_s is not None for drawn in self._drawn.values())

    def over(self, document: Document) -> Document:
        """The document as it is drawn now; the same one where nobody swings.

        People who are tied to one another, or to themselves, go over at once.
        """
        was, now_s = self._drawn, self.clock()
        tied = frozenset[str]().union(*(tied_figures(c.effectors) for c in document.characters))
        self._drawn = {c.id: self._followed(was.get(c.id), c, now_s, document, tied) for c in document.characters}
        for drawn in self._drawn.values():
            if drawn.ends_s is not None:
                document = document.with_character(drawn.shown)
        if self.swinging:
            self._next.start()
        return document

    def end(self) -> bool:
        """Draw everybody where the document has them from now on; False if nobody was on their way."""
        swung, self._drawn = self.swinging, {}
        return swung

    def _followed(
        self, was: Drawn | None, character: Character, now_s: float, document: Document, tied: frozenset[str]
    ) -> Drawn:
        if character.id in tied or character.id in self._session.live or tied_figures(character.effectors):
            was = None
        moves = was is not None and (was.ends_s is not None or was.character.pose is not character.pose)
        around = surroundings_of(document, (character,)).get(character.id) if moves else None
        return drawn_next(was, character, now_s, moves and self._is_dragged(character), around)

    def _is_dragged(self, character: Character) -> bool:
        """Whether the pose is an answer to a step of the drag under way."""
        memory = self._session.findings.of(character).memory
        return self._session.in_step and isinstance(memory, SettledMemory) and memory.record.pose == character.pose
