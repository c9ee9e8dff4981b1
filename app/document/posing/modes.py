"""The modes of keeping the base pose, for a character: which one it is in, and when to offer another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.document.model.document import Character
from app.document.model.figure import skeleton_of
from app.document.posing.solving import is_proposal, problem_of, refusal_for, solver_heeds
from solver.effectors.forms import TurnEffector
from solver.ik.preserve_modes import LEAST, PRESERVE_MODES, PreserveMode
from solver.ik.solver import PRESERVATION
from solver.kinematics.rotations import geodesic_angle
from solver.rig.rig import rig_of
from solver.rig.roles import Role
from solver.solvers.catalog import spec_of

if TYPE_CHECKING:
    from solver.ik.kept_places import LetGo

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


def off_their_places(character: Character) -> tuple[LetGo, ...]:
    """The kept joints of a posed character that are off their places, and why, the furthest first; none where its
    solver holds no places, and between keys. Where all of the body is kept, pelvis and head go along with what is
    dragged, and no word is needed."""
    if not character.preserve.place or is_proposal(character) or character.clip.key(character.frame) is None:
        return ()
    if not spec_of(character.solver).holds_kept or refusal_for(character):
        return ()
    from solver.ik.kept_places import let_go  # not needed to show the window

    rig = rig_of(skeleton_of(character))
    free = {rig.names[j] for j in (0, rig.find(Role.HEAD)) if j is not None} if mode_of(character) else set()
    return tuple(each for each in let_go(problem_of(character), character.pose) if each.joint not in free)


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
