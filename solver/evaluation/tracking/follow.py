"""A whole run of protocol D: clips, sensors and trackers in, figures out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from time import perf_counter

import numpy as np

from solver.body.body import SHAPE_COMPONENTS, BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.errors import InputRefused
from solver.evaluation.body_joints import BODY_JOINTS
from solver.evaluation.contestants import chosen
from solver.evaluation.tracking.errors import ClipPoses, Errors
from solver.evaluation.tracking.sensors import CONFIGURATIONS, Sensors
from solver.evaluation.tracking.trackers import TRACKERS, Tracker, trackers_of
from solver.formats.bvh.read import read_bvh, to_motion
from solver.formats.clip_folder import clip_files, split_files
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.solvers.catalog import SOLVERS, load_solver

RATE = 30.0  # frames a second
SHORTEST = 3  # frames
STATURE = 0  # the component of the betas that changes most how tall a body is
FEW_SENSORS = ("6", "4", "3")

Rows = dict[str, dict[str, float]]
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class BenchmarkCase:
    """A table. given: whether the first true pose is given. stature: of the wearer, standard deviations from the mean.
    sensors: ids of the sets that are worn, "" for all."""

    title: str
    given: bool = True
    stature: float = 0.0
    sensors: tuple[str, ...] = ()

    @property
    def shape(self) -> BodyShape:
        """The wearer's shape."""
        return BodyShape(np.eye(SHAPE_COMPONENTS, dtype=np.float32)[STATURE] * self.stature)


CASES = {
    "D": BenchmarkCase("the first true pose is given"),
    "D:cold": BenchmarkCase("no pose is given", given=False),
    "D:short": BenchmarkCase("worn by somebody 1.53 m tall", stature=-2.5, sensors=FEW_SENSORS),
    "D:tall": BenchmarkCase("worn by somebody 1.87 m tall", stature=2.5, sensors=FEW_SENSORS),
}


@dataclass(frozen=True)
class Clip:
    """A clip at RATE on the skeleton."""

    name: str
    poses: tuple[Pose, ...]


@dataclass(frozen=True)
class FollowResults:
    """figures: by case, then by sensors, then by tracker."""

    clips: int
    frames: int
    figures: dict[str, dict[str, Rows]]
    left_out: dict[str, str]

    def as_json(self) -> dict[str, object]:
        """{case: {sensors: {tracker: {figure: value}}}}."""
        return {**self.figures, "tracking": {"clips": self.clips, "frames": self.frames, "left_out": self.left_out}}


def follow_all(
    folder: Path,
    split: str,
    solvers: str = "all",
    most: int | None = None,
    seed: int = 0,
    clips_like: str = "*",
    extra: Sequence[Tracker] = (),
    tell: Progress = lambda what, done, total: None,
) -> FollowResults:
    """Every tracker on every set of sensors, of every case.

    most: frames of all clips together, which are all cut to one length. extra: further trackers that take part. Raises
    InputRefused for a folder without usable clips, UnknownName for a solver that does not exist.
    """
    field, left_out = trackers(solvers)
    field += extra
    figures: dict[str, dict[str, Rows]] = {}
    for id, case in CASES.items():
        skeleton = load_body(DEFAULT_BODY).skeleton(case.shape)
        clips = read_clips(folder, split, skeleton, most, clips_like)
        figures[id] = {}
        for sensors in (each for each in CONFIGURATIONS if not case.sensors or each.id in case.sensors):
            rows = figures[id][sensors.id] = {}
            for tracker in field:
                errors = Errors()
                for number, clip in enumerate(clips):
                    rng = np.random.default_rng([seed, number])
                    follow(tracker, clip, sensors, skeleton, rng, given=case.given, errors=errors)
                    tell(f"{id} {sensors.id} {tracker.name}", number + 1, len(clips))
                rows[tracker.name] = errors.figures()
    return FollowResults(len(clips), sum(len(clip.poses) for clip in clips), figures, left_out)


def follow(
    tracker: Tracker, clip: Clip, sensors: Sensors, skeleton: Skeleton, rng: np.random.Generator, *,
    given: bool, errors: Errors,
) -> None:  # fmt: skip
    """One clip. given: whether the first true pose is given, and so does not count."""
    index = [skeleton.index(name) for name in BODY_JOINTS]
    heard, step_s = sensors.heard(len(clip.poses), rng), 1.0 / RATE
    solve = tracker.begin(skeleton, step_s, clip.poses[0] if given else None)
    true, found, seconds = [], [], []
    for frame in range(1 if given else 0, len(clip.poses)):
        joints = forward_kinematics(skeleton, clip.poses[frame])
        effectors = sensors.effectors(skeleton, joints, heard[frame])
        started = perf_counter()
        pose = solve(effectors)
        seconds.append(perf_counter() - started)
        true.append((joints.positions[index], clip.poses[frame].rotations[index]))
        found.append((forward_kinematics(skeleton, pose).positions[index], pose.rotations[index]))
    answer, truth = (ClipPoses(*(np.array(part) for part in zip(*frames, strict=True))) for frames in (found, true))
    worn = [skeleton.index(role) for role in sensors.joints]
    errors.add(answer, truth, worn, step_s, np.array(seconds))


def trackers(solvers: str) -> tuple[list[Tracker], dict[str, str]]:
    """The rows of a comma list of solvers, or of “all”; and why others are left out."""
    return chosen(solvers, [id for id in TRACKERS if id in SOLVERS], lambda id: trackers_of(id, load_solver(id)))


def read_clips(
    folder: Path, split: str, skeleton: Skeleton, most: int | None = None, clips_like: str = "*", rate: float = RATE
) -> tuple[Clip, ...]:
    """The clips of a split at `rate` frames a second, or the nearest they have. All are cut to the same length if they
    have more than `most` frames together."""
    files = clip_files(folder) if split == "all" else split_files(folder, split, "Use “--split all”")
    clips = []
    for name, path in files.items():
        if not fnmatchcase(name, clips_like):
            continue
        try:
            motion, _ = to_motion(read_bvh(path), skeleton)
        except (InputRefused, ValueError):  # the other protocols report these
            continue
        step = max(1, round(motion.fps / rate))
        poses = tuple(motion.pose(frame) for frame in range(0, len(motion), step))
        if len(poses) >= SHORTEST:
            clips.append(Clip(name, poses))
    if not clips:
        raise InputRefused(folder, f"no clip of the split “{split}” can be followed", "Name another folder")
    return tuple(Clip(clip.name, clip.poses[: _share(clips, most)]) for clip in clips)


def _share(clips: list[Clip], most: int | None) -> int | None:
    """Frames to which clips are cut, so that together they have at most `most`, but no fewer than is useful."""
    if most is None:
        return None
    lengths = sorted(len(clip.poses) for clip in clips)
    left = most
    for number, length in enumerate(lengths):
        share = left // (len(lengths) - number)
        if length > share:
            return max(share, SHORTEST)
        left -= length
    return None
