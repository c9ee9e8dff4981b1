"""The parts of the last scene, each with what it was made from: whatever did not change stays the same object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Part = TypeVar("Part")
Slot = tuple[str, str]  # what it is, and of which character

_NUMBERS = (str, bool, int, float)
_COMPARED = (str, bool, float, frozenset, tuple)


class RememberedParts:
    """One part for each slot, the last one. compared: types of values, besides plain ones, that count as the same where
    they are equal; all others only where they are the same object.
    """

    def __init__(self, *compared: type) -> None:
        self._compared = (*_COMPARED, *compared)
        self._kept: dict[Slot, tuple[tuple[Any, ...], Any]] = {}

    def once(self, slot: Slot, key: tuple[Any, ...], make: Callable[[], Part]) -> Part:
        """What was made for this slot last time, if from the very same values; else it is made again."""
        old = self._kept.get(slot)
        if old is not None and len(old[0]) == len(key) and all(map(self._is_same, old[0], key)):
            part: Part = old[1]
            return part
        made = make()
        self._kept[slot] = (key, made)
        return made

    def made_from(self, slot: Slot) -> tuple[Any, ...] | None:
        """The values that the slot's part was made from; None without one."""
        old = self._kept.get(slot)
        return old and old[0]

    def forget_unless(self, kept: Callable[[Slot], bool]) -> None:
        """Forget the parts of all other slots."""
        self._kept = {slot: old for slot, old in self._kept.items() if kept(slot)}

    def _is_same(self, a: Any, b: Any) -> bool:
        """Cheap equality: arrays and values that hold them count by identity alone."""
        return a is b or (type(a) is type(b) and isinstance(a, self._compared) and not _holds_values(a) and a == b)


def _holds_values(value: Any) -> bool:
    return isinstance(value, tuple) and any(not isinstance(item, _NUMBERS) for item in value)
