"""A folder of BVH files becomes pose data; files that cannot be used are skipped and named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from solver.errors import InputRefused
from solver.formats.bvh import read_bvh, to_motion
from solver.formats.bvh_folder import MANIFEST, bvh_files, read_manifest
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import to_quaternion_xyzw
from solver.kinematics.skeleton import SMPL_JOINTS, Skeleton
from solver.training.dataset import PoseData, deal_splits, quantised

BODY_JOINTS = SMPL_JOINTS[:22]  # without the hands, which motion capture seldom has
RATE = 30.0  # frames a second that are kept; more of them are nearly alike


@dataclass(frozen=True)
class Prepared:
    """The data, and why each file that is not in it was skipped."""

    data: PoseData
    skipped: dict[str, str]


def prepare(
    folder: Path, skeleton: Skeleton, seed: int = 0, tell: Callable[[str], None] = lambda line: None
) -> Prepared:
    """Read every BVH file below `folder` onto `skeleton`, which has SMPL's names; InputRefused if none is usable.

    Splits come from a manifest.json in the folder where it lists a clip; the others are dealt by `seed`, by clip.
    """
    files = bvh_files(folder)
    listed = read_manifest(folder / MANIFEST)
    motions: dict[str, Motion] = {}
    skipped: dict[str, str] = {}
    for number, (name, path) in enumerate(files.items(), start=1):
        try:
            motion, _ = to_motion(read_bvh(path), skeleton)
        except (InputRefused, ValueError) as error:  # ValueError: a motion that holds a number that is not finite
            skipped[name] = str(error)
            tell(f"[{number}/{len(files)}] skipped: {error}")
            continue
        motions[name] = motion
        tell(f"[{number}/{len(files)}] {name}: {len(motion)} frames")
    if not motions:
        raise InputRefused(folder, f"none of its {len(files)} BVH files can be used", "See the reasons above")
    return Prepared(_joined(motions, skeleton, listed, seed), skipped)


def _joined(motions: dict[str, Motion], skeleton: Skeleton, listed: dict[str, str], seed: int) -> PoseData:
    joints = [skeleton.index(name) for name in BODY_JOINTS]
    quaternions, roots, clips = [], [], []
    for clip, motion in enumerate(motions.values()):
        step = max(1, round(motion.fps / RATE))
        rotations = motion.rotations[::step][:, joints]
        quaternions.append(quantised(to_quaternion_xyzw(rotations)))
        roots.append(motion.root_positions[::step])
        clips.append(np.full(len(rotations), clip, np.int32))
    names = tuple(motions)
    dealt = dict(zip(names, deal_splits(names, seed), strict=True))
    splits = tuple(listed.get(name, dealt[name]) for name in names)
    return PoseData(
        BODY_JOINTS, np.concatenate(quaternions), np.concatenate(roots), np.concatenate(clips), names, splits, RATE
    )
