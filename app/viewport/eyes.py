"""What a person's eyes look at, and how that turns them, which follows only from the pose and the head's look."""

from __future__ import annotations

import numpy as np

from app.document.model.document import Character
from app.document.posing.solving import body_of, skeleton_of
from solver.body.eyes import eyes_of
from solver.effectors.form_ids import AIM
from solver.kinematics.fk import skinning_matrices
from solver.rig.rig import rig_of
from solver.rig.roles import Role
from solver.values import FloatArray

Place = tuple[float, float, float]


def looked_at(character: Character) -> Place | None:
    """Metres, what the head is asked to face; None if nothing asks it to look anywhere."""
    heads = rig_of(skeleton_of(character)).names_of([Role.HEAD])
    look = next((e for e in character.effectors if e.asks and e.form == AIM and e.joint in heads), None)
    if look is None:
        return None
    x, y, z = look.target.tolist()
    return x, y, z


def drawn_eyes(character: Character, target: Place | None) -> FloatArray | None:
    """(2, 3, 4) the eyes in a figure's form; None for a body without any. target: metres, None for straight ahead."""
    eyes = eyes_of(body_of(character), character.shape)
    if eyes is None:
        return None
    head = skinning_matrices(skeleton_of(character), character.pose)[eyes.head]
    return eyes.posed(head, None if target is None else np.array(target))
