"""Effectors on hands when fingers or the body's shape change: on fingertips, finger joints and patches.

An effector on a finger is one on the hand that carries it, with the point's place in the hand's frame as its offset;
the point is recognised by that place. A contact knows its patch by name.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.document.model.clip import Key
from solver.body.body import Body, BodyShape
from solver.body.whole_rig import HANDS
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.kinematics.skeleton import SMPL_JOINTS

if TYPE_CHECKING:
    from solver.body.finger_chain import FingerPoint
    from solver.body.hands import Hands

OF_HANDS = frozenset(SMPL_JOINTS[20:])  # wrists and hands: joints whose skin fingers move
SAME = 3e-3  # metres within which a point of the hand is a finger's: shapes and mirrors match only roughly

HandsOfBody = tuple[Body, BodyShape, "Hands | None"]
"""A body, its shape, and how it holds its hands."""


def regripped(
    effectors: tuple[Effector, ...], body: Body, shape: BodyShape, before: Hands | None, after: Hands | None
) -> tuple[Effector, ...]:
    """Effectors on the same points and patches of a body's hands when their fingers are held another way."""
    return fitted_on_hands(carried(effectors, (body, shape, before), (body, shape, after)), body, shape, after)


def fitted_on_hands(
    effectors: tuple[Effector, ...], body: Body, shape: BodyShape, hands: Hands | None
) -> tuple[Effector, ...]:
    """As `fitted_to`, for contacts of hands alone: fingers move no other skin, and a seat or a bent knee keeps the spot
    that it was found to lie on."""
    fitted = iter(fitted_to(tuple(e for e in effectors if e.joint in OF_HANDS), body, shape, hands))
    return tuple(next(fitted) if effector.joint in OF_HANDS else effector for effector in effectors)


def refingered(key: Key, before: HandsOfBody, after: HandsOfBody) -> Key:
    """The key with each effector on a finger kept on the same point of it, for another build or other hands."""
    effectors = carried(key.effectors, before, after)
    return key if effectors is key.effectors else replace(key, effectors=effectors)


def carried(effectors: tuple[Effector, ...], before: HandsOfBody, after: HandsOfBody) -> tuple[Effector, ...]:
    """The effectors, each one on a finger kept on the same point of it; the very same where none is on a finger."""
    if not any(map(may_hold_finger, effectors)):
        return effectors
    old, new = places_of(*before), places_of(*after)
    return tuple(_carried(effector, old, new) for effector in effectors)


def fitted_to(
    effectors: tuple[Effector, ...], body: Body, shape: BodyShape, hands: Hands | None
) -> tuple[Effector, ...]:
    """The effectors with each contact's patch where a body's skin has it; the very same where there is no contact."""
    names = [effector.patch for effector in effectors if isinstance(effector, Contact)]
    if not names:
        return effectors
    from solver.contact.patches import patches_named, with_fitted_patch  # not needed to show the window

    known = patches_named(body, shape, hands, names)
    return tuple(with_fitted_patch(effector, known) for effector in effectors)


def may_hold_finger(effector: Effector) -> bool:
    """Whether an effector holds some point of a hand, which may be a finger's."""
    return isinstance(effector, PointEffector) and effector.joint in HANDS and not effector.holds_joint


def known_as(effector: Effector, places: np.ndarray) -> FingerPoint | None:
    """Which finger's point an effector holds on a hand. places: those of all points, as from `places_of`."""
    from solver.body.finger_chain import FingerPoint

    assert isinstance(effector, PointEffector)
    side = HANDS.index(effector.joint)
    away = np.linalg.norm(places[side, :, 1:] - effector.offset, axis=-1)
    finger, point = (int(i) for i in np.unravel_index(np.argmin(away), away.shape))
    return FingerPoint(side, finger, point + 1) if away[finger, point] < SAME else None


def places_of(body: Body, shape: BodyShape, hands: Hands | None) -> np.ndarray:
    """(2, 5, 4, 3) metres, joints and tips of the fingers in the frames of their hands; NaN without finger joints."""
    from solver.body.finger_chain import bent_points
    from solver.body.fingers import has_fingers
    from solver.body.hands import hands_at_rest

    if not has_fingers(body):
        return np.full((2, 5, 4, 3), np.nan)
    rig = body.rig(shape)
    rest = rig.rest_positions[[rig.index(hand) for hand in HANDS]]
    return bent_points(body, shape, hands or hands_at_rest()) - rest[:, None, None]


def _carried(effector: Effector, old: np.ndarray, new: np.ndarray) -> Effector:
    where = known_as(effector, old) if may_hold_finger(effector) else None
    if where is None:
        return effector
    assert isinstance(effector, PointEffector)
    at = where.side, where.finger, where.point
    return replace(effector, offset=(effector.offset + new[at] - old[at]).astype(np.float32))
