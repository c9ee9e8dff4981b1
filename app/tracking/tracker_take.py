"""A take of trackers: every sample in order, solved again at full rate once it has ended."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from app.document import edits
from app.document.model.document import Character, Document
from app.document.model.figure import skeleton_of
from app.document.model.history import Edit
from solver.errors import PoserError
from solver.ik.problem import IKProblem
from solver.kinematics.pose import Motion, Pose, Poses
from solver.size_limits import MAX_FRAMES
from solver.solvers.catalog import usable_solver
from solver.trackers.attachment import UNCALIBRATED, Attachments, Calibration, effectors_of
from solver.trackers.follower import Follower
from solver.trackers.gap_filling import LONGEST_GAP_S, GapFiller
from solver.trackers.sample import TrackerSample, merged
from solver.trackers.sample_rates import SLOW_S, SampleRates

MOST_FPS = 120.0  # of a take: samples that come more often are thinned out
CLOCK_ERROR = 5e-4  # of a rate, by which clocks of senders go wrong; 29.97 differs from 30 by twice that
END_ERROR = 0.25  # frames, by which jitter may move the last sample of a short take
STILL_FPS = 30.0  # of a take too short to have a rate, or whose trackers are slow


@dataclass(frozen=True)
class Wearing:
    """Who wears which trackers, and how."""

    character: Character
    attachments: Attachments
    calibration: Calibration

    def follower(self, sample: TrackerSample, at: Pose | None = None, rates: SampleRates | None = None) -> Follower:
        """A new follower with the character's solver, or the stand-in where that does not take what is asked.

        sample: one of those it will follow. at: the pose to go on from, None for the character's.
        rates: how often each tracker sends, if slow ones are to move evenly although their next readings are not known.
        """
        character, skeleton = self.character, skeleton_of(self.character)
        asked = effectors_of(sample.readings, self.attachments, self.calibration)
        problem = IKProblem.without_masks(skeleton, asked, character.pose, character.shape, character.body)
        solver = usable_solver(character.solver, problem).solver
        return Follower(
            skeleton, solver, self.attachments, at or character.pose, self.calibration, character.solver_options,
            character.shape, character.body, rates,
        )  # fmt: skip


@dataclass(frozen=True)
class Part:
    """What was worn from a sample of a take on. first: the sample's number."""

    first: int
    attachments: Attachments
    calibration: Calibration


class TrackerTake:
    """The samples of a take, as they came.

    person: the id of the person recorded. parts: what they followed by, whatever is worn later; a new one begins where
    the wearer is measured again. given_up: nobody wants it any more.
    """

    def __init__(self, person: str = "") -> None:
        self.person = person
        self.samples: list[TrackerSample] = []
        self.parts = [Part(0, {}, UNCALIBRATED)]
        self.given_up = False

    def __len__(self) -> int:
        return len(self.samples)

    @property
    def length_s(self) -> float:
        """Seconds from the first sample to the last."""
        return self.samples[-1].time_s - self.samples[0].time_s if self.samples else 0.0

    @property
    def moves(self) -> bool:
        """Whether anything heard in it is on a joint; nobody would move otherwise."""
        ends = [part.first for part in self.parts[1:]] + [len(self)]
        for part, end in zip(self.parts, ends, strict=True):
            worn = {name for name, each in part.attachments.items() if each.joint}
            if worn and any(not worn.isdisjoint(sample.readings) for sample in self.samples[part.first : end]):
                return True
        return False

    def follow(self, attachments: Attachments, calibration: Calibration) -> None:
        """Note what is worn as the next samples come. A first measurement counts from the beginning of the take."""
        last = self.parts[-1]
        again = calibration is not last.calibration and last.calibration is not UNCALIBRATED and len(self) > last.first
        if again:
            self.parts.append(Part(len(self), attachments, calibration))
        else:
            self.parts[-1] = Part(last.first, attachments, calibration)

    def put_on(self, changed: Attachments) -> None:
        """Note that trackers of the take sat differently, since the wearer was last measured."""
        last = self.parts[-1]
        known = {name: how for name, how in changed.items() if name in last.attachments}
        self.parts[-1] = Part(last.first, {**last.attachments, **known}, last.calibration)

    def worn_by(self, character: Character) -> list[tuple[int, Wearing]]:
        """From which sample on the character wears what."""
        return [(part.first, Wearing(character, dict(part.attachments), part.calibration)) for part in self.parts]

    def add(self, sample: TrackerSample) -> None:
        """Add a sample; one not later than the last is left out. PoserError if the take is full."""
        if self.samples and sample.time_s <= self.samples[-1].time_s:
            return
        if len(self) >= MAX_FRAMES:
            raise PoserError(f"A take holds up to {MAX_FRAMES:,} samples. Keep this one and begin another.")
        self.samples.append(sample)


