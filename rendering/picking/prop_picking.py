"""Where a ray meets a prop."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rendering.scene.props import DrawnProp

Array = NDArray[np.float64]
LOW, HIGH = np.array([-0.5, 0.0, -0.5]), np.array([0.5, 1.0, 0.5])
SLACK = 1e-6  # own units around the box, for flat ones


class PropHit(NamedTuple):
    """A place on a prop's surface. depth: metres along the ray. own: (3,) the place, and normal: (3,) of unit length,
    towards where the ray comes from; both in the prop's own frame, before its size."""

    depth: float
    own: Array
    normal: Array


def hit_prop(origin: Array, direction: Array, prop: DrawnProp) -> float | None:
    """Metres along the ray to where it first meets the surface, from either side; None if it misses."""
    met = spot_on_prop(origin, direction, prop)
    return None if met is None else met.depth


def spot_on_prop(origin: Array, direction: Array, prop: DrawnProp) -> PropHit | None:
    """Where a ray first meets the surface, from either side; None if it misses."""
    # In the prop's own frame, in which all props have the same box; lengths along the ray stay.
    turn = np.asarray(prop.matrix, np.float64)[:3, :3] / prop.scale
    start = (np.asarray(origin) - np.asarray(prop.matrix)[:3, 3]) @ turn / prop.scale
    way = np.asarray(direction) @ turn / prop.scale
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = (LOW - SLACK - start) / way, (HIGH + SLACK - start) / way
    near, far = np.fmin(low, high).max(), np.fmax(low, high).min()
    if not (near <= far and far > 0.0):
        return None
    vertices = np.asarray(prop.surface.vertices, np.float64)
    a, b, c = (vertices[prop.surface.faces[:, i]] for i in range(3))
    one, other = b - a, c - a
    across = np.cross(way, other)
    facing = np.einsum("ij,ij->i", one, across)
    flat = np.abs(facing) < 1e-14
    share = 1.0 / np.where(flat, 1.0, facing)
    from_a = start - a
    u = np.einsum("ij,ij->i", from_a, across) * share
    turned = np.cross(from_a, one)
    v = turned @ way * share
    depth = np.einsum("ij,ij->i", other, turned) * share
    met = ~flat & (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1.0 + 1e-9) & (depth > 0.0)
    if not met.any():
        return None
    first = int(np.argmin(np.where(met, depth, np.inf)))
    shares = np.array([1.0 - u[first] - v[first], u[first], v[first]])
    smooth = shares @ np.asarray(prop.surface.normals, np.float64)[prop.surface.faces[first]]
    normal = smooth / max(float(np.linalg.norm(smooth)), 1e-12)
    return PropHit(float(depth[first]), start + depth[first] * way, -normal if normal @ way > 0.0 else normal)
