"""From a detector's marks to looks at single people: boxes merged, squares worth a look, looks that differ."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from solver.photo.detection.blazepose import Detections, Landmarks, Region, landmarks, region_of
from solver.photo.detection.plausibility import extent

Array = NDArray[np.float64]
PRESENCE_THRESHOLD = 0.5
_SAME_BOX = 0.3  # intersection over union from which two boxes are one
_SAME_REGION, _SAME_TURN = 0.12, 0.5  # between two that are one: share of the side between the centres; radians
_SAME_LOOK = 0.04  # mean distance of landmarks as a share of the extent below which a look is a repetition
LEAST_SIDE = 16  # pixels of a region


def weighted_nms(found: list[Detections]) -> Detections:
    """Weighted non-maximum suppression: boxes that overlap become one, weighted by scores; the most certain first."""
    if not found:
        return Detections(np.zeros(0), np.zeros((0, 4)), np.zeros((0, 4, 2)))
    scores = np.concatenate([d.scores for d in found])
    boxes, points = np.concatenate([d.boxes for d in found]), np.concatenate([d.points for d in found])
    left = np.argsort(-scores)
    kept: list[tuple[float, Array, Array]] = []
    while len(left):
        same = iou(boxes[left[0]], boxes[left]) >= _SAME_BOX
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


def iou(box: Array, others: Array) -> Array:
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
        if region.side >= LEAST_SIDE and not any(same_region(region, other) for other in kept):
            kept.append(region)
    return kept


def same_region(a: Region, b: Region) -> bool:
    """Whether two squares show nearly the same."""
    near = float(np.hypot(a.centre[0] - b.centre[0], a.centre[1] - b.centre[1])) < _SAME_REGION * min(a.side, b.side)
    turned = (a.angle - b.angle + np.pi) % (2 * np.pi) - np.pi
    return near and 0.75 < a.side / b.side < 1.33 and abs(turned) < _SAME_TURN


def looks_at(picture: Image.Image, region: Region) -> list[Landmarks]:
    """The landmarks of a region, and those of the region that they suggest themselves, where a person is there."""
    first = landmarks(picture, region)
    if first.presence < PRESENCE_THRESHOLD / 2:
        return []
    again = region_of(first.pixels[33], first.pixels[34])
    seen = [landmarks(picture, again), first] if again.side >= LEAST_SIDE else [first]
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
