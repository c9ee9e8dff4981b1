"""What a motion is compared with: an actor's source motion in the world, on the actor's present body. Without one, if
frames between keys are solved, the way of the joints alone from key to key."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from app.document.model.actor import Actor
from app.document.model.between import pose_at
from app.document.model.clip import JOINTS, SOLVED, Clip
from app.document.model.finger_curve import hands_at, hands_beneath
from solver.body.hands import Hands
from solver.kinematics.pose import Motion, Pose


def has_before(clip: Clip) -> bool:
    """Whether there is something to compare a clip with."""
    if clip.source is not None:
        return True
    return clip.between.by == SOLVED and any(b.frame - a.frame > 1 for a, b in pairwise(clip.keys))


def source_pose(actor: Actor, frame: int) -> Pose | None:
    """The source motion's pose at a frame of the clip, else that of the joints alone; None if there is neither."""
    clip = actor.clip
    if not has_before(clip):
        return None
    if clip.source is None:
        return clip.placement.pose(pose_at(clip, frame))
    roots, rotations = actor.source(np.array([frame]))
    return clip.placement.pose(Pose(roots[0], rotations[0]))


def source_moment(actor: Actor, frame: int) -> tuple[Pose, Hands | None] | None:
    """That pose at a frame, and how the fingers are held there; None where there is none."""
    pose, clip = source_pose(actor, frame), actor.clip
    if pose is None:
        return None
    return pose, hands_at(clip, frame) if clip.source is None else hands_beneath(clip, frame)


def source_motion(actor: Actor) -> Motion | None:
    """The whole motion that a clip is compared with; None where there is none."""
    clip = actor.clip
    if not has_before(clip):
        return None
    if clip.source is None:
        return replace(actor, clip=replace(clip, between=replace(clip.between, by=JOINTS))).motion()
    return clip.placement.motion(Motion(*actor.source(np.arange(len(clip.source.motion))), clip.source.motion.fps))
