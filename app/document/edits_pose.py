"""Edits that pose a character as a whole: solutions, base pose, mirror, paste, motion. Each returns an edit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document import problem
from app.document.edits_characters import on_character
from app.document.follow import following
from app.document.history import Edit
from app.document.mirroring import mirrored
from app.document.problem import skeleton_of
from app.document.state import Character, Document
from solver.errors import PoserError
from solver.ik.problem import IKSolution
from solver.kinematics.pose import Motion, Pose


def with_solution(character_id: str, solution: IKSolution) -> Edit:
    """Fold a solver's answer in: pose, residuals, what the solver remembers, and the time it took."""

    def edit(document: Document) -> Document:
        return document.with_character(problem.with_solution(document.character(character_id), solution))

    return edit


def solve(character_id: str) -> Edit:
    """Solve the character here and now; for tests, files and the command line."""

    def edit(document: Document) -> Document:
        return document.with_character(problem.solved(document.character(character_id)))

    return edit


def set_pose(character_id: str, pose: Pose) -> Edit:
    """Put the character into `pose`, which becomes its base pose; effectors follow."""

    def change(character: Character) -> Character:
        _check_joints(character, len(pose.rotations))
        return following(character, pose)

    return on_character(character_id, change)


def set_current_as_base(character_id: str) -> Edit:
    """Make the present pose the base pose."""
    return on_character(character_id, lambda c: replace(c, base_pose=c.pose))


def reset_to_base(character_id: str) -> Edit:
    """Go back to the base pose; effectors follow."""
    return on_character(character_id, lambda c: following(c, c.base_pose))


def mirror_pose(character_id: str) -> Edit:
    """Exchange left and right where the character stands: pose, base pose, effectors and preserved joints."""
    return on_character(character_id, mirrored)


def paste_pose(character_id: str, source: Character, flipped: bool = False) -> Edit:
    """Take over the pose of `source` (a character as it was when copied), left and right exchanged if `flipped`.

    The character stays where it stands on the floor; the pelvis's height follows the bodies' proportions.
    """
    giver = mirrored(source) if flipped else source

    def change(character: Character) -> Character:
        _check_joints(character, len(giver.pose.rotations))
        scale = float(skeleton_of(character).offsets[0][1] / skeleton_of(giver).offsets[0][1])
        root = np.array(character.pose.root_position)
        root[1] = giver.pose.root_position[1] * scale
        return following(character, Pose(root, giver.pose.rotations))

    return on_character(character_id, change)


def import_motion(character_id: str, motion: Motion, frame: int = 0) -> Edit:
    """Give the character a motion and show one of its frames; effectors follow."""

    def change(character: Character) -> Character:
        _check_joints(character, motion.rotations.shape[1])
        return _at_frame(replace(character, motion=motion), frame)

    return on_character(character_id, change)


def set_frame(character_id: str, frame: int) -> Edit:
    """Show another frame of the character's motion (clipped to its length); effectors follow."""

    def change(character: Character) -> Character:
        if character.motion is None:
            raise PoserError(f"“{character.name}” has no motion to choose a frame of.")
        return _at_frame(character, frame)

    return on_character(character_id, change)


def drop_motion(character_id: str) -> Edit:
    """Forget the motion and keep the pose of the frame now shown."""
    return on_character(character_id, lambda c: replace(c, motion=None, frame=0))


def _at_frame(character: Character, frame: int) -> Character:
    assert character.motion is not None
    frame = min(max(int(frame), 0), len(character.motion) - 1)
    return replace(following(character, character.motion.pose(frame)), frame=frame)


def _check_joints(character: Character, joints: int) -> None:
    expected = len(skeleton_of(character))
    if joints != expected:
        raise PoserError(f"The pose has {joints} joints, “{character.name}” has {expected}.")
