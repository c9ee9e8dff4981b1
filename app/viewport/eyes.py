"""What a person's eyes look at, and how that turns them, which follows only from the pose and the head's look."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character
from app.document.posing.solving import body_of, skeleton_of
from solver.body.eyes import eyes_of
from solver.effectors.effector import Effector
from solver.effectors.form_ids import AIM
from solver.kinematics.fk import WorldJoints
from solver.memoise import memoised_on_value
from solver.rig.rig import rig_of
from solver.rig.roles import Role
from solver.values import FloatArray

Place = tuple[float, float, float]


@memoised_on_value
def gaze_target(character: Character) -> Place | None:
    """Metres, what the head is asked to face; None if nothing asks it to look anywhere."""
    looks = [e for e in character.effectors if e.form == AIM and e.is_active]
    heads = rig_of(skeleton_of(character)).names_of([Role.HEAD]) if looks else ()
    look = next((e for e in looks if e.joint in heads), None)
    if look is None:
        return None
    x, y, z = look.target.tolist()
    return x, y, z


def held_in_picture(effector: Effector, character: Character, world: WorldJoints) -> FloatArray:
    """(3,) metres, where on the body an effector's line begins: where the head looks, between the eyes."""
    skeleton = skeleton_of(character)
    if effector.form == AIM:
        eyes, j = eyes_of(body_of(character), character.shape), skeleton.index(effector.joint)
        if eyes is not None and eyes.head == j:
            away, frames = eyes.places.mean(axis=0) - skeleton.rest_positions[j], skeleton.rest_frames
            return world.positions[j] + world.rotations[j] @ (away if frames is None else frames[j].T @ away)
    return effector.held_at(skeleton, world)


def drawn_eyes(character: Character, target: Place | None, skinning: NDArray[np.float32]) -> FloatArray | None:
    """(2, 3, 4) the eyes in a figure's form; None for a body without any.

    target: metres, None for straight ahead. skinning: (J, 4, 4) from rest to the world.
    """
    eyes = eyes_of(body_of(character), character.shape)
    if eyes is None:
        return None
    return eyes.posed(skinning[eyes.head], None if target is None else np.array(target))
