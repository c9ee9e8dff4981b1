"""What the tests of solving share: the embedded body's skeleton, and problems on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import numpy as np

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.floor import lowest_sole_point
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.ik.pose_prior import natural_pose
from solver.ik.preserve_modes import LOCAL, PreserveMode, posed_joints
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import geodesic_angle
from solver.kinematics.skeleton import Skeleton
from solver.rig.level_feet import with_level_feet

FEET = ("left_ankle", "right_ankle")
FIVE = ("left_wrist", "right_wrist", *FEET, "head")


@cache
def body_skeleton() -> Skeleton:
    return load_body("anny").skeleton(BodyShape())


def natural() -> Pose:
    return natural_pose(body_skeleton())


def masks(**values: float) -> np.ndarray:
    """(24,) zeros but for the joints named."""
    mask = np.zeros(len(body_skeleton()), np.float32)
    for name, value in values.items():
        mask[body_skeleton().index(name)] = value
    return mask


def problem(
    effectors: Iterable[Effector],
    base: Pose | None = None,
    keep_place: np.ndarray | None = None,
    keep_turn: np.ndarray | None = None,
) -> IKProblem:
    free = masks()
    return IKProblem(
        body_skeleton(),
        BodyShape(),
        tuple(effectors),
        natural() if base is None else base,
        free if keep_place is None else keep_place,
        free if keep_turn is None else keep_turn,
    )


def kept(asked: list[Effector], mode: PreserveMode = LOCAL, strength: float = 1.0) -> IKProblem:
    """About the natural pose, of which a mode keeps all that no effector poses, as firmly as a strength says."""
    skeleton = body_skeleton()
    place, shape = (np.array(mask) * np.float32(strength) for mask in mode.masks(skeleton))
    for mask in (place, shape):
        mask[posed_joints(skeleton, asked)] = 0.0
    return problem(asked, natural(), place, shape)


def place(pose: Pose, joint: str) -> np.ndarray:
    """Where the joint is in the world."""
    return forward_kinematics(body_skeleton(), pose).positions[body_skeleton().index(joint)]


def position(pose: Pose, joint: str, shift: Iterable[float] = (0, 0, 0), **options) -> Position:
    """A position effector at the joint of `pose`, shifted by metres."""
    return Position(joint, place(pose, joint) + np.array(shift, np.float32), **options)


def rotation(pose: Pose, joint: str, turn: np.ndarray | None = None, **options) -> Rotation:
    """A rotation effector at the joint's turn in `pose`, turned further in the world."""
    world = forward_kinematics(body_skeleton(), pose).rotations[body_skeleton().index(joint)]
    return Rotation(joint, world if turn is None else (turn @ world).astype(np.float32), **options)


def look(pose: Pose, shift: Iterable[float] = (0, 0, 0), **options) -> LookAt:
    """The head's look-at, a metre ahead of the face and shifted."""
    joints, head = forward_kinematics(body_skeleton(), pose), body_skeleton().index("head")
    return LookAt(
        "head", joints.positions[head] + joints.rotations[head][:, 2] + np.array(shift, np.float32), **options
    )


def largest_turn(a: Pose, b: Pose) -> float:
    """Degrees, the most that any joint differs."""
    return float(np.degrees(geodesic_angle(a.rotations, b.rotations)).max())


def difference(a: Pose, b: Pose) -> float:
    """The largest difference of any number of two poses (metres, matrix entries)."""
    return float(max(np.abs(a.rotations - b.rotations).max(), np.abs(a.root_position - b.root_position).max()))


def standing() -> Pose:
    """Natural, with level soles on the floor."""
    pose = with_level_feet(body_skeleton(), natural())
    drop = np.array([0.0, lowest_sole_point(load_body("anny"), BodyShape(), pose), 0.0], np.float32)
    return replace(pose, root_position=pose.root_position - drop)
