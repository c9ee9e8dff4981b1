"""Fingers that close on what a hand holds: each bends until its skin lies against it, joint after joint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from solver.body.body import Body, BodyShape
from solver.body.curl import CURL
from solver.body.finger_chain import TIP, Array
from solver.body.finger_skin import FingerSkin, finger_skins
from solver.body.fingers import (
    ASIDE,
    FIRST,
    LAST,
    MIDDLE,
    Hinges,
    angles_of,
    finger_turns,
    hands_bent,
    hinges_of,
)  # fmt: skip
from solver.body.hands import Hands, relaxed_hands
from solver.contact.fingertips.pinch import pinched
from solver.contact.fingertips.thumb_and_fingers import held_between
from solver.contact.patch_table import opposes, pinches, side_of
from solver.contact.patches import patches
from solver.contact.solids import Solid, SolidForm
from solver.kinematics.pose import Pose, rest_pose
from solver.memoise import memoised

# Metres that skin gives way: when the whole finger closes, when its knuckle has stopped, and when its middle joint has.
YIELD = (0.8e-3, 1.1e-3, 1.4e-3)
TOUCHES = 3e-3  # metres within which a finger counts as touching
LONG = 0.5  # metres of a stick, beyond which no finger reaches
LOOKS = 24  # along the way to the first touch
CLOSER, CLOSER_LOOKS = 2, 12  # how often that is narrowed down, and by how many looks each time
# Degrees that the thumb may be before the palm, and stand off beside it, when it begins to close.
OPEN_THUMBS = ((20.0, 30.0), (28.0, 20.0), (34.0, 24.0), (40.0, 32.0), (45.0, 32.0))
THICK = 0.012  # metres between the thumb's bone and those of fingers that it lies on
FAR_OFF = 20.0  # cost of a thumb that does not touch, or is within a finger, relative to one that is not opposite
SAMPLES = np.linspace(0.0, 1.0, 5)
CLOSED_THUMB = np.array([30.0, -14.0, 50.0, 72.0])
SIDEWAYS = np.array([0.0, -4.0, 0.0, -6.0, -10.0])  # degrees that closed fingers stand aside, so that they fit together

Way = Callable[[Array], Array]  # (N,) shares from 0 to 1 -> (N, 4) degrees of a finger


@dataclass(frozen=True)
class Grip:
    """How a hand has closed. fingers: which of them touch, 0 for the thumb."""

    hands: Hands
    fingers: tuple[int, ...]


def closed_on(body: Body, shape: BodyShape, hands: Hands, pose: Pose, solids: Sequence[Solid], side: int) -> Grip:
    """Hands of which one has closed on what it holds; unchanged if it holds nothing. side: 0 left, 1 right.

    A finger first bends as a whole, then beyond its knuckle, then its last joint alone, each until its skin touches a
    solid. One that meets nothing closes as in a fist. PoserError for a body without finger joints.
    """
    hinges = hinges_of(body)
    angles, things = angles_of(hands, hinges), tuple(solids)
    fingers = [_Finger(skin, hinges, side, f, things) for f, skin in enumerate(finger_skins(body, shape, pose, side))]
    for each in fingers[1:]:
        angles[side, each.finger] = each.closed(each.curl(angles[side, each.finger]), CURL.least)
    angles[side, 0] = _opposed_thumb(fingers, angles[side])
    touching = tuple(each.finger for each in fingers if each.nearest(angles[side, each.finger]) < TOUCHES)
    return Grip(hands_bent(hands, angles, hinges), touching) if touching else Grip(hands, ())


def closed_around(body: Body, shape: BodyShape, patch: str, radius: float, straight: bool, tilt: float = 0.0) -> Hands:
    """Relaxed hands of which one has closed around something. patch: its hollow, “left_hand”, its fingertips,
    or its thumb and fingers, between which a flat thing is.

    radius: metres, that of a stick through the hand, of a ball if it is not straight, or half of what is flat. tilt:
    radians by which the stick leans in the hand, as a contact's. PoserError for a body without finger joints.
    """
    if opposes(patch):
        return held_between(body, shape, side_of(patch), radius)
    if pinches(patch):
        return pinched(body, shape, side_of(patch), radius)
    return _closed_around(body, shape.betas.tobytes(), shape.gender, patch, radius, straight, tilt if straight else 0.0)


@memoised(16)
def _closed_around(
    body: Body, betas: bytes, gender: str, patch: str, radius: float, straight: bool, tilt: float
) -> Hands:
    hinges_of(body)  # refuses a body without fingers, which has no hollow either
    shape = BodyShape(np.frombuffer(betas, np.float32), gender)
    side, hollow = side_of(patch), patches(body, shape)[patch]
    rig = body.rig(shape)
    middle = rig.rest_positions[rig.index(hollow.joint)] + hollow.middle_of(radius, tilt)
    along = hollow.leaning_by(tilt)
    across = np.cross(along, hollow.into)
    across /= np.linalg.norm(across)
    turn = np.stack([across, along, np.cross(across, along)], axis=1).astype(np.float32)
    size = np.full(3, 2.0 * radius, np.float32)
    if straight:
        size[1] = LONG
    solid = Solid(SolidForm.CYLINDER if straight else SolidForm.BALL, size, middle.astype(np.float32), turn)
    return closed_on(body, shape, relaxed_hands(), rest_pose(rig), (solid,), side).hands


@dataclass(frozen=True)
class _Finger:
    skin: FingerSkin
    hinges: Hinges
    side: int
    finger: int
    solids: tuple[Solid, ...]

    def nearest(self, angles: Array) -> float:
        """Metres from the finger's skin to the nearest solid, negative inside. angles: (4,) degrees."""
        return float(self._all_near(angles[None])[0])

    def closed(self, way: Way, least: float = 0.0) -> Array:
        """(4,) degrees, the finger closed along its way, from the share `least` on, as far as the solids let it."""
        angles = self._along(way, YIELD[0], least)
        for joints, give in (((MIDDLE, LAST), YIELD[1]), ((LAST,), YIELD[2])):
            angles = self._along(_further(angles, self._end(), joints), give)
        return angles

    def curl(self, held: Array) -> Way:
        """From straight to a fist. held: (4,) degrees of the finger before, of which how it stands aside counts."""
        law, aside = CURL.law[self.finger], SIDEWAYS[self.finger]

        def bent(shares: Array) -> Array:
            angles = shares[:, None] * law
            angles[:, ASIDE] = held[ASIDE] + np.maximum(shares, 0.0) * (aside - held[ASIDE])
            return angles

        return bent

    def points(self, angles: Array) -> Array:
        """(4, 3) metres, the finger's joints and tip. angles: (4,) degrees."""
        return self.skin.points(finger_turns(angles[None], self.hinges, self.side, self.finger)[0])

    def _end(self) -> Array:
        return CLOSED_THUMB if self.finger == 0 else CURL.law[self.finger]

    def _all_near(self, angles: Array) -> Array:
        """(N,) metres, as `nearest`, for angles (N, 4)."""
        if not self.solids:
            return np.full(len(angles), np.inf)
        skin = self.skin.bent(finger_turns(angles, self.hinges, self.side, self.finger))
        every = [solid.distances(skin.reshape(-1, 3)) for solid in self.solids]
        return np.asarray(np.min(every, axis=0).reshape(len(angles), -1).min(axis=1))

    def _along(self, way: Way, give: float, least: float = 0.0) -> Array:
        """How far the finger goes along its way, from the share `least` on, before it is too deep in a solid.

        If it is too deep at once, it opens until it is not, or is least deep.
        """
        shares = np.linspace(least, 1.0, LOOKS + 1)
        for again in range(CLOSER + 1):
            near = self._all_near(way(shares))
            if not again and near.max() < -give:
                return way(shares[near.argmax() :][:1])[0]
            out = int((near >= -give).argmax())
            stops = np.flatnonzero(near[out:] < -give)
            if not len(stops):
                return way(shares[-1:])[0]
            free = out + int(stops[0]) - 1
            shares = np.linspace(shares[free], shares[free + 1], CLOSER_LOOKS + 1)
        return way(shares[:1])[0]


