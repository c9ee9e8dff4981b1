"""What is beneath: the floor, or the top of the thing that somebody lies above or is within."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.ik.limp.upright_spans import upright_span

if TYPE_CHECKING:
    from solver.contact.solids import Solid

Array = NDArray[np.float64]
LEAST = 1e-3  # metres by which a search goes on at least
DEEP = 0.02  # metres: what is no deeper within a thing lies on it


def heights_beneath(things: Sequence[Solid], points: ArrayLike) -> Array:
    """(N,) metres above the floor y = 0 at which something bears what is at points (N, 3).

    That is the first surface below a point, or the floor. Of a point deep within things it is where one comes out of
    them straight up; a point just below a surface lies on it.
    """
    places = np.array(points, np.float64)
    if not things or not len(places):
        return np.zeros(len(places))
    off = _distances(things, places)
    heights = _met(things, places, off)
    gridded = np.zeros(len(places), bool)
    for thing in things:
        if thing.grid is not None:
            gridded |= ((off > 0.0) | (off < -DEEP)) & _may_meet(thing, places)
    if gridded.any():
        heights[gridded] = _searched(things, places[gridded], off[gridded])
    return np.maximum(heights, 0.0)


def _met(things: Sequence[Solid], places: Array, off: Array) -> Array:
    """(N,) likewise, as if there were only things whose form says where a plumb line meets them. off: (N,) metres."""
    heights = np.where(off > 0.0, -np.inf, places[:, 1])
    spans = [upright_span(thing, places) for thing in things if thing.grid is None]
    for _, high in spans:
        lower = (off > 0.0) & (high <= places[:, 1])
        heights[lower] = np.maximum(heights, high)[lower]
    deep = off < -DEEP
    for _ in spans:  # out of one thing, perhaps into the next
        for low, high in spans:
            within = deep & (low <= heights) & (heights < high)
            heights[within] = high[within]
    return heights


def _may_meet(thing: Solid, places: Array) -> NDArray[np.bool_]:
    """(N,) whether plumb lines through places (N, 3) pass by the box that a thing fills."""
    reach = np.abs(thing.turn.astype(np.float64)) @ thing.size / 2.0
    return np.asarray((np.abs(places - thing.place)[:, ::2] < reach[::2]).all(axis=1))


def _searched(things: Sequence[Solid], places: Array, off: Array) -> Array:
    """(N,) likewise, found by going on as far as no surface can be. off: (N,) metres to the nearest surface."""
    places = places.copy()
    way = np.where(off < -DEEP, 1.0, -1.0)
    going = np.arange(len(places))
    while len(going):
        off = -way[going] * off
        going, off = going[off > 0.0], off[off > 0.0]
        places[going, 1] += way[going] * np.maximum(off, LEAST)
        going = going[(way[going] > 0.0) | (places[going, 1] > 0.0)]
        off = _distances(things, places[going])
    return places[:, 1]


def _distances(things: Sequence[Solid], points: Array) -> Array:
    return np.asarray(np.min([thing.distances(points) for thing in things], axis=0))
