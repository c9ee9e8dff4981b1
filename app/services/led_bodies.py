"""Bodies that are led to where they go, and are not there yet: who they are, and how often they have gone on."""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import NamedTuple

from app.document.model.document import Character, Document
from app.services.solve_service import Slot

GOES_ON_MOST = 100  # times at most: two whom each other's steps lead elsewhere would never be there
ASKED = ("pose", "base_pose", "effectors", "preserve", "hands", "body", "shape", "solver", "solver_options")


class _OnTheWay(NamedTuple):
    """Somebody as last shown on their way, and how often they have gone on since something was asked of them."""

    shown: Character
    went_on: int


class LedBodies:
    """Who is on their way, by person and frame; true while anybody is.

    Edits of somebody else, or of how they look, leave them on it. Whoever is asked something else, or was put into
    another pose, is on it no more.
    """

    def __init__(self) -> None:
        self._way: dict[Slot, _OnTheWay] = {}

    def __bool__(self) -> bool:
        return bool(self._way)

    @property
    def slots(self) -> frozenset[Slot]:
        """All who are on their way."""
        return frozenset(self._way)

    def has_any(self, slots: Iterable[Slot]) -> bool:
        """Whether one of them is on their way."""
        return not self._way.keys().isdisjoint(slots)

    def come_to(self, slot: Slot, shown: Character) -> None:
        """Note how somebody who is led is shown now."""
        was = self._way.get(slot)
        self._way[slot] = _OnTheWay(shown, was.went_on if was else 0)

    def discard(self, slots: Iterable[Slot]) -> None:
        """Let these stay where they are."""
        for slot in slots:
            self._way.pop(slot, None)

    def forget(self) -> None:
        """Let everybody stay where they are."""
        self._way.clear()

    def see_edit(self, document: Document, asked: Set[Slot]) -> None:
        """Keep those of whom the same is asked after an edit, in the pose in which they were shown.

        asked: who is solved for the edit, whether or not the same is asked of them.
        """
        there = {actor.id: actor for actor in document.actors}
        self._way = {
            (id, frame): one
            for (id, frame), one in self._way.items()
            if (id, frame) not in asked and id in there and _is_asked_the_same(one.shown, there[id].at(frame))
        }

    def go_on(self) -> frozenset[Slot]:
        """Those who go on once more; whoever has done so too often stays from now on."""
        self._way = {
            slot: one._replace(went_on=one.went_on + 1) for slot, one in self._way.items() if one.went_on < GOES_ON_MOST
        }
        return self.slots


def _is_asked_the_same(one: Character, other: Character) -> bool:
    return one is other or all(getattr(one, each) == getattr(other, each) for each in ASKED)
