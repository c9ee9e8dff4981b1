"""Handles that meet on the screen step aside from each other, so that each can be seen and pressed for itself.

A function of the view and of where the handles are, and of nothing else: what is drawn and what is picked agree, and
nothing depends on how the view got there. It has no jumps either. The farther handle goes up, as if seen from a little
above, so two ankles that cross in a view from the side go round each other instead of changing places.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rendering.camera.camera import View
from rendering.scene.values import Handle

Array = NDArray[np.float64]

MARK, WIDE = 12.5, 17.5  # logical pixels: the radius of a mark, and of one around which another one lies
GAP = 3.0  # pixels between marks
SAME_PLACE = 0.004  # metres within which two handles are at one place
ROUNDS = 4  # of stepping aside: a pair needs one, a crowd some more
GAIN = 7.0  # how many times as far apart they may get as they are, so that marks pass each other without a jump
CROWDED = 0.5  # how much less each step is where several marks are in the way
RISE, SIDE = 9.0, 6.0  # pixels by which the farther one counts as higher up, and as further aside
DEEP = 12.0  # pixels of depth that count as far
ORDER = np.array([4.0, 3.0])  # pixels to the right and down, for later ones at exactly the same place
HELD = 1e6  # weight of the selected handle relative to others: the lighter one moves


def fanned(view: View, handles: Sequence[Handle]) -> Array:
    """(N, 3) metres, where each handle is drawn and picked: its own place, or one beside it at the same depth.

    A single selected handle stays, since its gizmo is there. A handle around another one goes along with it.
    """
    places = np.array([h.position for h in handles], dtype=np.float64).reshape(-1, 3)
    seen = view.project_with_depth(places)
    middle = middles(handles)
    alone = np.flatnonzero(np.isfinite(seen).all(axis=1) & (middle == np.arange(len(handles))))
    pixels = seen[alone, :2]
    around = np.isin(alone, middle[middle != np.arange(len(handles))])
    around |= np.array([handles[i].wide for i in alone.tolist()], np.bool_)
    radius = np.where(around, WIDE, MARK)
    room = radius[:, None] + radius[None] + GAP
    if len(alone) < 2 or (_length(_ways(pixels), room) >= room).all():
        return places
    scales = np.array([view.metres_per_pixel(places[i]) for i in alone])
    selected = np.bincount(middle, [h.selected for h in handles], len(handles))[alone]
    weights = np.where((selected > 0) & (selected.sum() == 1), HELD, 1.0)
    away = np.zeros((len(handles), 2))
    away[alone] = _apart(pixels, _preferred_ways(view, seen[alone, 2], scales), room, weights) - pixels
    scale = np.zeros(len(handles))
    scale[alone] = scales
    right, up, _ = view.camera.rotation.T
    moved: Array = places + scale[middle, None] * (away[middle, :1] * right - away[middle, 1:] * up)
    return moved


def middles(handles: Sequence[Handle]) -> NDArray[np.intp]:
    """(N,) the index of the handle around which each one is drawn; its own for the ordinary ones.

    If a joint has one handle that moves it and one that turns it, the one that turns it lies around the other.
    """
    middle = np.arange(len(handles))
    rings = [i for i, h in enumerate(handles) if h.shape == "ring"]
    others = [i for i, h in enumerate(handles) if h.shape != "ring"]
    if not rings or not others:
        return middle
    places = np.array([h.position for h in handles], dtype=np.float64)
    near = np.abs(places[rings][:, None] - places[others][None]).max(axis=-1) <= SAME_PLACE
    for ring, row in zip(rings, near, strict=True):
        for k in np.flatnonzero(row)[:1]:
            middle[ring] = others[k]
            near[:, k] = False  # a second ring is a mark of its own
    return middle


def _ways(pixels: Array) -> Array:
    """(2, N, N) pixels from each other one to each."""
    return pixels.T[:, :, None] - pixels.T[:, None, :]


def _length(ways: Array, room: Array) -> Array:
    """(N, N) pixels; no mark is in its own way."""
    length: Array = np.sqrt(ways[0] ** 2 + ways[1] ** 2)
    np.fill_diagonal(length, room.diagonal())
    return length


def _preferred_ways(view: View, depths: Array, scales: Array) -> Array:
    """(2, N, N) pixels, y down: to which side of each other handle each one leans, wherever both are.

    Seen from high above it is the nearer one that goes up, as it does on the way there. Both go to the sides where a
    gizmo between them has no arrows.
    """
    right, _, back = view.camera.rotation.T
    steep, arrows = max(float(back[1]), 0.0), float(right[0] + right[2])
    deep = np.tanh((depths[:, None] - depths[None]) / np.minimum(scales[:, None], scales[None]) / DEEP)
    later = np.sign(np.subtract.outer(np.arange(len(depths)), np.arange(len(depths))))
    leaning: Array = ORDER[:, None, None] * later * (1.0 - deep**2)
    leaning[0] -= SIDE * arrows * deep
    leaning[1] -= RISE * (1.0 - 2.0 * steep**2) * deep
    return leaning


def _apart(pixels: Array, leanings: Array, room: Array, weights: Array) -> Array:
    """(N, 2) pixels of marks that have made room for each other; they lean only at first, where they really are."""
    shares = weights[None] / (weights[:, None] + weights[None])
    ways = _ways(pixels)
    leant = ways + leanings * np.maximum(1.0 - _length(ways, room) / room, 0.0)
    wanted = np.minimum(GAIN * _length(leant, room), room)
    for _ in range(ROUNDS):
        length = np.maximum(_length(leant, room), 1e-9)
        steps = leant * np.maximum(np.minimum(GAIN, wanted / length), 1.0) - ways
        crowd = 1.0 + CROWDED * np.maximum((np.sqrt((steps**2).sum(axis=0)) / room).sum(axis=1) - 2.0, 0.0)
        pixels = pixels + ((shares * steps).sum(axis=2) / crowd).T
        leant = ways = _ways(pixels)
    return pixels
