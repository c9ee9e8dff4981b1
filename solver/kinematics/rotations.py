"""Rotations as 3x3 matrices, and their other representations. The only place that knows a quaternion's order.

All functions take and return any leading batch shape; matrices act on column vectors; angles are radians. Those that a
solve calls dozens of times run compiled once a solver has loaded that code: numpy takes a tenth of a millisecond each
time, however few rotations there are.
"""

from __future__ import annotations

import sys
from math import atan2, hypot
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.floating]
KERNELS = "rotation_kernels"
ROUND = 1.5 * np.pi  # radians that two turns to opposite sides are apart at least to go to the same side instead
LOCKED = 1e-7  # cosine of the second Euler angle below which the first and the third turn about one line


def from_rotation_vector(vectors: ArrayLike) -> Array:
    """(..., 3) axis times angle -> (..., 3, 3)."""
    if (exponentials := compiled(KERNELS, "exponentials")) is not None:
        vectors = _plain(vectors)
        matrices = np.empty((*vectors.shape, 3))
        exponentials(vectors.reshape(-1, 3), matrices.reshape(-1, 3, 3))
        return matrices
    v = np.asarray(vectors, dtype=np.float64)
    angle = np.linalg.norm(v, axis=-1)[..., None]
    sine = v * np.sinc(angle / np.pi)
    versine = v * np.sinc(angle / (2 * np.pi)) ** 2 / 2  # (1 - cos) / angle², exact near 0 too
    matrices = versine[..., :, None] * v[..., None, :]
    matrices[..., (0, 1, 2), (0, 1, 2)] += np.cos(angle)
    matrices[..., (2, 0, 1), (1, 2, 0)] += sine
    matrices[..., (1, 2, 0), (2, 0, 1)] -= sine
    return matrices


def to_rotation_vector(matrices: ArrayLike) -> Array:
    """(..., 3, 3) -> (..., 3) axis times angle, angle in [0, pi]."""
    if (logarithms := compiled(KERNELS, "logarithms")) is not None:
        matrices = _plain(matrices)
        vectors = np.empty(matrices.shape[:-1])
        logarithms(matrices.reshape(-1, 3, 3), vectors.reshape(-1, 3))
        return vectors
    q = to_quaternion_xyzw(matrices)
    sine = np.linalg.norm(q[..., :3], axis=-1)
    half = np.arctan2(sine, q[..., 3])
    # twice the half angle to its sine, which is 2 for no angle at all
    return q[..., :3] * (2.0 / np.sinc(half / np.pi))[..., None]


def round_with(vectors: ArrayLike, other: ArrayLike) -> Array:
    """(..., 3) rotation vectors, about half a turn each, to the side that `other` (..., 3) turns to; those as they are
    that differ less from `other`. The short way of half a turn is to either side, by chance."""
    own, along = np.asarray(vectors, np.float64), np.asarray(other, np.float64)
    angle = np.linalg.norm(own, axis=-1)
    apart = ((own * along).sum(axis=-1) < 0.0) & (angle + np.linalg.norm(along, axis=-1) > ROUND)
    return np.asarray(own * np.where(apart, 1.0 - 2.0 * np.pi / np.maximum(angle, 1e-9), 1.0)[..., None])


def from_quaternion_xyzw(quaternions: ArrayLike) -> Array:
    """(..., 4) in x, y, z, w order, any length but zero -> (..., 3, 3). Raises ValueError for length zero."""
    q = np.asarray(quaternions, dtype=np.float64)
    length = np.linalg.norm(q, axis=-1, keepdims=True)
    if not length.all():
        raise ValueError("a quaternion of length 0 is not a rotation")
    q = q / length
    v, w = q[..., :3], q[..., 3]
    matrices = 2.0 * v[..., :, None] * v[..., None, :]
    matrices[..., (0, 1, 2), (0, 1, 2)] += (2.0 * w * w - 1.0)[..., None]
    sine = 2.0 * w[..., None] * v
    matrices[..., (2, 0, 1), (1, 2, 0)] += sine
    matrices[..., (1, 2, 0), (2, 0, 1)] -= sine
    return matrices