def solved_take(
    samples: Sequence[TrackerSample],
    parts: Sequence[tuple[int, Wearing]],
    tell: Callable[[float, str], None] = lambda share, text: None,
) -> Motion:
    """The motion of a take of at least one sample, at the mean rate at which samples came, but not above MOST_FPS.
    Samples of slow trackers alone make a motion at STILL_FPS.

    Each frame is solved for the last readings of the trackers since the frame before; for those, even all, that were
    silent only for a moment, for what they would have said. parts: from which sample on who wears what; the first from
    0. tell: share 0..1 and a text; it may raise to end the work.
    """
    begin, (fps, slow) = samples[0].time_s, _rate(samples)
    frames = round((samples[-1].time_s - begin) * fps) + 1
    part, heard, gap_filler = 0, 0, GapFiller(samples)
    follower = parts[part][1].follower(samples[0])
    poses: list[Pose] = []
    for frame in range(frames):
        # half a frame of leeway, so that jitter makes no frame miss its own sample
        until = begin + (frame + 0.5) / fps
        upto = heard
        while upto < len(samples) and samples[upto].time_s < until:
            upto += 1
        now_s = begin + frame / fps
        said = merged(samples[heard:upto]) if upto > heard else TrackerSample(now_s, {})
        sample = gap_filler.resampled(said, now_s) if slow else gap_filler.filled(said)
        if sample.readings or not poses:
            if part + 1 < len(parts) and parts[part + 1][0] < upto:
                part = max(number for number, (first, _) in enumerate(parts) if first < upto)
                follower = parts[part][1].follower(sample, poses[-1] if poses else None)
            poses.append(follower.pose(sample))
        else:
            poses.append(poses[-1])
        heard = upto
        tell((frame + 1) / frames, f"Solving the take, frame {frame + 1:,} of {frames:,}")
    found = Poses.of(poses)
    return Motion(found.roots, found.rotations, fps)


def motion_of_take(solved: Character, motion: Motion) -> Edit:
    """The edit that makes a take the person's clip.

    solved: as they were when it was solved; another build that they have been given since, they keep.
    """

    def edit(document: Document) -> Document:
        now, adopt = document.character(solved.id), edits.adopt_motion(solved.id, motion, recorded=True)
        if (now.body, now.shape) == (solved.body, solved.shape):
            return adopt(document)
        as_solved, as_now = (edits.set_body(each.id, each.body, each.shape) for each in (solved, now))
        return edits.chain(as_solved, adopt, as_now)(document)

    return edit


def _rate(samples: Sequence[TrackerSample]) -> tuple[float, bool]:
    """Frames a second, from the mean rate of the samples except for long silences; and whether they are slow."""
    apart = np.diff([sample.time_s for sample in samples])
    apart = apart[apart <= LONGEST_GAP_S]
    every_s = float(apart.mean()) if len(apart) else 1.0
    slow = every_s > SLOW_S
    most = (MAX_FRAMES - 1) / max(samples[-1].time_s - samples[0].time_s, 1e-9)
    return min(STILL_FPS if slow else _nominal(1.0 / every_s, len(samples)), MOST_FPS, most), slow


def _nominal(fps: float, count: int) -> float:
    """The nearest whole number where clocks and jitter alone explain the difference: 30 for 30.01."""
    whole = float(round(fps))
    return whole if whole and abs(fps - whole) <= max(CLOCK_ERROR, END_ERROR / count) * fps else fps
