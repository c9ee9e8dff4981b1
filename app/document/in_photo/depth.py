"""Other readings of a picture: a limb that goes nearer or farther, and a body seen from the front or from behind."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.document.model.document import Character
from app.document.model.figure import body_of, joints_of, skeleton_of
from app.document.posing.solving import problem_of
from solver.camera import PinholeCamera
from solver.ik.multi_solve.depth_readings import limb_at, next_reading
from solver.kinematics.mirror import MirrorPlane
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.depth_ambiguity import depth_ambiguous_limbs
from solver.photo.refit import refit_turned
from solver.rig.mirroring import mirror_pose
from solver.rig.rig import rig_of
from solver.rig.roles import Limb
from solver.solvers.catalog import usable_solver


def is_of_limb(character: Character, joint: str) -> bool:
    """Whether a joint belongs to an arm or a leg, which may go nearer or farther."""
    return limb_at(rig_of(skeleton_of(character)), joint) is not None


def other_depth(character: Character, joint: str, eye: NDArray[np.floating]) -> Pose | None:
    """The pose with the next reading of a joint's arm or leg, seen from `eye` (3,) metres; None if there is no other.

    Joints keep their places in the picture, and everything but the limb stays.
    """
    problem = problem_of(character)
    solver = usable_solver(character.solver, problem).solver
    return next_reading(solver, problem, character.pose, joint, np.asarray(eye, np.float64))


def ambiguous_limbs(character: Character, eye: NDArray[np.floating]) -> tuple[Limb, ...]:
    """The arms and legs that may just as well go the other way, by what the photo shows from `eye` (3,) metres."""
    if character.sighting is None:
        return ()
    skeleton = skeleton_of(character)
    found = depth_ambiguous_limbs(skeleton, joints_of(character).positions, eye, character.sighting)
    rig = rig_of(skeleton)
    return tuple(
        limb for limb in found if other_depth(character, skeleton.names[rig.joint(limb.hinge)], eye) is not None
    )


def turned_round(character: Character, eye: NDArray[np.floating], camera: PinholeCamera | None = None) -> Pose:
    """The pose seen from behind where it was seen from the front: the same outline with left and right exchanged.

    The mirror stands upright at the pelvis, square to the level line of sight from `eye` (3,) metres. In a photo, of
    which `camera` is, the mirror image is then fitted to where the body was in it: a camera that looks down sees what
    is nearer lower.
    """
    at = character.pose.root_position.astype(np.float64)
    sight = (at - np.asarray(eye, np.float64)) * [1.0, 0.0, 1.0]
    length = float(np.linalg.norm(sight))
    normal = sight / length if length > 1e-6 else np.array([0.0, 0.0, 1.0])
    turned = mirror_pose(skeleton_of(character), character.pose, MirrorPlane.across(normal, at))
    if camera is None or len(turned.rotations) != len(SMPL_JOINTS):
        return turned
    return refit_turned(body_of(character), character.shape, character.pose, turned, camera)
