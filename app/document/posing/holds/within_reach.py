"""How far somebody steps towards another person whom their arm is too short for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from solver.contact.patch_table import side_of
from solver.effectors.contact import Contact
from solver.effectors.sources import FloorSource, Tie
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS

Array = NDArray[np.floating]
FAR, AT_EASE = 1.05, 0.9  # of the arms' length: from where somebody steps up, and where they stop
NEAREST_M = 0.3  # over the floor, from the shoulder to what the hand comes to, however far above or below it is


def way_to_reach(document: Document, id: str, contacts: Sequence[tuple[str, Contact]]) -> Array:
    """(3,) metres over the floor by which somebody steps up so that arms reach what their hand takes; 0 if they do, or
    if the person had better stay where they are.

    contacts: each with its person's id: the palm that they lay on somebody, or two that take each other.
    """
    stays = np.zeros(3)
    if not _may_step(document, document.character(id)):
        return stays
    own_first = sorted(contacts, key=lambda each: each[0] != id)
    shoulders, lengths = zip(*(_arm(document.character(holder), hand) for holder, hand in own_first), strict=True)
    place = shoulders[1] if len(shoulders) > 1 else np.asarray(contacts[0][1].target, np.float64)
    way, reach = place - shoulders[0], float(sum(lengths))
    if float(np.linalg.norm(way)) <= FAR * reach:
        return stays
    level = float(np.hypot(way[0], way[2]))
    left = max(float(np.sqrt(max((AT_EASE * reach) ** 2 - way[1] ** 2, 0.0))), NEAREST_M)
    return way * [1.0, 0.0, 1.0] * max(1.0 - left / max(level, 1e-9), 0.0)


def _may_step(document: Document, person: Character) -> bool:
    """Whether nothing but the floor ties somebody to where they are: no photo, no motion, no pin, no hold."""
    if document.photos or not person.stands_freely:
        return False
    own = [e for e in person.effectors if e.is_active]
    tied = any(e.pinned or (isinstance(e, Contact) and not isinstance(e.source, FloorSource)) for e in own)
    others = (e for other in document.characters for e in other.effectors if isinstance(e, Contact) and e.is_active)
    return not tied and not any(isinstance(e.source, Tie) and e.source.character == person.id for e in others)


def _arm(person: Character, contact: Contact) -> tuple[Array, float]:
    """Where the shoulder of a hand's arm is, (3,), and the arm's length down to the palm, in metres."""
    arm, rig = ARMS[side_of(contact.patch)], rig_of(skeleton_of(person))
    hand = rig.rest_positions[rig.joint(arm.tip)] - rig.rest_positions[rig.joint(arm.end)]
    length = rig.limb_length(arm) + float(np.linalg.norm(hand))
    return joints_of(person).positions[rig.joint(arm.root)].astype(np.float64), length
