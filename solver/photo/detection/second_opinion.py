"""Asks the heavy network about people whom the quick one is unsure of: many of them are lying down.

The quick network knows people upright and, of a few looks, loses those lying or curled up in one; the heavy one is
asked only about the few readings that are nearly sure and nobody else's, since a look by it takes as long as five.
Where it does not see the same, the person is looked at turned: the nearly sure reading may be a wrong one of somebody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from PIL import Image

from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.duplicates import is_same_person
from solver.photo.detection.plausibility import certainty, extent, is_remnant_of, is_rereading_of
from solver.photo.detection.repeated_looks import (
    agreed_close_looks,
    median_of_close_looks,
    with_close_details,
    with_close_looks,
)
from solver.photo.detection.surest_reading import KEPT, turned_readings

DOUBTED = -1.0  # certainty from which the heavy network is asked
_SEEN = 0.0  # certainty that its looks alone must reach
_LARGE = 0.08  # share of the picture's longest side: too much that is smaller looks like a person, as far spectators do


def confirmed_by_heavy_network(
    doubted: Sequence[tuple[Landmarks, Image.Image]], people: Sequence[Landmarks], ended: Callable[[], bool]
) -> Iterator[Landmarks]:
    """Those of the doubted, each with the picture they were seen in, whom the heavy network sees, as they were read or
    turned; after its looks.

    people: those known; other readings or parts of them do not count. ended: whether the search was cancelled.
    """
    asked: list[Landmarks] = []
    for person, left in sorted(doubted, key=lambda one: -certainty(one[0])):
        if ended():
            return
        if _is_of(person, people) or _is_of(person, asked):
            continue
        asked.append(person)
        seen = _confirmed(left, person) or _confirmed_turned(left, person, ended)
        if seen is None:
            continue
        both = with_close_looks(seen.reading, seen.close)
        asked.append(both)  # another reading of a doubted person may lie elsewhere than the one asked about
        if not _is_of(both, people):
            yield with_close_details(left, seen.reading, seen.close)


@dataclass(frozen=True)
class _Confirmed:
    """A reading, and the heavy network's looks at it. certainty: by these looks alone."""

    reading: Landmarks
    close: list[Landmarks]
    certainty: float


def _confirmed(left: Image.Image, reading: Landmarks) -> _Confirmed | None:
    """The reading if every look by the heavy network sees the person, and they are certain enough."""
    close = agreed_close_looks(left, reading)
    seen = median_of_close_looks(close)
    if seen is None or certainty(seen) < _SEEN or certainty(with_close_looks(reading, close)) <= KEPT:
        return None
    return _Confirmed(reading, close, certainty(seen))


def _confirmed_turned(left: Image.Image, person: Landmarks, ended: Callable[[], bool]) -> _Confirmed | None:
    """Of other readings, looked at turned, the one that the heavy network sees most certainly."""
    readings = turned_readings(left, person, ended)
    confirmed = [seen for reading in readings if not ended() and (seen := _confirmed(left, reading))]
    return max(confirmed, key=lambda seen: seen.certainty, default=None)


def needs_second_opinion(person: Landmarks, size: tuple[int, int]) -> bool:
    """Whether the heavy network is worth asking about a reading in a picture of that size, whoever else is known."""
    return certainty(person) >= DOUBTED and extent(person) >= _LARGE * max(size)


def _is_of(person: Landmarks, others: Sequence[Landmarks]) -> bool:
    if is_remnant_of(person, others) or is_rereading_of(person, others):
        return True
    return any(is_same_person(person, other) for other in others)
