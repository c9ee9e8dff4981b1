"""Painted regions of the mesh: the fitted suit and the soles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.skeleton import SMPL_JOINTS

Array = NDArray[np.float64]
_J = {name: j for j, name in enumerate(SMPL_JOINTS)}
_EDGE = 0.10  # metres from skin to cloth: a ramp wider than any triangle, so that the line at 0.5 is straight


def suit_mask(vertices: Array, joints: Array) -> NDArray[np.float32]:
    """(V,) in [0, 1], above 0.5 where cloth covers: a sleeveless suit from the base of the neck to above the knee.

    vertices: (V, 3), joints: (24, 3), both of the mean person in T-pose, metres.
    """
    x, y, z = vertices.T
    shoulder, neck = joints[_J["left_shoulder"]], joints[_J["neck"]]
    knee, hip = joints[_J["left_knee"], 1], joints[_J["left_hip"], 1]
    hem = hip + 0.55 * (knee - hip)
    # The neckline dips in front and is cut round the neck, not across the shoulders.
    dip = 0.45 * np.clip(z - neck[2], 0, None)
    neckline = np.hypot(x, np.minimum(y - (neck[1] - dip), 0)) - 0.066
    neckline = np.where(y > neck[1] - dip, np.abs(x) - 0.066, neckline)
    # Arm holes end at the armpit: below it cloth goes all the way round.
    arm_hole = np.maximum(shoulder[0] + 0.004 - np.abs(x), (shoulder[1] - 0.13) - y)
    inside = np.minimum.reduce([y - hem, neckline, arm_hole, neck[1] + 0.03 - y])
    return np.clip(inside / _EDGE + 0.5, 0.0, 1.0).astype(np.float32)


def sole_vertices(vertices: Array, weights: Array) -> NDArray[np.int32]:
    """Indices of the vertices under the feet of the mean person in T-pose. vertices: (V, 3). weights: (V, 24)."""
    feet = [_J[f"{side}_{name}"] for side in ("left", "right") for name in ("ankle", "foot")]
    low = vertices[:, 1] < vertices[:, 1].min() + 0.025
    return np.flatnonzero(low & (weights[:, feet].sum(axis=1) > 0.9)).astype(np.int32)
