"""A body whose trackers all send seldom goes evenly with them."""

from __future__ import annotations

import numpy as np
import pytest

from solver.solvers.catalog import load_solver
from solver.trackers.attachment import Attachment
from solver.trackers.follower import Follower
from solver.trackers.sample import Reading, TrackerSample
from solver.trackers.sample_rates import SampleRates
from solver.trackers.simulated_trackers import SIX_ROLES, simulated_sample
from solver.trackers.smoothing import DELAY
from tests.solver.ik_samples import body_skeleton, natural

TICKS = 60  # a second
SPEED = 1.0  # m/s


@pytest.mark.sweep("3")
@pytest.mark.parametrize("hertz", [3, 5])
def test_a_long_wait_for_the_next_reading_does_not_count_as_silence(hertz: int) -> None:
    names = [str(role) for role in SIX_ROLES]
    still, rates, way = simulated_sample(body_skeleton(), natural(), names, 0.0).readings, SampleRates(), []
    attachments = {name: Attachment(name) for name in names}
    follow = Follower(body_skeleton(), load_solver("dls"), attachments, natural(), body="anny", rates=rates)
    for tick in range(4 * TICKS):
        now_s = tick / TICKS
        if tick % (TICKS // hertz) == 0:
            gone = np.float32([0.0, 0.0, SPEED * now_s])
            sample = TrackerSample(now_s, {n: Reading(r.position + gone, r.rotation) for n, r in still.items()})
            rates.add_sample(sample)
            pose = follow.pose(sample, now_s)
        elif follow.is_changing(now_s):
            pose = follow.pose_at(now_s)
        way.append(float(pose.root_position[2] - natural().root_position[2]))
    settled = np.arange(3 * TICKS, 4 * TICKS)
    assert np.array(way)[settled] == pytest.approx(SPEED * (settled / TICKS - DELAY / hertz), abs=0.02)
    assert follow.delays_s(4.0) == pytest.approx((DELAY / hertz, DELAY / hertz))
