"""Contacts of one side seen in the mirror, on whatever surface is there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character, Document
from app.document.model.prop import Prop
from app.document.model.prop_spots import grasp_of, nearest_on
from app.document.posing.contact_patches import on_own_skin, refitted
from app.document.posing.fingertips import with_hands
from solver.contact.patch_table import opposes
from solver.effectors.contact import Contact
from solver.effectors.sources import FloorSource, PropSource, SkinSource
from solver.rig.roles import SIDES

NEAR = 0.03  # metres from a surface at which a mirrored place still counts as on it: no body is quite symmetric


def on_surface_there(document: Document, character: Character, seen: Contact, was: Contact) -> Contact:
    """A mirrored contact on the same floor or prop, or on the person's own skin, if that is there as well; else on
    nothing. was: the contact it was mirrored from."""
    free = replace(seen, source=None)
    if isinstance(was.source, FloorSource):
        return replace(seen, source=was.source)
    if isinstance(was.source, PropSource):
        prop = document.prop(was.source.prop)
        if seen.around:
            return _around(prop, free)
        source, at, normal = nearest_on(prop, seen.target)
        return replace(seen.onto(at, normal), source=source) if _near(at, seen) else free
    if isinstance(was.source, SkinSource) and was.source.character == character.id:
        found = on_own_skin(character, seen.joint, seen.target)
        if found is not None and _near(found[1], seen):
            return replace(seen.onto(*found[1:]), source=found[0])
    return free


def fingers_across(character: Character, contact: Contact) -> Character:
    """The person with the other hand held like that of a contact, mirrored."""
    side = contact.patch.partition("_")[0]
    if character.hands is None or side not in SIDES:
        return character
    other = 1 - SIDES.index(side)
    return refitted(with_hands(character, character.hands.mixed(character.hands.mirrored(), 1.0, (other,))))


def _around(prop: Prop, seen: Contact) -> Contact:
    """A hand around a prop whose axis or middle is at the mirrored target; else around nothing."""
    own = prop.turn.T @ (np.asarray(seen.target, np.float64) - prop.middle) / prop.size
    grasp, place = grasp_of(prop), np.zeros(3)
    if opposes(seen.patch):
        place = np.clip(own, -0.5, 0.5)
    elif grasp is not None and grasp.axis is not None:
        place[grasp.axis] = np.clip(own[grasp.axis], -0.5, 0.5)
    at = prop.middle + prop.turn @ (place * prop.size)
    if not _near(at, seen):
        return seen
    source = PropSource(prop.id, place.astype(np.float32), np.asarray(prop.turn.T @ seen.facing, np.float32))
    return replace(seen, target=np.asarray(at, np.float32), source=source)


def _near(at: NDArray[np.floating], seen: Contact) -> bool:
    return float(np.linalg.norm(at - seen.target)) < NEAR
