"""The solves that edits asked for and that are yet to come."""

from __future__ import annotations

from collections.abc import Iterable, Set

from app.document.model.document import Document
from app.document.posing.around import all_around
from app.document.posing.findings import Findings
from app.services.folding import groups_to_solve, still_there, touchable
from app.services.holds import Holds
from app.services.solve_service import Slot, SolveRequest
from solver.ik.multi_solve.only_limb import Hold


class Pending:
    """The characters that wait for a solve, at which frame, and what stays of them in it; true while there are any.

    A step that is left before it was solved is remembered with the document it made, until another one is left: coming
    back to that document asks for its solve again.
    """

    def __init__(self) -> None:
        self._slots: set[Slot] = set()
        self._holds = Holds()
        self._left: tuple[Document | None, Set[Slot], dict[Slot, Hold]] = (None, frozenset(), {})

    def __bool__(self) -> bool:
        return bool(self._slots)

    def __contains__(self, slot: Slot) -> bool:
        return slot in self._slots

    def add(self, slots: Set[Slot], hold: Hold | None) -> None:
        """Have these wait for a solve with that hold, or with none any more."""
        self._slots |= slots
        self._holds.take(slots, hold)

    def any_of(self, slots: Iterable[Slot]) -> bool:
        """Whether one of them waits for a solve."""
        return not self._slots.isdisjoint(slots)

    def came(self, slots: Iterable[Slot]) -> None:
        """Note that their solve came back."""
        self._slots.difference_update(slots)

    def let_go(self, document: Document, findings: Findings) -> None:
        """End the holds of a finished drag, for those whose last solve is there."""
        self._holds.let_go(self._slots, document, findings)

    def forget(self) -> None:
        """Let nobody wait any more."""
        self._slots.clear()
        self._holds.forget()

    def leave(self, document: Document) -> None:
        """Let nobody wait any more until `come_back` to this document."""
        self._left = (document, frozenset(self._slots), self._holds.forget())
        self._slots.clear()

    def come_back(self, document: Document) -> bool:
        """Whether this is the document that was left last; those who waited there then wait again."""
        left, slots, held = self._left
        if left is not document:
            return False
        self._slots |= slots
        self._holds.remember(held)
        return True

    def requests(self, document: Document, revision: int, key: object | None, findings: Findings) -> list[SolveRequest]:
        """A request for each who waits; people tied to each other share one.

        document: as it is looked at; people no longer in it stop waiting. revision: of its history. key: the merge key
        of the open step, if any.
        """
        self._slots = still_there(self._slots, document)
        cameras = tuple(photo.camera for photo in document.photos)
        requests = []
        for character, group in groups_to_solve(self._slots, document):
            beside = tuple((other, findings.of(other)) for other in group if other is not character)
            known, held, near = findings.of(character), self._holds.of(group), all_around(document, group)
            requests.append(SolveRequest(
                character, revision, key, known, beside, cameras, holds=held, around=near, props=touchable(document),
            ))  # fmt: skip
        return requests
