"""Which legs are up at a key beside another one: stretched, as in a kick, or bent, of somebody who stands."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.fk import WorldJoints
from solver.rig.rig import Rig
from solver.rig.roles import LEGS, Limb

Array = NDArray[np.float64]

# Of a leg that kicks: parts of its length from hip to ankle at least; how far its way from the hip goes up and ahead of
# the pelvis at least, as cosines; and parts of its length that the ankle comes up. One stretched behind is a dancer's,
# and those of who bends down over straight legs stay on the floor.
STRETCHED, HIGH, AHEAD, RISES = 0.9, -0.5, -0.7, 0.2
# Of who stands on one leg, with the other one up and bent: parts of its length that it reaches at least, and how far
# the pelvis is upright, as a cosine.
BEARS, UPRIGHT = 0.75, 0.5


def kicks(rig: Rig, limb: Limb, up: WorldJoints, down: WorldJoints) -> bool:
    """Whether a leg is up at one of two keys, beside the other, and stretched as in a kick."""
    return _rises(rig, limb, up, down) and stretched(rig, limb, up)


def comes_up(rig: Rig, limb: Limb, up: WorldJoints, down: WorldJoints) -> bool:
    """Whether a leg is up at one of two keys, beside the other: stretched, or bent of who stands on the other leg."""
    if kicks(rig, limb, up, down):
        return True
    other = LEGS[1] if limb is LEGS[0] else LEGS[0]
    stands = all(_reach(rig, other, at)[0] > BEARS and at.rotations[0, 1, 1] > UPRIGHT for at in (up, down))
    far, beside = _reach(rig, limb, up)
    return stands and _rises(rig, limb, up, down) and bool(far < STRETCHED and beside[2] > AHEAD)


def stretched(rig: Rig, limb: Limb, world: WorldJoints) -> bool:
    """Whether a leg is stretched and not far behind, as in a kick."""
    far, beside = _reach(rig, limb, world)
    return bool(far > STRETCHED and beside[1] > HIGH and beside[2] > AHEAD)


def _rises(rig: Rig, limb: Limb, up: WorldJoints, down: WorldJoints) -> bool:
    return float((up.positions - down.positions)[rig.joint(limb.end), 1]) > RISES * rig.limb_length(limb)


def _reach(rig: Rig, limb: Limb, world: WorldJoints) -> tuple[float, Array]:
    """How far a leg reaches, as a share of its length, and which way, (3,) beside the pelvis."""
    way = (world.positions[rig.joint(limb.end)] - world.positions[rig.joint(limb.root)]).astype(np.float64)
    far = float(np.linalg.norm(way))
    return far / rig.limb_length(limb), world.rotations[0].T @ way / far
