"""Euler angles that run on smoothly from frame to frame, as animation curves should."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.kinematics.rotations import to_euler

TURN = 2 * np.pi


def smooth_euler(order: str, rotations: ArrayLike) -> NDArray[np.float64]:
    """(F, J, 3, 3) -> (F, J, 3) radians in an order of three different axes, each frame nearest to the one before.

    Every rotation has two sets of angles, and whole turns on top; other programs interpolate the angles, so a jump
    between them would spin the joint.
    """
    angles = np.asarray(to_euler(order, rotations), dtype=np.float64)
    for frame in range(1, len(angles)):
        before, now = angles[frame - 1], angles[frame]
        other = np.stack([now[:, 0] + np.pi, np.pi - now[:, 1], now[:, 2] + np.pi], axis=-1)
        first, second = (c + TURN * np.round((before - c) / TURN) for c in (now, other))
        closer = np.abs(second - before).sum(-1) < np.abs(first - before).sum(-1) - 1e-9
        angles[frame] = np.where(closer[:, None], second, first)
    return angles
