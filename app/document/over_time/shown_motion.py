"""What a character does over time as shown, with everything that was posed: what exports write."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from app.document.model.actor import actor_of
from app.document.model.character import Character
from app.document.model.finger_curve import hands_at_frames, hands_move
from app.document.over_time.in_betweens import completed
from solver.body.hands import HandMotion, Hands, hands_or_motion
from solver.body.whole_rig import AT_REST, FINGER_JOINTS
from solver.kinematics.pose import Motion
from solver.values import FloatArray

HandsOverTime = Hands | HandMotion | None


def shown_hands(character: Character) -> HandsOverTime:
    """Every frame's fingers as shown; one way of holding them if they do not move, None at rest."""
    clip = actor_of(character).clip
    return hands_or_motion(hands_at_frames(clip)) if hands_move(clip) else character.hands


def shown_turns(character: Character, motion: bool) -> Mapping[str, FloatArray]:
    """How finger joints are turned, by SMPL-X's names: (3, 3) each, or (F, 3, 3) for the frames of a motion with moving
    fingers."""
    clip = actor_of(character).clip
    if motion and hands_move(clip):
        return dict(zip(FINGER_JOINTS, np.moveaxis(hands_at_frames(clip), 1, 0), strict=True))
    return character.hands.by_joint() if character.hands is not None else AT_REST


def shown_motion(character: Character) -> Motion | None:
    """Every frame in the world as shown; None for somebody who stands still."""
    actor = completed(actor_of(character))
    motion, frames = actor.motion(), range(len(actor.clip))
    if motion is not None or len(frames) == 1:
        return motion
    poses = [actor.at(frame).pose for frame in frames]
    roots, rotations = np.stack([p.root_position for p in poses]), np.stack([p.rotations for p in poses])
    return Motion(roots, rotations, actor.clip.fps)
