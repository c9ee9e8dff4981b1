"""Asks the heavy network about people whom the quick one is unsure of: many of them are lying down.

The quick network knows people upright and, of a few looks, loses those lying or curled up in one; the heavy one is
asked only about the few readings that are nearly sure and nobody else's, since a look by it takes as long as five.
Where it does not see the same, the person is looked at turned: the nearly sure reading may be a wrong one of somebody.

Of some who lie, the quick network's squares are so far off that none of its looks is even nearly sure. Last of all, the
heavy one looks at these readings in squares that it centres itself. It also sees people in things and in what is left
of those painted over, so the detector must mark somebody there, and few joints may lie on people known.

Looks by the quick network at tiny people disagree, too. In squares about their median, or about the first look, the
heavy one is sure of those who are there, and its looks agree in nothing else. Where somebody tiny is known there may be
others whom the detector does not mark: both networks look at what stands out once those known are painted over. Where
nobody is sure, all may be as tiny: they look as well, also where the detector marks somebody in small tiles, and both
must be sure, as there is mostly nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol, TypeVar

import numpy as np
from PIL import Image

from solver.photo.detection.blazepose import Detections, Landmarks, Region, detect, landmarks, region_of
from solver.photo.detection.closer_search import marked_at, salient_points
from solver.photo.detection.duplicates import SURE, heads_apart, is_same_person
from solver.photo.detection.inpainting import without_people
from solver.photo.detection.models import HEAVY
from solver.photo.detection.parallel import parallel_map
from solver.photo.detection.plausibility import (
    certainty,
    certainty_if_all_agreed,
    extent,
    is_remnant_of,
    is_rereading_of,
    lies_on,
    upper_certainty,
)
from solver.photo.detection.regions import LEAST_SIDE, PRESENCE_THRESHOLD, distinct_regions, weighted_nms
from solver.photo.detection.repeated_looks import (
    WEIGHT_ALONE,
    agreed_close_looks,
    agreed_close_looks_from,
    median_of_close_looks,
    with_close_details,
    with_close_looks,
    with_quick_looks,
)
from solver.photo.detection.surest_reading import KEPT, turned_readings
from solver.photo.detection.tiles import downscaled_for_search, tile_boxes

T = TypeVar("T")
R = TypeVar("R")

DOUBTED = -1.0  # certainty from which the heavy network is asked
_SEEN = 0.0  # certainty that its looks alone must reach
_LARGE = 0.08  # share of the picture's longest side: too much that is smaller looks like a person, as far spectators do
# Where it centres its squares itself:
_ASKED = 5  # readings that the detector, and mostly the heavy network, is asked about
_PRESENT, _WORTH = 0.9, 1.0  # how present their first look has somebody, and how certain that could become
_MARKED = 0.5  # how surely the detector marks the hips there
_CENTRED = 0.8  # certainty that its own looks alone must reach
_CLEARLY = 0.7  # how surely the detector marks somebody whom the quick network does not see there
_AS_MARKED = (1.0, 1.3)  # squares that it then looks at: where legs are hidden, the detector takes people for smaller
_LEGLESS = 1.2  # how much surer head, arms and trunk must be by themselves
_SAME_HEAD = 0.6  # of a head's size between the middles of two that are one
_ON_KNOWN = 0.25  # the share of such a reading's joints that may lie on somebody known
# Tiny people: up to which share of the longest side, how many readings it is asked about, from which
# certainty, and how certain its first look must be able to become: somebody found could become 2.7 and more.
_TINY, _TINY_ASKED, _TINY_DOUBTED, _TINY_WORTH = 0.05, 2, -3.0, 2.5
# Others beside tiny people: how small, as a share of the longest side, somebody must be for others to be looked for; in
# how many places, in squares of which shares of that side; how present either network must have somebody there; and the
# certainty by both networks below which what the heavy one is sure of is a shadow.
_TINY_BESIDE, _PLACES, _SQUARES, _GLIMPSED, _SHADOW = 0.08, 6, (0.03, 0.04, 0.06), 0.05, -1.5
# The same where nobody is sure: in how many places, in which squares of how many pixels at least, and the certainty by
# both networks. And how small tiles the detector searches, as shares of the longest side, how surely it must mark
# somebody there, and how many of these are looked at.
_PLACES_ALONE, _SQUARES_ALONE, _LEAST_ALONE, _BOTH_SURE = 12, (0.015, 0.02, *_SQUARES), 24, 0.5
_SMALL_TILES, _MARKED_IN_TILE, _MOST_MARKED = (16,), 0.6, 8
_ALIKE = 0.1  # mean distance of landmarks, as a share of the extent, below which asking about one of two is enough


class Along(Protocol):
    """Does work for each item, in order, and tells the share of all work done from the beginning to the end of it."""

    def __call__(self, work: Callable[[T], R], items: Sequence[T], begin: float, end: float) -> Iterator[R]:
        """The results; fewer if the search is cancelled."""


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


def seen_by_heavy_network(
    picture: Image.Image, seen: Sequence[tuple[Landmarks, Image.Image]], people: Sequence[Landmarks],
    ended: Callable[[], bool],
) -> Iterator[Landmarks]:  # fmt: skip
    """Those of the seen, however unsure, each with the picture they were seen in, whom the heavy network sees in
    squares that it centres; after its looks.

    people: those known, who are painted over. ended: whether the search was cancelled.
    """
    known, asked, left = [*people], list[Landmarks](), None
    firsts = [(person.looks[0] if person.looks else person, person, seen_in) for person, seen_in in seen]
    ranked = [(certainty_if_all_agreed(first), first, reading, seen_in) for first, reading, seen_in in firsts]
    for worth, first, reading, seen_in in sorted(ranked, key=lambda one: -one[0]):
        if ended() or len(asked) == _ASKED or worth < _WORTH:
            return
        if first.presence < _PRESENT or not _is_large(first, picture.size) or _is_of(reading, known):
            continue
        if any(_is_alike(first, other) for other in asked):
            continue
        asked.append(first)
        if marked_at(seen_in, _square(first)) < _MARKED:
            continue
        left = left or without_people(picture, people)
        centred = landmarks(left, _square(first), HEAVY)
        close = _somebody(left, centred, known)
        if close:
            known.append(close[0])
            yield with_close_details(left, with_quick_looks(left, centred), close[1], WEIGHT_ALONE)


def marked_and_seen_by_heavy_network(
    picture: Image.Image, marks: Sequence[Detections], people: Sequence[Landmarks], ended: Callable[[], bool]
) -> Iterator[Landmarks]:
    """Those whom the detector marks clearly and the heavy network sees where it does, however little the quick one
    does; by its looks alone. Mostly their legs are hidden, or beyond the border.

    marks: with those painted over who were found by then. people: those known. ended: whether the search was cancelled.
    """
    found = weighted_nms([*marks])
    clear = found.scores >= _CLEARLY
    known, left = [*people], None
    for region in distinct_regions(Detections(found.scores[clear], found.boxes[clear], found.points[clear]))[:_ASKED]:
        if ended():
            return
        if region.side < _LARGE * max(picture.size) or any(_is_within(region.centre, one) for one in known):
            continue
        left = left or without_people(picture, people)
        for scale in _AS_MARKED:
            first = landmarks(left, replace(region, side=scale * region.side), HEAVY)
            if any(heads_apart(first, one) < _SAME_HEAD for one in known) or _is_of(first, known):
                break
            looks = [look for look in (first, landmarks(left, _square(first), HEAVY)) if look.presence >= _PRESENT]
            best = max(looks, key=certainty_if_all_agreed, default=None)
            worth = best is not None and certainty_if_all_agreed(best) >= _WORTH
            close = _somebody(left, best, known, _without_legs) if best and worth else None
            if close:
                known.append(close[0])
                yield with_close_details(left, close[0], [])
                break


def tiny_seen_by_heavy_network(
    seen: Sequence[tuple[Landmarks, Image.Image]], size: tuple[int, int], people: Sequence[Landmarks],
    ended: Callable[[], bool],
) -> Iterator[Landmarks]:  # fmt: skip
    """Tiny ones of the seen, of whom the quick network is less than nearly sure, each with the picture they were seen
    in, whom the heavy network is sure of; after its looks.

    size: of the picture. people: those known. ended: whether the search was cancelled.
    """
    known, asked = [*people], list[Landmarks]()
    for reading, left in sorted(seen, key=lambda one: -certainty(one[0])):
        if ended() or len(asked) == _TINY_ASKED or certainty(reading) < _TINY_DOUBTED:
            return
        if not reading.looks or extent(reading) > _TINY * max(size) or _is_of(reading, known):
            continue
        if certainty_if_all_agreed(reading.looks[0]) < SURE or any(_is_alike(reading, other) for other in asked):
            continue
        asked.append(reading)
        sure = _tiny_seen(left, reading, known)
        if sure is not None:
            known.append(sure)
            yield sure


def tiny_beside_tiny(
    picture: Image.Image, people: Sequence[Landmarks], ended: Callable[[], bool]
) -> Iterator[Landmarks]:
    """Tiny people whom neither the detector nor the quick network saw well, in a picture in which somebody tiny is
    known, whom the heavy network is sure of; after its looks.

    people: those known, who are painted over. ended: whether the search was cancelled.
    """
    if not any(extent(person) < _TINY_BESIDE * max(picture.size) for person in people):
        return
    known, left = [*people], without_people(picture, people)
    for squares in _standing_out(left, _PLACES, _SQUARES):
        if ended():
            return
        sure = _tiny_in(left, squares, known, _SHADOW)
        if sure is not None:
            known.append(sure)
            yield sure


def tiny_where_nobody_is_sure(
    picture: Image.Image, people: Sequence[Landmarks], along: Along, begin: float, end: float
) -> Iterator[Landmarks]:
    """Tiny people in a picture in which nobody sure is known, of whom the heavy network is sure by itself and both
    are together; after their looks.

    people: those known, who are painted over. along: does work for each of some items; for fewer if the search is
    cancelled. begin, end: the share of all work done.
    """
    if any(certainty(person) >= SURE for person in people):
        return
    known, left, middle = [*people], without_people(picture, people), (begin + end) / 2
    tiles = [*tile_boxes(*left.size, _SMALL_TILES)]
    marked = along(partial(detect, left, threshold=_MARKED_IN_TILE), tiles, begin, middle)
    regions = [one for one in distinct_regions(weighted_nms([*marked])) if one.side < _TINY_BESIDE * max(left.size)]
    shares = [share for share in _SQUARES_ALONE if share * max(picture.size) >= _LEAST_ALONE]
    places = [*([one] for one in regions[:_MOST_MARKED]), *_standing_out(left, _PLACES_ALONE, shares)]
    look = partial(_tiny_in, left, known=people, least=_BOTH_SURE)
    for sure in along(look, places, middle, end):
        if sure is not None and not _is_of(sure, known):
            known.append(sure)
            yield sure


def _standing_out(left: Image.Image, count: int, shares: Sequence[float]) -> list[list[Region]]:
    """The squares about each of the places that stand out most. shares: how large they are, of the longest side."""
    small, factor = downscaled_for_search(left)
    sides = [max(share * max(left.size), LEAST_SIDE) for share in shares]
    places = salient_points(small)[:count] * factor
    return [[Region((float(x), float(y)), side, 0.0) for side in sides] for x, y in places]


def _tiny_in(
    left: Image.Image, squares: Sequence[Region], known: Sequence[Landmarks], least: float
) -> Landmarks | None:
    """Somebody new in squares about a place, of whom the heavy network is sure where the quick one has a glimpse of
    somebody.

    least: the certainty by both.
    """
    glimpses = parallel_map(partial(landmarks, left), squares)
    for square in [square for square, seen in zip(squares, glimpses, strict=True) if seen.presence >= _GLIMPSED]:
        first = landmarks(left, square, HEAVY)
        if first.presence < _GLIMPSED:
            continue
        firsts = landmarks(left, _square(first), HEAVY), first
        worth = [one for one in firsts if certainty_if_all_agreed(one) >= _TINY_WORTH]
        sure = _sure_of_tiny(left, worth, known)
        if sure is not None and extent(sure) >= LEAST_SIDE and certainty(sure) >= least:
            return sure
    return None


def _tiny_seen(left: Image.Image, reading: Landmarks, known: Sequence[Landmarks]) -> Landmarks | None:
    """Somebody new whom the heavy network is sure of in squares about a reading's median, or as it was first seen."""
    centred = landmarks(left, _square(reading), HEAVY)
    if certainty_if_all_agreed(centred) < _TINY_WORTH:
        return None
    return _sure_of_tiny(left, (centred, reading.looks[0]), known)


