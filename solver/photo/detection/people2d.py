"""All people of a picture: detected in the whole and in tiles, landmarks for each, duplicates dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from solver.photo.detection.at_once import at_once, in_turn
from solver.photo.detection.blazepose import Detections, Landmarks, Region
from solver.photo.detection.closer_search import detected_beside, detected_tiny
from solver.photo.detection.erasing import erased
from solver.photo.detection.judging import (
    certainty,
    extent,
    is_behind,
    is_left_of,
    is_made_of,
    may_be_somebody,
)
from solver.photo.detection.regions import distinct_looks, distinct_regions, looks_at, suppressed
from solver.photo.detection.repeated_looks import looked_at_again, looked_at_closely
from solver.photo.detection.tiles import Way, detected_in, enlarged, searched
from solver.photo.detection.turned_looks import AROUND, readings_of

Array = NDArray[np.float64]
Box = tuple[float, float, float, float]
T = TypeVar("T")
R = TypeVar("R")

# Certainty from which somebody is there: at first sight, once the sure are out of the way, and after the last looks.
_SURE, _LIKELY, _KEPT = 1.5, 0.5, 0.0
_WORTH = 1.0  # a first look that could not become as certain is not repeated; of whoever is found it is above 1.6
_KEPT_CLOSER = 1.0  # after the last looks, of those whom only a closer search saw
_QUICK = (Way(0),)
_THOROUGH = (*(Way(quarters) for quarters in range(4)), Way(0, (5,)))
_UNSURE = 2.0  # certainty below which somebody is looked at turned
_CROWD = (*_THOROUGH, Way(0, (8,)))
_TINY = 0.08  # of the picture's longest side: whoever is smaller is often one of many
# Rounds of the search: the share of all work done at the begin and the end of each.
_ROUNDS = ((0.0, 0.2), (0.2, 0.5), (0.5, 0.6), (0.6, 0.65))
_PRINT = 0.2  # share of a person's extent below which somebody in front of the trunk is a print on the shirt
_SAME_POSE = 0.25  # mean distance of landmarks, in units of the smaller person's half extent
_MOST_REGIONS, _MOST_CLOSER = 40, 8  # that are looked at in a round, and of those of a closer search


def find_people(
    rgb: NDArray[np.uint8],
    report: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    so_far: Callable[[Sequence[Landmarks]], None] | None = None,
) -> list[Landmarks]:
    """Everybody in an (H, W, 3) picture, the most certain first. report: called with the share done, 0..1.

    so_far: called with those who are known by then; closer looks may drop some.

    Whoever was found is painted over, and the rest of the picture is searched again, more closely, until nobody is new.
    """
    picture = Image.fromarray(rgb)

    def each(
        work: Callable[[T], R], items: Sequence[T], begin: float, end: float,
        by: Callable[[Callable[[T], R], Sequence[T]], Iterator[R]] = at_once,
    ) -> Iterator[R]:  # fmt: skip
        if cancelled and cancelled():
            return
        for done, made in enumerate(by(work, items)):
            yield made
            if report:
                report(begin + (end - begin) * (done + 1) / len(items))
            if cancelled and cancelled():
                return

    def show(people: Sequence[Landmarks]) -> None:
        if so_far and not (cancelled and cancelled()):
            so_far(people)

    people: list[tuple[Landmarks, Image.Image]] = []  # and the picture without those found before
    seen: list[Landmarks] = []
    chosen: list[Landmarks] = []  # whom only a closer search saw, in which much looks like somebody
    beside = 0  # of those who are known, how many were searched beside
    for number, (begin, end) in enumerate(_ROUNDS):
        if number and cancelled and cancelled():
            break
        known = [person for person, _ in people]
        left, middle = erased(picture, known), (begin + end) / 2
        ways = ways_of_round(number, known, picture.size)
        small, factor = searched(left) if number else (left, 1)
        found = each(partial(detected_in, small), ways, begin, middle, in_turn)  # tiles at once, not ways
        usual = [enlarged(d, factor) for of_way in found for d in of_way]
        closer = detected_beside(left, known[beside:]) if number else []
        if number == 1:
            closer += [enlarged(d, factor) for d in detected_tiny(small)]
        beside = len(known)
        # Each search by itself: where two people are close, what one has marked would be put together with the other's.
        look_in = partial(looks_at, left)
        looks = [look for some in each(look_in, regions_of(usual), middle, middle) for look in some]
        looks = [look for look in looks if may_be_somebody(look, known, _WORTH)]
        places = regions_of(closer)[:_MOST_CLOSER]
        more = [look for some in each(look_in, places, middle, middle) for look in some]
        more = [look for look in more if may_be_somebody(look, known, _SURE)]
        looks, more = distinct_looks(looks), distinct_looks(more)
        again = [*each(partial(looked_at_again, left), [*looks, *more], middle, end)]
        chosen += again[len(looks) :]
        seen += again[: len(looks)] + [person for person in again[len(looks) :] if certainty(person) >= _SURE]
        new = newly_found(seen, known, _SURE if number == 0 else _LIKELY)
        people += [(person, left) for person in new]
        # Whoever was likely at first sight, if not sure, counts in the next round too.
        seen = [person for person in seen if certainty(person) >= _LIKELY] if number == 0 else []
        show([person for person, _ in people])
        if number and not new:
            break
    kept = without_prints([person for person, _ in people])
    show(kept)
    people = [(person, left) for person, left in people if person in kept]
    close = each(lambda one: looked_at_closely(one[1], surest_reading(one[1], one[0])), people, _ROUNDS[-1][1], 1.0)
    closely = without_parts([
        person
        for person, (first, _) in zip(close, people, strict=False)  # fewer where it was cancelled
        if certainty(person) > (_KEPT_CLOSER if first in chosen else _KEPT)
    ])  # fmt: skip
    show(closely)
    return [] if cancelled and cancelled() else sorted(closely, key=lambda p: -p.presence * extent(p))


def regions_of(found: list[Detections]) -> list[Region]:
    """The squares that are worth a look, of what was detected, the most certain first."""
    return distinct_regions(suppressed(found))[:_MOST_REGIONS]


def surest_reading(picture: Image.Image, person: Landmarks) -> Landmarks:
    """The person, or where that is unsure, as looks turned by quarters see them more surely."""
    if certainty(person) >= _UNSURE:
        return person
    box = box_of(person, picture.size)
    turned = at_once(lambda quarters: readings_of(picture, box, quarters, AROUND[:1]), range(4))
    readings = [
        reading for some in turned for reading in some if is_made_of(reading, [person]) or _same_person(reading, person)
    ]
    return max([person, *readings], key=certainty)


def ways_of_round(number: int, known: Sequence[Landmarks], size: tuple[int, int]) -> tuple[Way, ...]:
    """How a picture of that size is searched in a round; more closely once somebody tiny was found in it."""
    if number == 0:
        return _QUICK
    return _CROWD if any(extent(person) < _TINY * max(size) for person in known) else _THOROUGH


def newly_found(seen: Sequence[Landmarks], known: Sequence[Landmarks], least: float) -> list[Landmarks]:
    """Of those who were seen several times, whoever is certain enough and nobody known, the most certain first."""
    new: list[Landmarks] = []
    for person in sorted(seen, key=certainty, reverse=True):
        if certainty(person) < least:
            break
        if is_left_of(person, known) or is_made_of(person, new):
            continue
        if not any(_same_person(person, other) for other in (*known, *new)):
            new.append(person)
    return new


def _same_person(a: Landmarks, b: Landmarks) -> bool:
    trunk = [11, 12, 13, 14, 23, 24, 25, 26]
    apart = float(np.linalg.norm(a.pixels[trunk] - b.pixels[trunk], axis=1).mean())
    return apart < _SAME_POSE * min(extent(a), extent(b)) / 2


def without_prints(people: list[Landmarks]) -> list[Landmarks]:
    """The people without those who are only printed on somebody's clothes, in the same order."""
    return [person for person in people if not any(_on_the_clothes(person, other) for other in people)]


