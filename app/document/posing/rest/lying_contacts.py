"""Contacts by which somebody lies on props: without them nothing would keep the trunk there once a limb is dragged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.model.prop_spots import nearest_on
from app.document.posing.contact_patches import contact_of, patches_on
from app.document.posing.fitting_effectors import with_ids
from app.document.posing.solving import floor_of
from solver.contact.patch_table import PATCH_ROWS
from solver.effectors.asleep import is_asleep
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.effectors.sources import PropSource
from solver.ik.stance.leans import joints_with
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS, TRUNK, Role

UPWARD = 0.5  # of a surface's normal: what is steeper bears nobody
LIES = 0.02  # metres from a prop within which skin lies on it
BORNE = {
    Role.PELVIS: (Role.PELVIS, *(leg.root for leg in LEGS)),
    Role.SPINE3: (Role.SPINE2, Role.SPINE3),
}  # by the joint that is held: the joints whose flesh is


def without_lying_contacts(character: Character) -> Character:
    """The character without the trunk's contacts with props, but for a seat's; the same object if there are none."""
    kept = tuple(e for e in character.effectors if not _lies(character, e))
    return replace(character, effectors=kept) if len(kept) < len(character.effectors) else character


def with_lying_contacts(character: Character, props: Sequence[Prop]) -> Character:
    """The character with pelvis and chest in contact with the prop that they lie on, exactly as they do; not one that a
    handle holds already, against which a contact would pull."""
    solid = [prop for prop in props if prop.solids()]
    asked = {e.joint for e in character.effectors if e.is_active and isinstance(e, PointEffector)}
    lying = [_lying_on(character, role, solid) for role in BORNE]
    made = [contact for contact in lying if contact is not None and contact.joint not in asked]
    if not made:
        return character
    held = {contact.joint for contact in made}

    def stays(effector: Effector) -> bool:
        return effector.joint not in held or not isinstance(effector, PointEffector) or is_asleep(effector)

    return replace(character, effectors=with_ids((*filter(stays, character.effectors), *made)))


def _lies(character: Character, effector: Effector) -> bool:
    trunk = rig_of(skeleton_of(character)).names_of(TRUNK)
    if not (isinstance(effector, Contact) and isinstance(effector.source, PropSource)):
        return False
    return effector.is_active and effector.joint in trunk and not PATCH_ROWS[effector.patch].rocks


def _lying_on(character: Character, role: Role, props: Sequence[Prop]) -> Contact | None:
    """A contact where the flesh around a joint is nearest to a prop; None if it lies on none."""
    floor = floor_of(character.body, character.shape, character.hands, character.solver_options)
    rig, world = rig_of(skeleton_of(character)), joints_of(character)
    if floor is None or not props or rig.lacking([role]):
        return None
    skin = floor.places(world)[np.isin(floor.carriers, joints_with(rig, BORNE[role]))]
    off = np.stack([np.min([s.distances(skin) for s in prop.solids()], axis=0) for prop in props])
    which, point = divmod(int(off.argmin()), len(skin))
    if off[which, point] > LIES:
        return None
    joint = rig.joint(role)
    source, place, facing = nearest_on(props[which], skin[point])
    if facing[1] < UPWARD:
        return None
    back = world.rotations[joint].astype(np.float64).T
    name, normal = rig.names[joint], np.asarray(-(back @ facing), np.float32)
    # not by the seat: whoever holds it on something sits, with the trunk up
    patches = [each for each in patches_on(character, name) if each.joint == name and not each.row.rocks]
    if not patches:
        return None
    patch = max(patches, key=lambda each: float(each.normal @ normal))
    return replace(
        contact_of(patch, place, facing),
        source=source,
        offset=np.asarray(back @ (place - world.positions[joint]), np.float32),
        normal=normal,
    )
