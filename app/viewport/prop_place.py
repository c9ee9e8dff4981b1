"""Where on the floor something is added: ahead of the view, or under the pointer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rendering.camera.camera import Camera, OrbitCamera, View
from rendering.picking.picking import pick
from rendering.scene.values import Scene

AHEAD_M, FARTHEST_M = 3.0, 20.0  # metres from the eye, where no floor is in sight; within which floor counts

SOMEBODY = ("figure", "joint", "finger", "prop")  # kinds of what is picked there; a handle may be far from its body


def floor_ahead(camera: Camera) -> NDArray[np.float64]:
    """(3,) metres on the floor: below what the view turns about, or where a photo's camera looks."""
    if isinstance(camera, OrbitCamera):
        return np.array([camera.target[0], 0.0, camera.target[2]])
    return _on_floor(np.asarray(camera.eye, np.float64), -np.asarray(camera.rotation, np.float64)[:, 2])


def floor_under(view: View, pixel: tuple[float, float], scene: Scene | None = None) -> NDArray[np.float64]:
    """(3,) metres on the floor, under a pixel of the view; below a person or a prop of the scene that is seen there."""
    origin, direction = view.ray(pixel)
    hit = pick(view, scene, pixel) if scene is not None else None
    if hit is not None and hit.kind in SOMEBODY:
        return np.asarray((origin + hit.depth * direction) * [1.0, 0.0, 1.0])
    return _on_floor(np.asarray(origin, np.float64), np.asarray(direction, np.float64))


def _on_floor(eye: NDArray[np.float64], way: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where a ray meets the floor; where it does not, or far away, a few metres ahead."""
    level = way * [1.0, 0.0, 1.0]
    reach = -eye[1] / way[1] if abs(way[1]) > 1e-9 else -1.0
    if 0.0 < reach * float(np.linalg.norm(level)) < FARTHEST_M or (reach > 0.0 and not level.any()):
        place = eye + reach * way
    else:
        place = eye + AHEAD_M * level / max(float(np.linalg.norm(level)), 1e-9)
    return np.asarray(place * [1.0, 0.0, 1.0])
