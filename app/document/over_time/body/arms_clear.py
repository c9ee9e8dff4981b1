"""Trunk and arms on the way of a leg that kicks: sooner than the leg, or arms swung out, where else they would meet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.document.model.clip import Key
from solver.kinematics.curves import each_eased
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.rig.rig import Rig
from solver.rig.roles import ARMS, LEGS, Limb

Array = NDArray[np.float64]
Roots = Sequence[tuple[Array, Array]]
Swings = tuple[NDArray[np.intp], Array]

# Lengths of the leg that hands are near it within; and how much of that may be left of who goes soon.
NEAR, GAINS = 0.2, 0.7
OUT = np.radians(np.arange(10.0, 65.0, 10.0))  # that an arm is swung out at most on the way
CLOSE, MEETS_M = 0.15, 0.01  # lengths of the leg between the bones of both that touch; metres that they may be closer
AHEAD = np.array([0.0, 0.0, 1.0])


def soon_clear(
    rig: Rig, limb: Limb, both: tuple[Key, Key], roots: Roots, turns: Array, soon: Array, gains: float = GAINS
) -> Swings | None:
    """The joints of trunk, arms and head, and how they turn, (F, J, 3, 3), with shares `soon` (F,) of their way done;
    None where hands are not clearly farther from the leg than at the pace of the keys.

    roots: where the pelvis is, (3,) metres, and how it is turned, (3, 3), at each frame. turns: (F, 3, 3, 3)
    R_parent_joint of hip, knee and ankle of the leg.
    """
    hands = [rig.joint(role) for arm in ARMS for role in (arm.end, arm.tip) if not rig.lacking([role])]
    even = each_eased(np.linspace(0.0, 1.0, len(roots))).astype(np.float64)
    found = [_turned(rig, both, done) for done in (even, soon)]
    near = [
        float((NEAR * rig.limb_length(limb) - _distances(rig, limb, both, roots, turns, each, hands)).clip(0.0).sum())
        for each in found
    ]
    return found[1] if near[1] < gains * near[0] else None


def out_clear(
    rig: Rig, limb: Limb, both: tuple[Key, Key], roots: Roots, turns: Array, swings: Swings | None, parts: Array
) -> Swings | None:
    """As `swings`, or at the pace of the keys, with arms swung out as far as it takes to keep them out of the leg; what
    was given where that is not needed. roots, turns: as of `soon_clear`. parts: (F,) of that, 0..1, at each frame."""
    around, found = swings or _turned(rig, both, each_eased(np.linspace(0.0, 1.0, len(roots))).astype(np.float64))
    made = found.copy()
    for arm, side in zip(ARMS, (1.0, -1.0), strict=True):
        lower = [rig.joint(role) for role in (arm.hinge, arm.end, arm.tip) if rig.find(role) is not None]
        root = int(np.flatnonzero(around == rig.joint(arm.root))[0])

        def swung(out: float, root: int = root, side: float = side) -> Array:
            turned = found.copy()
            way = np.multiply.outer(side * out * parts, AHEAD)
            turned[:, root] = from_rotation_vector(way) @ turned[:, root]
            return turned

        def meets(out: float, lower: list[int] = lower) -> float:
            far = _distances(rig, limb, both, roots, turns, (around, swung(out)), lower).min(axis=1)
            close = (CLOSE * rig.limb_length(limb) - far).clip(0.0)
            return float((close - np.linspace(close[0], close[-1], len(close))).max())

        best, least = 0.0, meets(0.0)
        for out in OUT.tolist():
            if least < MEETS_M:
                break
            if (now := meets(out)) < least:
                best, least = out, now
        made[:, root] = swung(best)[:, root]
    return swings if (made == found).all() else (around, made)


def _turned(rig: Rig, both: tuple[Key, Key], done: Array) -> Swings:
    """The joints of trunk, arms and head, and how they turn, (F, J, 3, 3), with shares (F,) of their way done."""
    around = np.setdiff1d(np.arange(1, len(rig)), [rig.joint(role) for each in LEGS for role in each.joints])
    start, end = (each.pose.rotations[around].astype(np.float64) for each in both)
    return around, turned(start, end, done)


def turned(start: Array, end: Array, done: Array) -> Array:
    """(N, J, 3, 3) turns from one, (J, 3, 3), to another with shares (N,) of that done."""
    way = to_rotation_vector(np.swapaxes(start, -1, -2) @ end)
    return np.asarray(start @ from_rotation_vector(np.multiply.outer(done, way)))


def _distances(
    rig: Rig, limb: Limb, both: tuple[Key, Key], roots: Roots, turns: Array, swings: Swings, joints: Sequence[int]
) -> Array:
    """(F, N) metres from each of some joints to the bones of a leg."""
    leg = [rig.joint(role) for role in limb.line]
    rotations = np.repeat(both[0].pose.rotations[None].astype(np.float64), len(roots), axis=0)
    rotations[:, 0], rotations[:, leg], rotations[:, swings[0]] = [turn for _, turn in roots], turns, swings[1]
    places = np.array([root for root, _ in roots])
    there = forward_kinematics_batch(rig.parents, rig.offsets, places, rotations).positions.astype(np.float64)
    bones = np.linspace(there[:, leg[:-1]], there[:, leg[1:]], 9, axis=1)
    return np.asarray(np.linalg.norm(there[:, list(joints), None, None] - bones[:, None], axis=-1).min(axis=(2, 3)))
