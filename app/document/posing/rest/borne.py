"""Whom a prop bears, and how they come along as it is moved, turned or resized: feet on the floor stay there as long as
the legs are long enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import atan2, sqrt

import numpy as np

from app.document.model.actor import Actor
from app.document.model.document import Character
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.placement import Placement
from app.document.model.prop import Prop
from app.document.posing.contact_patches import let_go_of
from app.document.posing.dependents import SOLE_M, TRUNK, touches
from app.document.posing.holds.carried import contacts_on
from solver.body.floor import posed_vertices
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector, TurnEffector
from solver.effectors.sources import FloorSource, PropSource, Tie
from solver.kinematics.rigid_motion import RigidMotion
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS, Limb

BEARS = 0.7  # the cosine of the steepest surface that somebody sits, lies or stands on
ON_M, TOP = 0.01, 0.9  # metres from a prop's top, and how far that faces up, where a seat is still on it
STAYS = 1e-7  # metres, or radians
ALONG_FLOOR = np.array([1.0, 0.0, 1.0])
# Of the leg's length: how high hips are above ankles that stand, as somebody's seat rises, and how far away at most.
STANDS, REACHES = 0.72, 0.98


def borne_by(person: Character, prop: Prop) -> tuple[Contact, ...]:
    """The contacts by which a prop bears somebody: of the trunk, as of who sits or lies, or of both legs of who does
    neither elsewhere; none if it bears them by neither."""
    rests = _rests(person)
    trunk, held = [e for e in rests if e.patch in TRUNK], contacts_on(prop, rests)
    if trunk:
        return tuple(contacts_on(prop, trunk))
    rig = rig_of(skeleton_of(person))
    legs = [[e for e in held if rig.role_of(e.joint) in leg.joints] for leg in LEGS]
    return tuple(e for leg in legs for e in leg) if all(legs) else ()


def sits_on_lap(person: Character, bearer: str) -> bool:
    """Whether somebody's trunk is held on another person, by their id, as of who sits on a lap."""
    on = [e.source for e in _rests(person) if e.patch in TRUNK]
    return any(isinstance(source, Tie) and source.character == bearer for source in on)


def _rests(person: Character) -> list[Contact]:
    """The contacts with what is beneath somebody."""
    return [e for e in person.effectors if isinstance(e, Contact) and e.is_active and e.facing[1] > BEARS]


def way_along(person: Character, before: Prop, after: Prop) -> RigidMotion | None:
    """How somebody comes along with the prop that bears them: turned about the vertical as it is, and moved as the
    place that bears them. None where it bears them not, or that stays. How far it tips is not part of it."""
    held = borne_by(person, before)
    if not held:
        return None
    spun = after.turn.astype(np.float64) @ before.turn.T
    angle = atan2(spun[0, 2] - spun[2, 0], spun[0, 0] + spun[2, 2])
    own = np.mean([own_place(e) for e in held], axis=0)
    here, there = before.frame.points(own), after.frame.points(own)
    turn = Placement(angle).rigid.turn
    return None if max(abs(angle), *np.abs(there - here)) < STAYS else RigidMotion(turn, there - turn @ here)


def ways_of_keys(
    actor: Actor, frame: int | None, before: Prop, after: Prop, laps: Sequence[Actor] = ()
) -> dict[int, RigidMotion]:
    """How somebody comes along with a prop at each of their keys where it bears them; and at the frame that is looked
    at, if one is given and the prop has keys of its own. Frames between keys follow from these. Motions go over the
    floor alone, as feet are recorded at their height, and nowhere unless each key does. laps: on whose lap they sit, on
    whose lap those sit, and so on, to come along where the prop bears the last of these."""
    keys = {key.frame for key in actor.clip.keys}
    looked_at = {frame} if frame is not None and after.clip is not None else set()
    times = {at: at / actor.clip.fps for at in sorted(keys | looked_at)}

    def way(at: int, s: float) -> RigidMotion | None:
        person = actor.at(at)
        for lap in laps:
            if not sits_on_lap(person, lap.id):
                return None
            person = lap.at(round(s * lap.clip.fps))
        return way_along(person, before.at_time(s), after.at_time(s))

    found = {at: one for at, s in times.items() if (one := way(at, s)) is not None}
    if actor.clip.source is not None and (after.clip is not None or len(found) < len(keys)):
        return {}
    if any(one.clip.source is not None for one in (actor, *laps)):
        return {at: RigidMotion(one.turn, one.shift * ALONG_FLOOR) for at, one in found.items()}
    return found


