"""What a character does over time as it is shown, with everything that was posed: what exports write."""

from __future__ import annotations

import numpy as np

from app.document.model.actor import actor_of
from app.document.model.character import Character
from app.document.over_time.in_betweens import completed
from solver.kinematics.pose import Motion


def shown_motion(character: Character) -> Motion | None:
    """Every frame in the world, as it is shown; None for somebody who stands still."""
    actor = completed(actor_of(character))
    motion, frames = actor.motion(), range(len(actor.clip))
    if motion is not None or len(frames) == 1:
        return motion
    poses = [actor.at(frame).pose for frame in frames]
    roots, rotations = np.stack([p.root_position for p in poses]), np.stack([p.rotations for p in poses])
    return Motion(roots, rotations, actor.clip.fps)
