"""Whom a prop bears, and how they come along over the floor as it is moved, turned or resized."""

from __future__ import annotations

from math import atan2

import numpy as np

from app.document.model.actor import Actor
from app.document.model.document import Character
from app.document.model.figure import skeleton_of
from app.document.model.placement import Placement
from app.document.model.prop import Prop
from app.document.posing.dependents import TRUNK
from app.document.posing.holds.carried import contacts_on
from solver.effectors.contact import Contact
from solver.effectors.sources import PropSource
from solver.kinematics.rigid_motion import RigidMotion
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS

BEARS = 0.7  # the cosine of the steepest surface that somebody sits, lies or stands on
STAYS = 1e-7  # metres, or radians


def borne_by(person: Character, prop: Prop) -> tuple[Contact, ...]:
    """The contacts by which a prop bears somebody: of the trunk, as of who sits or lies, or of both legs of who does
    neither elsewhere; none if it bears them by neither."""
    rests = [e for e in person.effectors if isinstance(e, Contact) and e.is_active and e.facing[1] > BEARS]
    trunk, held = [e for e in rests if e.patch in TRUNK], contacts_on(prop, rests)
    if trunk:
        return tuple(contacts_on(prop, trunk))
    rig = rig_of(skeleton_of(person))
    legs = [[e for e in held if rig.role_of(e.joint) in leg.joints] for leg in LEGS]
    return tuple(e for leg in legs for e in leg) if all(legs) else ()


def way_over_floor(person: Character, before: Prop, after: Prop) -> RigidMotion | None:
    """How somebody comes along with the prop that bears them: turned about the vertical as it is, and moved over the
    floor as the place that bears them. None where it bears them not, or that stays. How high they are, and how far it
    tips, is not part of it: feet stay at the height at which they stand."""
    held = borne_by(person, before)
    if not held:
        return None
    spun = after.turn.astype(np.float64) @ before.turn.T
    angle = atan2(spun[0, 2] - spun[2, 0], spun[0, 0] + spun[2, 2])
    own = np.mean([_own_place(e) for e in held], axis=0)
    here, there = before.frame.points(own), after.frame.points(own)
    turn = Placement(angle).rigid.turn
    shift = (there - turn @ here) * [1.0, 0.0, 1.0]
    return None if max(abs(angle), *np.abs(there - here)[[0, 2]]) < STAYS else RigidMotion(turn, shift)


def ways_of_keys(actor: Actor, frame: int, before: Prop, after: Prop) -> dict[int, RigidMotion]:
    """The ways of somebody with a prop that bears them, by frame: at each of their keys, and at `frame`, the one looked
    at, if the prop has keys of its own. Frames between keys follow from these."""
    keys = {key.frame for key in actor.clip.keys}
    times = {at: at / actor.clip.fps for at in sorted(keys | ({frame} if after.clip is not None else set()))}
    found = {at: way_over_floor(actor.at(at), before.at_time(s), after.at_time(s)) for at, s in times.items()}
    return {at: way for at, way in found.items() if way is not None}


def _own_place(contact: Contact) -> np.ndarray:
    """(3,) where on its prop a contact lies, as the prop's own point."""
    assert isinstance(contact.source, PropSource)
    return np.asarray(contact.source.place, np.float64) + [0.0, 0.5, 0.0]
