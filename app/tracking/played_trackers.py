"""A motion file played as trackers, over and over, for users who have none at hand."""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import floor

import numpy as np

from solver.kinematics.pose import Motion
from solver.kinematics.skeleton import Skeleton
from solver.trackers.sample import TrackerSample
from solver.trackers.simulated_trackers import simulated_sample
from solver.values import FloatArray


class PlayedTrackers:
    """Samples come due at the motion's own rate, from `begin_s` on, by the same clock as their times.

    motion: on `skeleton`. joints: names of those that wear a tracker, which is named after them.
    """

    def __init__(self, skeleton: Skeleton, motion: Motion, joints: Sequence[str], begin_s: float) -> None:
        self._skeleton, self._motion = skeleton, motion
        self._joints = tuple(joints)
        self.begin(begin_s)

    def begin(self, begin_s: float) -> None:
        """Let the first frame come due at that time, whatever came before."""
        self._begin_s, self._given = begin_s, 0

    def due(self, now_s: float) -> Sequence[TrackerSample]:
        """The frames since the last call; after a long pause, no more than one round of them."""
        fps, length = self._motion.fps, len(self._motion)
        reached = int((now_s - self._begin_s) * fps + 1e-6) + 1
        first, self._given = max(self._given, reached - length), max(reached, self._given)
        return [
            simulated_sample(
                self._skeleton, self._motion.pose(number % length), self._joints, self._begin_s + number / fps
            )
            for number in range(first, self._given)
        ]

    def begins_anew_s(self, time_s: float) -> float:
        """When the round that a moment is in ends, and the first frame comes due again."""
        seconds = len(self._motion) / self._motion.fps
        return self._begin_s + (floor((time_s - self._begin_s) / seconds + 1e-6) + 1) * seconds

    def stop(self) -> None:
        """Do nothing: there is nothing to give back."""


def read_motion(path: str | os.PathLike[str], skeleton: Skeleton) -> Motion:
    """The motion of a BVH file on a skeleton, of several people that of the first. Raises InputRefused."""
    from solver.formats.bvh.people import people_of  # only once it is asked for: the window starts without it
    from solver.formats.bvh.read import read_bvh, to_motion

    return to_motion(people_of(read_bvh(path))[0], skeleton)[0]


def begun_at(motion: Motion, place: FloatArray) -> Motion:
    """The motion moved over the floor so that the root begins above `place`, (3,) metres, as it may have been recorded
    far away."""
    shift = (place - motion.root_positions[0]) * np.array([1, 0, 1], np.float32)
    return Motion(motion.root_positions + shift, motion.rotations, motion.fps)
