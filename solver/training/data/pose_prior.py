"""Measure the natural mean pose and each joint's spread: `python -m solver.training.data.pose_prior --bvh FOLDER`.

The mean is of the frames at ease: standing upright, looking ahead, legs nearly straight, hands down. The spread is of
all frames that a body can do (joints within their limits), around that mean: of each joint alone, and together of all
joints that move in the recordings. Every frame is also counted mirrored, which makes the result symmetric, and the
root's heading is removed.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.errors import PoserError
from solver.files.atomic import write_text
from solver.files.json_text import json_text
from solver.formats.bvh.read import read_bvh, to_motion
from solver.formats.clip_folder import split_files
from solver.ik.pose_prior import PRIOR_FILE
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.limits import joint_limits
from solver.kinematics.mirror import mirror_rotation
from solver.kinematics.rotations import from_rotation_vector, nearest_rotation, to_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS, Skeleton
from solver.rig.mirroring import mirror_order
from solver.rig.roles import ARMS, LEGS, Role

Array = NDArray[np.float64]
STILL = 1e-6  # rad² of a joint that the recordings do not move
STEP = 5  # frames at 30 a second are much alike; every fifth is enough


def read_clip(path: Path) -> Array:
    """Local rotations (F, 24, 3, 3) of every fifth frame of a BVH file, carried over to the neutral body."""
    motion, _ = to_motion(read_bvh(path), neutral_skeleton())
    return motion.rotations[::STEP].astype(np.float64)


def neutral_skeleton() -> Skeleton:
    """The embedded body's, mean shape."""
    return load_body("anny").skeleton(BodyShape())


def without_heading(rotations: Array) -> Array:
    """Local rotations with the root turned about the vertical so that it faces +Z."""
    heading = np.arctan2(rotations[:, 0, 0, 2], rotations[:, 0, 2, 2])
    back = from_rotation_vector(np.stack([0 * heading, -heading, 0 * heading], axis=-1))
    out = rotations.copy()
    out[:, 0] = back @ rotations[:, 0]
    return out


def is_standing_at_ease(rotations: Array, offsets: Array) -> NDArray[np.bool_]:
    """Which frames stand upright on nearly straight legs with the hands below the shoulders."""
    joints = forward_kinematics_batch(SMPL_PARENTS, offsets, np.zeros((len(rotations), 3)), rotations)
    y = joints.positions[..., 1]
    index = SMPL_JOINTS.index
    leg = -sum(offsets[index(role)] for role in LEGS[0].line)[1]
    feet = y[:, [index(leg.end) for leg in LEGS]]
    hands = y[:, [index(arm.end) for arm in ARMS]].max(axis=1)
    trunk = joints.rotations[:, index(Role.SPINE3), 1, 1]
    level = np.abs(feet[:, 0] - feet[:, 1]) < 0.03
    gaze = joints.rotations[:, index(Role.HEAD), 1, 2]
    upright = (trunk > 0.96) & (np.abs(gaze) < 0.2)
    return (feet.max(axis=1) < -0.97 * leg) & level & (hands < y[:, index(Role.SPINE1)] + 0.05) & upright


def measure(rotations: Array, offsets: Array) -> dict[str, object]:
    """The content of the prior's file from frames (F, 24, 3, 3)."""
    rotations = without_heading(rotations)
    order = list(mirror_order(SMPL_JOINTS))
    rotations = np.concatenate(
        [rotations, np.asarray(mirror_rotation(rotations.astype(np.float32)), dtype=np.float64)[:, order]]
    )
    ease = is_standing_at_ease(rotations, offsets)
    if not ease.any():
        raise PoserError("Nobody stands at ease in these recordings, so there is no natural pose to measure.")
    mean = nearest_rotation(rotations[ease].mean(axis=0))
    away = to_rotation_vector(np.swapaxes(mean, -1, -2) @ rotations)
    possible = joint_limits(SMPL_JOINTS).excess(rotations) < 0.1
    entries = {}
    for j, name in enumerate(SMPL_JOINTS):
        spread = away[possible[:, j], j]
        entries[name] = {
            "mean": np.round(to_rotation_vector(mean[j]), 5).tolist(),
            "covariance": np.round(spread.T @ spread / len(spread), 6).tolist(),
        }
    whole = possible.all(axis=1)
    if not whole.any():
        raise PoserError(
            "No frame of these recordings has all joints within their limits, so there is no pose to learn from."
        )
    moving = [j for j in range(1, len(SMPL_JOINTS)) if (away[:, j] ** 2).sum(axis=-1).mean() > STILL]
    vectors = away[whole][:, moving].reshape(int(whole.sum()), -1)
    together = vectors.T @ vectors / len(vectors)
    return {
        "about": "Natural standing pose (rotation vectors, radians, joint in parent), each joint's covariance around "
        "it and that of all moving joints together (lower triangle, row by row), measured in motion capture by "
        "solver/training/data/pose_prior.py",
        "frames": {"mean": int(ease.sum()), "spread": len(rotations), "together": len(vectors)},
        "joints": entries,
        "together": {
            "joints": [SMPL_JOINTS[j] for j in moving],
            "covariance": np.round(together[np.tril_indices(len(together))], 6).tolist(),
        },
    }


def main(argv: list[str] | None = None) -> int:
    """Read the folder's train split (every file if there is no manifest) and write the file."""
    parser = argparse.ArgumentParser(prog="python -m solver.training.data.pose_prior", description=__doc__)
    parser.add_argument("--bvh", type=Path, required=True, help="folder of BVH files with our 22 joints")
    parser.add_argument("-o", "--output", type=Path, default=PRIOR_FILE)
    arguments = parser.parse_args(argv)
    files = list(split_files(arguments.bvh, "train").values())
    content = measure(
        np.concatenate([read_clip(file) for file in files]), neutral_skeleton().offsets.astype(np.float64)
    )
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    write_text(arguments.output, json_text(content))
    print(f"{arguments.output}: {content['frames']} frames of {len(files)} clips")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
