"""All people of a picture: detected in the whole and in tiles, landmarks for each, duplicates dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from solver.photo.detection.blazepose import Detections, Landmarks, Region, landmarks, region_of
from solver.photo.detection.erasing import erased
from solver.photo.detection.judging import certainty, extent, is_left_of, is_made_of
from solver.photo.detection.repeated_looks import looked_at_again, looked_at_closely
from solver.photo.detection.tiles import Way, detected_in, enlarged, searched

Array = NDArray[np.float64]
Box = tuple[float, float, float, float]
T = TypeVar("T")

PRESENCE_THRESHOLD = 0.5
# Certainty from which somebody is there: at first sight, once the sure are out of the way, and after the last looks.
_SURE, _LIKELY, _KEPT = 1.5, 0.5, 0.0
_QUICK = (Way(0),)
_THOROUGH = (*(Way(quarters) for quarters in range(4)), Way(0, (5,)))
_CROWD = (*_THOROUGH, Way(0, (8,)))
_TINY = 0.08  # of the picture's longest side: whoever is smaller is often one of many
# Rounds of the search: the share of all work done at the begin and the end of each.
_ROUNDS = ((0.0, 0.2), (0.2, 0.5), (0.5, 0.6), (0.6, 0.65))
_SAME_BOX = 0.3  # intersection over union from which two boxes are one
_SAME_REGION, _SAME_TURN = 0.12, 0.5  # shares of a region's side between centres of one region; radians
_SAME_LOOK = 0.04  # mean distance of landmarks as a share of the extent below which a look is a repetition
_LEAST_SIDE = 16  # pixels of a region
_PRINT = 0.2  # share of a person's extent below which somebody in front of the trunk is a print on the shirt
_SAME_POSE = 0.25  # mean distance of landmarks, in units of the smaller person's half extent
_MOST_REGIONS = 40


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

    def each(items: Sequence[T], begin: float, end: float) -> Iterator[T]:
        for done, item in enumerate(items):
            if cancelled and cancelled():
                return
            yield item
            if report:
                report(begin + (end - begin) * (done + 1) / len(items))

    def show(people: Sequence[Landmarks]) -> None:
        if so_far and not (cancelled and cancelled()):
            so_far(people)

    people: list[tuple[Landmarks, Image.Image]] = []  # and the picture without those found before
    for number, (begin, end) in enumerate(_ROUNDS):
        known = [person for person, _ in people]
        left, middle = erased(picture, known), (begin + end) / 2
        ways = ways_of_round(number, known, picture.size)
        small, factor = searched(left) if number else (left, 1)
        found = [enlarged(d, factor) for way in each(ways, begin, middle) for d in detected_in(small, way)]
        regions = distinct_regions(suppressed(found))[:_MOST_REGIONS] if found else []
        looks = distinct_looks([look for region in each(regions, middle, middle) for look in looks_at(left, region)])
        seen = [looked_at_again(left, look) for look in each(looks, middle, end)]
        new = newly_found(seen, known, _SURE if number == 0 else _LIKELY)
        people += [(person, left) for person in new]
        show([person for person, _ in people])
        if number and not new:
            break
    kept = without_prints([person for person, _ in people])
    show(kept)
    people = [(person, left) for person, left in people if person in kept]
    closely = [looked_at_closely(left, person) for person, left in each(people, _ROUNDS[-1][1], 1.0)]
    closely = without_parts([person for person in closely if certainty(person) > _KEPT])
    show(closely)
    return [] if cancelled and cancelled() else sorted(closely, key=lambda p: -p.presence * extent(p))


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


def suppressed(found: list[Detections]) -> Detections:
    """Boxes that overlap become one, weighted by their scores; the most certain first."""
    scores = np.concatenate([d.scores for d in found])
    boxes, points = np.concatenate([d.boxes for d in found]), np.concatenate([d.points for d in found])
    left = np.argsort(-scores)
    kept: list[tuple[float, Array, Array]] = []
    while len(left):
        same = overlap(boxes[left[0]], boxes[left]) >= _SAME_BOX
        same[0] = True
        group = left[same]
        weight = scores[group] / scores[group].sum()
        kept.append(
            (float(scores[left[0]]), weight @ boxes[group], np.tensordot(weight, points[group], axes=1)),
        )
        left = left[~same]
    if not kept:
        return Detections(np.zeros(0), np.zeros((0, 4)), np.zeros((0, 4, 2)))
    return Detections(np.array([k[0] for k in kept]), np.stack([k[1] for k in kept]), np.stack([k[2] for k in kept]))


def overlap(box: Array, others: Array) -> Array:
    """Intersection over union of one box with others, (N,)."""
    low, high = np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:])
    shared = np.prod(np.clip(high - low, 0, None), axis=1)
    areas = np.prod(others[:, 2:] - others[:, :2], axis=1)
    return np.asarray(shared / np.maximum(np.prod(box[2:] - box[:2]) + areas - shared, 1e-9))


def distinct_regions(people: Detections) -> list[Region]:
    """The landmark network's squares, without those that nearly repeat an earlier one."""
    kept: list[Region] = []
    for points in people.points:
        region = region_of(points[0], points[1])
        if region.side >= _LEAST_SIDE and not any(_same_region(region, other) for other in kept):
            kept.append(region)
    return kept


def _same_region(a: Region, b: Region) -> bool:
    near = float(np.hypot(a.centre[0] - b.centre[0], a.centre[1] - b.centre[1])) < _SAME_REGION * min(a.side, b.side)
    turned = (a.angle - b.angle + np.pi) % (2 * np.pi) - np.pi
    return near and 0.75 < a.side / b.side < 1.33 and abs(turned) < _SAME_TURN


def looks_at(picture: Image.Image, region: Region) -> list[Landmarks]:
    """The landmarks of a region, and those in the one that they themselves suggest, where somebody is there."""
    first = landmarks(picture, region)
    if first.presence < PRESENCE_THRESHOLD / 2:
        return []
    again = region_of(first.pixels[33], first.pixels[34])
    seen = [landmarks(picture, again), first] if again.side >= _LEAST_SIDE else [first]
    return [look for look in seen if look.presence >= PRESENCE_THRESHOLD]


def distinct_looks(looks: Sequence[Landmarks]) -> list[Landmarks]:
    """The looks without those that repeat an earlier one."""
    kept: list[Landmarks] = []
    for look in looks:
        if not any(_apart(look, other) < _SAME_LOOK * extent(other) for other in kept):
            kept.append(look)
    return kept


def _apart(a: Landmarks, b: Landmarks) -> float:
    return float(np.linalg.norm(a.pixels[:33] - b.pixels[:33], axis=1).mean())


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
    return [person for person in people if not is_made_of(person, [o for o in people if extent(o) > extent(person)])]


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