def to_quaternion_xyzw(matrices: ArrayLike) -> Array:
    """(..., 3, 3) -> (..., 4) unit quaternions x, y, z, w with w >= 0."""
    m = np.asarray(matrices, dtype=np.float64)
    diagonal = np.diagonal(m, axis1=-2, axis2=-1)
    trace = diagonal.sum(axis=-1)
    # Four times the products of each two of x, y, z, w: (..., 4, 4). Each row is the quaternion, scaled. For rotations
    # in float32 the rows differ by 1e-7, so the same one is used as in the kernels: the last, or where that may be
    # short the longest of the others.
    products = np.empty((*m.shape[:-2], 4, 4))
    products[..., :3, :3] = m + np.swapaxes(m, -1, -2)
    products[..., (0, 1, 2), (0, 1, 2)] = 1.0 + 2.0 * diagonal - trace[..., None]
    products[..., :3, 3] = m[..., (2, 0, 1), (1, 2, 0)] - m[..., (1, 2, 0), (2, 0, 1)]
    products[..., 3, :3] = products[..., :3, 3]
    products[..., 3, 3] = 1.0 + trace
    taken = np.where(trace > 0.0, 3, diagonal.argmax(axis=-1))
    q = np.take_along_axis(products, taken[..., None, None], axis=-2)[..., 0, :]
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return np.where(_points_back(q)[..., None], -q, q)


def quaternion_path_xyzw(matrices: ArrayLike) -> Array:
    """(F, ..., 3, 3) -> (F, ..., 4) unit quaternions x, y, z, w, each of the sign nearer to the frame before, so that
    they can be blended; the first with w >= 0."""
    q = to_quaternion_xyzw(matrices)
    turned = (q[1:] * q[:-1]).sum(axis=-1) < 0.0
    q[1:] *= np.where(np.cumsum(turned, axis=0) % 2, -1.0, 1.0)[..., None]
    return q


def _points_back(q: Array) -> NDArray[np.bool_]:
    """Whether w is negative; for half a turn, where w is 0, whether the first non-zero number of its axis is."""
    signs = np.sign(q)
    deciding = signs[..., 3]
    for column in (0, 1, 2):
        deciding = np.where(deciding == 0.0, signs[..., column], deciding)
    return deciding < 0.0


def from_euler(order: str, angles: ArrayLike) -> Array:
    """(..., 3) intrinsic Euler angles in the order named (“ZXY”: R = Rz·Rx·Ry) -> (..., 3, 3)."""
    a = np.asarray(angles, dtype=np.float64)
    first, second, third = (
        from_rotation_vector(a[..., place, None] * np.eye(3)["XYZ".index(axis)])
        for place, axis in enumerate(order.upper())
    )
    return first @ second @ third


def to_euler(order: str, matrices: ArrayLike) -> Array:
    """(..., 3, 3) -> (..., 3) intrinsic Euler angles in the order named; at gimbal lock the third angle is 0.

    order: three different axes. The second angle is within ±pi/2.
    """
    m = np.asarray(matrices, dtype=np.float64)
    i, j, k = ("XYZ".index(axis) for axis in order.upper())
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    cosine = np.hypot(m[..., i, i], m[..., i, j])
    second = np.arctan2(sign * m[..., i, k], cosine)
    locked = cosine < LOCKED
    first = np.arctan2(
        np.where(locked, sign * m[..., k, j], -sign * m[..., j, k]), np.where(locked, m[..., j, j], m[..., k, k])
    )
    third = np.where(locked, 0.0, np.arctan2(-sign * m[..., i, j], m[..., i, i]))
    return np.stack([first, second, third], axis=-1) + 0.0  # turns -0 into 0


def to_6d(matrices: ArrayLike) -> Array:
    """(..., 3, 3) -> (..., 6): the first column, then the second."""
    m = np.asarray(matrices)
    return np.concatenate([m[..., :, 0], m[..., :, 1]], axis=-1)


def from_6d(columns: ArrayLike) -> Array:
    """(..., 6), two columns of any length and angle -> (..., 3, 3) by Gram–Schmidt."""
    c = np.asarray(columns, dtype=np.float64)
    matrices = np.empty((*c.shape[:-1], 3, 3))
    x, y = matrices[..., 0], matrices[..., 1]
    x[...] = c[..., :3] / _lengths(c[..., :3])
    y[...] = c[..., 3:] - (x * c[..., 3:]).sum(axis=-1, keepdims=True) * x
    y /= _lengths(y)
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):  # quicker than by lists of indices
        matrices[..., i, 2] = x[..., j] * y[..., k] - x[..., k] * y[..., j]
    return matrices


