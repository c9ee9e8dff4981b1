"""A body that follows trackers: samples in, poses out, one after another."""

from __future__ import annotations

from solver.body.body import BodyShape
from solver.effectors.effector import Effector
from solver.ik.options import NO_OPTIONS, Options
from solver.ik.pipeline import Solver
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.trackers.manner import Led, manner_of
from solver.trackers.sample import TrackerSample
from solver.trackers.seam import Seam
from solver.trackers.sieve import SILENT_S, Sieve
from solver.trackers.wear import AS_IT_IS, Calibration, Wear, effectors_of

LONGEST_STEP_S = 0.5  # what a solver is told of a longer silence
FRAME_S = 1 / 30


class Follower:
    """Goes on from pose to pose. Trackers that come, go or jump make no joint jump: see `Seam`.

    shape, body: of the skeleton, as in `IKProblem`. at: the pose shown while no tracker has said anything yet.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        solver: Solver,
        wear: Wear,
        at: Pose,
        calibration: Calibration = AS_IT_IS,
        options: Options = NO_OPTIONS,
        shape: BodyShape | None = None,
        body: str = "",
    ) -> None:
        self._skeleton, self._wear, self._calibration = skeleton, wear, calibration
        self._led = Led(skeleton, solver, manner_of(solver.spec), None, options, shape, body)
        self._sieve = Sieve()
        self._shown = self._solved = at
        self._asked: frozenset[tuple[str, str]] = frozenset()
        self._seam: Seam | None = None
        self._last_s: float | None = None
        self._jumped = False

    def hear(self, sample: TrackerSample) -> tuple[Effector, ...]:
        """Take a sample in without solving; what it asks. For samples that nobody sees."""
        sifted = self._sieve.take(sample)
        self._jumped |= bool(sifted.jumped & self._wear.keys())
        return effectors_of(sifted.readings, self._wear, self._calibration)

    def pose(self, sample: TrackerSample) -> Pose:
        """Take a sample in, and the pose at its time. Where no tracker is heard the body stays as it is."""
        return self._led_to(self.hear(sample), sample.time_s)

    def _led_to(self, effectors: tuple[Effector, ...], now_s: float) -> Pose:
        first = self._last_s is None
        step_s = 0.0 if self._last_s is None else min(max(now_s - self._last_s, 0.0), LONGEST_STEP_S)
        self._last_s = now_s
        if effectors:
            self._solved = self._led.pose(effectors, step_s)
        elif self._asked:
            self._solved = self._shown
        asked = frozenset((effector.joint, effector.kind) for effector in effectors)
        if not first and (self._jumped or asked != self._asked or step_s > SILENT_S):
            began_s = now_s - min(step_s, FRAME_S)  # the first step away from the pose shown is made in this frame
            self._seam = Seam.between(self._skeleton, self._shown, self._solved, began_s)
        self._asked, self._jumped = asked, False
        if self._seam is not None and self._seam.over(now_s):
            self._seam = None
        self._shown = self._seam.pose(self._solved, now_s) if self._seam is not None else self._solved
        return self._shown
