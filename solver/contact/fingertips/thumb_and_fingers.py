"""Flat things between the thumb and the four fingers, as a plate, a book or a telephone by its narrow sides is held:
where they are in the hand, and how far it opens."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple, cast

import numpy as np

from solver.body.body import Body, BodyShape
from solver.body.finger_chain import Array, rest_points
from solver.body.finger_skin import FingerSkin
from solver.body.fingers import ASIDE, FIRST, LAST, MIDDLE, Hinges, finger_turns, hands_of, hinges_of
from solver.body.hands import Hands, relaxed_hands
from solver.contact.fingertips.resting_hand import resting_hand
from solver.memoise import memoised
from solver.rig.roles import ARMS

# From thin to thick, degrees: how first, middle and last joints of the fingers bend, how far the thing slopes from the
# palm, and the thumb. A sheet lies along the fingers with the thumb beside them on top; something broad is between the
# tips. Found by a search, on the neutral body, for tips that touch both faces opposite each other.
POSTURES = np.array(
    [
        [37.0, 41.0, 4.0, 50.0, -8.0, -33.0, 34.0, 0.0],
        [11.0, 40.0, 14.0, 50.0, -10.0, -36.0, 23.0, 7.0],
        [20.0, 47.0, 37.0, 70.0, 42.0, 18.0, 29.0, 2.0],
        [13.0, 72.0, 9.0, 81.0, 32.0, 25.0, 0.0, 14.0],
        [-4.0, 74.0, 23.0, 71.0, 29.0, 28.0, 0.0, 4.0],
    ]
)
PALMS_FACE = np.array([0.0, -1.0, 0.0])  # at rest
BENDS, SLOPE, THUMB = slice(0, 3), 3, slice(4, 8)
SIDEWAYS = np.array([-4.0, 0.0, -6.0, -10.0])  # degrees that the fingers stand aside, so that they are together
STEPS = 6  # between two postures
LEVELS = np.linspace(-16.0, 16.0, 33)  # degrees by which a finger bends more or less, so that all touch one plane
OF_HAND = 0.5  # the share of its weight by which skin belongs to the hand
TIPS, OUTER = 0.5, 0.5  # share of a vertex's weight that the last joint, or the last two, bear
BROAD = 2  # the posture from which on what is held is thin the other way, as a telephone is: it is within the hand
NEAR_M = 0.008  # metres from the fingertips, towards the palm or away, where the thumb then touches
PRESSED_M, LEAST_M, FAR_M = 0.002, 0.0005, 0.1  # metres: of skin that does not count in a gap; at least; with none
YIELDS = 1e-3  # metres that the skin on both sides together gives way
SKEWS = np.radians(np.arange(-70.0, 71.0, 5.0))  # of a hand, from where it points straight over a thing
EITHER_WAY = np.radians(20.0)  # by which a hand may be turned from how it holds a thing best
AT_EASE, DEEP_M = np.radians(-10.0), 0.04  # where nothing decides; metres: more room than that is of no use


class Spans(NamedTuple):
    """For one hand, from closed to open: the gaps (S,) metres between thumb and fingers, the angles (S, 5, 4) degrees,
    and in the wrist's frame the middle (S, 3) metres of a gap and the way (S, 3) across it, out to the thumb. rooms:
    (S,) metres from there on into the hand, up to where skin crosses the gap, however an edge lies across it within
    `EITHER_WAY` of the direction (S, 3) in `inwards`, over the thing and square to its edge."""

    gaps: Array
    angles: Array
    middles: Array
    ways: Array
    rooms: Array
    inwards: Array

    def middle(self, radius: float) -> Array:
        """(3,) metres: the middle of a thing twice `radius` thick, metres."""
        return self._at(self.middles, radius)

    def way(self, radius: float) -> Array:
        """(3,) unit: across such a thing, out to the thumb."""
        found = self._at(self.ways, radius)
        return np.asarray(found / np.linalg.norm(found), np.float64)

    def room(self, radius: float) -> float:
        """Metres that such a thing may reach from its middle into the hand."""
        return float(self._at(self.rooms, radius))

    def inward(self, radius: float) -> Array:
        """(3,) unit: along such a thing, square to its edge if the hand is turned to it as is best."""
        found, way = self._at(self.inwards, radius), self.way(radius)
        found = found - float(found @ way) * way
        return np.asarray(found / np.linalg.norm(found), np.float64)

    def fingers(self, radius: float) -> Array:
        """(5, 4) degrees around such a thing."""
        return self._at(self.angles, radius)

    def _at(self, values: Array, radius: float) -> Array:
        where = float(np.interp(2.0 * radius - YIELDS, self.gaps, np.arange(len(self.gaps))))
        low = min(int(where), len(values) - 2)
        return np.asarray(values[low] + (where - low) * (values[low + 1] - values[low]), np.float64)


def spans_of(body: Body, shape: BodyShape, side: int) -> Spans:
    """How a hand holds flat things. side: 0 left, 1 right. PoserError for a body without finger joints."""
    return _spans(cast(Hashable, body), shape.betas.tobytes(), shape.gender, side)


def held_between(body: Body, shape: BodyShape, side: int, radius: float) -> Hands:
    """Relaxed hands of which one holds something between thumb and fingers. side: 0 left, 1 right. radius: metres, half
    its thickness."""
    fingers = spans_of(body, shape, side).fingers(radius)
    held = hands_of(np.stack([fingers, fingers]), hinges_of(body))
    return relaxed_hands().mixed(held, sides=(side,))


@memoised(16)
def _spans(body: Body, betas: bytes, gender: str, side: int) -> Spans:
    shape, hinges, wrist, skins = resting_hand(body, betas, gender, side)
    knuckles, palmward, palm = rest_points(body, shape)[side, 1:, 0], PALMS_FACE, _palm_skin(body, shape, side, skins)
    through = knuckles[0] - knuckles[-1]
    through -= float(through @ palmward) * palmward
    through /= np.linalg.norm(through)
    ahead = np.cross(palmward, through) * (1.0 if side else -1.0)
    shares = np.linspace(0.0, len(POSTURES) - 1.0, STEPS * (len(POSTURES) - 1) + 1)
    found = [
        _measured(np.array([np.interp(share, np.arange(len(POSTURES)), column) for column in POSTURES.T]),
                  skins, palm, hinges, side, (palmward, ahead), bool(share >= BROAD)) for share in shares
    ]  # fmt: skip
    gaps, angles, middles, ways, rooms, inwards = (np.array(each) for each in zip(*found, strict=True))
    rising = np.flatnonzero(gaps >= np.maximum.accumulate(gaps))  # thumbs swing over between a sheet and what is thick
    return Spans(gaps[rising], angles[rising], middles[rising] - wrist, ways[rising], rooms[rising], inwards[rising])


def _measured(
    posture: Array,
    skins: tuple[FingerSkin, ...],
    palm: Array,
    hinges: Hinges,
    side: int,
    axes: tuple[Array, Array],
    broad: bool,
) -> tuple[float, Array, Array, Array, float, Array]:
    """The gap, the angles (5, 4), the middle of the gap (3,), the way across it (3,), the room and the way inward (3,)
    of one posture. palm: (N, 3) metres, skin that no finger moves."""
    palmward, ahead = axes
    slope = np.radians(posture[SLOPE])
    way = np.cos(slope) * palmward - np.sin(slope) * ahead
    within = np.cos(slope) * ahead + np.sin(slope) * palmward
    angles = np.zeros((5, 4))
    angles[0] = posture[THUMB]
    angles[1:, [FIRST, MIDDLE, LAST]] = posture[BENDS]
    angles[1:, ASIDE] = SIDEWAYS
    height, _ = _touch(skins[1], angles[1:2], hinges, (side, 1), way)
    touching = []
    for finger in (1, 2, 3, 4):
        tried = np.tile(angles[finger], (len(LEVELS), 1))
        tried[:, FIRST] += LEVELS if finger > 1 else 0.0
        heights, places = _touch(skins[finger], tried, hinges, (side, finger), way)
        best = int(np.argmin(np.abs(heights - height[0]) + 1e-5 * np.abs(LEVELS)))
        angles[finger] = tried[best]
        touching.append(places[best])
    tips = (touching[0] + touching[1]) / 2.0
    if broad:
        skin = skins[0].bent(finger_turns(angles[:1], hinges, side, 0))[0]
        off = np.abs((skin - tips) @ within)
        near = skin[off <= max(NEAR_M, float(off.min()))]
        place = near[np.argmin(near @ way)]
    else:
        place = _touch(skins[0], angles[:1], hinges, (side, 0), -way)[1][0]
    low = float(place @ way)
    middle = (place + tips) / 2.0
    middle += ((height[0] + low) / 2.0 - float(middle @ way)) * way
    gap = low - float(height[0])
    bent = [skin.bent(finger_turns(angles[f : f + 1], hinges, side, f))[0] for f, skin in enumerate(skins)]
    about = np.concatenate([*bent, palm]) - middle
    crosses = (np.abs(about @ way) < max(gap / 2.0 - PRESSED_M, LEAST_M)) & (about @ within < 0.0)
    room, inward = _best_room(about[crosses], within, np.cross(way, within) * (1.0 if side else -1.0))
    return gap, angles, middle, way, room, inward


def _best_room(crossing: Array, within: Array, aside: Array) -> tuple[float, Array]:
    """The room, metres, and the way inward, (3,) unit, of a hand that is turned so that an edge which lies across it up
    to `EITHER_WAY` aslant leaves most room. crossing: (N, 3) metres from the middle, skin in the gap. aside: (3,) unit,
    to where a hand is turned by a negative skew."""
    inward = np.cos(SKEWS)[:, None] * within - np.sin(SKEWS)[:, None] * aside
    rooms = np.minimum(-(crossing @ inward.T).max(axis=0, initial=-FAR_M), DEEP_M)
    about = np.abs(SKEWS[:, None] - SKEWS) < EITHER_WAY + 1e-6
    least = np.where(about, rooms, np.inf).min(axis=1)
    usable = np.abs(SKEWS) <= SKEWS[-1] - EITHER_WAY + 1e-6
    best = int(np.argmax(np.where(usable, least - 1e-3 * np.abs(SKEWS - AT_EASE), -np.inf)))
    return float(least[best]), inward[best]


def _palm_skin(body: Body, shape: BodyShape, side: int, skins: tuple[FingerSkin, ...]) -> Array:
    """(N, 3) metres at rest, skin of a hand that is none of its fingers'."""
    rig = body.rig(shape)
    of_hand = body.weights[:, [rig.joint(role) for role in (ARMS[side].end, ARMS[side].tip)]].sum(axis=1) > OF_HAND
    of_hand[np.concatenate([skin.vertices for skin in skins])] = False
    return np.asarray(body.vertices(shape)[of_hand], np.float64)


def _touch(skin: FingerSkin, angles: Array, hinges: Hinges, which: tuple[int, int], way: Array) -> tuple[Array, Array]:
    """How far out the skin of a finger is along a way, (N,) metres, and where its tip is farthest out, (N, 3)."""
    bent = skin.bent(finger_turns(angles, hinges, *which))
    heights, last = bent @ way, skin.weights[:, -1] > TIPS
    outer = skin.weights[:, 1:].sum(axis=1) > OUTER
    tips = bent[:, last]
    return heights[:, outer].max(axis=1), tips[np.arange(len(tips)), heights[:, last].argmax(axis=1)]
