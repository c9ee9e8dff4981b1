"""Trackers that return amid others, and whose first readings do not agree: two that do are believed."""

from __future__ import annotations

import numpy as np
import pytest

from solver.kinematics.fk import forward_kinematics
from solver.kinematics.rotations import from_rotation_vector
from solver.solvers.catalog import load_solver
from solver.trackers.attachment import Attachment
from solver.trackers.follower import Follower
from solver.trackers.outlier_filter import OutlierFilter
from solver.trackers.sample import Reading, TrackerSample
from solver.trackers.simulated_trackers import SIX_ROLES, simulated_sample
from tests.solver.ik_samples import body_skeleton, natural

FPS = 30
NAMES = [str(role) for role in SIX_ROLES]
RIGHT, WRONG = np.float32([1, 1, 0]), np.float32([4, 1, 0])


def heard(readings: list[np.ndarray]) -> tuple[list[np.ndarray], list[bool]]:
    """What is believed of a tracker that says these places once another has long been there, and where it jumped."""
    outliers, still = OutlierFilter(), Reading(np.float32([0, 1, 0]), None)
    for i in range(30):
        outliers.filtered(TrackerSample(i / FPS, {"known": still}))
    filtered = [
        outliers.filtered(TrackerSample((30 + i) / FPS, {"known": still, "back": Reading(reading, None)}))
        for i, reading in enumerate(readings)
    ]
    return [np.asarray(each.readings["back"].position) for each in filtered], [
        "back" in each.jumped for each in filtered
    ]


def test_a_wrong_second_reading_is_never_believed() -> None:
    believed, jumped = heard([RIGHT, WRONG, RIGHT, RIGHT])
    assert np.allclose(believed, RIGHT)
    assert not any(jumped[:2])


def test_a_wrong_first_reading_is_left_with_the_second_of_two_that_agree_and_told_as_a_jump() -> None:
    believed, jumped = heard([WRONG, RIGHT, RIGHT, RIGHT])
    assert np.allclose(believed[2:], RIGHT)
    assert jumped == [False, False, True, False]


def test_a_turn_has_to_be_said_twice_as_well() -> None:
    outliers, turned = OutlierFilter(), from_rotation_vector([0.0, np.pi, 0.0]).astype(np.float32)
    at = Reading(np.float32([0, 1, 0]), np.eye(3, dtype=np.float32))
    for i in range(33):
        back = {"back": Reading(at.position, turned if i == 31 else at.rotation)} if i >= 30 else {}
        filtered = outliers.filtered(TrackerSample(i / FPS, {"known": at, **back}))
    assert np.allclose(filtered.readings["back"].rotation, np.eye(3))


@pytest.mark.parametrize("wrong", [61, 62])
def test_no_hand_goes_after_one_wrong_reading_of_a_tracker_that_returns(wrong: int) -> None:
    skeleton = body_skeleton()
    attachments = {name: Attachment(name) for name in NAMES}
    follow = Follower(skeleton, load_solver("dls"), attachments, natural(), body="anny")
    places = []
    for i in range(90):
        readings = dict(simulated_sample(skeleton, natural(), NAMES, i / FPS).readings)
        back = readings["left_wrist"]
        if 30 <= i <= 60:
            del readings["left_wrist"]
        elif i == wrong:
            readings["left_wrist"] = Reading(back.position + np.float32([0, -2, 1]), back.rotation)
        places.append(forward_kinematics(skeleton, follow.pose(TrackerSample(i / FPS, readings))).positions)
    steps = 100 * np.linalg.norm(np.diff(places, axis=0), axis=-1)
    wrist = skeleton.index("left_wrist")
    assert steps[:, wrist].max() < 5.0
    assert np.linalg.norm(places[-1][wrist] - back.position) < 0.01
