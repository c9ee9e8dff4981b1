"""Trackers that jump together, as where a file begins again: all are believed at once, and the body is there."""

from __future__ import annotations

import numpy as np
import pytest

from solver.formats.bvh.read import read_bvh, to_motion
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Motion
from solver.kinematics.rotations import from_rotation_vector
from solver.solvers.catalog import load_solver
from solver.trackers.attachment import Attachment
from solver.trackers.follower import Follower
from solver.trackers.gap_filling import GapFiller
from solver.trackers.outlier_filter import HELD_S, OutlierFilter
from solver.trackers.sample import Reading, TrackerSample
from solver.trackers.simulated_trackers import SIX_ROLES, simulated_samples
from tests.solver.ik_samples import body_skeleton, natural
from tests.solver.sample_files import CLIPS

FPS, LONG, ROUNDS = 30, 90, 4


def going() -> Motion:
    """Somebody who reaches while going 3 metres, in the end with one leg ahead and the other behind."""
    motion, _ = to_motion(read_bvh(CLIPS / "reach.bvh"), body_skeleton())
    frames = np.arange(0, len(motion), max(1, round(motion.fps / FPS)))
    order = np.resize(np.concatenate([frames, frames[-2:0:-1]]), LONG)
    roots = motion.root_positions[order] + np.linspace(0, 3, LONG)[:, None] * np.float32([0, 0, 1])
    turned = np.array(motion.rotations[order])
    for leg, angle in ((1, -0.6), (2, 0.6)):
        turned[-8:, leg] = from_rotation_vector(np.float32([angle, 0, 0])) @ turned[-8:, leg]
    return Motion(roots.astype(np.float32), turned.astype(np.float32), float(FPS))


def test_trackers_that_jump_together_are_believed_together_however_far_each_goes() -> None:
    outliers, ways = OutlierFilter(), {"near": 0.9, "middle": 2.2, "far": 3.4}
    said = lambda i: {name: Reading(np.float32([way * (i > 9), 1, 0]), None) for name, way in ways.items()}  # noqa: E731
    believed = [outliers.filtered(TrackerSample(i / FPS, said(i))).jumped for i in range(20)]
    assert [each for each in believed if each] == [set(ways)]


def test_after_a_pause_those_that_could_have_gone_as_far_meanwhile_jump_with_the_others() -> None:
    outliers, ways, pause_s = OutlierFilter(), {"near": 2.8, "far": 3.4}, 0.12
    said = lambda i: {name: Reading(np.float32([way * (i > 9), 1, 0]), None) for name, way in ways.items()}  # noqa: E731
    samples = [TrackerSample(i / FPS + pause_s * (i > 9), said(i)) for i in range(20)]
    believed = [outliers.filtered(sample).jumped for sample in samples]
    assert [each for each in believed if each] == [set(ways)]
    gaps = GapFiller(samples)
    assert not gaps.filled(TrackerSample(9 / FPS + pause_s / 2, {})).readings, "nobody went from one place to the other"
    assert set(gaps.filled(TrackerSample(7.5 / FPS, {})).readings) == set(ways)


def test_one_that_comes_back_at_once_does_not_have_the_others_believed() -> None:
    outliers, far = OutlierFilter(), np.float32([3, 1, 0])
    for i in range(13):
        places = {"back": far if i == 10 else np.float32([0, 1, 0]), "lost": far if i > 9 else np.float32([0, 1, 0])}
        filtered = outliers.filtered(
            TrackerSample(i / 100, {name: Reading(place, None) for name, place in places.items()})
        )
    assert "lost" not in filtered.jumped
    assert np.array_equal(filtered.readings["lost"].position, [0, 1, 0])


@pytest.mark.slow
def test_where_a_walk_begins_again_the_body_is_there_at_once_in_every_round() -> None:
    worn = {str(role): Attachment(str(role)) for role in SIX_ROLES}
    follow = Follower(body_skeleton(), load_solver("dls"), worn, natural(), body="anny")
    told = list(simulated_samples(body_skeleton(), going(), list(worn)))
    again = [number * LONG + int(HELD_S * FPS) + 2 for number in range(1, ROUNDS)]
    for number in range(ROUNDS * LONG):
        sample = TrackerSample(number / FPS, told[number % LONG].readings)
        head = forward_kinematics(body_skeleton(), follow.pose(sample)).positions[15]
        if number in again:
            assert np.linalg.norm(head - sample.readings["head"].position) < 0.05
