"""The holds of limbs that move alone: from the first move of such a drag to its last solve."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from app.document.model.document import Character, Document
from app.document.posing.findings import Findings
from app.services.solve_service import Slot
from solver.ik.multi_solve.only_limb import LimbHold

Hold = LimbHold | Mapping[Slot, LimbHold] | None  # one for all, or each person's own


class LimbHolds:
    """Holds by character and frame. They are in no document: such a drag leaves alone what a character preserves."""

    def __init__(self) -> None:
        self._held: dict[Slot, LimbHold] = {}

    @property
    def all(self) -> Mapping[Slot, LimbHold]:
        """All holds as they are now."""
        return dict(self._held)

    def take(self, slots: Iterable[Slot], hold: Hold) -> None:
        """Have these solved with that hold, or each with its own, or with none any more."""
        for slot in slots:
            self._held.pop(slot, None)
            own = hold if isinstance(hold, LimbHold) or hold is None else hold.get(slot)
            if own is not None:
                self._held[slot] = own

    def of(self, characters: Iterable[Character]) -> Mapping[str, LimbHold]:
        """The holds of some characters, by id."""
        slots = ((c.id, c.frame) for c in characters)
        return {slot[0]: self._held[slot] for slot in slots if slot in self._held}

    def release_finished(self, waiting: Set[Slot], document: Document, findings: Findings) -> None:
        """Release holds after the last solve of a drag: the body goes on from there, as from a pose that was chosen."""
        there = {actor.id: actor for actor in document.actors}
        for id, frame in self._held.keys() - waiting:
            del self._held[id, frame]
            if id in there:
                findings.continue_from(there[id].at(frame))

    def forget(self) -> None:
        """Let go of all holds."""
        self._held = {}

    def remember(self, held: Mapping[Slot, LimbHold]) -> None:
        """Hold again what was forgotten."""
        self._held.update(held)
