"""What stays of a person whose hand is led over their own skin."""

from __future__ import annotations

from app.document.model.document import Character, Document
from app.document.model.figure import body_of, skeleton_of
from app.document.posing.tied_groups import tied_groups
from solver.contact.skins import skin
from solver.effectors.contact import Contact
from solver.effectors.sources import SkinSource, Tie
from solver.ik.multi_solve.only_limb import LimbHold, arm_before_body
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS


def is_solved_alone(document: Document, id: str) -> bool:
    """Whether nobody is solved together with a person, so that what stays of them can give way."""
    return any(len(group) == 1 and group[0].id == id for group in tied_groups(document.characters))


def hold_over_own_skin(person: Character, contact: Contact) -> LimbHold | None:
    """What stays of a person as they are while an arm of theirs goes where a contact lies on their own skin; None where
    it is no arm's, or does not. Arms by which they hold on to themselves go along.
    """
    source, rig = contact.source, rig_of(skeleton_of(person))
    arms = set(rig.names_of(role for arm in ARMS for role in arm.joints))
    if contact.joint not in arms or not isinstance(source, SkinSource) or source.character != person.id:
        return None
    touched = rig.names[skin(body_of(person), person.shape, person.hands).carrier(source.triangle, source.shares)]
    ties = (e for e in person.effectors if e.is_active and isinstance(e, Contact) and e.joint in arms)
    joints = [e.joint for e in ties if isinstance(e.source, Tie) and e.source.character == person.id]
    return arm_before_body(skeleton_of(person), person.pose, [contact.joint, *joints], touched)
