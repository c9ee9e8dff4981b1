"""Where a flat thing in somebody's hand is before their eyes, as one reads: its face towards them, at arm's ease."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.model.prop_spots import spot_of
from app.document.posing.brought.in_hand import Brought, forearm_there, hand_there, put_about, reaches
from app.document.posing.fitting_effectors import new_effector
from app.document.posing.holds.flat_grips import held_edge, is_flat
from solver.body.eyes import eyes_of
from solver.contact.patch_table import opposes, side_of
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import AimEffector
from solver.effectors.kinds import GAZE
from solver.effectors.sources import PropSource, is_on_prop
from solver.errors import PoserError
from solver.ik.options import SOLID_FLOOR
from solver.kinematics.rotations import from_rotation_vector
from solver.rig.rig import rig_of
from solver.rig.roles import Role

Array = NDArray[np.float64]
DISTANCES = (0.4, 0.37, 0.43)  # metres from the eyes to its middle
LOWERED = np.radians([25.0, 15.0, 35.0])  # below straight ahead
ASIDE_M = (0.0, 0.05, 0.1)  # metres to the side of the hand that holds it
SLANTS = np.radians([0.0, -15.0, 15.0])  # about the line of sight
ACROSS, SLANTED = np.radians(25.0), 0.5  # how much it counts that it is wider than high, or aslant
CROSSED = np.radians(90.0)  # likewise, that a hand would come over it
OFF_PLACE = np.radians(4.0)  # and that it is not just where one likes it best
EASY, BENDS = np.radians(25.0), 0.5  # that a wrist bends before it counts, and how much to its back or its palm
SOFTLY = 0.5  # the tolerance with which the head turns to it: the eyes do the rest
IN_FLOOR_M = 0.005  # that it may be in the floor
ABOVE_NECK = np.array([0.0, 0.06, 0.09])  # metres from the head's joint, of bodies without eyes


def before_eyes(person: Character, prop: Prop, hand: Contact) -> Brought | None:
    """A flat thing in somebody's hand brought before their eyes, where the forearm is most at ease, and the head
    looking at it; None if their arm is too short for how it is held. PoserError where it would be in the floor."""
    every = [(cost, placed) for cost, placed in _placed(person, prop, hand) if reaches(person, placed, hand)]
    if not every:
        return None
    every = [each for each in every if not is_in_floor(person, each[1])]
    if not every:
        raise PoserError(f"{prop.name} has no room before the eyes of {person.name}: the floor is there.")
    placed = min(every, key=lambda each: each[0] + _strain(person, each[1], hand))[1]
    return Brought(_looking(person, placed), placed)


def is_readable(prop: Prop, hand: Contact) -> bool:
    """Whether it is a flat thing that a hand has between thumb and fingers."""
    return is_flat(prop) and opposes(hand.patch)


def is_in_floor(person: Character, prop: Prop) -> bool:
    """Whether a thing would be in a floor that is solid to somebody."""
    return SOLID_FLOOR.of(person.solver_options) and bool(prop.corners[:, 1].min() < -IN_FLOOR_M)


def not_reading(person: Character, prop: str) -> Character:
    """The person with the look loose that reading has put on a prop, by its id: at mouth or ear, the head would turn
    after what goes along with it, and away from who reads, after what lies about."""

    def freed(effector: Effector) -> Effector:
        reads = _is_for_reading(effector) and is_on_prop(effector.source, prop)
        now = effector.at_pose(skeleton_of(person), joints_of(person)) if reads else effector
        return replace(now, source=None, loose=True) if reads else now

    return replace(person, effectors=tuple(map(freed, person.effectors)))


def eyes_at(person: Character) -> tuple[Array, Array]:
    """(3,) metres, the middle between somebody's eyes, and (3, 3) how their head is turned."""
    world, rig, eyes = joints_of(person), rig_of(skeleton_of(person)), eyes_of(body_of(person), person.shape)
    j = rig.joint(Role.HEAD)
    head = world.rotations[j].astype(np.float64)
    own = ABOVE_NECK if eyes is None else eyes.places.astype(np.float64).mean(axis=0) - rig.rest_positions[eyes.head]
    return world.positions[j] + head @ own, head


