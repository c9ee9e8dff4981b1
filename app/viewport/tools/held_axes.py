"""The axes that a drag keeps to, shown as lines through the scene."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt

from app.services.view_state import HeldAxis, Triple
from app.viewport.tools.drags import Grab
from rendering.shapes.gizmo import AXES, PLANES, Drag

AXIS_KEYS = {Qt.Key.Key_X: "x", Qt.Key.Key_Y: "y", Qt.Key.Key_Z: "z"}
OPPOSITE_PLANE = {"x": "yz", "y": "zx", "z": "xy"}


def shown_axes(grab: object) -> dict[str, Any]:
    """The changes of the view state: the axes, and the part of a handle's gizmo that lights up."""
    drag, free = getattr(grab, "drag", None), getattr(grab, "free", "")
    axes = held_axes(drag, free) if isinstance(drag, Drag) else ()
    return {"held_axes": axes, "grabbed": grab.lit} if axes and isinstance(grab, Grab) else {"held_axes": axes}


def held_axes(drag: Drag, free: str) -> tuple[HeldAxis, ...]:
    """The axis, or the two of a plane, that the drag keeps to, if any. free: the part that keeps to nothing."""
    if drag.part == free or drag.part not in (*AXES, *PLANES):
        return ()
    return tuple((axis, _triple(drag.position), _triple(drag.frame[:, AXES.index(axis)])) for axis in drag.part)


def _triple(vector: NDArray[np.floating]) -> Triple:
    x, y, z = (float(value) for value in vector)
    return x, y, z
