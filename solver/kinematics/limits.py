"""Human ranges of motion as data: swing–twist coordinates within a box for each joint.

A joint's rotation is R = swing · twist: first a turn about the bone (the twist axis), then a swing across it, whose
rotation vector has a part along the bend axis and one along the side axis. So a knee is a hinge with little slack, and
a shoulder keeps its twist however high the arm is raised. The ranges are in limits.json.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.kinematics.limit_kernels import swing_twist
from solver.kinematics.rotation_kernels import quaternion
from solver.memoise import memoised
from solver.values import read_only

Array = NDArray[np.float64]
_LEFT, _RIGHT = "left_", "right_"  # the file holds the left side's ranges
KNEES = ("left_knee", "right_knee")
BEND = 1  # the column of a joint's range, and of its coordinates, in which it bends
_MIRROR = np.array([1.0, -1.0, -1.0])


@dataclass(frozen=True)
class JointLimits:
    """Ranges of J joints. frames: (J, 3, 3), columns twist, bend and side axis. low, high: (J, 3) radians."""

    names: tuple[str, ...]
    frames: Array
    low: Array
    high: Array

    def coordinates(self, rotations: ArrayLike) -> Array:
        """(..., J, 3) radians: twist, bend and side of local rotations (..., J, 3, 3)."""
        r = np.asarray(rotations, dtype=np.float64)
        flat = r.reshape(-1, len(self.names), 3, 3)
        out, q = np.empty(flat.shape[:-1]), np.empty(4)
        for pose, row in zip(flat, out, strict=True):
            for j, frame in enumerate(self.frames):
                quaternion(pose[j], q)
                swing_twist(q, frame, row[j])
        return out.reshape(*r.shape[:-1])

    def excess(self, rotations: ArrayLike) -> Array:
        """(..., J) radians, how far each joint is beyond its range; 0 within it."""
        c = self.coordinates(rotations)
        beyond = np.maximum(np.maximum(self.low - c, c - self.high), 0.0)
        return np.asarray(np.linalg.norm(beyond, axis=-1))


@cache
def _table() -> dict[str, tuple[Array, Array, Array]]:
    data = json.loads(Path(__file__).with_name("limits.json").read_text(encoding="utf-8"))
    table = {}
    for name, entry in data["joints"].items():
        twist, bend = np.array(entry["twist_axis"], dtype=float), np.array(entry["bend_axis"], dtype=float)
        bend /= np.linalg.norm(bend)
        frame = np.stack([twist, bend, np.cross(twist, bend)], axis=1)
        low, high = np.radians([entry["twist"], entry["bend"], entry["side"]]).T
        table[name] = frame, low, high
        if name.startswith(_LEFT):
            table[_RIGHT + name.removeprefix(_LEFT)] = _MIRROR[:, None] * frame, low, high
    return table


@memoised(32)
def joint_limits(names: tuple[str, ...]) -> JointLimits:
    """The limits of joints by name; a joint that has none (the pelvis, an unknown one) may turn freely."""
    free = np.eye(3), np.full(3, -np.inf), np.full(3, np.inf)
    rows = [_table().get(name, free) for name in names]
    frames, low, high = (np.ascontiguousarray(np.stack(part)) for part in zip(*rows, strict=True))
    read_only(frames, low, high)
    return JointLimits(names, frames, low, high)
