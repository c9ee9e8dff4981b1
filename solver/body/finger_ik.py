"""A small solver for a finger that reaches for a place, within what its hinges allow; the hand stays as it is.

Three numbers change: how the first joint bends, how far it goes aside, and how the middle joint bends; the last joint
follows the middle one, as tendons make it. Anything else a joint had (a thumb's roll that a photo showed) it keeps.
Damped least squares; of all ways to reach the place, the one nearest to how the finger was held.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.body.curl import CURL, FOUR
from solver.body.finger_chain import JOINTS, TIP, Array, FingerPoint, rest_points
from solver.body.fingers import (
    ASIDE,
    FIRST,
    HIGHEST,
    LAST,
    LOWEST,
    MIDDLE,
    OUTWARD,
    angles_of,
    hands_bent,
    hinges_of,
    turns_of,
)  # fmt: skip
from solver.body.hands import MIRROR, Hands
from solver.kinematics.rotations import from_rotation_vector

MOST_STEPS = 24
NEAR = 1e-5  # metres that a step must still gain
STAY = 2e-3  # metres that each radian away from how the finger was held counts for
BACK = 4e-3  # the same for a finger bent back at its knuckle, which is to be avoided
AMISS = 1e-3  # metres off beyond which another start is tried
BENT = 60.0  # degrees that the other start has the middle joint bent
NUDGE = 12.0  # degrees from which a straight finger starts to bend: pulled along its length, it would not know where to
ALONG_SIGHT = 0.05  # how much being off along a line of sight counts, across it 1
_AXIS = np.eye(3)


@dataclass(frozen=True, eq=False)
class FingerChain:
    """One finger as the solver sees it, a right one mirrored. start: (4,) degrees, how it was held.

    axes: (4, 3) unit axes about which the first joint bends and goes aside, and the other two bend. signs, rest: (4,),
    an axis' turn is sign * angle - rest. joints: (4, 3) metres at rest, the tip last. kept: (3, 3, 3), what each joint
    has beside its angles.
    """

    finger: int
    mirrored: bool
    start: Array
    axes: Array
    signs: Array
    rest: Array
    joints: Array
    kept: Array

    def seen(self, places: NDArray[np.floating]) -> Array:
        """(..., 3) places or directions of the T-pose as the chain has them, and back."""
        return np.asarray(places @ MIRROR if self.mirrored else places, np.float64)

    def reach(self, angles: Array) -> tuple[Array, Array, Array]:
        """(4, 3) metres, where joints and tip are; (4, 3) the axes as turned then; (4,) the joint of each."""
        turns = from_rotation_vector(np.radians(self.signs * angles - self.rest)[:, None] * self.axes)
        places, ways = np.empty((4, 3)), np.empty((4, 3))
        places[0] = self.joints[0]
        ways[FIRST], ways[ASIDE] = self.axes[0], turns[FIRST] @ self.axes[ASIDE]
        carried = turns[FIRST] @ turns[ASIDE] @ self.kept[0]
        for part in (1, 2, 3):
            places[part] = places[part - 1] + carried @ (self.joints[part] - self.joints[part - 1])
            if part < 3:
                ways[part + 1] = carried @ self.axes[part + 1]
                carried = carried @ turns[part + 1] @ self.kept[part]
        return places, ways, places[[0, 0, 1, 2]]


def finger_chain(body: Body, shape: BodyShape, hands: Hands, side: int, finger: int) -> FingerChain:
    """The chain of a finger on a body of that shape, held as in these hands. side: 0 left, 1 right."""
    hinges = hinges_of(body)
    angles = angles_of(hands, hinges)
    joints, held = rest_points(body, shape)[side, finger], hands.rotations[JOINTS[side, finger]].astype(np.float64)
    modelled = turns_of(angles, hinges)[JOINTS[side, finger]]
    if side:
        joints, held, modelled = joints @ MIRROR, MIRROR @ held @ MIRROR, MIRROR @ modelled @ MIRROR
    axes = np.stack([hinges.across[finger, 0], hinges.palmward[finger, 0], *hinges.across[finger, 1:]])
    signs, rest = np.ones(4), np.array([hinges.rest[finger, 0], 0.0, *hinges.rest[finger, 1:]])
    signs[ASIDE] = OUTWARD[finger]
    if finger == 0:  # a thumb's root turns about the hand's axes
        axes[FIRST], axes[ASIDE] = _AXIS[0], _AXIS[1]
        signs[ASIDE], rest[FIRST] = -1.0, 0.0
    kept = np.swapaxes(modelled, 1, 2) @ held
    return FingerChain(finger, bool(side), angles[side, finger], axes, signs, rest, joints, kept)


def solve_finger(
    chain: FingerChain,
    point: int,
    place: NDArray[np.floating],
    sight: Array | None = None,
    begin: Array | None = None,
) -> Array:
    """(4,) degrees that bring a point of the finger (`FingerPoint.point`) as near as possible to a place in the T-pose.

    sight: (3,) unit, a direction along which being off counts ALONG_SIGHT times as much. begin: (4,) degrees, an answer
    for a place near this one.
    """
    target, weigh = chain.seen(place), np.eye(3)
    if sight is not None:
        way = chain.seen(sight)
        weigh = weigh - (1.0 - ALONG_SIGHT) * np.outer(way, way)
    goal = _Goal(chain, point, target, weigh)
    first = chain.start if begin is None else begin
    found, cost = goal.met_from(_bent(chain, first, NUDGE) if point > 1 and first[MIDDLE] < NUDGE else first)
    if cost > AMISS**2:  # it may be stuck at a limit that a bent finger would get round
        other, lower = goal.met_from(_bent(chain, first, BENT))
        found = other if lower < cost / 4.0 else found
    return found


def _bent(chain: FingerChain, angles: Array, middle: float) -> Array:
    bent = angles.copy()
    bent[MIDDLE], bent[LAST] = middle, _coupled(chain, middle)
    return bent


@dataclass(frozen=True, eq=False)
class _Goal:
    """What is asked. point: which point should be at target, (3,) metres. weigh: (3, 3), weights of the miss."""

    chain: FingerChain
    point: int
    target: Array
    weigh: Array

    def met_from(self, angles: Array) -> tuple[Array, float]:
        """(4,) degrees that meet it best near these, and the squared miss in metres, weighted."""
        chain = self.chain
        moving = np.array([FIRST, ASIDE, MIDDLE][: 2 if self.point == 1 else 3])
        low, high = LOWEST[chain.finger, moving], HIGHEST[chain.finger, moving]
        best, (cost, miss, columns), damping = angles, self._seen_at(angles, moving), 1e-6
        for _ in range(MOST_STEPS):
            now = best[moving]
            slope = columns.T @ miss + STAY**2 * np.radians(now - chain.start[moving])
            free = ~(((now <= low) & (slope > 0)) | ((now >= high) & (slope < 0)))
            if not free.any() or damping > 1.0:
                break
            square = columns[:, free].T @ columns[:, free] + (STAY**2 + damping) * np.eye(int(free.sum()))
            tried = best.copy()
            step = np.degrees(np.linalg.solve(square, slope[free]))
            tried[moving[free]] = np.clip(now[free] - step, low[free], high[free])
            if self.point > 1:
                tried[LAST] = _coupled(chain, tried[MIDDLE])
            found = self._seen_at(tried, moving)
            if found[0] >= cost:
                damping *= 20.0
                continue
            gained = np.sqrt(cost) - np.sqrt(found[0])
            best, (cost, miss, columns), damping = tried, found, max(damping * 0.1, 1e-7)
            if gained < NEAR:
                break
        return best, float(miss @ miss)

    def _seen_at(self, angles: Array, moving: NDArray[np.intp]) -> tuple[float, Array, Array]:
        """Half the squared miss, plus the cost of moving away; (4,) metres, the weighted miss and the cost of bending
        back; (4, M) metres per radian, how these change."""
        chain = self.chain
        places, ways, pivots = chain.reach(angles)
        arms = places[self.point] - pivots
        across = ways[:, [1, 2, 0]] * arms[:, [2, 0, 1]] - ways[:, [2, 0, 1]] * arms[:, [1, 2, 0]]
        columns = across * chain.signs[:, None]
        if self.point == TIP and LOWEST[chain.finger, LAST] < angles[LAST] < HIGHEST[chain.finger, LAST]:
            columns[MIDDLE] += columns[LAST] * _with_middle(chain.finger)
        miss, change = np.zeros(4), np.zeros((4, len(moving)))
        miss[:3], change[:3] = self.weigh @ (places[self.point] - self.target), self.weigh @ columns[moving].T
        back = np.radians(angles[FIRST] - min(chain.start[FIRST], 0.0))
        if back < 0.0 and chain.finger:
            miss[3], change[3, FIRST] = BACK * back, BACK
        away = np.radians(angles - chain.start)[moving]
        return 0.5 * float(miss @ miss + STAY**2 * away @ away), miss, change


def _coupled(chain: FingerChain, middle: float) -> float:
    """How the last joint bends when the middle one bends this much."""
    last = chain.start[LAST] + _with_middle(chain.finger) * (middle - chain.start[MIDDLE])
    return float(np.clip(last, LOWEST[chain.finger, LAST], HIGHEST[chain.finger, LAST]))


def _with_middle(finger: int) -> float:
    """How far the last joint bends for each degree of the middle one."""
    return float(CURL.law[finger, LAST] / CURL.law[finger, MIDDLE])


def with_finger(
    hands: Hands, body: Body, where: FingerPoint, angles: Array, *, all_four: bool = False, both: bool = False
) -> Hands:
    """Hands with the finger of that point bent to these angles, (4,) degrees.

    all_four: the other fingers bend by as much, except the thumb. both: the other hand does the same.
    """
    hinges = hinges_of(body)
    every = angles_of(hands, hinges)
    more = angles - every[where.side, where.finger]
    sides = (where.side, 1 - where.side) if both else (where.side,)
    for side in sides:
        every[side, where.finger] = angles
        if all_four and where.finger:
            others = [finger for finger in FOUR if finger != where.finger]
            for angle in (FIRST, MIDDLE, LAST):
                every[side, others, angle] += more[angle]
    return hands_bent(hands, every, hinges)
