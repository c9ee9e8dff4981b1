"""A body that follows trackers: samples in, poses out, one after another."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from solver.body.body import BodyShape
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position, Rotation
from solver.ik.options import NO_OPTIONS, Options
from solver.ik.pipeline.pipeline import Solver
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import HEAD_AND_NECK, LIMBS, TRUNK
from solver.trackers.attachment import UNCALIBRATED, Attachments, Calibration, effectors_of
from solver.trackers.outlier_filter import OutlierFilter
from solver.trackers.sample import Reading, TrackerSample
from solver.trackers.sample_rates import SILENT_S, SampleRates
from solver.trackers.sequential_solver import FRAME_S, SequentialSolver, sequence_settings
from solver.trackers.smoothing import SlowTrackerSmoother
from solver.trackers.speed_limit import speed_limited
from solver.trackers.target_fade_in import Key, TargetFadeIn, leaping_effectors
from solver.trackers.transition import PoseTransition

LONGEST_STEP_S = 0.5  # what a solver is told of a longer silence
UNMET = 0.05  # metres or radians from a tracker to its joint
LEAP, LEAP_SPEED = 1.3, 1.2  # a joint is at most so many times as fast as those near it with trackers, plus this in m/s


class Follower:
    """Goes on from pose to pose. When trackers come, go or jump, or the solver jumps, no joint does: see
    `PoseTransition`; and none goes much further than it must: see `speed_limited`.

    Meanwhile trackers are met as ever: a body on its way to another pose would otherwise lag behind a wearer who moves
    fast. Trackers that come pull from where their joint is shown (see `TargetFadeIn`), and so do those that the body
    would leap away from when it can no longer meet them, or back to when it can again.

    If all jump together, as when a room is centred anew or a file begins again, the body is there at once.

    shape, body: of the skeleton, as in `IKProblem`. at: the pose shown while no tracker has said anything yet. rates:
    how often each tracker sends; with them slow ones move smoothly (see `SlowTrackerSmoother`), a little later, and
    the body's pose can be asked for in between. Without them each is where its last reading has it.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        solver: Solver,
        attachments: Attachments,
        at: Pose,
        calibration: Calibration = UNCALIBRATED,
        options: Options = NO_OPTIONS,
        shape: BodyShape | None = None,
        body: str = "",
        rates: SampleRates | None = None,
    ) -> None:
        self._skeleton, self._attachments, self._calibration = skeleton, attachments, calibration
        self._solver = SequentialSolver(skeleton, solver, sequence_settings(solver.spec), None, options, shape, body)
        self._rates = rates or SampleRates()
        self._outlier_filter, self._smoother, self._parts = (
            OutlierFilter(self._rates),
            SlowTrackerSmoother(self._rates),
            _parts(skeleton),
        )
        self._shown = self._solved = at
        self._asked: frozenset[Key] = frozenset()
        self._drawn: tuple[Effector, ...] = ()
        self._fade_in = TargetFadeIn(skeleton)
        self._transition: PoseTransition | None = None
        self._last_s: float | None = None
        self._said_s: float | None = None
        self._jumped: frozenset[Key] = frozenset()  # joints and kinds that jumped
        self._all_jumped = False

    def pose(self, sample: TrackerSample, now_s: float | None = None) -> Pose:
        """Take a sample in and give the pose at its time. If no tracker is heard, the body stays as it is.

        now_s: when it is shown, by the samples' clock: if trackers are slow, the pose is that of this time.
        """
        said_s, filtered = sample.time_s, self._outlier_filter.filtered(sample)
        worn = {name for name in filtered.readings if self._worn(name)}
        by_kind = ((Position.kind, filtered.jumped), (Rotation.kind, filtered.turned))
        self._jumped = frozenset(
            (self._attachments[name].joint, kind) for kind, names in by_kind for name in names & worn
        )
        self._all_jumped = bool(worn) and worn <= filtered.jumped | filtered.turned
        patience_s = max((self._rates.timeout_s(name) for name in worn), default=SILENT_S)
        silent = self._said_s is not None and said_s - self._said_s > patience_s
        self._said_s = said_s
        if silent or self._all_jumped:
            self._smoother.clear()
        self._smoother.add_sample(filtered, said_s, said_s if now_s is None else max(now_s, said_s))
        at_s = said_s if now_s is None or not self._smoother.is_changing(said_s) else max(now_s, said_s)
        return self._solve_for(self._effectors_for(self._smoother.readings(at_s)), at_s, silent)

    def is_changing(self, now_s: float) -> bool:
        """Whether the pose still changes by then if no tracker says anything: see `pose_at`."""
        return self._smoother.is_changing(now_s)

    def pose_at(self, now_s: float) -> Pose:
        """The pose at a time at which no tracker says anything."""
        self._jumped, self._all_jumped = frozenset(), False
        return self._solve_for(self._effectors_for(self._smoother.readings(now_s)), now_s, silent=False)

    def delay_s(self, name: str, now_s: float) -> float:
        """How much later than it was heard a tracker is shown, so that a slow one goes evenly."""
        return self._smoother.delay_s(name, now_s)

    def delays_s(self, now_s: float) -> tuple[float, float]:
        """How much later than they were heard worn trackers are shown: the least and the most."""
        delays = [self.delay_s(name, now_s) for name in self._smoother.heard if self._worn(name)]
        return min(delays, default=0.0), max(delays, default=0.0)

    def shown_time_s(self, now_s: float) -> float:
        """The time at which the least late of the worn trackers was where it is shown."""
        said_s = now_s if self._said_s is None else self._said_s
        times = (self._smoother.shown_time_s(name, now_s) for name in self._smoother.heard if self._worn(name))
        return max(times, default=said_s)

    def set_options(self, options: Options) -> None:
        """Use other solver options from the next sample on; the room stays where following began."""
        self._solver.options = options

    def _worn(self, name: str) -> bool:
        return name in self._attachments and bool(self._attachments[name].joint)

    def _effectors_for(self, readings: Mapping[str, Reading]) -> tuple[Effector, ...]:
        return effectors_of(readings, self._attachments, self._calibration)

    def _solve_for(self, said: tuple[Effector, ...], now_s: float, silent: bool) -> Pose:
        first = self._last_s is None
        step_s = 0.0 if self._last_s is None else min(max(now_s - self._last_s, 0.0), LONGEST_STEP_S)
        began_s = now_s - min(step_s, FRAME_S)  # the first step away from the pose shown is made in this frame
        self._last_s = now_s
        keys = frozenset((effector.joint, effector.kind) for effector in said)
        changed = keys != self._asked
        followed, last = not first and not self._all_jumped, self._drawn
        effectors = said if first else self._with_fade_in(said, keys, silent, began_s, now_s)
        before, had, self._asked = self._solved, bool(self._asked), keys
        if effectors:
            self._solved = self._solver.pose(effectors, step_s)
        elif had:
            self._solved = self._shown
        if self._all_jumped:
            self._transition = None
        pose = self._in_transition(effectors, now_s)
        leapt = self._leapt(last, effectors, pose, max(step_s, FRAME_S / 2)) if followed else frozenset()
        if leapt:
            shown = forward_kinematics(self._skeleton, self._shown)
            effectors = self._fade_in.faded_in(said, leapt, shown, began_s, now_s)
        cut = changed or silent or bool(self._jumped | leapt)
        if followed and (cut or self._leaps(pose, self._moved(before, self._solved), step_s)):
            self._transition = PoseTransition.between(self._skeleton, self._shown, self._solved, began_s)
            pose = self._in_transition(effectors, now_s)
        if self._transition is not None and self._transition.is_over(now_s):
            self._transition = None
        if followed:
            pose = speed_limited(self._solver, self._skeleton, effectors, self._shown, pose, max(step_s, FRAME_S / 2))
        self._shown, self._drawn = pose, effectors
        return pose

    def _with_fade_in(
        self, said: tuple[Effector, ...], keys: frozenset[Key], silent: bool, began_s: float, now_s: float
    ) -> tuple[Effector, ...]:
        """What is asked when some trackers may just have come: see `TargetFadeIn`."""
        if self._all_jumped:
            self._fade_in.clear()
            return said
        shown = forward_kinematics(self._skeleton, self._shown)
        came = keys if silent else (keys - self._asked) | (keys & self._jumped)
        if keys != self._asked:  # what held them back may be gone
            came |= keys & {(e.joint, e.kind) for e in self._drawn if e.residual(self._skeleton, shown) > UNMET}
        return self._fade_in.faded_in(said, came, shown, began_s, now_s)

    def _leapt(
        self, last: tuple[Effector, ...], effectors: tuple[Effector, ...], pose: Pose, step_s: float
    ) -> frozenset[Key]:
        """Those of the effectors whose joint would leap in the pose. last: what was asked a frame ago."""
        shown, then = (forward_kinematics(self._skeleton, each) for each in (self._shown, pose))
        return leaping_effectors(self._skeleton, last, effectors, shown, then, step_s)

    def _in_transition(self, effectors: tuple[Effector, ...], now_s: float) -> Pose:
        """The solved pose, or one on the way to it; trackers are met on the way, too."""
        if self._transition is None:
            return self._solved
        return self._solver.refined_to_meet(effectors, self._transition.pose(self._solved, now_s))

    def _moved(self, before: Pose, after: Pose) -> NDArray[np.floating]:
        """(J,) metres that joints have moved from one pose to another."""
        was, now = (forward_kinematics(self._skeleton, pose).positions for pose in (before, after))
        return np.linalg.norm(now - was, axis=1)

    def _leaps(self, pose: Pose, pulled: NDArray[np.floating], step_s: float) -> bool:
        """Whether some joint would be far from where it is shown, though no joint near it that has a tracker was pulled
        as far. pulled: (J,) metres."""
        moved, asked = self._moved(self._shown, pose), np.zeros(len(pulled), bool)
        asked[[self._skeleton.index(joint) for joint, _ in self._asked]] = True
        for part in self._parts:
            pulling = pulled[part & asked] if (part & asked).any() else pulled[asked]
            if moved[part].max() > LEAP * pulling.max(initial=0.0) + LEAP_SPEED * max(step_s, FRAME_S / 2):
                return True
        return False


def _parts(skeleton: Skeleton) -> list[NDArray[np.bool_]]:
    """(J,) each: the joints of the trunk, and of each limb with the trunk, which moves it."""
    rig = rig_of(skeleton)
    trunk = {*TRUNK, *HEAD_AND_NECK}
    parts = (trunk, *(trunk | set(limb.joints) for limb in LIMBS))
    return [np.array([role in part for role in rig.roles]) for part in parts]