def with_feet_down(before: Character, carried: Character, rise: float, others: Sequence[Prop]) -> Character:
    """Somebody who was carried upwards by metres, but with feet that stood where they stood as long as legs are long
    enough, and no foot below the floor; a foot that leaves the floor lets go of it. before: as they were. others: the
    props that stay."""
    if abs(rise) < STAYS:
        return carried
    rises = dict[str, float]()
    for leg in LEGS:
        if held := _held_by(before, leg):
            rises |= dict.fromkeys((e.id for e in held), _foot_rise(before, leg, held, rise, others))

    def put(effector: Effector) -> Effector:
        own = rises.get(effector.id, rise)
        lifted = effector.id in rises and own > STAYS
        if lifted and isinstance(effector, Contact) and isinstance(effector.source, FloorSource):
            effector = let_go_of(carried, effector)
        return effector.moved_by(RigidMotion.move((0.0, own - rise, 0.0))) if own != rise else effector

    return replace(carried, effectors=tuple(map(put, carried.effectors)))


def _held_by(person: Character, leg: Limb) -> list[PointEffector]:
    """What holds a foot in place, in the air or on the floor."""
    rig = rig_of(skeleton_of(person))
    if rig.lacking(leg.joints):
        return []
    names = rig.names_of([leg.end, leg.tip])
    held = (e for e in person.effectors if isinstance(e, PointEffector) and e.is_active and e.joint in names)
    return [e for e in held if e.source is None or isinstance(e.source, FloorSource)]


def _foot_rise(
    person: Character, leg: Limb, held: Sequence[PointEffector], rise: float, others: Sequence[Prop]
) -> float:
    """Metres that a foot goes up as its owner is carried up by `rise`."""
    skeleton, world = skeleton_of(person), joints_of(person)
    to_go = held[0].target - held[0].at_pose(skeleton, world).target  # the body may be behind a drag
    foot = _as_asked(person, leg) + to_go
    low, on_other = float(foot[:, 1].min()), any(touches(foot, other) for other in others)
    if rise < 0.0 or not (on_other or low < SOLE_M):
        return 0.0 if on_other else max(rise, -max(low, 0.0))
    if any(e.pinned for e in held):
        return 0.0
    hip, knee, ankle = (world.positions[rig_of(skeleton).joint(role)].astype(np.float64) for role in leg.line)
    length, way = float(np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee)), hip - ankle - to_go
    most = min(STANDS * length, sqrt(max((REACHES * length) ** 2 - float(way[[0, 2]] @ way[[0, 2]]), 0.0)))
    return min(rise, max(0.0, float(way[1]) + rise - max(most, float(way[1]))))


def _as_asked(person: Character, leg: Limb) -> np.ndarray:
    """(N, 3) metres: a foot's skin, turned as is asked of it; in the air toes hang down even so."""
    rig, world, body = rig_of(skeleton_of(person)), joints_of(person), body_of(person)
    ends = [rig.joint(role) for role in (leg.end, leg.tip)]
    own = np.flatnonzero(np.isin(body.weights.argmax(axis=1), ends)).astype(np.int32)
    foot = posed_vertices(body, person.shape, person.pose, own)
    ankle, turn = world.positions[rig.joint(leg.end)], world.rotations[rig.joint(leg.end)]
    for effector in person.effectors:
        if isinstance(effector, TurnEffector) and effector.is_active and effector.joint == rig.name(leg.end):
            return np.asarray((foot - ankle) @ turn @ effector.target.T + ankle)
    return foot


def own_place(contact: Contact) -> np.ndarray:
    """(3,) where on its prop a contact lies, as the prop's own point."""
    assert isinstance(contact.source, PropSource)
    return np.asarray(contact.source.place, np.float64) + [0.0, 0.5, 0.0]
