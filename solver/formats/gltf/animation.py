"""What a glTF animation moves, at a steady rate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.formats.gltf.content import AGAIN, Gltf
from solver.size_limits import MAX_CURVE_VALUES, MAX_FRAMES

Array = NDArray[np.float64]

USUAL_FPS = 30.0
SLOWEST, FASTEST = 23.5, 240.5  # frames a second: evenly spaced keys between these are frames; others are read at 30
_MOST_HELD = 4 * MAX_CURVE_VALUES  # numbers of all keys, which may lie closer together than frames, with tangents
_MOVED = {"translation": "VEC3", "rotation": "VEC4", "scale": "VEC3"}


class Curves(NamedTuple):
    """moved: node -> "translation", "rotation" (xyzw, any length) or "scale" -> (F, 3 or 4). fps: frames a second."""

    moved: dict[int, dict[str, Array]]
    fps: float
    frames: int


class _Keys(NamedTuple):
    """One channel: times (K,) seconds, strictly rising; values (K, 3 or 4), with tangents (K, 3, …) where cubic."""

    node: int
    path: str
    times: Array
    values: Array
    how: str


def concurrent_animations(animations: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The animations that go with the first one, because they move nothing that it moves, and all others.

    Some programs write one for each person, or even for each joint.
    """
    taken: set[tuple[object, object]] = set()
    first, others = [], []
    for animation in animations:
        moved = {(c["target"].get("node"), c["target"].get("path")) for c in animation["channels"]}
        if moved & taken:
            others.append(animation)
        else:
            taken |= moved
            first.append(animation)
    return first, others


def read_curves(gltf: Gltf, animations: Sequence[dict[str, Any]]) -> Curves:
    """The curves of animations that go together, from first key to last. InputRefused if they are too long."""
    keys: list[_Keys] = []
    held = 0
    for animation, channel in ((one, channel) for one in animations for channel in one["channels"]):
        key = _keys(gltf, animation, channel)
        if key is not None:
            keys.append(key)
            held += key.times.size + key.values.size
        if held > _MOST_HELD:
            raise InputRefused(gltf.path, "moves too many joints for too long", "Export a shorter part")
    if not keys:
        return Curves({}, USUAL_FPS, 1)
    first, last = min(key.times[0] for key in keys), max(key.times[-1] for key in keys)
    fps = _rate(keys)
    if (last - first) * fps + 1 > MAX_FRAMES:
        raise InputRefused(gltf.path, f"has more than {MAX_FRAMES:,} frames", "Export a shorter part")
    frames = int(np.floor((last - first) * fps + 1e-3)) + 1
    if frames * len(keys) * 4 > MAX_CURVE_VALUES:
        raise InputRefused(gltf.path, "moves too many joints for too long", "Export a shorter part")
    times = first + np.arange(frames) / fps
    moved: dict[int, dict[str, Array]] = {}
    for key in keys:
        moved.setdefault(key.node, {})[key.path] = _at(key, times)
    return Curves(moved, fps, frames)


def _keys(gltf: Gltf, animation: dict[str, Any], channel: dict[str, Any]) -> _Keys | None:
    """A channel's keys; None for one that moves no node, such as a morph target's."""
    target = channel["target"]
    if target.get("path") not in _MOVED or "node" not in target:
        return None
    sampler = animation["samplers"][channel["sampler"]]
    times = gltf.numbers(sampler["input"], "SCALAR")[:, 0]
    values = gltf.numbers(sampler["output"], _MOVED[target["path"]])
    how = sampler.get("interpolation", "LINEAR")
    if how == "CUBICSPLINE":
        values = values.reshape(len(times), 3, -1)
    if len(values) != len(times) or not (np.diff(times) > 0).all() or not np.isfinite(times).all():
        raise ValueError("the keys of its animation are not in order")
    if not np.isfinite(values).all():
        name = str(gltf.content.get("nodes", [])[int(target["node"])].get("name", ""))
        raise InputRefused(gltf.path, f"its animation gives a {target['path']} that is not a number (NaN)", AGAIN, name)
    return _Keys(int(target["node"]), target["path"], times, values, how)


def _rate(keys: list[_Keys]) -> float:
    """Frames a second: the rate of the most densely keyed curve, a whole number if it nearly is one."""
    times = max((key.times for key in keys), key=len)
    if len(times) < 3:
        return USUAL_FPS
    steps = np.diff(times)
    fps = 1.0 / float(np.median(steps))
    if not SLOWEST < fps < FASTEST:
        return USUAL_FPS
    even = (len(times) - 1) / float(times[-1] - times[0])  # times are float32: over all of them errors are small
    fps = even if abs(even / fps - 1.0) < 1e-2 else fps
    return float(round(fps)) if abs(fps / round(fps) - 1.0) < 1e-3 else fps


def _at(key: _Keys, times: Array) -> Array:
    """(F, 3 or 4): a channel's values at some times; before and after its keys as at the nearest."""
    at = np.clip(np.searchsorted(key.times, times + 1e-6, side="right") - 1, 0, len(key.times) - 1)
    after = np.minimum(at + 1, len(key.times) - 1)
    step = key.times[after] - key.times[at]
    share = np.clip((times - key.times[at]) / np.where(step > 0, step, 1.0), 0.0, 1.0)[:, None]
    if key.how == "STEP":
        return key.values[at]
    if key.how == "CUBICSPLINE":
        return _cubic(key.values, at, after, share, step[:, None])
    a, b = key.values[at], key.values[after]
    return _slerp(a, b, share) if key.path == "rotation" else a + share * (b - a)


def _cubic(values: Array, at: NDArray[np.int_], after: NDArray[np.int_], t: Array, step: Array) -> Array:
    """Hermite splines as glTF has them: in-tangent, value and out-tangent of each key."""
    a, leaving, b, coming = values[at, 1], values[at, 2] * step, values[after, 1], values[after, 0] * step
    return (
        (2 * t**3 - 3 * t**2 + 1) * a
        + (t**3 - 2 * t**2 + t) * leaving
        + (3 * t**2 - 2 * t**3) * b
        + (t**3 - t**2) * coming
    )


def _slerp(a: Array, b: Array, share: Array) -> Array:
    """Between quaternions (F, 4) the short way round."""
    dot = np.sum(a * b, axis=1, keepdims=True)
    b = np.where(dot < 0, -b, b)
    angle = np.arccos(np.clip(np.abs(dot), 0.0, 1.0))
    near = angle < 1e-4
    sine = np.where(near, 1.0, np.sin(angle))
    first = np.where(near, 1.0 - share, np.sin((1.0 - share) * angle) / sine)
    second = np.where(near, share, np.sin(share * angle) / sine)
    return first * a + second * b
