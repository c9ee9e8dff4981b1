"""Effectors that hold a fingertip or a finger's joint: positions of a point of the hand that goes with the finger.

Solvers turn no finger, so such an effector is one on the hand that carries the finger, with the point's place in the
hand's frame as its offset. The point is recognised by that place, which is carried along whenever the hands are held
another way or the body gets another shape: scene files need nothing new, and older versions hold the same point.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.document.model.actor import actor_of
from app.document.model.character import Character
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.hand_effectors import carried, known_as, may_hold_finger, places_of, regripped
from app.document.model.identity import next_effector_id
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.ik.options import SOLID_FLOOR
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS

HAND_LENGTH = 0.25  # metres from a wrist to its fingertips, at most

if TYPE_CHECKING:
    from solver.body.finger_chain import FingerPoint
    from solver.body.hands import Hands


def finger_effector(character: Character, name: str) -> Position:
    """A new effector that holds a point of a finger, named as in `FINGER_POINTS`, where it is."""
    from solver.body.finger_chain import FINGER_POINTS

    where = FINGER_POINTS[name]
    offset = places_of(body_of(character), character.shape, character.hands)[where.side, where.finger, where.point]
    held = Position(where.hand, np.zeros(3, np.float32), offset.astype(np.float32), id=next_effector_id(character))
    return held.at_pose(skeleton_of(character), joints_of(character))


def finger_of(character: Character, effector: Effector) -> FingerPoint | None:
    """Which point of a finger an effector of the character holds; None for one that holds something else."""
    if not may_hold_finger(effector):
        return None
    return known_as(effector, places_of(body_of(character), character.shape, character.hands))


def finger_name(character: Character, effector: Effector) -> str:
    """The name in `FINGER_POINTS` of the point of a finger that an effector holds; "" for none."""
    where = finger_of(character, effector)
    return where.name if where else ""


def holds_finger(character: Character) -> bool:
    """Whether anything is asked of a finger, so that the body follows when the hands are held another way."""
    return any(effector.is_active and finger_of(character, effector) is not None for effector in character.effectors)


def body_follows(character: Character) -> bool:
    """Whether the body has to follow when the hands are held another way: something is asked of a finger, or a hand is
    so near a solid floor that fingers may get into it."""
    if holds_finger(character):
        return True
    if not SOLID_FLOOR.of(character.solver_options):
        return False
    rig = rig_of(skeleton_of(character))
    wrists = [rig.index(name) for name in rig.names_of(arm.end for arm in ARMS)]
    return float(joints_of(character).positions[wrists, 1].min(initial=HAND_LENGTH)) < HAND_LENGTH


def with_hands(character: Character, hands: Hands | None) -> Character:
    """The character holding its fingers another way at its frame; effectors hold the same points of its fingers."""
    body, shape = body_of(character), character.shape
    effectors = carried(character.effectors, (body, shape, character.hands), (body, shape, hands))
    return replace(character, hands=hands, effectors=effectors)


def with_hands_throughout(character: Character, hands: Hands | None) -> Character:
    """The character holding its fingers this way at every frame, whatever its keys and source motion say; effectors
    hold the same points and patches in all keys."""
    actor = actor_of(character)
    body, shape, clip = body_of(character), character.shape, actor.clip
    keys = tuple(
        replace(key, hands=hands, effectors=regripped(key.effectors, body, shape, key.hands, hands))
        for key in clip.keys
    )
    source = clip.source and clip.source.held(hands)
    return replace(actor, clip=replace(clip, keys=keys, source=source)).at(character.frame)
