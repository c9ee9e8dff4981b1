"""The poses to measure on: frames of the clips of a split, on the mean body or on random ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solver.body.body import GENDERS, SHAPE_COMPONENTS, Body, BodyShape
from solver.body.floor import keep_sole_on_floor
from solver.errors import InputRefused
from solver.formats.bvh.read import read_bvh, to_motion
from solver.formats.clip_folder import clip_files, split_files
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton

EVERY = 10  # frames from one pose to the next, by default
ALL = "all"
WIDEST = 3.0  # standard deviations at which drawn betas are clipped


@dataclass(frozen=True)
class TruePose:
    """One pose to complete: where it is from, and the body in it. number: its place among all poses."""

    number: int
    clip: str
    frame: int
    shape: BodyShape
    skeleton: Skeleton
    pose: Pose


@dataclass(frozen=True)
class PoseSet:
    """The poses, and why each file that is not among them was skipped."""

    poses: tuple[TruePose, ...]
    clips: int
    skipped: dict[str, str]


class Found(NamedTuple):
    """A pose as it was found. shape: of the person in it."""

    clip: str
    frame: int
    pose: Pose
    shape: BodyShape


def read_poses(
    folder: Path,
    body: Body,
    split: str = ALL,
    shapes: str = "mean",
    max_poses: int | None = None,
    seed: int = 0,
    tell: Callable[[str], None] = lambda line: None,
    clips_like: str = "*",
    every: int = EVERY,
) -> PoseSet:
    """Poses of the BVH files below `folder` that belong to the split; InputRefused if none is left.

    A folder without a manifest.json has no splits: every file counts. shapes: “mean” is the neutral mean body, “random”
    draws betas from N(0, 1) and a gender for each pose. max_poses: a seeded choice of that many. clips_like: a pattern
    for clips' names, such as “m2m_*”. every: frames from one pose to the next.
    """
    mean = BodyShape()
    clips: list[tuple[str, tuple[Pose, ...]]] = []
    skipped: dict[str, str] = {}
    for name, path in files_of(folder, split, clips_like).items():
        try:
            motion, _ = to_motion(read_bvh(path), body.skeleton(mean))
        except (InputRefused, ValueError) as error:  # ValueError: a number that is not finite
            skipped[name] = str(error)
            tell(f"skipped: {error}")
            continue
        clips.append((name, tuple(motion.pose(frame) for frame in range(0, len(motion), every))))
    if not clips:
        raise InputRefused(folder, f"none of its {len(skipped)} BVH files can be used", "See the reasons above")
    found = [Found(name, place * every, pose, mean) for name, poses in clips for place, pose in enumerate(poses)]
    return PoseSet(true_poses(found, body, shapes, max_poses, seed), len(clips), skipped)


def true_poses(
    found: Sequence[Found], body: Body, shapes: str, max_poses: int | None, seed: int
) -> tuple[TruePose, ...]:
    """All of these poses, or a seeded choice, on the bodies that `shapes` asks for; see `read_poses`.

    Poses that stood on the floor also stand on it with the other body.
    """
    chosen = range(len(found))
    if max_poses is not None and max_poses < len(found):
        drawn = np.random.default_rng([seed, 0]).choice(len(found), max_poses, replace=False)
        chosen = sorted(int(i) for i in drawn)  # type: ignore[assignment]
    made = []
    for number in chosen:
        clip, frame, pose, before = found[number]
        shape = random_shape(np.random.default_rng([seed, 1, number])) if shapes == "random" else BodyShape()
        if shape != before:
            pose = keep_sole_on_floor(body, before, shape, pose)
        made.append(TruePose(number, clip, frame, shape, body.skeleton(shape), pose))
    return tuple(made)


def files_of(folder: Path, split: str = ALL, clips_like: str = "*") -> dict[str, Path]:
    """The BVH files below `folder`, by clip, that belong to the split and match the pattern; InputRefused for none."""
    files = clip_files(folder) if split == ALL else split_files(folder, split, "Use “--split all”")
    files = {name: path for name, path in files.items() if fnmatchcase(name, clips_like)}
    if not files:
        raise InputRefused(
            folder, f"no clip of the split “{split}” has a name like “{clips_like}”", "Use another pattern"
        )
    return files


def random_shape(rng: np.random.Generator) -> BodyShape:
    """A random person: betas from N(0, 1), clipped, and a gender."""
    betas = np.clip(rng.standard_normal(SHAPE_COMPONENTS), -WIDEST, WIDEST).astype(np.float32)
    return BodyShape(betas, str(rng.choice(GENDERS)))