def without_parts(people: list[Landmarks]) -> list[Landmarks]:
    """The people without those who lie on somebody larger, limb on limb, in the same order.

    Closer looks move landmarks: who seemed to be somebody else may turn out to be a part of somebody.
    """
    return [
        person
        for person in people
        if not is_made_of(person, [o for o in people if extent(o) > extent(person) and not is_behind(person, o, _SURE)])
    ]


def _on_the_clothes(small: Landmarks, large: Landmarks) -> bool:
    """Whether somebody tiny shows face and shoulders on another's trunk; somebody looking over a shoulder does not."""
    if extent(small) > _PRINT * extent(large):
        return False
    corners = large.pixels[[11, 12, 24, 23]]
    sides = np.roll(corners, -1, axis=0) - corners
    to = small.pixels[:13, None] - corners
    turns = sides[:, 0] * to[..., 1] - sides[:, 1] * to[..., 0]
    return bool((turns > 0).all() or (turns < 0).all())


def box_of(person: Landmarks, size: tuple[int, int]) -> Box:
    """Left, top, right, bottom of a person in a picture of that size (width, height), with a small margin."""
    seen = person.pixels[:33][person.visibility > 0.3]
    points = seen if len(seen) > 3 else person.pixels[:33]
    air = 0.06 * float(np.linalg.norm(np.ptp(points, axis=0)))
    low, high = points.min(axis=0) - air, points.max(axis=0) + air
    low, high = np.clip(low, 0, size), np.clip(high, 0, size)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])
