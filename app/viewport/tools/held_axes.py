"""The axes that a drag keeps to, which show as lines through the scene."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rendering.shapes.gizmo import AXES, PLANES, Drag

if TYPE_CHECKING:
    from app.services.view_state import HeldAxis, Triple


def held_axes(drag: Drag, free: str) -> tuple[HeldAxis, ...]:
    """The axis, or the two of a plane, as long as the drag keeps to it. free: the part that keeps to nothing."""
    if drag.part == free or drag.part not in (*AXES, *PLANES):
        return ()
    return tuple((axis, _triple(drag.position), _triple(drag.frame[:, AXES.index(axis)])) for axis in drag.part)


def _triple(vector: np.ndarray) -> Triple:
    x, y, z = (float(value) for value in vector)
    return x, y, z
