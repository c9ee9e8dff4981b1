"""X, Y and Z beside the gizmo's arrows, cubes and rings, as strokes that face the viewer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rendering.camera.camera import View
from rendering.scene.values import Gizmo
from rendering.shapes.gizmo import ARROW, AXES, RING, SHORT_ARROW

HALF = 4.6  # logical pixels, half of a letter's height
BEYOND_ARROW, BEYOND_CUBE, BEYOND_RING = 27.0, 23.0, 13.0
FROM_ABOVE = 0.45  # how far a ring has its letter above, rather than towards the viewer

# Strokes from (x, y) to (x, y) of a letter two units high.
STROKES: dict[str, tuple[tuple[float, float, float, float], ...]] = {
    "x": ((-0.75, -1.0, 0.75, 1.0), (-0.75, 1.0, 0.75, -1.0)),
    "y": ((-0.8, 1.0, 0.0, 0.05), (0.8, 1.0, 0.0, 0.05), (0.0, 0.05, 0.0, -1.0)),
    "z": ((-0.75, 1.0, 0.75, 1.0), (0.75, 1.0, -0.75, -1.0), (-0.75, -1.0, 0.75, -1.0)),
}


def letter(gizmo: Gizmo, part: str, view: View) -> NDArray[np.float64]:
    """(N, 2, 3) metres, an axis's letter in strokes: beyond its arrow or cube, or where its ring faces the viewer."""
    pixel = view.metres_per_pixel(gizmo.position)
    right, up = np.asarray(view.camera.rotation)[:, :2].T
    middle = _place(gizmo, part, view, pixel)
    ends = np.array(STROKES[part]).reshape(-1, 2, 2) * HALF * pixel
    return np.asarray(middle + ends[..., :1] * right + ends[..., 1:] * up)


def _place(gizmo: Gizmo, part: str, view: View, pixel: float) -> NDArray[np.float64]:
    centre = np.asarray(gizmo.position, np.float64)
    axis = np.asarray(gizmo.rotation, np.float64)[:, AXES.index(part)]
    if gizmo.kind in ("move", "scale"):
        along = ARROW + BEYOND_ARROW if gizmo.kind == "move" else SHORT_ARROW + BEYOND_CUBE
        return np.asarray(centre + axis * along * pixel)
    rotation = np.asarray(view.camera.rotation, np.float64)
    wanted = rotation @ np.array([0.3, FROM_ABOVE, 1.0])  # no two rings meet just there
    on_ring = wanted - axis * (axis @ wanted)
    on_ring /= max(float(np.linalg.norm(on_ring)), 1e-9)
    return np.asarray(centre + on_ring * (RING + BEYOND_RING) * pixel)
