"""Which joint of a file is which: as somebody said beforehand, or as it has to be asked."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from solver.formats.bvh.file import BvhFile
from solver.formats.bvh.world import BvhWorld
from solver.rig.foreign_skeleton import ForeignSkeleton
from solver.rig.joint_guess import JointGuess, guess_joints
from solver.rig.joint_map_check import wrong_sides
from solver.rig.joint_map_file import JointMaps
from solver.rig.joint_recognition import REQUIRED
from solver.rig.shape_recognition import on_four_legs

_SAMPLES = 40  # frames that tell which side is left


@dataclass(frozen=True, eq=False)
class JointQuestion:
    """A skeleton about whose joints a person should be asked."""

    skeleton: ForeignSkeleton
    guess: JointGuess


def foreign_skeleton(bvh: BvhFile) -> ForeignSkeleton:
    """A file's skeleton at rest and in some of its frames."""
    world = BvhWorld(bvh, slice(None, None, max(1, len(bvh) // _SAMPLES)))
    poses = np.stack([world.position(j) for j in range(len(bvh.joints))], axis=1)
    return ForeignSkeleton(bvh.names, bvh.parents, bvh.rest_positions, poses)


def known_joints(bvh: BvhFile, maps: JointMaps) -> BvhFile | None:
    """The file with the map that was chosen for its skeleton; None if none was."""
    if not maps.chosen or len(bvh.joints) < len(REQUIRED):
        return None
    joints = maps.chosen_for(foreign_skeleton(bvh))
    return None if joints is None else replace(bvh, given=joints)


def mapped(bvh: BvhFile, maps: JointMaps) -> BvhFile:
    """The file with what is known about its joints; the file itself if nothing is. InputRefused for a map that does
    not fit it."""
    if bvh.given is not None:
        return bvh
    if maps.everywhere is not None:
        return replace(bvh, given=maps.given_for(foreign_skeleton(bvh)))
    return known_joints(bvh, maps) or bvh


def question_about(bvh: BvhFile) -> JointQuestion | None:
    """What to ask about a file's joints; None where somebody said which is which, where all is clear, and where there
    are too few joints for a body, or those of an animal."""
    if bvh.given is not None or len(bvh.joints) < len(REQUIRED):
        return None
    skeleton = foreign_skeleton(bvh)
    guess = guess_joints(skeleton)
    if not guess.question or on_four_legs(guess.joints, skeleton.names, skeleton.rest):
        return None
    return JointQuestion(skeleton, guess)


def exchanged_sides(bvh: BvhFile) -> bool:
    """Whether joints named left are on the body's right side; not where a person said which joint is which."""
    return bvh.given is None and bool(wrong_sides(foreign_skeleton(bvh), bvh.joint_map.joints))
