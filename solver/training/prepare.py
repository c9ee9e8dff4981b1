"""A folder of BVH files becomes pose data; files that cannot be used are skipped and named."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from solver.errors import InputRefused
from solver.formats.bvh import read_bvh, to_motion
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import to_quaternion_xyzw
from solver.kinematics.skeleton import SMPL_JOINTS, Skeleton
from solver.training.dataset import SPLITS, PoseData, deal_splits, quantised

BODY_JOINTS = SMPL_JOINTS[:22]  # without the hands, which motion capture seldom has
RATE = 30.0  # frames a second that are kept; more of them are nearly alike
MANIFEST = "manifest.json"


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
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".bvh" and path.is_file())
    if not files:
        raise InputRefused(folder, "there are no BVH files in it", "Name a folder with .bvh files")
    listed = read_manifest(folder / MANIFEST)
    motions: dict[str, Motion] = {}
    skipped: dict[str, str] = {}
    for number, path in enumerate(files, start=1):
        name = path.relative_to(folder).with_suffix("").as_posix()
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


def read_manifest(path: Path) -> dict[str, str]:
    """The split of each clip that the manifest lists; empty where there is none."""
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        splits = {str(row["clip"]): str(row["split"]) for row in rows}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise InputRefused(path, f"it is no list of clips and splits ({error!r})", "Correct or remove it") from None
    for clip, split in splits.items():
        if split not in SPLITS:
            raise InputRefused(path, f"“{split}” is no split", f"Use {', '.join(SPLITS)}", place=clip)
    return splits


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