def _sure_of_tiny(left: Image.Image, firsts: Sequence[Landmarks], known: Sequence[Landmarks]) -> Landmarks | None:
    """Whoever new the heavy network is sure of in squares about one of the first looks."""
    for first in firsts:
        close = _centred_looks(left, first, known)
        sure = median_of_close_looks(close)
        if sure is not None and certainty(sure) >= SURE and not _is_of(sure, known):
            return with_close_details(left, with_quick_looks(left, first), close, WEIGHT_ALONE)
    return None


def _centred_looks(left: Image.Image, centred: Landmarks, known: Sequence[Landmarks]) -> list[Landmarks]:
    """The heavy network's looks at whom it saw first in a square that it centres; none if that is nobody new."""
    if centred.presence < PRESENCE_THRESHOLD or certainty_if_all_agreed(centred) < _SEEN or _is_of(centred, known):
        return []
    return agreed_close_looks_from(left, centred)


def _somebody(
    left: Image.Image, centred: Landmarks, known: Sequence[Landmarks], sure_by: Callable[[Landmarks], float] = certainty
) -> tuple[Landmarks, list[Landmarks]] | None:
    """The median of the heavy network's looks at whom it saw first, and these, if that is somebody new."""
    close = _centred_looks(left, centred, known)
    sure = median_of_close_looks(close)
    return (sure, close) if sure is not None and _is_somebody(left, sure, known, sure_by) else None


