"""Which part of somebody or something a hit stands for, by name, and which kinds of hits do what."""

from __future__ import annotations

from rendering.picking.picking import Hit

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
