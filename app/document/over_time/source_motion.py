"""The motion before any edit: an actor's source motion in the world, on the body that the actor has now."""

from __future__ import annotations

import numpy as np

from app.document.model.actor import Actor
from app.document.model.finger_curve import hands_beneath
from solver.body.hands import Hands
from solver.kinematics.pose import Motion, Pose


def source_pose(actor: Actor, frame: int) -> Pose | None:
    """The source motion's pose at a frame of the clip; None where the clip was made without one."""
    if actor.clip.source is None:
        return None
    roots, rotations = actor.source(np.array([frame]))
    return actor.clip.placement.pose(Pose(roots[0], rotations[0]))


def source_moment(actor: Actor, frame: int) -> tuple[Pose, Hands | None] | None:
    """The source motion's pose at a frame, and how it holds the fingers; None without a source motion."""
    pose = source_pose(actor, frame)
    return None if pose is None else (pose, hands_beneath(actor.clip, frame))


def source_motion(actor: Actor) -> Motion | None:
    """The whole source motion; None where the clip was made without one."""
    source = actor.clip.source
    if source is None:
        return None
    return actor.clip.placement.motion(Motion(*actor.source(np.arange(len(source.motion))), source.motion.fps))
