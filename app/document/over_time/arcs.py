"""Hands and whatever else is not a leg go from key to key in arcs, as joints that turn swing them.

A hand that went straight from the hip to above the head would pass close by the shoulder, and the whole body would
give way to it. So what is asked of a joint between keys swings aside from the straight way as the joints' own way does,
yet by no more than a share of how far it goes: what both keys hold in one place stays there.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.document.model.actor import Actor
from app.document.model.between import Frames, Knot
from app.document.model.clip import Key
from app.document.over_time.ground import Ground
from app.document.over_time.steps import NO_STEPS, Steps
from app.document.posing.stances import stance_of
from solver.body.catalog import load_body
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.kinematics.curves import curve_through, rotation_curve_through
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.pose import Poses
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

Array = NDArray[np.float64]

MOST = 0.5  # of the way from key to key: as far as half a circle swings aside
SAMPLES = (0.25, 0.5, 0.75)  # of the time between two keys, at which it is seen how far joints swing aside


class Arcs(NamedTuple):
    """How joints swing aside from their straight ways between some keys in a row.

    times: (K,) frames of the keys. places: (K, J, 3) metres of joints there. aside: (K - 1, J) metres by which each
    joint swings aside between two keys, at most. legs: joints whose feet go straight, so that none dips into the floor.
    """

    times: Frames
    places: Array
    aside: Array
    legs: frozenset[str]

    @classmethod
    def between(cls, skeleton: Skeleton, keys: Sequence[Key]) -> Arcs:
        """Those between keys in order of time."""
        rig, poses = rig_of(skeleton), Poses.of([key.pose for key in keys])
        places = _places(skeleton, poses.roots, poses.rotations)
        ways = []
        for one, other in pairwise(range(len(keys))):
            # of these two keys alone, so that the gaps on both sides of a key find the same
            ends = [one, other]
            roots = curve_through((0, 1), poses.roots[ends], SAMPLES)
            swung = _places(skeleton, roots, rotation_curve_through((0, 1), poses.rotations[ends], SAMPLES))
            ways.append(np.linalg.norm(swung - curve_through((0, 1), places[ends], SAMPLES), axis=-1).max(axis=0))
        legs = frozenset(name for leg in LEGS for name in rig.names_of(leg.joints))
        return cls(np.array([key.frame for key in keys]), places, np.reshape(ways, (-1, len(skeleton))), legs)

    def of(self, skeleton: Skeleton, effector: Effector, targets: Array, frames: Frames) -> Arc | None:
        """The arc of an effector that is at `targets` (K, ...) at the keys; None if it goes straight."""
        if not isinstance(effector, PointEffector) or effector.joint in self.legs or len(self.times) < 2:
            return None
        j = skeleton.index(effector.joint)
        ways, aside = np.linalg.norm(np.diff(targets, axis=0), axis=-1), self.aside[:, j]
        shares = np.minimum(MOST * ways / np.maximum(aside, 1e-9), 1.0)
        at_keys = np.minimum(np.append(shares, shares[-1]), np.insert(shares, 0, shares[0]))
        middles = (self.times[:-1] + self.times[1:]) / 2
        order = np.argsort(times := np.concatenate([self.times, middles]))
        swings = curve_through(times[order], np.concatenate([at_keys, shares])[order], frames)
        return Arc(j, swings, curve_through(self.times, self.places[:, j], frames))


class Arc(NamedTuple):
    """Of one effector over N frames. joint: the one that it holds. shares: (N,) of the joint's swing that it takes.
    straight: (N, 3) metres, where the joint would be without a swing."""

    joint: int
    shares: Array
    straight: Array

    def aside(self, place: int, positions: ArrayLike) -> Array:
        """(3,) metres by which the effector swings aside at one of the frames, whose joints' own way has them at
        `positions`, (J, 3)."""
        swung = np.asarray(positions, np.float64)[self.joint]
        return np.asarray(self.shares[place] * (swung - self.straight[place]))


def arcs_and_steps(
    actor: Actor, skeleton: Skeleton, knots: Sequence[Knot], ground: Ground | None
) -> tuple[Arcs | None, Steps]:
    """How hands and feet leave their straight ways between the knots of a gap; over a source motion they do not.
    ground: what feet stand on besides the floor."""
    clip = actor.clip
    if clip.source is not None:
        return None, NO_STEPS
    keys = [knot.key for knot in knots if knot.key is not None]
    if not clip.between.steps:
        return Arcs.between(skeleton, keys), NO_STEPS
    feet = stance_of(load_body(actor.build.body), actor.build.shape, None, actor.posing.solver_options).feet
    return Arcs.between(skeleton, keys), Steps.between(skeleton, keys, clip.fps, feet, ground)


def _places(skeleton: Skeleton, roots: NDArray[np.floating], rotations: NDArray[np.floating]) -> Array:
    """(N, J, 3) metres of joints."""
    found = forward_kinematics_batch(
        skeleton.parents, skeleton.offsets, roots.astype(np.float32), rotations.astype(np.float32)
    )
    return np.asarray(found.positions, np.float64)
