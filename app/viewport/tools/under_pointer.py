"""What is under the pointer: the joint that a press on a body takes, and the name that is shown."""

from __future__ import annotations

import numpy as np

from app.document.problem import joints_of, skeleton_of
from app.document.state import Character, Document
from app.wording import effector_title, joint_title
from rendering.picking import Hit
from solver.ik.effectors import Position
from solver.kinematics.skeleton import BODY_PARTS

ROOT_PARTS = {"move": "move over the floor · with Shift up and down", "turn": "turn"}
TRUNK = BODY_PARTS["torso"]


def joint_at(character: Character, carrier: int, place: np.ndarray) -> str:
    """The joint that one means by a place on the body: the nearer end of that limb, on the trunk the nearest of it.

    carrier: index of the joint that carries the skin there. place: (3,) metres.
    """
    skeleton = skeleton_of(character)
    name = skeleton.names[carrier]
    limb = (name, *(skeleton.names[j] for j in skeleton.children(carrier)))
    among = TRUNK if name in TRUNK else limb
    joints = joints_of(character).positions
    return min(among, key=lambda joint: float(np.linalg.norm(joints[skeleton.index(joint)] - place)))


def limb_hit(character: Character, hit: Hit) -> Hit:
    """A hit of the character's body as one of the joint meant by it: of its handle if that holds the joint's place."""
    assert hit.joint is not None
    assert hit.place is not None
    joint = joint_at(character, hit.joint, hit.place)
    held = next((e for e in character.effectors if e.joint == joint and isinstance(e, Position)), None)
    return Hit("handle", ("effector", held.id), hit.depth) if held else Hit("joint", ("joint", joint), hit.depth)


def name_of(document: Document, active: Character | None, hit: Hit | None) -> str:
    """What is hit, by name: a joint, an effector, what a root handle does, or another person.

    "" for all else, and for what is gone.
    """
    if hit is None:
        return ""
    if hit.kind == "figure":
        return next((c.name for c in document.characters if c.id == hit.id), "")
    if active is None or not isinstance(hit.id, tuple):
        return ""
    if hit.kind == "root":
        return f"{active.name}: {ROOT_PARTS[str(hit.id[1])]}"
    if hit.kind == "joint":
        return joint_title(str(hit.id[1]))
    return next((effector_title(e) for e in active.effectors if e.id == hit.id[1]), "")
