"""How far hips fold, how near to ankles they come, and whether they are taken straight down."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.ik.stance.leans import joints_with
from solver.kinematics.curves import eased_between
from solver.kinematics.fk import WorldJoints
from solver.kinematics.limits import BEND, joint_limits
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

Array = NDArray[np.float64]
FOLDED = np.radians(125.0)  # of a thigh, from how it hangs: hips fold little further, and turned aside a little less
ALREADY = np.radians(110.0)  # likewise: from here to there a thigh comes to count as folded


def leg_lines(skeleton: Skeleton) -> list[tuple[int, ...]]:
    """Hip, knee and ankle of each leg; fewer joints where the rig lacks some."""
    rig = rig_of(skeleton)
    return [joints_with(rig, leg.line) for leg in LEGS]


def whole_legs(skeleton: Skeleton) -> list[tuple[int, ...]]:
    """Hip, knee and ankle of each leg that has all three."""
    return [line for line in leg_lines(skeleton) if len(line) == 3]


def folded(thighs: Array) -> Array:
    """(N,) radians by which thighs, (N, 3) ways as the pelvis sees them, are folded up ahead."""
    swing = np.arccos(np.clip(-thighs[:, 1] / np.linalg.norm(thighs, axis=1), -1.0, 1.0))
    return np.asarray(swing * thighs[:, 2] / np.maximum(np.hypot(thighs[:, 0], thighs[:, 2]), 1e-6))


def folded_already(base: WorldJoints, line: Sequence[int]) -> float:
    """How much a thigh counts as folded up to the trunk in the base pose, 0..1. line: hip, knee and ankle."""
    hip, knee, _ = line
    thigh = (base.positions[knee] - base.positions[hip]).astype(np.float64) @ base.rotations[0]
    return eased_between(float(folded(thigh[None])[0]), ALREADY, FOLDED)


def nearest_hip(skeleton: Skeleton, places: Array, line: Sequence[int]) -> float:
    """Metres from hip to ankle with the knee bent as far as knees bend, or further as in the base pose.

    places: (J, 3) metres, of the base pose. line: hip, knee and ankle.
    """
    hip, knee, ankle = line
    most = min(float(joint_limits(skeleton.names).high[knee, BEND]), np.pi)
    thigh, shin = (float(np.linalg.norm(skeleton.offsets[j])) for j in (knee, ankle))
    bent = np.sqrt(max(thigh**2 + shin**2 + 2.0 * thigh * shin * np.cos(most), 0.0))
    return min(float(bent), float(np.linalg.norm(places[hip] - places[ankle])))


def downwards(way: Array) -> float:
    """How much a way, (3,), goes straight down, 0..1."""
    length = float(np.linalg.norm(way))
    return max(-float(way[1]) / length, 0.0) if length > 0.0 else 0.0
