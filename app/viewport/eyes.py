"""What a person's eyes look at, and how that turns them, which follows only from the pose and the head's look."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character
from app.document.model.figure import body_of, skeleton_of
from solver.body.eyes import Eyes, eyes_of
from solver.effectors.effector import Effector
from solver.effectors.form_ids import AIM
from solver.kinematics.fk import WorldJoints
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised, memoised_on_value
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


def held_in_picture(effector: Effector, character: Character, skeleton: Skeleton, world: WorldJoints) -> FloatArray:
    """(3,) metres, where on the body an effector's line begins: where the head looks, between the eyes."""
    if effector.form == AIM:
        eyes, j = _eyes_of(character), skeleton.index(effector.joint)
        if eyes is not None and eyes.head == j:
            return world.positions[j] + world.rotations[j] @ _between(eyes, skeleton)
    return effector.held_at(skeleton, world)


def drawn_eyes(character: Character, target: Place | None, skinning: NDArray[np.float32]) -> FloatArray | None:
    """(2, 3, 4) the eyes in a figure's form; None for a body without any.

    target: metres, None for straight ahead. skinning: (J, 4, 4) from rest to the world.
    """
    eyes = _eyes_of(character)
    return None if eyes is None else eyes.posed(skinning[eyes.head], target)


@memoised_on_value
def _eyes_of(character: Character) -> Eyes | None:
    return eyes_of(body_of(character), character.shape)


@memoised(8, by_identity=True)
def _between(eyes: Eyes, skeleton: Skeleton) -> FloatArray:
    """(3,) metres in the frame of the joint that carries them, the middle between both."""
    away, frames = eyes.places.mean(axis=0) - skeleton.rest_positions[eyes.head], skeleton.rest_frames
    return away if frames is None else frames[eyes.head].T @ away
