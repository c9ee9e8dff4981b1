"""A character's pose as it goes onto the rig of the user's own one: into a file, and into the view."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.document.model.character import Character
from app.document.model.own_skin import OwnSkin
from app.document.posing.solving import body_of, skeleton_of
from solver.body.body import Body, BodyShape
from solver.body.fingers import has_fingers
from solver.body.hands import Hands, relaxed_hands
from solver.body.whole_rig import AT_REST
from solver.formats.bvh.onto_rig import OwnMotion
from solver.formats.mesh.rig_skin import RigSkin
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised_on_value

POSE_FPS = 30.0


def own_pose(character: Character, pose: Pose | None = None) -> OwnMotion:
    """The pose shown, or another one, with the fingers where they were posed or came with a motion."""
    body, shown = body_of(character), pose or character.pose
    motion = Motion(shown.root_position[None], shown.rotations[None], POSE_FPS)
    hands, turned, whole = character.hands, AT_REST, None
    if hands is not None and has_fingers(body) and not _is_relaxed(hands):
        turned, whole = hands.by_joint(), body.whole_rig(character.shape)
    return OwnMotion(skeleton_of(character), motion, whole, turned)


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


@memoised_on_value
def _is_relaxed(hands: Hands) -> bool:
    """Whether they are held as every new person's: nobody has posed them."""
    return bool(np.array_equal(hands.rotations, relaxed_hands().rotations))
