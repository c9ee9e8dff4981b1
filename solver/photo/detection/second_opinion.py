"""Asks the heavy network about people whom the quick one is unsure of: many of them are lying down.

The quick network knows people upright and, of a few looks, loses those lying or curled up in one; the heavy one is
asked only about the few readings that are nearly sure and nobody else's, since a look by it takes as long as five.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

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
from solver.photo.detection.surest_reading import KEPT

DOUBTED = -1.0  # certainty from which the heavy network is asked
_SEEN = 0.0  # certainty that its looks alone must reach
_LARGE = 0.08  # share of the picture's longest side: too much that is smaller looks like a person, as far spectators do


def confirmed_by_heavy_network(
    doubted: Sequence[tuple[Landmarks, Image.Image]], people: Sequence[Landmarks], ended: Callable[[], bool]
) -> Iterator[Landmarks]:
    """Those of the doubted, each with the picture they were seen in, whom the heavy network sees; after its looks.

    people: those known; other readings or parts of them do not count. ended: whether the search was cancelled.
    """
    asked: list[Landmarks] = []
    for person, left in sorted(doubted, key=lambda one: -certainty(one[0])):
        if ended():
            return
        if _is_of(person, people) or _is_of(person, asked):
            continue
        asked.append(person)
        close = agreed_close_looks(left, person)
        seen = median_of_close_looks(close)
        if seen is None or certainty(seen) < _SEEN:
            continue
        both = with_close_looks(person, close)
        if certainty(both) > KEPT and not _is_of(both, people):
            yield with_close_details(left, person, close)


def needs_second_opinion(person: Landmarks, size: tuple[int, int]) -> bool:
    """Whether the heavy network is worth asking about a reading in a picture of that size, whoever else is known."""
    return certainty(person) >= DOUBTED and extent(person) >= _LARGE * max(size)


def _is_of(person: Landmarks, others: Sequence[Landmarks]) -> bool:
    if is_remnant_of(person, others) or is_rereading_of(person, others):
        return True
    return any(is_same_person(person, other) for other in others)
