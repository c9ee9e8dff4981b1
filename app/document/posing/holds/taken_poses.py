"""Somebody who takes another pose with what they hold: it goes along, and what stays is only held where it still is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.model.prop import Prop
from app.document.posing.contact_patches import let_go_of
from app.document.posing.fingertips import with_hands
from app.document.posing.holds.mirrored_contacts import NEAR
from app.document.posing.holds.mirrored_holds import goes_along, lead_on
from app.document.posing.sources import character_with_resolved_targets
from solver.body.hands import hands_at_rest
from solver.contact.patch_table import side_of
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.sources import is_on_prop
from solver.kinematics.rigid_motion import RigidMotion
from solver.rig.rig import rig_of
from solver.rig.roles import FEET


def with_held_along(before: Document, after: Document, id: str) -> Document:
    """`after`, where somebody has taken another pose than `before`, with the props that a hand of theirs is around.

    Each goes where that hand is, which stays closed. Locked ones stay, and those that somebody else holds, or another
    key unless the prop has keys of its own. Contacts with what is no longer there are let go of.
    """
    was, now = before.character(id), after.character(id)
    if all(e.source is None for e in now.effectors) or now.pose == was.pose:
        return after
    along = [prop for prop in before.props if goes_along(before, prop, was)]
    taken = [prop for prop in along if prop.clip is not None or not _on_another_key(before, prop, was)]
    for prop in taken:
        lead = lead_on(was, prop)
        assert lead is not None
        way, side = _way(was, now, lead.joint), (side_of(lead.patch),)
        carried = before.keyed(prop.carried(way))
        after = replace(after, props=tuple(carried if p.id == prop.id else p for p in after.props))
        now = with_hands(now, (now.hands or hands_at_rest()).mixed(was.hands or hands_at_rest(), sides=side))
    return with_holds_that_are_there(after.with_character(now), id)


def with_holds_that_are_there(after: Document, id: str) -> Document:
    """The document in which somebody has let go of what is no longer there: a foot stays at its place, anything else is
    asked for nothing unless it is pinned, as of who has just come."""
    now = after.character(id)
    there = {e.id: e for e in character_with_resolved_targets(after, now).effectors}
    rig = rig_of(skeleton_of(now))
    feet = rig.names_of(FEET)

    def kept(effector: Effector) -> Effector:
        if not isinstance(effector, Contact) or _is_held(effector, there[effector.id]):
            return effector
        freed = let_go_of(now, effector)
        return freed if freed.pinned or freed.joint in feet else replace(freed, loose=True)

    return after.with_character(replace(now, effectors=tuple(map(kept, now.effectors))))


def _is_held(effector: Contact, there: Effector) -> bool:
    """Whether a contact's surface is where the pose has its patch, or that does not count."""
    if effector.source is None or not effector.is_active:
        return True
    return float(np.linalg.norm(effector.target - there.target)) < NEAR


def _on_another_key(document: Document, prop: Prop, who: Character) -> bool:
    keys = document.actor(who.id).clip.keys
    return any(is_on_prop(e.source, prop.id) for key in keys if key.frame != who.frame for e in key.effectors)


def _way(was: Character, now: Character, joint: str) -> RigidMotion:
    """How a joint's frame has been carried from one pose to the other."""
    j = skeleton_of(was).index(joint)
    old, new = joints_of(was), joints_of(now)
    return RigidMotion.between(old.rotations[j], old.positions[j], new.rotations[j], new.positions[j])
