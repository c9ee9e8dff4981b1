"""Fingers that close on what a hand holds: each bends until its skin lies against it, joint after joint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from solver.body.body import Body, BodyShape
from solver.body.curl import CURL
from solver.body.finger_chain import JOINTS, Array
from solver.body.finger_skin import FingerSkin, finger_skins
from solver.body.fingers import ASIDE, LAST, MIDDLE, Hinges, angles_of, hands_bent, hinges_of, turns_of
from solver.body.hands import Hands
from solver.contact.solids import Solid
from solver.kinematics.pose import Pose

# Metres that skin gives way: when the whole finger closes, when its knuckle has stopped, and when its middle joint has.
YIELD = (0.8e-3, 1.1e-3, 1.4e-3)
TOUCHES = 3e-3  # metres within which a finger counts as touching
LOOKS, HALVINGS = 40, 12  # looks along the way to the first touch, and how often that is narrowed down
OPEN_THUMB = np.array([34.0, 24.0, 0.0, 0.0])  # degrees, from where it closes
CLOSED_THUMB = np.array([30.0, -14.0, 50.0, 72.0])
SIDEWAYS = np.array([0.0, -4.0, 0.0, -6.0, -10.0])  # degrees that closed fingers stand aside, so that they fit together

Way = Callable[[float], Array]  # from 0 to 1 -> (4,) degrees of a finger


@dataclass(frozen=True)
class Grip:
    """How a hand has closed. fingers: which of them touch, 0 for the thumb."""

    hands: Hands
    fingers: tuple[int, ...]


def closed_on(body: Body, shape: BodyShape, hands: Hands, pose: Pose, solids: Sequence[Solid], side: int) -> Grip:
    """Hands of which one side has closed on what it holds; as they were where it holds nothing. side: 0 left, 1 right.

    A finger first bends as a whole, then beyond its knuckle, then its last joint alone, each until its skin touches a
    solid. One that meets nothing closes as in a fist. PoserError for a body without finger joints.
    """
    hinges = hinges_of(body)
    angles, touching = angles_of(hands, hinges), []
    skins = finger_skins(body, shape, pose, side)
    for finger, skin in enumerate(skins):
        held = _Finger(skin, hinges, side, finger, tuple(solids))
        angles[side, finger] = held.closed(angles[side, finger])
        if held.nearest(angles[side, finger]) < TOUCHES:
            touching.append(finger)
    if not touching:
        return Grip(hands, ())
    return Grip(hands_bent(hands, angles, hinges), tuple(touching))


@dataclass(frozen=True)
class _Finger:
    skin: FingerSkin
    hinges: Hinges
    side: int
    finger: int
    solids: tuple[Solid, ...]

    def nearest(self, angles: Array) -> float:
        """Metres from the finger's skin to the nearest solid, negative inside."""
        if not self.solids:
            return np.inf
        every = np.zeros((2, 5, 4))
        every[self.side, self.finger] = angles
        points = self.skin.bent(turns_of(every, self.hinges)[JOINTS[self.side, self.finger]])
        return float(min(solid.distances(points).min() for solid in self.solids))

    def closed(self, held: Array) -> Array:
        """(4,) degrees, the finger closed as far as the solids let it."""
        angles = (
            self._along(_thumb, YIELD[0]) if self.finger == 0 else self._along(self._curl(held), YIELD[0], CURL.least)
        )
        for joints, give in (((MIDDLE, LAST), YIELD[1]), ((LAST,), YIELD[2])):
            angles = self._along(_further(angles, self._end(), joints), give)
        return angles

    def _end(self) -> Array:
        return CLOSED_THUMB if self.finger == 0 else CURL.law[self.finger]

    def _curl(self, held: Array) -> Way:
        law, aside = CURL.law[self.finger], SIDEWAYS[self.finger]

        def bent(share: float) -> Array:
            angles = share * law
            angles[ASIDE] = held[ASIDE] + max(share, 0.0) * (aside - held[ASIDE])
            return angles

        return bent

    def _along(self, way: Way, give: float, least: float = 0.0) -> Array:
        """How far the finger goes on its way, from a share of it on, before it is deeper in a solid than it may be.

        Where it is so at once, it opens until it is not, or is least deep.
        """
        shares = np.linspace(least, 1.0, LOOKS + 1)
        near = np.array([self.nearest(way(share)) for share in shares])
        if near.max() < -give:
            return way(float(shares[near.argmax()]))
        out = int((near >= -give).argmax())
        stops = np.flatnonzero(near[out:] < -give)
        if not len(stops):
            return way(1.0)
        free, deep = shares[out + stops[0] - 1], shares[out + stops[0]]
        for _ in range(HALVINGS):
            middle = (free + deep) / 2.0
            free, deep = (free, middle) if self.nearest(way(middle)) < -give else (middle, deep)
        return way(free)


def _thumb(share: float) -> Array:
    return np.asarray((1.0 - share) * OPEN_THUMB + share * CLOSED_THUMB)


def _further(angles: Array, end: Array, joints: Sequence[int]) -> Way:
    """On from these angles, with some of the joints alone."""

    def bent(share: float) -> Array:
        on = angles.copy()
        some = list(joints)
        on[some] = angles[some] + share * np.maximum(end[some] - angles[some], 0.0)
        return on

    return bent
