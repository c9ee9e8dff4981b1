"""The root handle's shape on the floor and what of it lies under a pixel: pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rendering.camera.camera import View
from rendering.scene.values import RootHandle

Array = NDArray[np.float64]

RADIUS = 0.5  # metres, of the ring; on the screen no less than the next
LEAST_RADIUS = 34.0  # pixels
ARM_START, ARM_END, ARROW_TIP, ARROW_HALF = 0.16, 0.50, 0.70, 0.09  # of the ring's radius: the cross within it
NOSE_START, NOSE_TIP, NOSE_HALF = 1.05, 1.24, 0.11  # the wedge in front of the ring shows where the person faces
RING_STEPS = 72
LIFT = 0.02  # metres towards the viewer, so that what it lies on does not cut into it
GRIP = 8.0  # pixels to either side of the ring
SHAFT_STEPS = 24
FLAT = 16.0  # pixels of the ring's height on the screen below which it counts as a line
QUARTERS = np.array([[[1, 0], [0, 1]], [[0, 1], [-1, 0]], [[-1, 0], [0, -1]], [[0, -1], [1, 0]]], dtype=np.float64)
CROSS_SHARE = 0.72  # of the radius, within which the cross is taken


@dataclass(frozen=True)
class RootHit:
    """part: "move" or "turn". depth: metres from the eye, of the floor there."""

    part: str
    depth: float


def radius_of(root: RootHandle, view: View) -> float:
    """Metres."""
    return max(RADIUS, LEAST_RADIUS * view.metres_per_pixel(root.position))


def level_axes(heading: float) -> Array:
    """(3, 3), columns are left, up and ahead of a person with that heading."""
    c, s = np.cos(heading), np.sin(heading)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def ring(root: RootHandle, view: View) -> Array:
    """(N, 3) metres, a closed line."""
    angle = np.linspace(0.0, 2 * np.pi, RING_STEPS + 1)
    return _on_floor(root, view, np.sin(angle), np.cos(angle))


def arms(root: RootHandle, view: View) -> Array:
    """(4, 2, 3) metres, the shafts of the cross: ahead, left, back, right."""
    return _arms(root, view, np.array([[ARM_START, 0.0], [ARM_END, 0.0]]))


def arrows(root: RootHandle, view: View) -> Array:
    """(4, 3, 3) metres, the triangles at the ends of the cross."""
    return _arms(root, view, np.array([[ARROW_TIP, 0.0], [ARM_END, -ARROW_HALF], [ARM_END, ARROW_HALF]]))


def nose(root: RootHandle, view: View) -> Array:
    """(3, 3) metres, the wedge in front of the ring."""
    corners = np.array([[NOSE_TIP, 0.0], [NOSE_START, -NOSE_HALF], [NOSE_START, NOSE_HALF]])
    return _arms(root, view, corners)[0]


def pick_root(view: View, root: RootHandle | None, pixel: ArrayLike) -> RootHit | None:
    """The part under a pixel: the ring and its wedge turn, everything inside moves. None off the handle.

    If the ring is seen so flat that its grip reaches the cross, the nearer of the two is taken.
    """
    if root is None:
        return None
    circle, p = ring(root, view), np.asarray(pixel, dtype=np.float64)
    seen = view.project(circle)
    if not np.isfinite(seen).all():
        return None
    low, high = seen.min(axis=0), seen.max(axis=0)
    beside = GRIP + (NOSE_TIP - 1.0) * (high - low)
    if (p < low - beside).any() or (p > high + beside).any():
        return None
    if high[1] - low[1] < FLAT:
        return _pick_line(view, root, seen, p)
    origin, direction = view.ray(p)
    away = _from_pieces(seen, p)
    on_ring = away.min() <= GRIP and away.min() <= _from_cross(view, root, p)
    if on_ring or inside(view.project(nose(root, view)), p):
        return RootHit("turn", float((circle[int(np.argmin(away))] - origin) @ direction))
    if not inside(seen[:-1], p):
        return None
    return RootHit("move", float((root.position[1] - origin[1]) / direction[1]))


def _from_cross(view: View, root: RootHandle, pixel: Array) -> float:
    """Pixels from the shafts of the cross and their arrows."""
    along = np.stack([np.linspace(0.0, ARROW_TIP, SHAFT_STEPS), np.zeros(SHAFT_STEPS)], axis=-1)
    return float(np.linalg.norm(view.project(_arms(root, view, along)) - pixel, axis=-1).min())


def _pick_line(view: View, root: RootHandle, seen: Array, pixel: Array) -> RootHit | None:
    """Seen from the side: the middle of the line moves, its ends turn. It lies behind whatever stands on it."""
    left, right = seen[:, 0].min(), seen[:, 0].max()
    across = abs(pixel[0] - (left + right) / 2) / max((right - left) / 2, 1e-6)
    low, high = seen[:, 1].min() - GRIP, seen[:, 1].max() + GRIP
    if not (left - GRIP <= pixel[0] <= right + GRIP and low <= pixel[1] <= high):
        return None
    origin, direction = view.ray(pixel)
    behind = float((root.position - origin) @ direction) + radius_of(root, view)
    return RootHit("move" if across < CROSS_SHARE else "turn", behind)


def _arms(root: RootHandle, view: View, ahead_and_left: Array) -> Array:
    """(4, N, 3): points (N, 2) of the arm ahead, in shares of the radius, and the same a quarter turn on."""
    turned = ahead_and_left @ QUARTERS
    return _on_floor(root, view, turned[..., 1], turned[..., 0])


def _on_floor(root: RootHandle, view: View, left: Array, ahead: Array) -> Array:
    """(..., 3) metres, from places in shares of the radius, left of the person and ahead."""
    own = np.stack([left, np.zeros_like(left), ahead], axis=-1)
    return np.asarray(root.position) + radius_of(root, view) * (own @ level_axes(root.heading).T)


def _from_pieces(seen: Array, pixel: Array) -> Array:
    """(N-1,) pixels from the pieces of a line (N, 2). Near the eye they are longer than the picture is wide."""
    start, along = seen[:-1], np.diff(seen, axis=0)
    share = ((pixel - start) * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-12)
    return np.linalg.norm(start + share.clip(0.0, 1.0)[:, None] * along - pixel, axis=1)


def inside(corners: Array, pixel: Array) -> bool:
    """Whether a convex outline contains the pixel."""
    edge, to = np.roll(corners, -1, axis=0) - corners, pixel - corners
    side = edge[:, 0] * to[:, 1] - edge[:, 1] * to[:, 0]
    return bool((side >= 0).all() or (side <= 0).all())
