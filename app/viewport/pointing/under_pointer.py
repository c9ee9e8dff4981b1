"""What is under the pointer: the part that a hit stands for, the joint that a press takes, and the name to show."""

from __future__ import annotations

import numpy as np

from app.document.model.document import Character, Document
from app.document.model.figure import joints_of, skeleton_of
from app.document.posing.fingertips import finger_name
from app.look.wording import effector_title, finger_title, joint_title
from rendering.camera.camera import View
from rendering.picking.picking import Hit
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, TRUNK

ROOT_PARTS = {"move": "move over the floor · with Shift up and down", "turn": "turn"}
HIGHLIGHTED = ("handle", "joint", "root", "finger")
WHEELED = ("handle", "joint", "gizmo", "root", "prop")  # what the wheel turns while grabbed


def name_of_hit(hit: Hit) -> str:
    """The effector's id or the joint's name within the scene's id, such as ("joint", "left_knee")."""
    assert isinstance(hit.id, tuple)
    return str(hit.id[1])


def other_owner(hit: Hit) -> str:
    """The id of the person whose root handle is hit, if not the active one's."""
    return str(hit.id[2]) if hit.kind == "root" and isinstance(hit.id, tuple) and len(hit.id) > 2 else ""


def joint_of_hit(hit: Hit) -> str:
    """The name of the joint that is hit; for a finger, the hand's."""
    if hit.kind != "finger":
        return name_of_hit(hit)
    from app.viewport.finger_pick import hand_of  # only once a hand is pointed at

    return hand_of(name_of_hit(hit))


def joint_at(character: Character, carrier: int, place: np.ndarray) -> str:
    """The joint meant by a place on the body: the nearer end of that limb, or the nearest joint of the trunk, of those
    that the character has.

    carrier: index of the joint that carries the skin there. place: (3,) metres.
    """
    skeleton = rig_of(skeleton_of(character))
    trunk, own = skeleton.names_of(TRUNK), skeleton.own_names
    while skeleton.names[carrier] not in own:
        carrier = skeleton.parents[carrier]
    name = skeleton.names[carrier]
    limb = (name, *(skeleton.names[j] for j in skeleton.children(carrier)))
    among = [joint for joint in (trunk if name in trunk else limb) if joint in own]
    joints = joints_of(character).positions
    return min(among, key=lambda joint: float(np.linalg.norm(joints[skeleton.index(joint)] - place)))


def limb_hit(character: Character, hit: Hit) -> Hit:
    """A hit on the character's body as one on the joint it means, or on its handle if that holds the joint's place."""
    assert hit.joint is not None
    assert hit.place is not None
    joint = joint_at(character, hit.joint, hit.place)
    held = next((e for e in character.effectors if e.joint == joint and e.holds_joint), None)
    return Hit("handle", ("effector", held.id), hit.depth) if held else Hit("joint", ("joint", joint), hit.depth)


def finger_or_limb(character: Character, hit: Hit, view: View, wide: bool) -> Hit:
    """A hit on the character's body as one on a finger, or on the joint it means; see `finger_hit`."""
    if hit.joint in _hands(character):
        from app.viewport.finger_pick import finger_hit  # only once a hand is pointed at

        return finger_hit(character, hit, view, wide) or limb_hit(character, hit)
    return limb_hit(character, hit)


def _hands(character: Character) -> list[int]:
    skeleton = rig_of(skeleton_of(character))
    return [skeleton.index(name) for name in skeleton.names_of(arm.tip for arm in ARMS)]


def name_of(document: Document, active: Character | None, hit: Hit | None, people: int = 1) -> str:
    """The name of what is hit: a joint, a finger's point, an effector, what a root handle does, a prop, or a person.

    "" for anything else, and for what is gone. people: how many are selected, all of whom a root handle moves.
    """
    if hit is None:
        return ""
    if hit.kind == "figure":
        return next((c.name for c in document.characters if c.id == hit.id), "")
    if hit.kind == "prop":
        return next((prop.name for prop in document.props if ("prop", prop.id) == hit.id), "")
    if active is None or not isinstance(hit.id, tuple):
        return ""
    if hit.kind == "root":
        whose = next((c.name for c in document.characters if c.id in hit.id[2:]), active.name)
        whose += {1: "", 2: " and another one"}.get(people, f" and {people - 1} others")
        return f"{whose}: {ROOT_PARTS[str(hit.id[1])]}"
    if hit.kind == "finger":
        return finger_title(str(hit.id[1]))
    if hit.kind == "joint":
        return joint_title(str(hit.id[1]))
    return next((effector_title(e, finger_name(active, e)) for e in active.effectors if e.id == hit.id[1]), "")
