"""Who sits on a prop: by a contact of the seat, or with it on something that bears it."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.solving import floor_of
from app.document.posing.surroundings import balls_of
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position, Rotation
from solver.effectors.sources import PropSource
from solver.ik.limp.beneath import heights_beneath
from solver.ik.stance.leans import joints_with
from solver.ik.stance.seated import seat_of
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, HEAD_AND_NECK, LEGS, TRUNK, Limb, Role

if TYPE_CHECKING:
    from solver.contact.solids import Solid

SEATED = (Role.PELVIS, *(leg.root for leg in LEGS))  # those whose flesh is sat on
RESTS, SINKS = 0.02, 0.06  # metres above and below the top of a thing within which flesh rests on it
UPRIGHT = float(np.cos(np.radians(45.0)))  # of a chest's own up axis: a trunk that leans further comes down
ELBOW = 0.05  # metres of flesh about one
STRAIGHT = 0.93  # of an arm's length from shoulder to wrist: it props somebody up
UPWARD = 0.5  # the sine of the steepest skin that a hand or a foot stays on
AHEAD = 0.2  # of the arm's length that hands are in front of the shoulders to fall onto the thighs
THIGH_LEVEL = 0.7  # the sine of the steepest thigh of somebody who sits


def holds_seat(character: Character) -> bool:
    """Whether a contact holds the character's seat on a prop."""
    seat = seat_of(skeleton_of(character), character.effectors)
    return seat is not None and isinstance(seat.source, PropSource)


def may_sit(character: Character) -> bool:
    """Whether a thigh is level enough, as of everybody who sits; asks nothing of any prop."""
    rig, places = rig_of(skeleton_of(character)), joints_of(character).positions.astype(np.float64)
    if rig.lacking([role for leg in LEGS for role in (leg.root, leg.hinge)]):
        return False
    ways = [places[rig.joint(leg.hinge)] - places[rig.joint(leg.root)] for leg in LEGS]
    return any(abs(float(way[1])) < THIGH_LEVEL * float(np.linalg.norm(way)) for way in ways)


def sits_on(character: Character, things: Sequence[Solid]) -> bool:
    """Whether the character's seat rests on a thing with a thigh level enough."""
    return bool(things) and may_sit(character) and _is_borne(character, SEATED, things)


def resting_limbs(character: Character, limbs: Sequence[Limb], things: Sequence[Solid]) -> tuple[Limb, ...]:
    """Those of the limbs that rest on the floor, on a thing, or on the own legs: feet that stand, hands and forearms
    that lie, an ankle over the other knee."""
    return tuple(limb for limb in limbs if _rests(character, limb, things))


def held_in_place(character: Character, limbs: Sequence[Limb]) -> tuple[Effector, ...]:
    """Effectors that hold the ends of these limbs where and as they are."""
    rig, world = rig_of(skeleton_of(character)), joints_of(character)
    names = rig.names_of([limb.end for limb in limbs])
    return tuple(kind.on(rig, name, world) for name in names for kind in (Position, Rotation))


def slumps(character: Character, asked: Container[Role | None], things: Sequence[Solid]) -> bool:
    """Whether somebody whose seat is held leans forward so far that the trunk comes down: nothing is asked of trunk,
    neck, head or arms, and no arm props it up."""
    chest = joints_of(character).rotations[rig_of(skeleton_of(character)).joint(Role.SPINE3)]
    if not holds_seat(character) or chest[1, 2] > 0.0 or chest[1, 1] > UPRIGHT:
        return False
    roles = (*TRUNK, *HEAD_AND_NECK, *(role for arm in ARMS for role in (*arm.joints, *arm.fingers)))
    if any(role in asked for role in roles if role is not Role.PELVIS):  # that one is held by the seat
        return False
    return not any(_props_up(character, arm, things) for arm in ARMS)


