"""Samples that somebody has sent, and who follows them on a clock that the test turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

import numpy as np
from motion_samples import strolling
from window_driver import Clock

from app.document.model.figure import skeleton_of
from app.services.session import Session
from app.tracking.tracking import Tracking
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion
from solver.trackers.attachment import Attachment
from solver.trackers.sample import TrackerSample
from solver.trackers.simulated_trackers import SIX_ROLES, simulated_samples

ID = "c1"
SENSORS = [str(role) for role in SIX_ROLES]
WEAR = {name: Attachment(name) for name in SENSORS}
FRAMES, WALK_S = 36, 1.3  # of the walk, with a moment behind it


class Sent:
    """Samples that somebody has sent."""

    def __init__(self, samples: Sequence[TrackerSample]) -> None:
        self.samples, self.stopped = list(samples), False

    def begins_anew_s(self, time_s: float) -> float:
        return inf

    def due(self, now_s: float) -> list[TrackerSample]:
        ready = [sample for sample in self.samples if sample.time_s <= now_s]
        self.samples = self.samples[len(ready) :]
        return ready

    def stop(self) -> None:
        self.stopped = True


def long_walk() -> Motion:
    """Two strides and a half: time enough for slow trackers to be known as such."""
    return strolling(60)


def walk() -> Motion:
    """A stride and a half."""
    whole = long_walk()
    return Motion(whole.root_positions[:FRAMES], whole.rotations[:FRAMES], whole.fps)


def sent(session: Session, motion: Motion, begin_s: float = 100.005) -> list[TrackerSample]:
    return list(simulated_samples(skeleton_of(session.document.character(ID)), motion, SENSORS, begin_s))


def run(tracking: Tracking, clock: Clock, seconds: float, step_s: float = 1 / 60) -> list[int]:
    counts = []
    for _ in range(round(seconds / step_s)):
        clock.now_s += step_s
        counts.append(tracking.live.tick())
    return counts


def recorded(
    session: Session, tracking: Tracking, clock: Clock, seconds: float, attachments: Mapping[str, Attachment] = WEAR
) -> None:
    """Record so many seconds of the walk; the take goes on."""
    tracking.open(Sent(sent(session, walk())), attachments)
    tracking.record()
    run(tracking, clock, seconds)


def heads(session: Session, motion: Motion) -> np.ndarray:
    skeleton = skeleton_of(session.document.character(ID))
    poses = [motion.pose(frame) for frame in range(len(motion))]
    return np.array([forward_kinematics(skeleton, pose).positions[15] for pose in poses])
