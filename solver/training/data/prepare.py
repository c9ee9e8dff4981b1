"""From folders of motion capture to pose data; files that cannot be used are skipped and named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused
from solver.evaluation.body_joints import BODY_JOINTS
from solver.formats.bvh.read import read_bvh, to_motion
from solver.formats.clip_folder import MANIFEST, clip_files, read_manifest
from solver.formats.pose_json.still_poses import held_out, still_motion
from solver.formats.smpl.motion import smpl_to_motion
from solver.formats.smpl.npz import read_smpl_npz
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import to_quaternion_xyzw
from solver.kinematics.skeleton import Skeleton
from solver.training.data.dataset import PoseData, deal_splits, quantised
from solver.values import FloatArray

RATE = 30.0  # frames a second that are kept; at a higher rate they are nearly alike
HELD = 20  # frames that a still pose counts as, beside clips of some hundred


@dataclass(frozen=True)
class Source:
    """A folder of clips. kind: "bvh", "amass" for .npz files of SMPL bodies, or "library" for pose files."""

    kind: str
    folder: Path


@dataclass(frozen=True)
class Prepared:
    """The data, and why each file that is not in it was skipped."""

    data: PoseData
    skipped: dict[str, str]


@dataclass(frozen=True)
class _Clip:
    """What is kept of a clip at RATE. quaternions: (F, 22, 4) int16. roots: (F, 3) metres."""

    quaternions: NDArray[np.int16]
    roots: FloatArray


def prepare(
    sources: Sequence[Source],
    skeleton: Skeleton,
    seed: int = 0,
    tell: Callable[[str], None] = lambda line: None,
    leave_out: Sequence[str] = (),
) -> Prepared:
    """Read every clip below the folders onto `skeleton`, which has SMPL's names; InputRefused if none is usable.

    A manifest.json in a folder gives the splits of the clips that it lists; in a library, each fourth pose of a folder
    is for the test; the other clips are dealt by `seed`.
    leave_out: patterns of names of clips that are not read; InputRefused for one that no clip's name matches.
    """
    files: dict[str, tuple[Path, Source]] = {}
    listed: dict[str, str] = {}
    for source, prefix in zip(sources, _prefixes(sources), strict=True):
        found = clip_files(source.folder, _KINDS[source.kind])
        files |= {prefix + name: (path, source) for name, path in found.items()}
        if source.kind == "library":
            kept = held_out(found)
            listed |= {prefix + name: "test" if name in kept else "train" for name in found}
        listed |= {prefix + name: split for name, split in read_manifest(source.folder / MANIFEST).items()}
    for pattern in leave_out:
        if not any(_is_called(name, pattern) for name in files):
            way_out = "Take it out, or correct it: “*” stands for anything"
            raise InputRefused(pattern, "no clip has a name like this", way_out, place="leave out")
        files = {name: file for name, file in files.items() if not _is_called(name, pattern)}
    joints = [skeleton.index(name) for name in BODY_JOINTS]
    clips: dict[str, _Clip] = {}
    skipped: dict[str, str] = {}
    for number, (name, (path, source)) in enumerate(files.items(), start=1):
        try:
            clips[name] = _thinned(_READERS[source.kind](path, skeleton), joints)
        except (InputRefused, ValueError) as error:  # ValueError: a motion that holds a number that is not finite
            skipped[name] = str(error)
            tell(f"[{number}/{len(files)}] skipped: {error}")
            continue
        tell(f"[{number}/{len(files)}] {name}: {len(clips[name].roots)} frames kept")
    if not clips:
        folders = ", ".join(str(source.folder) for source in sources)
        raise InputRefused(folders, f"none of the {len(files)} files can be used", "See the reasons above")
    return Prepared(_joined(clips, listed, seed), skipped)


def _bvh(path: Path, skeleton: Skeleton) -> Motion:
    return to_motion(read_bvh(path), skeleton)[0]


def _amass(path: Path, skeleton: Skeleton) -> Motion:
    file = read_smpl_npz(path)
    return smpl_to_motion(file.thinned(_step(file.fps)), skeleton)[0]


def _library(path: Path, skeleton: Skeleton) -> Motion:
    return still_motion(path, skeleton, HELD)


_KINDS = {"bvh": "BVH", "amass": "NPZ", "library": "JSON"}
_READERS = {"bvh": _bvh, "amass": _amass, "library": _library}


def _prefixes(sources: Sequence[Source]) -> list[str]:
    """The prefixes that keep clips of several folders apart: the folder's name, numbered if it repeats."""
    if len(sources) == 1:
        return [""]
    names = [source.folder.resolve().name for source in sources]
    return [f"{name}{names[:i].count(name) + 1 if names.count(name) > 1 else ''}/" for i, name in enumerate(names)]


def _step(fps: float) -> int:
    return max(1, round(fps / RATE))


def _thinned(motion: Motion, joints: list[int]) -> _Clip:
    # At once for each clip: the motions of a large collection would not fit into memory.
    step = _step(motion.fps)
    return _Clip(
        quantised(to_quaternion_xyzw(motion.rotations[::step][:, joints])), motion.root_positions[::step].copy()
    )


def _joined(clips: dict[str, _Clip], listed: dict[str, str], seed: int) -> PoseData:
    names = tuple(clips)
    dealt = dict(zip(names, deal_splits(names, seed), strict=True))
    splits = tuple(listed.get(name, dealt[name]) for name in names)
    frames = [len(clip.roots) for clip in clips.values()]
    return PoseData(
        BODY_JOINTS,
        np.concatenate([clip.quaternions for clip in clips.values()]),
        np.concatenate([clip.roots for clip in clips.values()]),
        np.repeat(np.arange(len(clips), dtype=np.int32), frames),
        names,
        splits,
        RATE,
    )


def _is_called(name: str, pattern: str) -> bool:
    """Whether a clip's name, with or without the folders that it lies in, matches a pattern."""
    return fnmatchcase(name, pattern) or fnmatchcase(name.rpartition("/")[2], pattern)
