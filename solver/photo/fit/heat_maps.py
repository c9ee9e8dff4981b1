"""Where the heat maps of several looks at a person have the landmarks.

A landmark network says twice where a landmark is: as a number, and in a heat map, which else only refines the number by
a few cells. Of people who lie or are seen from high above the numbers are often off, while the maps are highest at the
right place. So the maps of all looks by the heavy network are added up in the picture. Of people upright both are as
good, and half-way between them is better than either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.photo.detection.blazepose import HEATMAP_SIDE, MIRRORED, HeatMaps, Landmarks

Array = NDArray[np.float64]
_COUNT = 33
_NEAR = 0.1  # share of the extent, the spread of how far from the median of the looks a landmark may be
_FAINT = 0.1  # likelihood below which the maps say nothing, as of what is cut off by the border
_WINDOW = 4  # cells on either side of the highest place, over which the middle is taken
_APART = 0.04  # share of the extent between numbers and maps, from which a landmark counts half or less in the fit
_UPRIGHT = 0.5  # share of the way to the maps' places of somebody upright: there the numbers are as good


def placed_by_heat(person: Landmarks) -> Landmarks:
    """The person with the landmarks where the heat maps of their looks, with others painted over where any are, have
    them, or up to half-way there, the more upright they are; the looks without their maps, which take 135 kB each. The
    very same person where no look has any.
    """
    looks = person.looks[-person.alone :]  # all of them, if none was without others
    maps = [_from_same_side(look, look.heat, person) for look in looks if look.heat]
    if not maps:
        return person
    now, size = person.pixels[:_COUNT], _extent(person)
    places = np.stack([now, *map(_highest, maps)])
    likely, marks = _likely(maps, places), np.arange(_COUNT)
    best = (likely * np.exp(-((places - now) ** 2).sum(axis=-1) / (2 * (_NEAR * size) ** 2))).argmax(axis=0)
    reach = np.arange(-_WINDOW, _WINDOW + 1) * np.mean([heat.region.side for heat in maps]) / HEATMAP_SIDE
    window = places[best, marks] + np.stack(np.meshgrid(reach, reach), axis=-1).reshape(-1, 1, 2)
    weights = _likely(maps, window)[..., None]
    middle = (weights * window).sum(axis=0) / np.maximum(weights.sum(axis=0), 1e-9)
    share = (1.0 - (1.0 - _UPRIGHT) * _uprightness(person) ** 2) * (likely[best, marks] >= _FAINT)
    pixels = np.concatenate([now + share[:, None] * (middle - now), person.pixels[_COUNT:]])
    plain = tuple(replace(look, heat=None) if look.heat else look for look in person.looks)
    return replace(person, pixels=pixels, looks=plain)


def agreed_by_heat(person: Landmarks, placed: Landmarks) -> Array:
    """(33,) 0..1: how much each landmark counts in the fit, by how near to the numbers the maps have placed it. Held
    as firmly as the others, one that they move far may lead a limb the wrong way in depth."""
    moved = np.linalg.norm(placed.pixels[:_COUNT] - person.pixels[:_COUNT], axis=1)
    return np.asarray(1.0 / (1.0 + (moved / (_APART * _extent(person))) ** 2))


def _extent(person: Landmarks) -> float:
    return max(float(np.linalg.norm(np.ptp(person.pixels[:_COUNT], axis=0))), 1.0)


def _uprightness(person: Landmarks) -> float:
    """0..1: how much the trunk leads up before the camera; 0 where it leads aside, down, or to or from the camera."""
    trunk = person.world[[11, 12]].mean(axis=0) - person.world[[23, 24]].mean(axis=0)
    return max(float(-trunk[1]), 0.0) / max(float(np.linalg.norm(trunk)), 1e-9)


def _from_same_side(look: Landmarks, heat: HeatMaps, person: Landmarks) -> HeatMaps:
    """A look's maps with left and right exchanged where it sees the person from the other side."""
    now, seen = person.pixels[:_COUNT], look.pixels[:_COUNT]
    as_seen, exchanged = (float(np.linalg.norm(one - now, axis=1).mean()) for one in (seen, seen[MIRRORED]))
    return HeatMaps(heat.region, heat.values[..., MIRRORED]) if exchanged < as_seen else heat


def _highest(heat: HeatMaps) -> Array:
    """(33, 2) pixels where each map is highest."""
    at = heat.values.reshape(-1, _COUNT).argmax(axis=0)
    return heat.region.to_picture(np.stack([at % HEATMAP_SIDE, at // HEATMAP_SIDE], axis=1) / HEATMAP_SIDE)


def _likely(maps: Sequence[HeatMaps], places: Array) -> Array:
    """(N, 33) 0..1: the mean of the maps at places (N, 33, 2) of each landmark, pixels; 0 beyond a map."""
    total, marks = np.zeros(places.shape[:2]), np.arange(_COUNT)
    for heat in maps:
        square = heat.region
        cells = ((places - square.centre) @ square.turn / square.side + 0.5) * HEATMAP_SIDE
        first = np.floor(cells).astype(np.int64)
        part = cells - first
        for right, down in ((0, 0), (1, 0), (0, 1), (1, 1)):
            x, y = first[..., 0] + right, first[..., 1] + down
            share = np.abs(1 - right - part[..., 0]) * np.abs(1 - down - part[..., 1])
            inside = (x >= 0) & (x < HEATMAP_SIDE) & (y >= 0) & (y < HEATMAP_SIDE)
            last = HEATMAP_SIDE - 1
            total += share * inside * heat.values[y.clip(0, last), x.clip(0, last), marks]
    return total / (255.0 * len(maps))
