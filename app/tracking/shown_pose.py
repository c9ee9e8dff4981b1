"""The follower's pose from sample to sample, at most as often as a screen shows it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.services.streams import PoseSample
from app.tracking.tracker_take import Wearing
from solver.kinematics.pose import Pose
from solver.trackers.follower import Follower
from solver.trackers.sample import TrackerSample, merged
from solver.trackers.sample_rates import SampleRates

MOST_A_SECOND = 60.0  # poses shown


class ShownPose:
    """Is asked over and over. Samples that come faster than they are shown wait, and the last reading of each counts.

    delays_s: how much later than heard the least and the most delayed trackers are shown; slow ones move evenly, and
    fast ones wait for a moment.
    """

    def __init__(self) -> None:
        self.delays_s = 0.0, 0.0
        self._shown_s = 0.0
        self.clear()

    def clear(self) -> None:
        """Begin anew."""
        self._follower: Follower | None = None
        self._made_for: tuple[object, ...] = ()
        self._waiting: TrackerSample | None = None

    def hear(self, samples: Sequence[TrackerSample]) -> None:
        """Let samples wait until they are shown."""
        if samples:
            self._waiting = merged([*([self._waiting] if self._waiting else []), *samples])

    def due(self, now_s: float, worn: Callable[[], Wearing], at: Pose | None, rates: SampleRates) -> PoseSample | None:
        """The pose for what was said, or for slow trackers on their way to it, with the time at which its least delayed
        trackers were there; None if nothing has changed or it was asked too soon.

        worn: who wears what now. at: the pose shown, None for the character's. Raises PoserError.
        """
        said, goes_on = self._waiting, self._follower is not None and self._follower.is_changing(now_s)
        if now_s - self._shown_s < 1.0 / MOST_A_SECOND - 1e-4 or not (said or goes_on):
            return None
        follower = self._follower_for(worn(), said, at, rates)
        pose = follower.pose_at(now_s) if said is None else follower.pose(said, now_s)
        self._waiting, self._shown_s, self.delays_s = None, now_s, follower.delays_s(now_s)
        return PoseSample(follower.shown_time_s(now_s), pose)

    def _follower_for(self, worn: Wearing, said: TrackerSample | None, at: Pose | None, rates: SampleRates) -> Follower:
        """The follower; with the next sample, a new one if who follows or what is worn has changed."""
        who = worn.character
        made_for = (who.solver, who.shape, who.body, worn.attachments, worn.calibration)
        if self._follower is None or (said is not None and made_for != self._made_for):
            assert said is not None
            self._follower, self._made_for = worn.follower(said, at, rates), made_for
        self._follower.set_options(who.solver_options)
        return self._follower