def _opposed_thumb(fingers: Sequence[_Finger], angles: Array) -> Array:
    """(4,) degrees of the thumb, closed so that it faces index and middle finger. angles: (5, 4), theirs."""
    thumb, others = fingers[0], [each.points(angles[each.finger]) for each in fingers[1:3]]
    goal = np.mean([points[TIP] for points in others], axis=0)
    best, least = angles[0], np.inf
    for across, aside in OPEN_THUMBS:
        closed = thumb.closed(_thumb(across, aside))
        points = thumb.points(closed)
        apart = min(_between(points[2:], each[part : part + 2]) for each in others for part in (1, 2))
        near = thumb.nearest(closed)
        amiss = max(near - TOUCHES, -near - YIELD[2], 0.0) + max(THICK - apart, 0.0)
        off = float(np.linalg.norm(points[TIP] - goal)) + FAR_OFF * amiss
        if off < least:
            best, least = closed, off
    return best


def _between(one: Array, other: Array) -> float:
    """Metres between two bones, (2, 3) each, by the nearest two of some of their points."""
    a, b = (bone[0] + SAMPLES[:, None] * (bone[1] - bone[0]) for bone in (one, other))
    return float(np.linalg.norm(a[:, None] - b[None], axis=2).min())


def _thumb(across: float, aside: float) -> Way:
    """From open to closed. across, aside: degrees by which the open thumb is before the palm and stands off."""
    start = np.array([across, aside, 0.0, 0.0])
    end = np.array([min(across, CLOSED_THUMB[FIRST]), *CLOSED_THUMB[1:]])
    return lambda shares: np.asarray(start + shares[:, None] * (end - start))


def _further(angles: Array, end: Array, joints: Sequence[int]) -> Way:
    """On from these angles, with only some of the joints."""
    more = np.zeros(4)
    some = list(joints)
    more[some] = np.maximum(end[some] - angles[some], 0.0)
    return lambda shares: np.asarray(angles + shares[:, None] * more)
