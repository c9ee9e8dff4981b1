"""A character's pose as it goes onto the rig of the user's own one: into a file, and into the view."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from app.document.model.character import Character
from app.document.model.figure import body_of, skeleton_of
from app.document.model.finger_curve import hands_move
from app.document.model.own_skin import OwnSkin
from app.document.model.placement import HERE
from app.document.over_time.shown_motion import shown_motion, shown_turns
from solver.body.body import Body, BodyShape
from solver.body.fingers import has_fingers
from solver.body.hands import Hands, hands_at_rest, relaxed_hands
from solver.formats.bvh.onto_rig import OwnMotion
from solver.formats.mesh.rig_skin import RigSkin
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised_on_value
from solver.values import FloatArray

POSE_FPS = 30.0


def own_pose(character: Character, pose: Pose | None = None) -> OwnMotion:
    """The pose shown, or another one, with the fingers where they were posed or came with a motion."""
    shown = pose or character.pose
    motion = Motion(shown.root_position[None], shown.rotations[None], POSE_FPS)
    return _with_fingers(character, motion, (character.hands or hands_at_rest()).by_joint())


def own_motion(character: Character) -> OwnMotion:
    """All frames of somebody with a motion, with the fingers as `own_pose` has them; the pose of anybody else."""
    motion = shown_motion(character)
    return own_pose(character) if motion is None else _with_fingers(character, motion, shown_turns(character, True))


def own_matrices(character: Character, own: OwnSkin, pose: Pose | None = None) -> NDArray[np.float64]:
    """(B, 4, 4): from the own skin at rest into the world, for each of its bones, as an export would pose it."""
    return own.rig().matrices(own_pose(character, pose))


def get_ready(own: OwnSkin, body: Body, shape: BodyShape) -> None:
    """Work out what takes a moment before the first picture, where nobody waits for it."""
    at_rest_matrices(own.rig(), body.skeleton(shape))


def at_rest_matrices(rig: RigSkin, skeleton: Skeleton) -> NDArray[np.float64]:
    """(B, 4, 4) like `own_matrices`, for a body in its T-pose."""
    turns = np.tile(np.eye(3, dtype=np.float32), (1, len(skeleton), 1, 1))
    return rig.matrices(OwnMotion(skeleton, Motion(skeleton.rest_positions[:1], turns)))


def _with_fingers(character: Character, motion: Motion, turned: Mapping[str, FloatArray]) -> OwnMotion:
    """turned: the fingers' joints in the frames of the motion; left out where nobody posed them at any frame."""
    body = body_of(character)
    posed = hands_move(character.clip) or not _are_unposed(character)
    place = character.clip.placement
    moved = None if place == HERE else place.rigid
    if not posed or not has_fingers(body):
        return OwnMotion(skeleton_of(character), motion, moved=moved)
    return OwnMotion(skeleton_of(character), motion, body.whole_rig(character.shape), turned, moved)


def _are_unposed(character: Character) -> bool:
    """Whether the fingers are at rest; or, where nothing shows how the rig has them, held as every new person's."""
    hands = character.hands
    return hands is None or (character.own_skin is None and _is_relaxed(hands))


@memoised_on_value
def _is_relaxed(hands: Hands) -> bool:
    return bool(np.array_equal(hands.rotations, relaxed_hands().rotations))
