"""Measure the natural mean pose and each joint's spread: `python -m solver.training.pose_prior --bvh FOLDER`.

The mean is of the frames that stand at ease: upright, legs nearly straight, hands below the shoulders. The spread is of
all frames that a body can do (joints within their limits), around that mean. Both are made symmetric by counting every
frame in the mirror too, and the root's heading is taken out.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.ik.pose_prior import PRIOR_FILE
from solver.kinematics.fk import forward_kinematics_batch
from solver.kinematics.limits import joint_limits
from solver.kinematics.mirror import mirror_permutation, mirror_rotation
from solver.kinematics.rotations import from_euler, from_rotation_vector, nearest_rotation, to_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS

Array = NDArray[np.float64]
STEP = 5  # frames at 30 a second are much alike; every fifth is enough
_JOINT = re.compile(r"(?:ROOT|JOINT)\s+(\S+)\s*\{\s*OFFSET\s+(\S+)\s+(\S+)\s+(\S+)")


def read_clip(path: Path) -> tuple[Array, Array]:
    """Local rotations (F, 24, 3, 3) and offsets (24, 3) of one of our 22-joint ZXY files; hands stay at rest."""
    header, _, motion = path.read_text(encoding="utf-8").partition("MOTION")
    joints = _JOINT.findall(header)
    numbers = np.array(motion.split("Frame Time:")[1].split()[1:], dtype=np.float64).reshape(-1, 3 + 3 * len(joints))
    rotations = np.tile(np.eye(3), (len(numbers), len(SMPL_JOINTS), 1, 1))
    offsets = np.zeros((len(SMPL_JOINTS), 3))
    for i, (name, *offset) in enumerate(joints):
        j = SMPL_JOINTS.index(name)
        rotations[:, j] = from_euler("ZXY", np.radians(numbers[:, 3 + 3 * i : 6 + 3 * i]))
        offsets[j] = [float(x) / 100 for x in offset]
    return rotations[::STEP], offsets


def without_heading(rotations: Array) -> Array:
    """The same with the root turned about the vertical so that it faces +Z."""
    heading = np.arctan2(rotations[:, 0, 0, 2], rotations[:, 0, 2, 2])
    back = from_rotation_vector(np.stack([0 * heading, -heading, 0 * heading], axis=-1))
    out = rotations.copy()
    out[:, 0] = back @ rotations[:, 0]
    return out


def at_ease(rotations: Array, offsets: Array) -> NDArray[np.bool_]:
    """Which frames stand upright on nearly straight legs with the hands below the shoulders."""
    joints = forward_kinematics_batch(SMPL_PARENTS, offsets, np.zeros((len(rotations), 3)), rotations)
    y = joints.positions[..., 1]
    index = SMPL_JOINTS.index
    leg = -(offsets[index("left_hip")] + offsets[index("left_knee")] + offsets[index("left_ankle")])[1]
    feet = y[:, [index("left_ankle"), index("right_ankle")]]
    hands = y[:, [index("left_wrist"), index("right_wrist")]].max(axis=1)
    trunk = joints.rotations[:, index("spine3"), 1, 1]
    level = np.abs(feet[:, 0] - feet[:, 1]) < 0.03
    return (feet.max(axis=1) < -0.97 * leg) & level & (hands < y[:, index("spine1")] + 0.05) & (trunk > 0.96)


def measure(rotations: Array, offsets: Array) -> dict[str, object]:
    """The content of the prior's file from frames (F, 24, 3, 3)."""
    rotations = without_heading(rotations)
    order = list(mirror_permutation(SMPL_JOINTS))
    rotations = np.concatenate(
        [rotations, np.asarray(mirror_rotation(rotations.astype(np.float32)), dtype=np.float64)[:, order]]
    )
    ease = at_ease(rotations, offsets)
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
    return {
        "about": "Natural standing pose (rotation vectors, radians, joint in parent) and each joint's covariance "
        "around it, measured in motion capture by solver/training/pose_prior.py",
        "frames": {"mean": int(ease.sum()), "spread": len(rotations)},
        "joints": entries,
    }


def main(argv: list[str] | None = None) -> int:
    """Read the folder's train split (every file where there is no manifest) and write the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--bvh", type=Path, required=True, help="folder of BVH files with our 22 joints")
    parser.add_argument("-o", "--output", type=Path, default=PRIOR_FILE)
    arguments = parser.parse_args(argv)
    manifest = arguments.bvh / "manifest.json"
    files = sorted(arguments.bvh.glob("*.bvh"))
    if manifest.exists():
        train = {entry["clip"] for entry in json.loads(manifest.read_text()) if entry["split"] == "train"}
        files = [file for file in files if file.stem in train]
    clips = [read_clip(file) for file in files]
    content = measure(np.concatenate([rotations for rotations, _ in clips]), clips[0][1])
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(f"{arguments.output}: {content['frames']} frames of {len(files)} clips")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
