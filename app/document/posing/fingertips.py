"""Effectors that hold a fingertip or a joint of a finger: positions of a point of the hand that goes with the finger.

Solvers turn no finger, so such an effector is one on the hand that carries the finger, with the point's place in the
hand's frame as its offset. That place is known again by where it is, and carried along whenever the hands are held
another way or the body gets another shape: a scene needs no word for it, and older versions hold the same point.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.document.model.actor import actor_of
from app.document.model.character import Character
from app.document.model.clip import Key
from app.document.model.identity import next_effector_id
from app.document.posing.solving import body_of, joints_of, skeleton_of
from solver.body.body import Body, BodyShape
from solver.body.whole import HANDS
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.effectors.kinds import Position

if TYPE_CHECKING:
    from solver.body.finger_chain import FingerPoint
    from solver.body.hands import Hands

Fingered = tuple[Body, BodyShape, "Hands | None"]
"""A body, its shape, and how it holds its hands."""

SAME = 3e-3  # metres within which a point of the hand is a finger's: shapes and mirrors are only about alike


def finger_effector(character: Character, name: str) -> Position:
    """A new effector that holds a point of a finger, by its name in `FINGER_POINTS`, where it is."""
    from solver.body.finger_chain import FINGER_POINTS

    where = FINGER_POINTS[name]
    offset = _places(body_of(character), character.shape, character.hands)[where.side, where.finger, where.point]
    held = Position(where.hand, np.zeros(3, np.float32), offset.astype(np.float32), id=next_effector_id(character))
    return held.at(skeleton_of(character), joints_of(character))


def finger_of(character: Character, effector: Effector) -> FingerPoint | None:
    """Which point of a finger an effector of the character holds; None for one that holds something else."""
    if not _may_hold_finger(effector):
        return None
    return _known_as(effector, _places(body_of(character), character.shape, character.hands))


def finger_name(character: Character, effector: Effector) -> str:
    """The name in `FINGER_POINTS` of the point of a finger that it holds; "" for none."""
    where = finger_of(character, effector)
    return where.name if where else ""


def holds_finger(character: Character) -> bool:
    """Whether anything is asked of a finger: then the body follows where the hands are held another way."""
    return any(effector.asks and finger_of(character, effector) is not None for effector in character.effectors)


def with_hands(character: Character, hands: Hands | None) -> Character:
    """The character holding its fingers another way at all frames; effectors hold the same points of its fingers."""
    elsewhere = (effector for key in character.clip.keys for effector in key.effectors)
    if not any(map(_may_hold_finger, (*character.effectors, *elsewhere))):
        return replace(character, hands=hands)
    actor = actor_of(character)
    body, shape = body_of(character), character.shape
    keys = tuple(refingered(key, (body, shape, actor.identity.hands), (body, shape, hands)) for key in actor.clip.keys)
    held = replace(actor, identity=replace(actor.identity, hands=hands), clip=replace(actor.clip, keys=keys))
    return held.at(character.frame)


def refingered(key: Key, before: Fingered, after: Fingered) -> Key:
    """The key with each effector on a finger on the same point of it, of another build or of hands held another way."""
    if not any(map(_may_hold_finger, key.effectors)):
        return key
    old, new = _places(*before), _places(*after)
    return replace(key, effectors=tuple(_carried(effector, old, new) for effector in key.effectors))


def _carried(effector: Effector, old: np.ndarray, new: np.ndarray) -> Effector:
    where = _known_as(effector, old) if _may_hold_finger(effector) else None
    if where is None:
        return effector
    assert isinstance(effector, PointEffector)
    at = where.side, where.finger, where.point
    return replace(effector, offset=(effector.offset + new[at] - old[at]).astype(np.float32))


def _may_hold_finger(effector: Effector) -> bool:
    return isinstance(effector, PointEffector) and effector.joint in HANDS and not effector.holds_joint


def _known_as(effector: Effector, places: np.ndarray) -> FingerPoint | None:
    from solver.body.finger_chain import FingerPoint

    assert isinstance(effector, PointEffector)
    side = HANDS.index(effector.joint)
    away = np.linalg.norm(places[side, :, 1:] - effector.offset, axis=-1)
    finger, point = (int(i) for i in np.unravel_index(np.argmin(away), away.shape))
    return FingerPoint(side, finger, point + 1) if away[finger, point] < SAME else None


def _places(body: Body, shape: BodyShape, hands: Hands | None) -> np.ndarray:
    """(2, 5, 4, 3) metres, joints and tips of the fingers in the frames of their hands; NaN without finger joints."""
    from solver.body.finger_chain import bent_points
    from solver.body.fingers import has_fingers
    from solver.body.hands import hands_at_rest

    if not has_fingers(body):
        return np.full((2, 5, 4, 3), np.nan)
    rig = body.rig(shape)
    rest = rig.rest_positions[[rig.index(hand) for hand in HANDS]]
    return bent_points(body, shape, hands or hands_at_rest()) - rest[:, None, None]
