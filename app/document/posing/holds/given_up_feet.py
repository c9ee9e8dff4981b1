"""Feet that come off what they stand on as another part of their leg is laid on something.

Handles hold both feet of who stands. A knee that is laid on the floor gets there only if its foot goes back and up,
and one on a high box only if its foot hangs: held where it stood, the foot would keep the knee half a metre away.
"""

from __future__ import annotations

import numpy as np

from app.document.model.document import Character
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.contact_patches import patches_of
from solver.effectors.contact import Contact
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector, TurnEffector
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS, Limb, Role

FITS_M = 0.1  # metres that a place may be too near to a held ankle or too far from it: a knee is laid beside it then
TOES_FIT_M = 0.03  # likewise for toes
LOW, STEEP = 0.3, 0.6  # of a shin's length: below the first above its ankle a leg lies; a shin that stands rises so far
FLAT = 0.9  # cosine of a sole's slope: with more of it, the foot is on its ball, and was put there for the knee


def given_up_for(character: Character, contact: Contact) -> frozenset[str]:
    """Ids of the effectors by which a foot is held where it cannot stay once a contact holds another part of its leg:
    too far away, or as low as no leg gets over a sole that stands. None that is pinned, and no contact."""
    rig = rig_of(skeleton_of(character))
    role = rig.role_of(contact.joint)
    leg = next((leg for leg in LEGS if role in (leg.root, leg.hinge, leg.tip)), None)
    if role is None or leg is None or rig.lacking(leg.joints):
        return frozenset()
    end, foot = rig.name(leg.end), rig.names_of((leg.end, leg.tip))
    held = [e for e in character.effectors if e.joint in foot and _gives_way(e)]
    ankle = next((e for e in held if e.joint == end and isinstance(e, PointEffector) and e.holds_joint), None)
    if ankle is None:
        return frozenset()
    if not _stands_flat(character, end):
        return frozenset()
    off = _does_not_fit(character, leg, role, contact, ankle)
    if role == leg.tip:  # the foot is still turned as asked
        return frozenset({ankle.id}) if off > TOES_FIT_M else frozenset()
    gone = off > FITS_M or _lies_over_sole(character, leg, contact, ankle)
    return frozenset(e.id for e in held if gone and isinstance(e, PointEffector | TurnEffector))


def _gives_way(effector: Effector) -> bool:
    return effector.is_active and not effector.pinned and not isinstance(effector, Contact)


def _stands_flat(character: Character, ankle: str) -> bool:
    """Whether the sole of a foot is level."""
    sole = next((p for p in patches_of(character).values() if p.joint == ankle and "sole" in p.name), None)
    if sole is None:
        return False
    turn = joints_of(character).rotations[skeleton_of(character).index(ankle)]
    return bool(-(turn @ sole.normal)[1] > FLAT)


def _does_not_fit(character: Character, leg: Limb, role: Role, contact: Contact, ankle: Effector) -> float:
    """Metres by which a contact's place is too near to an ankle's or too far from it for what is between them."""
    skeleton = skeleton_of(character)
    far = float(np.linalg.norm(contact.target - ankle.target))
    end, tip = (_offset(skeleton, leg, each) for each in (leg.end, leg.tip))
    if role == leg.tip:
        return abs(far - float(np.linalg.norm(tip + contact.offset)))
    if role == leg.hinge:
        return abs(far - float(np.linalg.norm(end - contact.offset)))
    thigh = np.linalg.norm(_offset(skeleton, leg, leg.hinge) - contact.offset)
    return max(0.0, far - float(thigh + np.linalg.norm(end)))


def _lies_over_sole(character: Character, leg: Limb, contact: Contact, ankle: Effector) -> bool:
    """Whether a contact lays a leg as low as its foot, which is below a shin that stands."""
    skeleton, rig = skeleton_of(character), rig_of(skeleton_of(character))
    shin = float(np.linalg.norm(_offset(skeleton, leg, leg.end)))
    places = joints_of(character).positions
    rises = float(places[rig.joint(leg.hinge)][1] - places[rig.joint(leg.end)][1])
    above = float(ankle.target[1] - contact.target[1])
    return rises > STEEP * shin and above > -LOW * shin


def _offset(skeleton: Skeleton, leg: Limb, role: Role) -> np.ndarray:
    return skeleton.offsets[rig_of(skeleton).joint(role)].astype(np.float64)
