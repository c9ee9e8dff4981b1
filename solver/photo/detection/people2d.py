"""All people of a picture: detected in the whole and in tiles, landmarks for each, duplicates dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from solver.photo.detection.blazepose import Detections, Landmarks, Region, detect, landmarks, region_of
from solver.photo.detection.repeated_looks import looked_at_again, looked_at_closely

Array = NDArray[np.float64]
Box = tuple[float, float, float, float]
T = TypeVar("T")

DETECTION_THRESHOLD, PRESENCE_THRESHOLD = 0.4, 0.5
STEADY_PRESENCE, STEADY_SPREAD = 0.7, 0.1  # the latter in metres; people come with 0.02 to 0.06
_GRIDS, _TILE_OVERLAP = (1, 2, 3), 1.3
_SAME_BOX = 0.3  # intersection over union from which two boxes are one
_SAME_REGION = 0.25  # shares of a region's side, between centres of regions that are one
_PRINT = 0.2  # share of a person's extent below which somebody in front of the trunk is a print on the shirt
_SAME_POSE = 0.25  # mean distance of landmarks, in units of the smaller person's half extent
_MOST_REGIONS = 40


def find_people(
    rgb: NDArray[np.uint8], report: Callable[[float], None] | None = None, cancelled: Callable[[], bool] | None = None
) -> list[Landmarks]:
    """Everybody in an (H, W, 3) picture, the most certain first. report: called with the share done, 0..1."""
    picture = Image.fromarray(rgb)

    def each(items: Sequence[T], begin: float, end: float) -> Iterator[T]:
        for done, item in enumerate(items):
            if cancelled and cancelled():
                return
            yield item
            if report:
                report(begin + (end - begin) * (done + 1) / len(items))

    tiles = list(tile_boxes(*picture.size))
    found = [detect(picture, tile, DETECTION_THRESHOLD) for tile in each(tiles, 0.0, 0.2)]
    regions = distinct_regions(suppressed(found))[:_MOST_REGIONS] if found else []
    seen = [look_twice(picture, region) for region in each(regions, 0.2, 0.4)]
    people = without_doubles([person for person in seen if person is not None])
    people = [looked_at_again(picture, person) for person in each(people, 0.4, 0.6)]
    people = without_prints(without_doubles([person for person in people if is_steady(person)]))
    people = [looked_at_closely(picture, person) for person in each(people, 0.6, 1.0)]
    return [] if cancelled and cancelled() else people


def is_steady(person: Landmarks) -> bool:
    """Whether several looks agree that somebody is there, and in which pose."""
    return person.presence >= STEADY_PRESENCE and (person.spread is None or person.spread.mean() <= STEADY_SPREAD)


def tile_boxes(width: int, height: int) -> Iterator[Box]:
    """The whole picture, then tiles of a half and a third of its longest side, overlapping."""
    for grid in _GRIDS:
        if grid == 1:
            yield 0.0, 0.0, float(width), float(height)
            continue
        side = max(width, height) / grid * _TILE_OVERLAP
        for top in _starts(height, side):
            for left in _starts(width, side):
                yield left, top, min(left + side, width), min(top + side, height)


def _starts(length: float, side: float) -> Array:
    if side >= length:
        return np.zeros(1)
    count = int(np.ceil(length / side * 1.15))
    return np.linspace(0.0, length - side, max(count, 2))


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
        if region.side >= 16 and not any(_same_region(region, other) for other in kept):
            kept.append(region)
    return kept


def _same_region(a: Region, b: Region) -> bool:
    near = float(np.hypot(a.centre[0] - b.centre[0], a.centre[1] - b.centre[1])) < _SAME_REGION * min(a.side, b.side)
    return near and 0.7 < a.side / b.side < 1.43


def look_twice(picture: Image.Image, region: Region) -> Landmarks | None:
    """The landmarks of a region, looked at again in the one that they themselves suggest; None if nobody is there."""
    first = landmarks(picture, region)
    if first.presence < PRESENCE_THRESHOLD / 2:
        return None
    again = region_of(first.pixels[33], first.pixels[34])
    if again.side < 16:
        return None
    second = landmarks(picture, again)
    return second if second.presence >= PRESENCE_THRESHOLD else None


def without_doubles(people: list[Landmarks]) -> list[Landmarks]:
    """One person for each pose; the most certain and largest comes first."""
    ordered = sorted(people, key=lambda p: -p.presence * extent(p))
    kept: list[Landmarks] = []
    for person in ordered:
        if not any(_same_person(person, other) for other in kept):
            kept.append(person)
    return kept


def extent(person: Landmarks) -> float:
    """The diagonal of a person's landmarks in pixels."""
    return float(np.linalg.norm(np.ptp(person.pixels[:33], axis=0)))


def _same_person(a: Landmarks, b: Landmarks) -> bool:
    trunk = [11, 12, 13, 14, 23, 24, 25, 26]
    apart = float(np.linalg.norm(a.pixels[trunk] - b.pixels[trunk], axis=1).mean())
    return apart < _SAME_POSE * min(extent(a), extent(b)) / 2


def without_prints(people: list[Landmarks]) -> list[Landmarks]:
    """The people without those who are only printed on somebody's clothes, in the same order."""
    return [person for person in people if not any(_on_the_clothes(person, other) for other in people)]


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
