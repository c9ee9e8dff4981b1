"""People who depend on people or a prop to be deleted: held on them, looking at them, or standing on the prop.

Whether they stand, sit, kneel or lie on it is told from what of them is lowest or held, and how upright the trunk is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from app.document.model.document import Character, Document
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.model.prop_spots import nearest_on
from app.document.posing.placing import skin_of
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import AimEffector
from solver.effectors.sources import Tie, is_on_prop
from solver.rig.rig import rig_of
from solver.rig.roles import Role

NEAR_M = 0.03  # metres from a prop within which the lowest skin counts as on it
SOLE_M = 0.02  # metres of height above the lowest point, of the skin that somebody stands on
SOFT_M = 0.04  # likewise, of the skin that touches where somebody sits or lies: a soft body is pressed flat there
STAND, SIT, KNEEL, LIE = "stand", "sit", "kneel", "lie"
TRUNK = {"seat", "back", "lower_back", "chest", "belly"}  # patches that somebody sits or lies on
LAIN_ON = TRUNK | {"buttocks", "lower_belly", Role.LEFT_HIP, Role.RIGHT_HIP}  # and those by which others lean
CHEST = {Role.SPINE1, Role.SPINE2, Role.SPINE3, Role.NECK, Role.HEAD}  # lowest only in somebody who lies
SIDES = {Role.PELVIS, Role.LEFT_SHOULDER, Role.RIGHT_SHOULDER}  # lowest in somebody who lies, if the trunk is level
KNEES = {Role.LEFT_HIP, Role.RIGHT_HIP, Role.LEFT_KNEE, Role.RIGHT_KNEE}  # the skin of a knee belongs to both joints
FLAT = 0.6  # sine of the trunk's slope: about 37 degrees, below which somebody with the trunk on it lies


@dataclass(frozen=True)
class Dependents:
    """What people who stay lose, by their ids, in the document's order. held: the contacts that lie on what goes.
    looking: people who look at it. standing: people with nothing else under them, and how they are on it: STAND, SIT,
    KNEEL or LIE. resting: by id, those in `held` whom it bears as a seat or a bed does: SIT or LIE."""

    held: tuple[tuple[str, Contact], ...] = ()
    looking: tuple[str, ...] = ()
    standing: tuple[tuple[str, str], ...] = ()
    resting: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.held or self.looking or self.standing)


def dependents_of_people(document: Document, ids: Collection[str]) -> Dependents:
    """What everybody else loses when these people go, at the frames looked at."""
    return _dependents(
        [c for c in document.characters if c.id not in ids],
        lambda e: isinstance(e.source, Tie) and e.source.character in ids,
    )


def dependents_of_prop(document: Document, id: str) -> Dependents:
    """What people lose when a prop goes, at the frames looked at."""
    found = _dependents(document.characters, lambda e: is_on_prop(e.source, id))
    prop, known = document.prop(id), {owner for owner, _ in found.held}
    others = [other for other in document.props if other.id != id]
    standing = tuple(
        (c.id, how) for c in document.characters if c.id not in known and (how := _stands_on(c, prop, others))
    )
    return replace(found, standing=standing)


def lost_by_merging(document: Document, merged: Document, id: str) -> Dependents:
    """What the one of two merged people who stays loses, by their id, at the frame looked at."""
    tied = {e.id for e in merged.character(id).effectors if e.source is not None}
    return _dependents([document.character(id)], lambda e: isinstance(e.source, Tie) and e.id not in tied)


def _dependents(people: Collection[Character], lies: Callable[[Effector], bool]) -> Dependents:
    lost = [(c.id, e) for c in people for e in c.effectors if lies(e)]
    held = tuple((id, e) for id, e in lost if isinstance(e, Contact))
    looking = tuple(dict.fromkeys(id for id, e in lost if isinstance(e, AimEffector)))
    resting = {c.id: how for c in people if (how := _rests(c, {e.patch for id, e in held if id == c.id}))}
    return Dependents(held, looking, resting=resting)


def _rests(character: Character, patches: Collection[str]) -> str:
    """How somebody is on what holds these patches: SIT, LIE, or "" where it bears no trunk."""
    if not LAIN_ON.intersection(patches):
        return ""
    return LIE if _lies(character) else SIT if "seat" in patches else ""


def _stands_on(character: Character, prop: Prop, others: Collection[Prop]) -> str:
    """How somebody is on the prop, if their lowest skin is on it and neither on the floor nor on another; else ""."""
    skin = skin_of(character)
    low = skin[:, 1] < float(skin[:, 1].min()) + SOLE_M
    lowest = skin[low]
    if float(lowest[:, 1].min()) < NEAR_M or not touches(lowest, prop):
        return ""
    if any(touches(lowest, other) for other in others):
        return ""
    rig = rig_of(skeleton_of(character))
    soft = skin[:, 1] < float(skin[:, 1].min()) + SOFT_M
    touching = {rig.roles[joint] for joint in np.argmax(body_of(character).weights[soft], axis=1)}
    if touching & CHEST or (touching & SIDES and _lies(character)):
        return LIE
    return SIT if Role.PELVIS in touching else KNEEL if touching & KNEES else STAND


def _lies(character: Character) -> bool:
    """Whether the trunk is nearer to level than to upright."""
    rig, points = rig_of(skeleton_of(character)), joints_of(character).positions
    trunk = points[rig.find(Role.SPINE3) or 0] - points[rig.find(Role.PELVIS) or 0]  # none where a rig has no chest
    return bool(abs(trunk[1]) < FLAT * np.linalg.norm(trunk))


def touches(skin: np.ndarray, prop: Prop) -> bool:
    """Whether any of these points of skin, (N, 3) metres, is on a prop."""
    low, high = prop.corners.min(axis=0) - NEAR_M, prop.corners.max(axis=0) + NEAR_M
    near = skin[((skin >= low) & (skin <= high)).all(axis=1)]
    if not len(near):
        return False
    if solids := prop.solids():
        return any(float(solid.distances(near).min()) < NEAR_M for solid in solids)
    lowest = near[np.argmin(near[:, 1])]  # a sheet or an open shell is not solid, and yet people are set on it
    return bool(np.linalg.norm(nearest_on(prop, lowest)[1] - lowest) < NEAR_M)
