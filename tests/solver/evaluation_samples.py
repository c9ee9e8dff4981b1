from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.floor import lowest_sole_point
from solver.evaluation.poses import TruePose
from solver.evaluation.speed import random_poses
from solver.formats.bvh.write import write_bvh
from solver.kinematics.pose import Motion, Pose

BODY = load_body("anny")
SKELETON = BODY.skeleton(BodyShape())


def still_hands(pose: Pose) -> Pose:
    """Recordings have no hands, so the true poses keep them as at rest."""
    rotations = np.array(pose.rotations)
    rotations[-2:] = np.eye(3)
    return Pose(pose.root_position, rotations)


def true_poses(count: int, seed: int = 0) -> tuple[TruePose, ...]:
    poses = [still_hands(pose) for pose in random_poses(SKELETON, count, seed)]
    return tuple(TruePose(i, "clip", 10 * i, BodyShape(), SKELETON, pose) for i, pose in enumerate(poses))


def standing(truth: TruePose) -> TruePose:
    """The pose moved until its soles are on the floor."""
    lift = np.float32([0, -lowest_sole_point(BODY, truth.shape, truth.pose), 0])
    return replace(truth, pose=Pose(truth.pose.root_position + lift, truth.pose.rotations))


def write_clips(folder: Path, clips: dict[str, int]) -> None:
    """A BVH file of so many frames for each name; poses change from frame to frame."""
    for seed, (name, frames) in enumerate(clips.items()):
        poses = [still_hands(pose) for pose in random_poses(SKELETON, frames, seed)]
        motion = Motion(np.stack([p.root_position for p in poses]), np.stack([p.rotations for p in poses]))
        path = folder / f"{name}.bvh"
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bvh(path, SKELETON, motion)
