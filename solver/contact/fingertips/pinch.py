"""Small things between the tips of thumb and index finger: where they are held, and how far the fingers open."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple, cast

import numpy as np

from solver.body.body import Body, BodyShape
from solver.body.finger_chain import Array
from solver.body.finger_skin import FingerSkin
from solver.body.fingers import Hinges, finger_turns, hands_of, hinges_of
from solver.body.hand_presets import HAND_PRESETS
from solver.body.hands import Hands, relaxed_hands
from solver.contact.fingertips.resting_hand import resting_hand
from solver.memoise import memoised

THICKEST = 0.35  # of the palm's length: what is thicker lies better in the hollow of the hand
CLOSED = np.array(HAND_PRESETS["pinch"].fingers, np.float64)
OPENED = np.array([[18.0, 0.0, 8.0, 4.0], [38.0, -4.0, 36.0, 18.0]])  # degrees of thumb and index finger
STEPS = 24
TIPS = 0.5  # share of a vertex's weight that the last joint bears at the tip
YIELDS = 1e-3  # metres that the two tips together give way


class Pinch(NamedTuple):
    """For one hand: shares (S,) of the way that thumb and index finger open, the gaps (S,) between their tips, and
    where the middle of a gap is in the wrist's frame: at (3,) metres, plus (3,) for each metre of half a gap."""

    shares: Array
    gaps: Array
    middle: Array
    into: Array


def pinch_of(body: Body, shape: BodyShape, side: int) -> Pinch:
    """How a hand holds small things. side: 0 left, 1 right. PoserError for a body without finger joints."""
    return _pinch_of(cast(Hashable, body), shape.betas.tobytes(), shape.gender, side)


def pinched(body: Body, shape: BodyShape, side: int, radius: float) -> Hands:
    """Relaxed hands of which one has a ball between its fingertips. side: 0 left, 1 right. radius: metres."""
    pinch = pinch_of(body, shape, side)
    share = float(np.interp(2.0 * radius - YIELDS, pinch.gaps, pinch.shares))
    fingers = CLOSED.copy()
    fingers[:2] = _opened(share)
    held = hands_of(np.stack([fingers, fingers]), hinges_of(body))
    return relaxed_hands().mixed(held, sides=(side,))


@memoised(16)
def _pinch_of(body: Body, betas: bytes, gender: str, side: int) -> Pinch:
    _, hinges, wrist, fingers = resting_hand(body, betas, gender, side)
    shares, gaps, middles = np.linspace(0.0, 1.0, STEPS + 1), [], []
    opened = np.stack([_opened(share) for share in shares])
    for thumb, index in zip(*(_tips(fingers[f], opened[:, f], hinges, side, f) for f in (0, 1)), strict=True):
        apart = np.linalg.norm(thumb[:, None] - index[None], axis=2)
        i, j = np.unravel_index(apart.argmin(), apart.shape)
        gaps.append(float(apart[i, j]))
        middles.append((thumb[i] + index[j]) / 2.0 - wrist)
    rising = np.maximum.accumulate(gaps)
    fit = np.stack([np.ones_like(rising), rising / 2.0], axis=1)
    middle, into = np.linalg.lstsq(fit, np.array(middles), rcond=None)[0]
    return Pinch(shares, rising, middle, into)


def _opened(share: float) -> Array:
    """(2, 4) degrees of thumb and index finger, a share of the way open."""
    return np.asarray(CLOSED[:2] + share * (OPENED - CLOSED[:2]))


def _tips(skin: FingerSkin, angles: Array, hinges: Hinges, side: int, finger: int) -> Array:
    """(N, V, 3) metres, the skin of a fingertip in the world. angles: (N, 4) degrees."""
    bent = skin.bent(finger_turns(angles, hinges, side, finger))
    return bent[:, skin.weights[:, -1] > TIPS]
