"""Curves through keyed values: smooth, never beyond the values that they go through, and at rest at both ends.

Each stretch between two knots is a cubic. Its slopes are those of Fritsch and Carlson ("Monotone piecewise cubic
interpolation", 1980) as weighted harmonic means: where two neighbouring values are alike the curve stays level, so that
a foot that is keyed twice at one place does not swing out in between.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.kinematics.rotations import from_rotation_vector, round_with, to_rotation_vector

Array = NDArray[np.float64]


def eased(share: float) -> float:
    """From 0 to 1 as a share goes, at rest at both ends; clipped to 0 and 1 beyond them."""
    within = min(max(share, 0.0), 1.0)
    return within * within * (3.0 - 2.0 * within)


def eased_between(value: float, low: float, high: float) -> float:
    """From 0 where a value is `low`, or beyond it, to 1 where it is `high`, at rest at both ends."""
    return eased((value - low) / (high - low))


def each_eased(shares: NDArray[np.floating]) -> NDArray[np.floating]:
    """`eased` for each share: (...) -> (...)."""
    within = np.clip(shares, 0.0, 1.0)
    return np.asarray(within * within * (3.0 - 2.0 * within))


def curve_through(knots: ArrayLike, values: ArrayLike, at: ArrayLike, even: bool = False) -> Array:
    """The curve through `values` (K, ...) at `knots` (K,), rising, read at times `at` (N,): (N, ...).

    Before the first knot and after the last it holds their values. even: whether its speed changes without a jolt at
    the knots, as it does where each stretch is of the fifth degree.
    """
    times, points = np.asarray(knots, np.float64), np.asarray(values, np.float64)
    if len(times) == 1:
        return np.repeat(points, len(np.asarray(at)), axis=0)
    step, share, length = _steps(times, at)
    ways = np.diff(points, axis=0)
    slopes = _slopes(ways, np.diff(times))
    shaped = (-1, *(1,) * (points.ndim - 1))
    share, length = share.reshape(shaped), length.reshape(shaped)
    gone = even_way if even else _way
    return points[step] + gone(share, ways[step], slopes[step] * length, slopes[step + 1] * length)


def rotation_curve_through(
    knots: ArrayLike, rotations: ArrayLike, at: ArrayLike, even: bool = False, body: Array | None = None
) -> Array:
    """The smooth path through rotations (K, ..., 3, 3), each stretch along the short way: (N, ..., 3, 3). even: as of
    `curve_through`. body: (K, 3, 3) how the body is turned that they go with: to the same side by half a turn."""
    times, turns = np.asarray(knots, np.float64), np.asarray(rotations, np.float64)
    if len(times) == 1:
        return np.repeat(turns, len(np.asarray(at)), axis=0)
    step, share, length = _steps(times, at)
    ways = np.asarray(to_rotation_vector(np.swapaxes(turns[:-1], -1, -2) @ turns[1:]), np.float64)
    if body is not None:
        before = body[:-1].astype(np.float64)
        along = before @ to_rotation_vector(np.swapaxes(before, -1, -2) @ body[1:])[..., None]
        ways = np.asarray(round_with(ways, (np.swapaxes(turns[:-1], -1, -2) @ along)[..., 0]), np.float64)
    slopes = _slopes(ways, np.diff(times))
    shaped = (-1, *(1,) * (ways.ndim - 1))
    share, length = share.reshape(shaped), length.reshape(shaped)
    arriving = _as_rate(ways[step], slopes[step + 1] * length)
    gone = even_way if even else _way
    return np.asarray(turns[step] @ from_rotation_vector(gone(share, ways[step], slopes[step] * length, arriving)))


def _steps(knots: Array, at: ArrayLike) -> tuple[NDArray[np.int64], Array, Array]:
    """For each time, the stretch it is in, how far along it is (0..1), and how long the stretch is."""
    times = np.clip(np.asarray(at, np.float64), knots[0], knots[-1])
    step = np.clip(np.searchsorted(knots, times, side="right") - 1, 0, len(knots) - 2)
    lengths = np.diff(knots)
    return step, (times - knots[step]) / lengths[step], lengths[step]


def _slopes(ways: Array, lengths: Array) -> Array:
    """(K, ...) the curve's speed at each knot; 0 at both ends and where it turns back."""
    shaped = (-1, *(1,) * (ways.ndim - 1))
    rates = ways / lengths.reshape(shaped)
    before, after = rates[:-1], rates[1:]
    long, short = (2 * lengths[1:] + lengths[:-1]).reshape(shaped), (lengths[1:] + 2 * lengths[:-1]).reshape(shaped)
    on = before * after > 0.0
    denominators = long * np.where(on, after, 1.0) + short * np.where(on, before, 1.0)
    inner = np.where(on, (long + short) * before * after / denominators, 0.0)
    slopes = np.zeros((len(ways) + 1, *ways.shape[1:]))
    slopes[1:-1] = inner
    return slopes


def _way(share: Array, way: Array, leaving: Array, arriving: Array) -> Array:
    """How far a cubic has come from its start: 0 at share 0, `way` at share 1, with these slopes."""
    square, cube = share**2, share**3
    return np.asarray(
        (3 * square - 2 * cube) * way + (cube - 2 * square + share) * leaving + (cube - square) * arriving
    )


def even_way(
    share: Array, way: Array, leaving: Array, arriving: Array, bends: tuple[Array | float, Array | float] = (0.0, 0.0)
) -> Array:
    """How far along a stretch of the fifth degree one is at a share 0..1 of its time: of a whole way, with speeds and
    changes of speed (`bends`) at both ends, per stretch; all of shapes that broadcast."""
    second, third, fourth, fifth = share**2, share**3, share**4, share**5
    return np.asarray(
        (10 * third - 15 * fourth + 6 * fifth) * way
        + (share - 6 * third + 8 * fourth - 3 * fifth) * leaving
        - (4 * third - 7 * fourth + 3 * fifth) * arriving
        + (second - 3 * third + 3 * fourth - fifth) * 0.5 * bends[0]
        + (third - 2 * fourth + fifth) * 0.5 * bends[1]
    )


def _as_rate(vectors: Array, turning: Array) -> Array:
    """The rate of change of rotation vectors (..., 3) while their rotation turns at `turning`, in its own frame.

    The inverse of the right Jacobian of the exponential map.
    """
    angle = np.linalg.norm(vectors, axis=-1, keepdims=True)
    half = angle / 2
    small = angle < 1e-4
    safe = np.where(small, 1.0, angle)
    factor = np.where(small, 1.0 / 12.0, (1.0 - half / np.tan(np.where(small, 1.0, half))) / safe**2)
    across = np.cross(vectors, turning)
    return np.asarray(turning + across / 2 + factor * np.cross(vectors, across))
