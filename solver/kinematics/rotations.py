"""Rotations as 3x3 matrices, and their other spellings. The only place that knows a quaternion's order.

All functions take and return any leading batch shape; matrices act on column vectors; angles are radians.
"""

from __future__ import annotations

import warnings
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

Array = NDArray[np.floating]


@cache
def _scipy() -> type[Rotation]:
    # Half a second to import, which the first window does without: it needs none of what stays with scipy here.
    from scipy.spatial.transform import Rotation

    return Rotation


def _batched(values: ArrayLike, item: tuple[int, ...]) -> tuple[Array, tuple[int, ...]]:
    array = np.asarray(values, dtype=np.float64)
    return array.reshape(-1, *item), array.shape[: array.ndim - len(item)]


def from_rotation_vector(vectors: ArrayLike) -> Array:
    """(..., 3) axis times angle -> (..., 3, 3)."""
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
    flat, batch = _batched(matrices, (3, 3))
    return _scipy().from_matrix(flat).as_rotvec().reshape(*batch, 3)


def from_quaternion_xyzw(quaternions: ArrayLike) -> Array:
    """(..., 4) in x, y, z, w order, any length but zero -> (..., 3, 3)."""
    flat, batch = _batched(quaternions, (4,))
    return _scipy().from_quat(flat).as_matrix().reshape(*batch, 3, 3)


def to_quaternion_xyzw(matrices: ArrayLike) -> Array:
    """(..., 3, 3) -> (..., 4) unit quaternions x, y, z, w with w >= 0."""
    flat, batch = _batched(matrices, (3, 3))
    return _scipy().from_matrix(flat).as_quat(canonical=True).reshape(*batch, 4)


def from_euler(order: str, angles: ArrayLike) -> Array:
    """(..., 3) intrinsic Euler angles in the order named (“ZXY”: R = Rz·Rx·Ry) -> (..., 3, 3)."""
    flat, batch = _batched(angles, (3,))
    return _scipy().from_euler(order.upper(), flat).as_matrix().reshape(*batch, 3, 3)


def to_euler(order: str, matrices: ArrayLike) -> Array:
    """(..., 3, 3) -> (..., 3) intrinsic Euler angles in the order named; at gimbal lock the third angle is 0."""
    flat, batch = _batched(matrices, (3, 3))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Gimbal lock")
        return _scipy().from_matrix(flat).as_euler(order.upper()).reshape(*batch, 3)


def to_6d(matrices: ArrayLike) -> Array:
    """(..., 3, 3) -> (..., 6): the first column, then the second."""
    m = np.asarray(matrices)
    return np.concatenate([m[..., :, 0], m[..., :, 1]], axis=-1)


def from_6d(columns: ArrayLike) -> Array:
    """(..., 6), two columns of any length and angle -> (..., 3, 3) by Gram–Schmidt."""
    c = np.asarray(columns, dtype=np.float64)
    x = c[..., :3] / np.linalg.norm(c[..., :3], axis=-1, keepdims=True)
    y = c[..., 3:] - np.sum(x * c[..., 3:], axis=-1, keepdims=True) * x
    y /= np.linalg.norm(y, axis=-1, keepdims=True)
    z = x[..., (1, 2, 0)] * y[..., (2, 0, 1)] - x[..., (2, 0, 1)] * y[..., (1, 2, 0)]
    return np.stack([x, y, z], axis=-1)


def geodesic_angle(a: ArrayLike, b: ArrayLike) -> Array:
    """Angle of the rotation from a to b, (..., 3, 3) each -> (...) in [0, pi]; accurate near 0 and pi."""
    r = np.swapaxes(np.asarray(a, dtype=np.float64), -1, -2) @ np.asarray(b, dtype=np.float64)
    skew = np.stack([r[..., 2, 1] - r[..., 1, 2], r[..., 0, 2] - r[..., 2, 0], r[..., 1, 0] - r[..., 0, 1]], axis=-1)
    trace = np.trace(r, axis1=-2, axis2=-1)
    return np.arctan2(np.linalg.norm(skew, axis=-1), trace - 1.0)


def nearest_rotation(matrices: ArrayLike) -> Array:
    """The rotation closest to each (..., 3, 3) matrix in the Frobenius norm."""
    u, _, vt = np.linalg.svd(np.asarray(matrices, dtype=np.float64))
    sign = np.where(np.linalg.det(u @ vt) < 0, -1.0, 1.0)
    u[..., :, 2] *= sign[..., None]
    return u @ vt


def interpolate(a: ArrayLike, b: ArrayLike, t: float) -> Array:
    """The rotation a share t of the way from a to b, along the shortest arc."""
    a = np.asarray(a, dtype=np.float64)
    return a @ from_rotation_vector(t * to_rotation_vector(np.swapaxes(a, -1, -2) @ np.asarray(b, dtype=np.float64)))


def angle_between(a: Array, b: Array) -> float:
    """The angle in radians between two directions (3,) of any length."""
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), np.dot(a, b)))


def between(a: ArrayLike, b: ArrayLike) -> Array:
    """The smallest rotation that turns direction a (3,) into direction b (3,): (3, 3)."""
    u = np.asarray(a, dtype=np.float64) / np.linalg.norm(a)
    v = np.asarray(b, dtype=np.float64) / np.linalg.norm(b)
    axis = np.cross(u, v)
    sine, cosine = float(np.linalg.norm(axis)), float(u @ v)
    if sine < 1e-9:
        if cosine > 0:
            return np.eye(3)
        axis = np.cross(u, np.eye(3)[int(np.argmin(np.abs(u)))])  # opposite: any axis across will do
        sine = float(np.linalg.norm(axis))
        return from_rotation_vector(axis / sine * np.pi)
    return from_rotation_vector(axis / sine * np.arctan2(sine, cosine))
