"""Handles that meet on the screen step aside from each other, so that each can be seen and pressed for itself.

A function of the view and of where the handles are, and of nothing else: what is drawn and what is picked agree, and
nothing depends on how one came to look from there. It has no jumps either. Who is farther away goes up, as if one
looked from a little above, so two ankles that cross in a view from the side go round each other instead of changing
places.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rendering.camera.camera import View
from rendering.scene.values import Handle

Array = NDArray[np.float64]

ROOM = 28.0  # logical pixels from the middle of a mark to that of the next
ROUNDS = 4  # of stepping aside: a pair needs one, a crowd some more
GAIN = 7.0  # how many times as far apart they may get as they are: what passes another one does so without a jump
CROWDED = 0.5  # how much less each step is where several marks are in the way
RISE, SIDE = 9.0, 6.0  # pixels: how far what is farther away counts as higher up, and as aside
DEEP = 12.0  # pixels of depth that count as far
BESIDE, SWING, NEXT = np.radians((20.0, 80.0, 65.0))  # where a further handle of a joint is: clockwise from the right,
# less what is farther away; and how far on the one after that is
NEAR = 4.0 * ROOM  # pixels from which other handles count in that
SHAPES = ("ball", "contact", "target", "ring")  # whose the joint's own place is, if it has several
LIGHT, HELD = 0.04, 1e6  # how heavy a further handle and the selected one are beside others: the lighter one goes


def fanned(view: View, handles: Sequence[Handle]) -> Array:
    """(N, 3) metres, where each handle is drawn and picked: its own place, or one beside it at the same depth.

    One selected handle stays, for its gizmo is there. Where a joint has several, that which moves it stays, and those
    that turn it go beside it.
    """
    places = np.array([h.position for h in handles], dtype=np.float64).reshape(-1, 3)
    seen = view.project_with_depth(places)
    there = np.flatnonzero(np.isfinite(seen).all(axis=1))
    if len(there) < 2:
        return places
    pixels = seen[there, :2]
    if _length(_ways(pixels)).min() >= ROOM:
        return places
    scales = np.array([view.metres_per_pixel(places[i]) for i in there])
    right, up, back = view.camera.rotation.T
    rises = (1.0 - 2.0 * max(float(back[1]), 0.0) ** 2) * _deeper(seen[there, 2], scales)  # from above the nearer one
    aside = float(right[0] + right[2]) * rises  # to where a gizmo has no arrows
    away = _stepped_aside(pixels, rises, aside, [handles[i] for i in there]) - pixels
    places[there] += scales[:, None] * (away[:, :1] * right - away[:, 1:] * up)
    return places


def _deeper(depths: Array, scales: Array) -> Array:
    """(N, N) -1..1, how much farther away each handle is than each other one."""
    deeper: Array = np.tanh((depths[:, None] - depths[None]) / np.minimum(scales[:, None], scales[None]) / DEEP)
    return deeper


def _ways(pixels: Array) -> Array:
    """(2, N, N) pixels from each other one to each."""
    return pixels.T[:, :, None] - pixels.T[:, None, :]


def _length(ways: Array) -> Array:
    """(N, N) pixels; nobody is in their own way."""
    length: Array = np.sqrt(ways[0] ** 2 + ways[1] ** 2)
    np.fill_diagonal(length, ROOM)
    return length


def _stepped_aside(pixels: Array, rises: Array, aside: Array, handles: Sequence[Handle]) -> Array:
    """(N, 2) pixels. First those that have a joint's place to themselves, then the others with and beside them."""
    lead, behind = _leads(handles)
    first = np.flatnonzero(behind == 0)
    among = np.ix_(first, first)
    lean = np.stack([-SIDE * aside[among], -RISE * rises[among]])
    held = np.array([h.selected for h in handles])
    weights = np.where(held & (held.sum() == 1), HELD, np.where(behind > 0, LIGHT, 1.0))
    led = pixels.copy()
    led[first] = _apart(pixels[first], lean, weights[first])
    if len(first) == len(handles):
        return led
    near = np.maximum(1.0 - _length(_ways(pixels)) / NEAR, 0.0)
    angle = BESIDE - SWING * np.clip((near * rises).sum(axis=1), -1.0, 1.0)[lead] + NEXT * (behind - 1)
    with_lead = np.maximum(1.0 - np.linalg.norm(pixels - pixels[lead], axis=1) / ROOM, 0.0)[:, None]
    to = (led - pixels)[lead] + ROOM * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    beside = pixels + np.where(behind[:, None] > 0, with_lead * to, led - pixels)
    return _apart(beside, np.zeros_like(_ways(pixels)), weights)


def _leads(handles: Sequence[Handle]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """(N,) index of the handle that has the place of each one's joint, and (N,) how many come before it there."""
    joints: dict[bytes, list[int]] = {}
    for i in sorted(range(len(handles)), key=lambda i: (not handles[i].selected, SHAPES.index(handles[i].shape))):
        joints.setdefault(np.asarray(handles[i].held_position, np.float32).tobytes(), []).append(i)
    lead, behind = np.empty(len(handles), np.intp), np.empty(len(handles), np.intp)
    for group in joints.values():
        lead[group], behind[group] = group[0], range(len(group))
    return lead, behind


def _apart(pixels: Array, lean: Array, weights: Array) -> Array:
    """(N, 2) pixels of marks that have made room for each other; they lean only at first, where they really are."""
    shares = weights[None] / (weights[:, None] + weights[None])
    ways = _ways(pixels)
    leant = ways + lean * np.maximum(1.0 - _length(ways) / ROOM, 0.0)
    room = np.minimum(GAIN * _length(leant), ROOM)
    for _ in range(ROUNDS):
        length = _length(leant)
        steps = leant * np.maximum(np.minimum(GAIN, room / np.maximum(length, 1e-9)), 1.0) - ways
        crowd = 1.0 + CROWDED * np.maximum(np.sqrt((steps**2).sum(axis=0)).sum(axis=1) / ROOM - 2.0, 0.0)
        pixels = pixels + ((shares * steps).sum(axis=2) / crowd).T
        leant = ways = _ways(pixels)
    return pixels
