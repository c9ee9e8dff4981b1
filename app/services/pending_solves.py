"""Who waits for a solve that edits have asked for, and what stays of them in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple
from weakref import ref

from app.document.model.document import Document
from app.document.posing.findings import Findings
from app.document.posing.surroundings import surroundings_of
from app.services.limb_holds import Hold, LimbHolds
from app.services.solve_requests import groups_to_solve, props_by_id, slots_still_there
from app.services.solve_service import Slot, SolveRequest
from solver.ik.multi_solve.only_limb import LimbHold

LEFT_KEPT = 8  # steps that were left before they were solved


class _Left(NamedTuple):
    """A step that was left before it was solved. document: what it made, for as long as the history has it."""

    document: ref[Document]
    slots: Set[Slot]
    holds: Mapping[Slot, LimbHold]


class PendingSolves:
    """The characters that wait for a solve, at which frame, and what stays of them in it; true while there are any.

    Steps that are left before they are solved, by undo or by the next edit, are remembered with the documents they
    made, the last few: coming back to one of these asks for its solve again.
    """

    def __init__(self) -> None:
        self._slots: set[Slot] = set()
        self._holds = LimbHolds()
        self._left: list[_Left] = []

    def __bool__(self) -> bool:
        return bool(self._slots)

    def __contains__(self, slot: Slot) -> bool:
        return slot in self._slots

    @property
    def slots(self) -> Set[Slot]:
        """All who wait."""
        return frozenset(self._slots)

    def add(self, slots: Set[Slot], hold: Hold) -> None:
        """Have these wait for a solve with that hold, or each with its own, or with none any more."""
        self._slots |= slots
        self._holds.take(slots, hold)

    def has_any(self, slots: Iterable[Slot]) -> bool:
        """Whether one of them waits for a solve."""
        return not self._slots.isdisjoint(slots)

    def discard(self, slots: Iterable[Slot]) -> None:
        """Let these no longer wait: their solve came back."""
        self._slots.difference_update(slots)

    def release_finished(self, document: Document, findings: Findings) -> None:
        """End the holds of a finished drag, for those whose last solve is there."""
        self._holds.release_finished(self._slots, document, findings)

    def forget(self) -> None:
        """Let nobody wait any more."""
        self._slots.clear()
        self._holds.forget()

    def note(self, document: Document, led: Set[Slot] = frozenset()) -> None:
        """Remember that this document is left for a new edit before it is solved; those who wait go on waiting.

        led: those who do not wait, but would be solved again, as they are not where they go.
        """
        self._left = [left for left in self._left if not any(left.document() is each for each in (None, document))]
        if slots := self._slots | led:
            self._left = [*self._left[1 - LEFT_KEPT :], _Left(ref(document), frozenset(slots), self._holds.all)]

    def suspend(self, document: Document, led: Set[Slot] = frozenset()) -> None:
        """Let nobody wait any more until `resume` to this document; led: see `note`."""
        self.note(document, led)
        self.forget()

    def resume(self, document: Document) -> bool:
        """Whether this document was left before it was solved; those who waited there then wait again."""
        left = next((each for each in self._left if each.document() is document), None)
        if left is None:
            return False
        self._slots |= left.slots
        self._holds.remember(left.holds)
        return True

    def requests(self, document: Document, revision: int, key: object | None, findings: Findings) -> list[SolveRequest]:
        """A request for each who waits; people tied to each other share one.

        document: as it is looked at; people no longer in it stop waiting. revision: of its history. key: the merge key
        of the open step, if any.
        """
        self._slots = slots_still_there(self._slots, document)
        cameras = tuple(photo.camera for photo in document.photos)
        requests = []
        for character, group, then in groups_to_solve(self._slots, document):
            beside = tuple((other, findings.of(other)) for other in group if other is not character)
            known, held, near = findings.of(character), self._holds.of(group), surroundings_of(then, group)
            requests.append(SolveRequest(
                character, revision, key, known, beside, cameras,
                holds=held, surroundings=near, props=props_by_id(then),
            ))  # fmt: skip
        return requests
