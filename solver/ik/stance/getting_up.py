"""Feet of somebody who gets up from the knees roll over their toes, and come to stand where they lay on their backs.

A shin that rises takes a foot on its back along, whose toes cannot go through the floor. With the ankle held where it
is, the foot would turn inside out, and at last all at once, with trunk and arms. So heels rise over the toes, as
people's do, and come down where the ankles were, by and by as the pelvis is asked to be further from them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.contact.feet import Feet, FootShape
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.ik.stance.footing import laid_softly
from solver.ik.stance.leans import strict_places
from solver.kinematics.curves import eased
from solver.kinematics.fk import WorldJoints
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised

Array = NDArray[np.float64]
RISES = np.radians([0.0, 60.0])  # of a shin, from how the base pose has it: between these its foot rolls over


@memoised(16, by_identity=True)  # called with the same arguments in every solve of a drag of something else
def with_feet_rolled(
    skeleton: Skeleton, effectors: tuple[Effector, ...], feet: Feet, base: WorldJoints
) -> tuple[Effector, ...]:
    """The effectors with feet that lie on their backs turned, and their ankles raised, as far as the pelvis is asked to
    rise above them; the effectors themselves if nothing asks it to. base: of the base pose."""
    placed = strict_places(skeleton, effectors)
    if 0 not in placed:
        return effectors
    made = list(effectors)
    for shape, stand, _ in feet.each():
        turn, place = laid_softly(skeleton, effectors, shape, base), placed.get(shape.ankle)
        if turn is None or place is None or place.pinned or stand != "auto":
            continue
        share = _rolled(skeleton, base, shape, placed)
        if share <= 0.0:
            continue
        target = place.target.astype(np.float64)
        foot, target[1] = shape.rolled_over(turn.target.astype(np.float64), share, float(target[1]))
        made[effectors.index(place)] = replace(place, target=target.astype(np.float32))
        made[effectors.index(turn)] = replace(turn, target=foot.astype(np.float32))
    return effectors if all(a is b for a, b in zip(made, effectors, strict=True)) else tuple(made)


def _rolled(skeleton: Skeleton, base: WorldJoints, shape: FootShape, placed: Mapping[int, PointEffector]) -> float:
    """How far over a foot is, 0..1, with the pelvis and its ankle where they are asked to be."""
    knee = skeleton.parents[shape.ankle]
    hip = skeleton.parents[knee]
    was = base.positions.astype(np.float64)
    thigh, shin = (float(np.linalg.norm(skeleton.offsets[j])) for j in (knee, shape.ankle))
    before = _rise(was[hip] - was[shape.ankle], thigh, shin)
    now = _rise(placed[0].target + was[hip] - was[0] - placed[shape.ankle].target, thigh, shin)
    low, high = RISES
    return eased((now - before - low) / (high - low))


def _rise(leg: Array, thigh: float, shin: float) -> float:
    """Radians by which a shin rises from its ankle, with the knee ahead. leg: (3,) metres from ankle to hip. thigh,
    shin: metres."""
    length = max(float(np.linalg.norm(leg)), 1e-6)
    bend = (shin**2 + length**2 - thigh**2) / (2.0 * shin * length)
    return float(np.arcsin(np.clip(leg[1] / length, -1.0, 1.0)) - np.arccos(np.clip(bend, -1.0, 1.0)))
