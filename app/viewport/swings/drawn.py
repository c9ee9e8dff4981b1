"""How people who jump among solid things are drawn: for a moment on their way there, instead of there at once.

Documents hold nothing of this: the pose of a character is the answer of its solver from the start.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from app.document.model.document import Character
from app.document.model.figure import skeleton_of
from app.document.posing.loose_effectors import carried_along
from app.document.posing.solving import problem_of
from app.document.posing.surroundings import Surroundings, is_solid
from solver.effectors.effector import Effector
from solver.ik.anchor import distance_moved
from solver.kinematics.pose import Pose

JUMPS_M, TIMES = 0.05, 2.0  # metres that a joint moves in a step, besides so many times as far as targets do: a jump
SPEED, LONGEST_S = 1.2, 0.28  # metres a second of the joint that moves most in a swing; seconds that it takes at most
FRAME_S = 1 / 60  # seconds since the picture before, for the first one of a swing
NEARLY_M = 0.02  # metres that are left: the body goes over at once


@dataclass(frozen=True)
class Drawn:
    """How somebody is drawn. character: as in the document. pose: as drawn. at_s: when, in seconds of some clock.
    asked: the effectors for which the character's pose was found. ends_s: when its swing is over; None where the pose
    drawn is the character's own."""

    character: Character
    pose: Pose
    at_s: float
    asked: tuple[Effector, ...]
    ends_s: float | None = None

    @property
    def shown(self) -> Character:
        """The character in the pose drawn, with loose effectors where that has them."""
        character = self.character
        if self.ends_s is None:
            return character
        carried = carried_along(character.effectors, skeleton_of(character), character.pose, self.pose)
        return replace(character, pose=self.pose, effectors=carried)


def drawn_next(
    was: Drawn | None, character: Character, now_s: float, in_drag: bool, around: Surroundings | None = None
) -> Drawn:
    """How somebody is drawn who was drawn like that before; None where nobody was.

    in_drag: whether the pose is an answer to the step of a drag. around: what the body may not pass through besides
    itself. Anything else than a drag that poses a person ends their swing.
    """
    there = Drawn(character, character.pose, now_s, character.effectors)
    if was is None or not is_solid(character) or not _is_the_same(was.character, character):
        return there
    ends_s, at_s = was.ends_s, was.at_s
    if was.character.pose == character.pose:
        there = replace(there, asked=was.asked)
    elif not in_drag:
        return there
    else:
        way = _jump(was, character)
        if way > 0.0:
            at_s = now_s - FRAME_S
            ends_s = at_s + min(way / SPEED, LONGEST_S)
    if ends_s is None or now_s >= ends_s:
        return there
    from solver.ik.multi_solve.swing import swung  # it brings compiled code along
    from solver.kinematics.pose_distance import apart

    if apart(skeleton_of(character), was.pose, character.pose).max() <= NEARLY_M:
        return there
    share = max(now_s - at_s, 0.0) / (ends_s - at_s)
    pose = swung(problem_of(character, surroundings=around), was.pose, character.pose, share)
    return there if pose is None else replace(there, pose=pose, ends_s=ends_s)


def _is_the_same(one: Character, other: Character) -> bool:
    """Whether both are one person at one frame, of the same build."""
    return (one.id, one.frame, one.body) == (other.id, other.frame, other.body) and one.shape == other.shape


def _jump(was: Drawn, character: Character) -> float:
    """Metres from the pose drawn to the character's, of the joint that is furthest away, if it jumps from the pose
    before; 0 if it does not, as where the whole person is carried."""
    from solver.kinematics.pose_distance import apart

    skeleton, before, after = skeleton_of(character), was.character.pose, character.pose
    carried = Pose(after.root_position, np.concatenate([after.rotations[:1], before.rotations[1:]]))
    least = JUMPS_M + TIMES * distance_moved(was.asked, character.effectors)
    if min(apart(skeleton, pose, after).max() for pose in (before, carried)) <= least:
        return 0.0
    return float(apart(skeleton, was.pose, after).max())
