"""Where a picture is worth a closer search: around people already found, and where something small stands out.

Two people of whom one is partly behind the other are about equally large, so a square around the first, who is painted
over, shows the second at the size that the detector knows best. Tiny people fill too little of the usual tiles, and
small enough tiles would be too many: only those are searched in which something differs from what is around it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from solver.photo.detection.blazepose import Detections, Landmarks, Region, crop, detect
from solver.photo.detection.tiles import TileSearch, rescaled, rotated_back, rotated_picture

Array = NDArray[np.float64]
_ABOUT = 1.5  # of a person's longer side: the square about them
_CUT = 384  # pixels of that square, turned by quarters before it goes to the detector
# Of a square about somebody's hips: the square in which the detector is asked about them, and how far off it may be.
_MARK_ABOUT, _HIPS_OFF = 2.0, 0.25
_UNSURE = 0.3  # of the detector's score: in chosen places less will do than in the picture at large
_SALIENT = 512  # pixels of the longest side, for the search for what stands out
_WIDE, _HIGH, _AROUND, _USUAL = 0.004, 0.008, 0.015, 0.14  # shares of that side: a tiny person, what is around, and far
_FAINT = 6.0  # of 255: a difference that says nothing
_APART = 0.04  # of the longest side between two places that stand out
_PLACES, _TILE = 12, 0.12  # how many places are searched, in squares of this share of the longest side
# A place where nobody is marked this surely is searched again in a smaller square: a person 20 pixels high fills a
# sixth of the first square in a picture of 960, and the detector hardly marks them.
_MARKED, _SMALLER_TILE = 0.7, 0.08


def place_beside(left: Image.Image, person: Landmarks) -> TileSearch:
    """A search around a person (upright and turned), in a picture in which they are painted over; in its pixels."""

    def detected() -> list[Detections]:
        square = _square_about(person)
        cut = _cut_out(left, square)
        return [_detected_turned(cut, square, quarters) for quarters in range(4)]

    return detected


def marks_about(left: Image.Image, person: Landmarks) -> Detections:
    """What is detected upright around a person in a picture in which they are painted over; in its pixels."""
    square = _square_about(person)
    return _detected_turned(_cut_out(left, square), square, 0)


def marked_at(picture: Image.Image, square: Region) -> float:
    """How surely the detector marks somebody whose hips are about the middle of a square, turned as it is; 0..1."""
    found = detect(_cut_out(picture, replace(square, side=_MARK_ABOUT * square.side)), (0.0, 0.0, _CUT, _CUT), _UNSURE)
    off = np.linalg.norm(found.points[:, 0] - _CUT / 2, axis=1) * _MARK_ABOUT / _CUT
    return float(found.scores[off < _HIPS_OFF].max(initial=0.0))


def _cut_out(picture: Image.Image, square: Region) -> Image.Image:
    return Image.fromarray(crop(picture, square, _CUT).astype(np.uint8))


def _square_about(person: Landmarks) -> Region:
    low, high = person.pixels[:33].min(axis=0), person.pixels[:33].max(axis=0)
    x, y = (low + high) / 2
    return Region((float(x), float(y)), max(_ABOUT * float((high - low).max()), 1.0), 0.0)


def _detected_turned(cut: Image.Image, square: Region, quarters: int) -> Detections:
    """What is detected in a square that was cut out and is turned by quarters, in the picture's pixels."""
    seen = detect(rotated_picture(cut, quarters), (0.0, 0.0, _CUT, _CUT), _UNSURE)
    seen = rotated_back(seen, quarters, cut.size)
    scale, corner = square.side / _CUT, square.to_picture(np.zeros(2))
    return Detections(seen.scores, seen.boxes * scale + np.tile(corner, 2), seen.points * scale + corner)


def salient_places(picture: Image.Image, factor: int) -> list[TileSearch]:
    """Searches of small squares around what is most salient. Detections are in pixels of a picture `factor` times as
    large."""
    longest = max(picture.size)

    def detected_in(share: float, x: float, y: float) -> Detections:
        half = share * longest / 2
        return rescaled(detect(picture, (x - half, y - half, x + half, y + half), _UNSURE), factor)

    def detected(x: float, y: float) -> list[Detections]:
        found = detected_in(_TILE, x, y)
        if found.scores.max(initial=0.0) > _MARKED:
            return [found]
        smaller = _SMALLER_TILE * longest * factor
        return [found, _within(detected_in(_SMALLER_TILE, x, y), np.array([x, y]) * factor, smaller)]

    return [partial(detected, x, y) for x, y in salient_points(picture)[:_PLACES]]


def _within(found: Detections, middle: Array, side: float) -> Detections:
    """Those within a square of that side about (2,) its middle; parts of larger things mislead the detector."""
    hips, along = found.points[:, 0], found.points[:, 1] - found.points[:, 0]
    inside = (np.abs(hips - middle) < side / 2).all(axis=1) & (np.linalg.norm(along, axis=1) < side / 2)
    return Detections(found.scores[inside], found.boxes[inside], found.points[inside])


def salient_points(picture: Image.Image) -> Array:
    """(N, 2) pixels of an RGB picture at which something as small as a tiny person differs most from what is around it.

    Measured against what is usual there, so that leaves and crowds do not hide a person in front of a plain wall.
    """
    from scipy.ndimage import gaussian_filter, maximum_filter, uniform_filter

    scale = min(_SALIENT / max(picture.size), 1.0)
    size = (max(round(picture.width * scale), 1), max(round(picture.height * scale), 1))
    small = np.asarray(picture.resize(size, Image.Resampling.BOX, reducing_gap=2.0), dtype=np.float32)
    side = max(size)
    inner = gaussian_filter(small, (_HIGH * side, _WIDE * side, 0), truncate=3.0)
    outer = gaussian_filter(small, (_AROUND * side, _AROUND * side, 0), truncate=2.0)
    differs = np.linalg.norm(inner - outer, axis=2)
    out = differs / (uniform_filter(differs, max(round(_USUAL * side), 1)) + _FAINT)
    rows, columns = np.nonzero(out == maximum_filter(out, max(round(_APART * side), 1)))
    order = np.argsort(-out[rows, columns], kind="stable")
    places = np.stack([columns, rows], axis=1)[order] + 0.5
    return np.asarray(places * (np.array(picture.size) / size))
