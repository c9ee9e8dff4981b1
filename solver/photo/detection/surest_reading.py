"""A person whose reading is unsure, looked at turned: of several readings, the one that the heavy network confirms.

The quick network may be sure of a wrong reading of a person lying down: its looks agree, but in the same mistake. The
heavy one errs independently, so that its own looks at such a reading disagree, or see nobody. Where hardly any of them
sees the person, a sure reading is looked at turned as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from PIL import Image

from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.closer_search import place_beside
from solver.photo.detection.duplicates import is_same_person
from solver.photo.detection.inpainting import alone, without_people
from solver.photo.detection.parallel import parallel_map
from solver.photo.detection.plausibility import certainty, extent, is_rereading_of
from solver.photo.detection.regions import distinct_looks, distinct_regions, looks_at, weighted_nms
from solver.photo.detection.repeated_looks import (
    WEIGHT_ALONE,
    close_looks,
    median_of_close_looks,
    with_close_details,
    with_close_looks,
    with_quick_looks,
)
from solver.photo.detection.turned_looks import AROUND, box_of, readings_of

KEPT = 0.0  # certainty from which a person is there after the last looks
_UNSURE = 2.0  # certainty below which a person is looked at turned
_TURNS = 8  # that a whole turn is divided into
_LEAST, _MOST = -0.5, 4  # certainty from which a reading is worth looks by the heavy network, and how many get them
# Marks of the detector that are looked at where the others are painted over, and readings that get closer looks.
_PLACES, _CANDIDATES = 4, 4
_HARDLY_SEEN = 1  # of the heavy network's four looks: somebody whom no more of them see is read wrongly, mostly
_RIVALS = 2  # other readings that the search saw and that get looks by the heavy network
_ALIKE = 0.05  # mean distance of landmarks, as a share of the extent, below which two readings are one


def surest_reading(
    picture: Image.Image,
    person: Landmarks,
    ended: Callable[[], bool] = lambda: False,
    rivals: Callable[[], Sequence[Landmarks]] = tuple,
) -> tuple[Landmarks, list[Landmarks]]:
    """The person, or if unsure, or hardly seen by the heavy network, the surest of several readings; and the heavy
    network's looks at it.

    ended: whether the user has cancelled; then the person comes back without looks. rivals: other readings of the same
    person that the search saw.
    """
    if ended():
        return person, []
    readings, close = [person], [close_looks(picture, person)]
    if certainty(person) < _UNSURE or len(close[0]) <= _HARDLY_SEEN:
        readings += turned_readings(picture, person, ended)
        for rival in rivals():
            if not any(_alike(rival, other) for other in readings):
                readings.append(rival)
    for reading in readings[1:]:
        if ended():
            return person, []
        close.append(close_looks(picture, reading))
    # A reading on which the networks do not agree would be dropped, and the person with it.
    worth = [
        (certainty(with_close_looks(*both)) > KEPT, _confirmed(both[1])) for both in zip(readings, close, strict=True)
    ]
    best = max(range(len(readings)), key=worth.__getitem__)
    return readings[best], close[best]


def seen_without(
    picture: Image.Image,
    person: Landmarks,
    others: Sequence[Landmarks],
    ended: Callable[[], bool] = lambda: False,
    rivals: Callable[[], Sequence[Landmarks]] = tuple,
) -> Landmarks:
    """A person after closer looks at a picture without the others, so that nobody else's limbs are taken for theirs.

    ended: whether the user has cancelled. rivals: as in `surest_reading`.
    """
    by_themselves = alone(picture, person, others)
    reading, close = surest_reading(by_themselves, person, ended, rivals)
    return with_close_details(by_themselves, reading, close, WEIGHT_ALONE)


def other_readings(person: Landmarks, seen: Sequence[Landmarks], others: Sequence[Landmarks]) -> list[Landmarks]:
    """Those of the seen that several looks saw and that are other readings of the person, not of the others, the quick
    network's most certain first."""
    return _likeliest(person, seen, _RIVALS, others)


def found_beside(
    picture: Image.Image, person: Landmarks, others: Sequence[Landmarks], ended: Callable[[], bool] = lambda: False
) -> Landmarks | None:
    """The surest reading about where somebody was read, after closer looks without the others; None for nobody.

    A wrong reading does not say which of two bodies is in front, so readings come from the picture as it is and from
    where the others are painted over wherever they are. ended: whether the user has cancelled.
    """
    left = without_people(picture, others)
    regions = distinct_regions(weighted_nms(place_beside(left, person)()))[:_PLACES]
    looks = distinct_looks([look for region in regions for look in looks_at(left, region)])
    readings = [with_quick_looks(left, look, _is_worth_it) for look in looks]
    readings += readings_of(picture, box_of(person, picture.size), 0.0, worth=_is_worth_it)
    best: tuple[float, Image.Image, Landmarks, list[Landmarks]] | None = None
    for reading in sorted((each for each in readings if each.looks), key=certainty, reverse=True)[:_CANDIDATES]:
        if ended() or not _is_worth_it(reading):
            break
        if any(is_same_person(reading, other) for other in others):
            continue
        by_themselves = alone(picture, reading, others)
        again = with_quick_looks(by_themselves, reading.looks[0])
        close = close_looks(by_themselves, again)
        sure = certainty(with_close_looks(again, close, WEIGHT_ALONE))
        if best is None or sure > best[0]:
            best = sure, by_themselves, again, close
    return with_close_details(*best[1:], WEIGHT_ALONE) if best is not None else None


def _is_worth_it(reading: Landmarks) -> bool:
    return certainty(reading) >= _LEAST


def _confirmed(close: Sequence[Landmarks]) -> float:
    """How certain a person is by the heavy network's looks alone."""
    seen = median_of_close_looks(close)
    return -np.inf if seen is None else certainty(seen)


def turned_readings(picture: Image.Image, person: Landmarks, ended: Callable[[], bool]) -> list[Landmarks]:
    """The likeliest other readings of the same person, the quick network's most certain first.

    ended: whether the user has cancelled; then some may be missing.
    """
    box = box_of(person, picture.size)
    quarters = [turn * 4 / _TURNS for turn in range(_TURNS)]

    def readings(quarter: float) -> list[Landmarks]:
        return readings_of(picture, box, quarter, AROUND[:1], _is_worth_it)

    found: list[Landmarks] = []
    for each in parallel_map(readings, quarters):
        found += each
        if ended():
            break
    return _likeliest(person, found, _MOST)


def _likeliest(
    person: Landmarks, seen: Sequence[Landmarks], most: int, others: Sequence[Landmarks] = ()
) -> list[Landmarks]:
    """So many of the seen that are other readings of the person and not of the others, none like another, the most
    certain first."""
    kept: list[Landmarks] = []
    for reading in sorted(seen, key=certainty, reverse=True):
        if not _is_worth_it(reading) or len(kept) == most:
            break
        if not _reads_any(reading, [person]) or any(_alike(reading, other) for other in (person, *kept)):
            continue
        if not _reads_any(reading, others):
            kept.append(reading)
    return kept


def _reads_any(reading: Landmarks, people: Sequence[Landmarks]) -> bool:
    return is_rereading_of(reading, people) or any(is_same_person(reading, person) for person in people)


def _alike(a: Landmarks, b: Landmarks) -> bool:
    return float(np.linalg.norm(a.pixels[:33] - b.pixels[:33], axis=1).mean()) < _ALIKE * extent(b)