def _without_legs(person: Landmarks) -> float:
    """How certain a person is by all that was seen of them, or by head, arms and trunk alone, which count less."""
    return max(certainty(person), upper_certainty(person) - _LEGLESS)


def _is_somebody(
    left: Image.Image, sure: Landmarks, known: Sequence[Landmarks], sure_by: Callable[[Landmarks], float]
) -> bool:
    """Whether what the heavy network's looks see is somebody new. left: the picture without those known."""
    if sure_by(sure) < _CENTRED or any(lies_on(sure, other, _ON_KNOWN) for other in known):
        return False
    return not _is_of(sure, known) and marked_at(left, _square(sure)) >= _MARKED


def _is_within(point: tuple[float, float], person: Landmarks) -> bool:
    """Whether a point is in the box around a person: what is marked there is mostly what is left of them."""
    marks = person.pixels[:33]
    return bool(((marks.min(axis=0) < point) & (marks.max(axis=0) > point)).all())


def _square(person: Landmarks) -> Region:
    return region_of(person.pixels[33], person.pixels[34])


def _is_alike(a: Landmarks, b: Landmarks) -> bool:
    return float(np.linalg.norm(a.pixels[:33] - b.pixels[:33], axis=1).mean()) < _ALIKE * extent(b)


def _is_large(person: Landmarks, size: tuple[int, int]) -> bool:
    return extent(person) >= _LARGE * max(size)


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
    return certainty(person) >= DOUBTED and _is_large(person, size)


def _is_of(person: Landmarks, others: Sequence[Landmarks]) -> bool:
    if is_remnant_of(person, others) or is_rereading_of(person, others):
        return True
    return any(is_same_person(person, other) for other in others)
