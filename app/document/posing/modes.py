"""The modes of keeping the base pose, for a character: which one it is in, and when to offer another."""

from __future__ import annotations

import numpy as np

from app.document.model.document import Character
from app.document.model.figure import skeleton_of
from app.document.posing.solving import solver_heeds
from solver.effectors.forms import TurnEffector
from solver.ik.preserve_modes import LEAST, PRESERVE_MODES, PreserveMode
from solver.ik.solver import PRESERVATION
from solver.kinematics.rotations import geodesic_angle

HALF_TURN = float(np.radians(120.0))  # from here on, places of the base pose are behind one's back


def mode_of(character: Character) -> PreserveMode | None:
    """The mode that the character is in, however strong; None for anything between."""
    every, kept = frozenset(skeleton_of(character).names), character.preserve
    for mode in PRESERVE_MODES:
        place, shape = (every if share > 0 else frozenset() for share in (mode.place, mode.shape))
        if (kept.place, kept.shape) == (place, shape):
            return mode
    return None


def keeps_some(character: Character) -> bool:
    """Whether anything of the base pose is kept, and the character's solver heeds that."""
    kept = character.preserve
    some = (kept.place and kept.strength > LEAST) or (kept.shape and kept.shape_strength > LEAST)
    return bool(some) and solver_heeds(character, PRESERVATION)


def half_turn(character: Character) -> float | None:
    """Radians by which the root is asked to turn away from a base pose whose places are kept; None below `HALF_TURN`.

    The paper's remedy is to solve anew in *Global* (SKEL-IK, section 7).
    """
    kept = character.preserve
    root = skeleton_of(character).names[0]
    if kept.strength <= LEAST or not kept.place - {root} or not solver_heeds(character, PRESERVATION):
        return None
    for effector in character.effectors:
        if effector.is_active and effector.joint == root and isinstance(effector, TurnEffector):
            angle = float(geodesic_angle(effector.target, character.base_pose.rotations[0]))
            if angle > HALF_TURN:
                return angle
    return None
