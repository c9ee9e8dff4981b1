"""Poses for scripts.photo.photo_renderings, by posture class: recorded ones, and made-up ones where records are few."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.networks.contact_poses import POSTURES as CONTACTS
from scripts.networks.contact_poses import on_floor
from solver.body.body import Body, BodyShape
from solver.errors import InputRefused
from solver.evaluation.body_joints import BODY_JOINTS, body_skeleton
from solver.evaluation.poses import read_poses
from solver.evaluation.posture import POSTURES, Posture, postures_of
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS, Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import LEGS, Role

EVERY = 5  # frames of a clip
MADE_UP = "made up"
TRIES = 40  # for each posture that is made up
SEAT_M = 0.35  # height of the pelvis from which there is room for a stool below
DANCES = "salsa"  # in a clip's name


@dataclass(frozen=True, eq=False)
class Held:
    """A pose and its origin. lift: metres of its lowest point above what is below. seat: whether it needs a stool."""

    posture: Posture
    clip: str
    frame: int
    rotations: NDArray[np.float64]
    lift: float = 0.0
    seat: bool = False


Pool = dict[Posture, list[Held]]


def pool_of(folder: Path, split: str, body: Body, seed: int) -> Pool:
    """Poses of a folder of BVH files, and made-up ones of the postures that are seldom recorded.

    Raises InputRefused if no clip can be used, or nobody in them stands.
    """
    skeleton = body.skeleton(BodyShape())
    pool: Pool = {posture: [] for posture in POSTURES}
    for true in read_poses(folder, body, split, every=EVERY).poses:
        _add(pool, skeleton, true.pose, true.clip, true.frame)
    if not pool[Posture.STANDING]:
        raise InputRefused(folder, "nobody stands in its clips", "Name a folder with more clips")
    rng = np.random.default_rng([seed, 0])
    small = body_skeleton(skeleton)
    for contacts in CONTACTS:
        for start in _drawn(pool[Posture.STANDING], TRIES, rng):
            made = on_floor(
                small, Pose(np.zeros(3, np.float32), _plain(start.rotations[: len(BODY_JOINTS)])), contacts, rng
            )
            if made is None:
                continue
            rotations = np.concatenate([made.rotations, start.rotations[len(BODY_JOINTS) :]])
            _add(pool, skeleton, Pose(made.root_position, _plain(rotations)), MADE_UP, 0)
    for back in list(pool[Posture.LYING_BACK]):
        along = from_rotation_vector([0.0, 0.0, rng.choice([-1.0, 1.0]) * np.radians(rng.uniform(65, 100))])
        _add(pool, skeleton, Pose(np.zeros(3, np.float32), _turned(_facing(back.rotations), along)), MADE_UP, 0)
    for start in _drawn(pool[Posture.STANDING], TRIES, rng):
        _add(pool, skeleton, Pose(np.zeros(3, np.float32), _on_chair(start.rotations, rng)), MADE_UP, 0)
    return {posture: held for posture, held in pool.items() if held}


def dancers(pool: Pool) -> list[Held]:
    """The dancers among those who stand; all of them if no clip is named so."""
    standing = pool[Posture.STANDING]
    return [held for held in standing if DANCES in held.clip] or standing


def _add(pool: Pool, skeleton: Skeleton, pose: Pose, clip: str, frame: int) -> None:
    """Put a pose into its class; the height of made-up ones counts from their lowest joint."""
    joints = forward_kinematics(skeleton, pose).positions.astype(np.float64)
    if clip == MADE_UP:
        joints = joints - [0.0, joints[:, 1].min() - 0.05, 0.0]
    posture = POSTURES[int(postures_of(rig_of(skeleton), joints[None])[0])]
    lift = max(float(joints[:, 1].min()) - 0.05, 0.1) if posture is Posture.AIRBORNE else 0.0
    pelvis = SMPL_JOINTS.index(Role.PELVIS)
    seat = posture is Posture.SITTING and joints[pelvis, 1] - joints[:, 1].min() > SEAT_M
    pool[posture].append(Held(posture, clip, frame, np.array(pose.rotations, np.float64), min(lift, 0.6), seat))


def _on_chair(rotations: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float32]:
    """A standing person set down with thighs roughly level and shins upright."""
    out = _facing(rotations)
    for leg in LEGS:
        aside = from_rotation_vector([0.0, rng.normal(0.0, 0.12), 0.0])
        out[SMPL_JOINTS.index(leg.root)] = aside @ from_rotation_vector([np.radians(-rng.normal(85, 7)), 0.0, 0.0])
        out[SMPL_JOINTS.index(leg.hinge)] = from_rotation_vector([np.radians(rng.normal(82, 10)), 0.0, 0.0])
        out[SMPL_JOINTS.index(leg.end)] = np.eye(3)
    out[0] = from_rotation_vector([np.radians(rng.normal(0, 6)), 0.0, 0.0])
    return _plain(out)


def _facing(rotations: NDArray[np.float64]) -> NDArray[np.float64]:
    """The pose turned about the vertical until the pelvis' left side is along x."""
    left = rotations[0] @ np.array([1.0, 0.0, 0.0])
    return _turned(rotations, from_rotation_vector([0.0, np.arctan2(left[2], left[0]), 0.0])).astype(np.float64)


def _turned(rotations: NDArray[np.float64], by: NDArray[np.floating]) -> NDArray[np.float32]:
    out = rotations.copy()
    out[0] = by @ out[0]
    return _plain(out)


def _plain(rotations: NDArray[np.floating]) -> NDArray[np.float32]:
    return np.asarray(rotations, dtype=np.float32)


def _drawn(held: list[Held], count: int, rng: np.random.Generator) -> list[Held]:
    return [held[int(i)] for i in rng.integers(len(held), size=count)]