def palms_on_thighs(character: Character, arms: Sequence[Limb], things: Sequence[Solid]) -> tuple[Contact, ...]:
    """Contacts that bring hands which are in the air in front of somebody onto the thighs below; of those of `arms`
    alone, and not of hands above a thing that is higher than the thighs."""
    from app.document.posing.contact_patches import contact_of, on_patch, patches_of

    rig, world = rig_of(skeleton_of(character)), joints_of(character)
    places, chest = world.positions.astype(np.float64), world.rotations[rig.joint(Role.SPINE3)]
    made = []
    for arm in arms:
        shoulder, elbow, wrist = (places[rig.joint(role)] for role in arm.line)
        length = float(np.linalg.norm(elbow - shoulder) + np.linalg.norm(wrist - elbow))
        source, thigh, normal = on_patch(character, f"{arm.side}_thigh")
        ahead = float((wrist - shoulder) @ chest[:, 2]) > AHEAD * length
        if not ahead or normal[1] < UPWARD or wrist[1] < thigh[1]:
            continue
        if heights_beneath(things, wrist[None])[0] < thigh[1]:
            palm = contact_of(patches_of(character)[f"{arm.side}_palm"], thigh, normal)
            made.append(replace(palm, source=source))
    return tuple(made)


def _props_up(character: Character, arm: Limb, things: Sequence[Solid]) -> bool:
    """Whether somebody leans on an elbow, or on the hand of a straight arm."""
    rig, places = rig_of(skeleton_of(character)), joints_of(character).positions.astype(np.float64)
    shoulder, elbow, wrist = (places[rig.joint(role)] for role in arm.line)
    if elbow[1] - heights_beneath(things, elbow[None])[0] < ELBOW or _are_on_legs(character, [[*elbow, ELBOW]], LEGS):
        return True
    length = float(np.linalg.norm(elbow - shoulder) + np.linalg.norm(wrist - elbow))
    return float(np.linalg.norm(wrist - shoulder)) > STRAIGHT * length and _rests(character, arm, things)


def _rests(character: Character, limb: Limb, things: Sequence[Solid]) -> bool:
    """Whether a forearm, a hand, a shin or a foot rests on the floor, on a thing or on the legs."""
    ends = (limb.end, limb.tip, *limb.fingers)
    if _is_borne(character, ends, things, floor=True):
        return True
    body, joints = balls_of(character), joints_with(rig_of(skeleton_of(character)), (limb.hinge, *ends))
    balls = body.placed(joints_of(character))[np.isin(body.joints, joints)]
    return _are_on_legs(character, balls, [leg for leg in LEGS if leg is not limb])


def _are_on_legs(character: Character, balls: ArrayLike, legs: Sequence[Limb]) -> bool:
    """Whether any of the balls, (N, 4) centre and radius in metres, lies on one of the character's legs."""
    body, over = balls_of(character), np.asarray(balls, np.float64)
    joints = joints_with(rig_of(skeleton_of(character)), tuple(role for leg in legs for role in (leg.root, leg.hinge)))
    under = body.placed(joints_of(character))[np.isin(body.joints, joints)]
    ways = over[:, None, :3] - under[:, :3]
    away = np.linalg.norm(ways, axis=2)
    touches = away - over[:, None, 3] - under[:, 3] < RESTS
    return bool((touches & (ways[..., 1] > UPWARD * away)).any())


def _is_borne(character: Character, roles: Sequence[Role], things: Sequence[Solid], floor: bool = False) -> bool:
    """Whether skin of these joints rests on a thing, or on the floor as well."""
    points = floor_of(character.body, character.shape, character.hands, character.solver_options)
    if points is None:
        return False
    skin = points.places(joints_of(character))
    skin = skin[np.isin(points.carriers, joints_with(rig_of(skeleton_of(character)), tuple(roles)))]
    beneath = heights_beneath(things, skin)
    above = skin[:, 1] - beneath
    return bool(((above < RESTS) & (above > -SINKS) & ((beneath > 0.0) | floor)).any())
