"""How well a network that follows sensors does so on stored clips: protocol D for cards and comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from time import thread_time

import numpy as np

from solver.evaluation.metrics import MILLIMETRES
from solver.evaluation.tracking.errors import CENTIMETRES, Errors
from solver.evaluation.tracking.follow import RATE, Clip, follow
from solver.evaluation.tracking.sensors import CONFIGURATIONS
from solver.evaluation.tracking.trackers import Tracker
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_quaternion_xyzw
from solver.kinematics.skeleton import Skeleton
from solver.training.data.dataset import QUATERNION_SCALE, PoseData

CLIP_FRAMES = 40  # of each clip
WORN = CONFIGURATIONS[:3]  # six, five and four sensors
TIMED = 60  # frames


@dataclass(frozen=True)
class FollowedClips:
    """Clips of stored poses, from their beginning, on one skeleton."""

    skeleton: Skeleton
    clips: tuple[Clip, ...]


def followed_clips(data: PoseData, split: str, skeleton: Skeleton) -> FollowedClips:
    """The beginnings of a split's clips; joints that are not stored are at rest."""
    frames, clips = data.frames_of(split), []
    for number in np.unique(data.frame_clip[frames]):
        some = frames[data.frame_clip[frames] == number][:CLIP_FRAMES]
        turns = np.tile(np.eye(3, dtype=np.float32), (len(some), len(skeleton), 1, 1))
        turns[:, : len(data.joint_names)] = from_quaternion_xyzw(data.quaternions_xyzw[some] / QUATERNION_SCALE)
        poses = tuple(Pose(root, pose) for root, pose in zip(data.root_positions[some], turns, strict=True))
        clips.append(Clip(data.clip_names[number], poses))
    return FollowedClips(skeleton, tuple(clips))


def follow_errors(tracker: Tracker, known: FollowedClips, every: int = 1) -> dict[str, float]:
    """Means over six, five and four sensors of every n-th clip, the first pose being given.

    mpjpe_mm: joints, roots aligned. ge_rad: local rotations. effector_mm: sensors in the world. velocity_cm_s.
    """
    found = []
    for sensors in WORN:
        errors = Errors()
        for clip in known.clips[::every]:
            rng = np.random.default_rng(0)
            follow(tracker, clip, sensors, known.skeleton, rng, given=True, errors=errors)
        figures = errors.figures()
        scale = MILLIMETRES / CENTIMETRES
        found.append(
            (
                scale * figures["position_cm"], np.radians(figures["rotation_deg"]),
                scale * figures["astray_cm"], figures["velocity_cm_s"],
            )
        )  # fmt: skip
    names = ("mpjpe_mm", "ge_rad", "effector_mm", "velocity_cm_s")
    return dict(zip(names, np.mean(found, axis=0).tolist(), strict=True))


def follow_milliseconds(tracker: Tracker, known: FollowedClips) -> float:
    """The median time of one frame of six sensors: this thread's own time, whatever else is running."""
    clip, skeleton, sensors, times = known.clips[0], known.skeleton, WORN[0], []
    heard = np.ones(len(sensors.joints), bool)
    solve = tracker.begin(skeleton, 1.0 / RATE, clip.poses[0])
    for frame in range(TIMED):
        asked = sensors.effectors(skeleton, forward_kinematics(skeleton, clip.poses[frame % len(clip.poses)]), heard)
        started = thread_time()
        solve(asked)
        times.append(thread_time() - started)
    return 1000.0 * float(np.median(times))