def _placed(person: Character, prop: Prop, hand: Contact) -> Iterator[tuple[float, Prop]]:
    """The thing in each place and turn in which it may be read, with what speaks against that, as radians."""
    (eyes, head), thin = eyes_at(person), int(np.argmin(prop.size))
    side = (1.0, -1.0)[side_of(hand.patch)]
    for (i, far), (j, low), (k, aside) in product(enumerate(DISTANCES), enumerate(LOWERED), enumerate(ASIDE_M)):
        middle = eyes + head @ (far * np.array([0.0, -np.sin(low), np.cos(low)]) + aside * np.array([side, 0.0, 0.0]))
        off = (eyes - middle) / np.linalg.norm(eyes - middle)
        for cost, turn in _turns(prop, hand, thin, off, head[:, 1], side * head[:, 0]):
            yield cost + OFF_PLACE * (i + j + k), put_about(prop, turn, middle)


def _turns(
    prop: Prop, hand: Contact, thin: int, off: Array, up: Array, outward: Array
) -> Iterator[tuple[float, Array]]:
    """Turns (3, 3) of a thing with a face towards a way, (3,) unit, upright or aslant, with what speaks against each.

    The thumb is on that face. Of what is held by narrow sides it is the face that is turned there more now, and the
    thumb had better be outward, (3,) unit, since the palm is behind it.
    """
    assert isinstance(hand.source, PropSource)
    by_edge = int(np.abs(hand.source.normal).argmax()) == thin
    face = -float(hand.source.normal[thin]) if by_edge else float(prop.turn[:, thin] @ off)
    level = np.cross(up, off)
    level /= np.linalg.norm(level)
    high, axes = np.cross(off, level), [axis for axis in range(3) if axis != thin]
    for axis, sign, slant in product(axes, (-1.0, 1.0), SLANTS):
        turn = np.zeros((3, 3))
        turn[:, thin], turn[:, axis] = np.copysign(1.0, face) * off, sign * high
        third = 3 - axis - thin
        turn[:, third] = np.cross(turn[:, (third + 1) % 3], turn[:, (third + 2) % 3])
        wide = prop.size[third] > prop.size[axis]
        crossed = not by_edge and float(turn @ hand.source.normal @ outward) > 0.0
        yield (
            ACROSS * wide + SLANTED * abs(slant) + CROSSED * crossed,
            np.asarray(from_rotation_vector(slant * off) @ turn, np.float64),
        )


def _strain(person: Character, prop: Prop, hand: Contact) -> float:
    """Radians that the wrist is bent beyond what is easy, if the elbow hangs."""
    assert isinstance(hand.source, PropSource)
    there = hand_there(prop, hand)
    along, across = forearm_there(person, there), there.facing.astype(np.float64)
    if int(np.abs(hand.source.normal).argmax()) != int(np.argmin(prop.size)):  # the hand is free to turn about that way
        return max(0.0, float(np.arcsin(np.clip(abs(along @ across), 0.0, 1.0))) - EASY)
    inward = prop.turn.astype(np.float64) @ held_edge(prop, hand)
    flat = along - float(along @ across) * across
    skew = float(np.arctan2(np.linalg.norm(np.cross(inward, flat)), inward @ flat))
    return max(0.0, skew - EASY) + BENDS * float(np.arcsin(np.clip(abs(along @ across), 0.0, 1.0)))


def _looking(person: Character, prop: Prop) -> Character:
    """The person with the head's look on the thing, softly; a look that somebody has set stays as it is."""
    rig = rig_of(skeleton_of(person))
    head = rig.name(Role.HEAD)
    look = next((e for e in person.effectors if isinstance(e, AimEffector) and e.joint == head), None)
    if look is not None and look.is_active and not _is_for_reading(look):
        return person
    thin = int(np.argmin(prop.size))
    eyes, _ = eyes_at(person)
    side = np.copysign(1.0, float((eyes - prop.middle) @ prop.turn[:, thin])) * np.eye(3)[thin]
    source, at, _ = spot_of(prop, np.array([0.0, 0.5, 0.0]) + side / 2.0, side)
    given = look or new_effector(person, GAZE.kind, head, tolerance=SOFTLY)
    looks: Effector = replace(
        given, target=np.asarray(at, np.float32), source=source, tolerance=SOFTLY, loose=False, enabled=True
    )
    kept = tuple(looks if e is look else e for e in person.effectors)
    return replace(person, effectors=kept if look is not None else (*kept, looks))


def _is_for_reading(effector: Effector) -> bool:
    """Whether it is a look as reading puts one on a thing."""
    looks = isinstance(effector, AimEffector) and isinstance(effector.source, PropSource)
    return looks and effector.tolerance == SOFTLY