def geodesic_angle(a: ArrayLike, b: ArrayLike) -> Array:
    """Angle of the rotation from a to b, (..., 3, 3) each -> (...) in [0, pi]; accurate near 0 and pi."""
    if (angles := compiled(KERNELS, "angles")) is not None:
        one, other = _plain(a), _plain(b)
        if one.shape != other.shape:
            one, other = map(_plain, np.broadcast_arrays(one, other))
        found = np.empty(one.shape[:-2])
        angles(one.reshape(-1, 3, 3), other.reshape(-1, 3, 3), found.reshape(-1))
        return found[()]
    r = np.swapaxes(np.asarray(a, dtype=np.float64), -1, -2) @ np.asarray(b, dtype=np.float64)
    skew = np.stack([r[..., 2, 1] - r[..., 1, 2], r[..., 0, 2] - r[..., 2, 0], r[..., 1, 0] - r[..., 0, 1]], axis=-1)
    trace = np.trace(r, axis1=-2, axis2=-1)
    return np.arctan2(np.linalg.norm(skew, axis=-1), trace - 1.0)


def nearest_rotation(matrices: ArrayLike) -> Array:
    """The rotation closest to each (..., 3, 3) matrix in the Frobenius norm."""
    if (straightened := compiled(KERNELS, "straightened")) is not None:
        rotations = _plain(matrices)
        if straightened(rotations.reshape(-1, 3, 3)):
            return rotations
    u, _, vt = np.linalg.svd(np.asarray(matrices, dtype=np.float64))
    sign = np.where(np.linalg.det(u @ vt) < 0, -1.0, 1.0)
    u[..., :, 2] *= sign[..., None]
    return u @ vt


def interpolate(a: ArrayLike, b: ArrayLike, t: float) -> Array:
    """The rotation a share t of the way from a to b, along the shortest arc."""
    a = np.asarray(a, dtype=np.float64)
    return a @ from_rotation_vector(t * to_rotation_vector(np.swapaxes(a, -1, -2) @ np.asarray(b, dtype=np.float64)))


def axes_from(first: NDArray[np.float64], near: NDArray[np.float64]) -> NDArray[np.float64]:
    """(3, 3) axes in columns: the first as given, (3,) unit, and the second as near to another way, (3,), as can be."""
    second = near - float(near @ first) * first
    second /= np.linalg.norm(second)
    return np.stack([first, second, np.cross(first, second)], axis=1)


def angle_between(a: Array, b: Array) -> float:
    """The angle in radians between two directions (3,) of any length."""
    return atan2(hypot(*_across(a, b)), float(np.dot(a, b)))


def rotation_between(a: ArrayLike, b: ArrayLike) -> Array:
    """The smallest rotation that turns direction a (3,) into direction b (3,): (3, 3)."""
    u = np.asarray(a, dtype=np.float64) / np.linalg.norm(a)
    v = np.asarray(b, dtype=np.float64) / np.linalg.norm(b)
    axis = np.array(_across(u, v))
    sine, cosine = hypot(*axis), float(u @ v)
    if sine < 1e-9:
        if cosine > 0:
            return np.eye(3)
        axis = np.cross(u, np.eye(3)[int(np.argmin(np.abs(u)))])  # opposite: any axis across will do
        sine = float(np.linalg.norm(axis))
        return from_rotation_vector(axis / sine * np.pi)
    return from_rotation_vector(axis / sine * np.arctan2(sine, cosine))


def _across(a: Array, b: Array) -> tuple[float, float, float]:
    """The cross product of two vectors (3,), in a tenth of numpy's time."""
    (x, y, z), (u, v, w) = a.tolist(), b.tolist()
    return y * w - z * v, z * u - x * w, x * v - y * u


def _lengths(vectors: Array) -> Array:
    return np.asarray(np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True)))


def compiled(kernels: str, name: str) -> Any:
    """A compiled function of this folder; None until a solver has loaded its file.

    numba takes too long to load for a first picture. Its results differ from numpy's only in the last digits of
    float64, of which poses keep half.
    """
    return getattr(sys.modules.get(f"solver.kinematics.{kernels}"), name, None)


def _plain(values: ArrayLike) -> NDArray[np.float64]:
    return np.array(values, np.float64, order="C")  # a copy of the one kind compiled code takes
