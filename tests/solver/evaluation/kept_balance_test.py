"""What `evaluate --balance` measures: the same drags with balance off, helped and strict."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import numpy as np
import pytest
from evaluation_samples import BODY, true_poses

from solver.evaluation.standing.kept_balance import MODES, by_mode
from solver.ik.pose_prior import natural_pose
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.solvers.catalog import load_solver


def test_each_mode_has_a_row_of_the_same_drags_and_strict_keeps_most_in_balance() -> None:
    upright = [replace(truth, pose=natural_pose(truth.skeleton)) for truth in true_poses(3)]
    told: list[int] = []
    tell = lambda what, done, total: told.append(done)  # noqa: E731
    ticks = count()
    rows = list(by_mode(upright, load_solver("dls"), BODY, 2, tell=tell, clock=lambda: next(ticks) / 1000))
    assert [row.mode for row in rows] == list(MODES)
    assert told == [1, 2] * 3
    off, _, strict = rows
    assert strict.balanced >= off.balanced
    assert max(row.missed for row in rows) < 1e-3
    assert [row.took for row in rows] == [pytest.approx((1.0, 1.0))] * 3, "the clock is read around each step alone"


def test_where_nobody_stands_there_are_no_rows() -> None:
    (truth,) = true_poses(1)
    rotations = np.array(truth.pose.rotations)
    rotations[0] = from_rotation_vector([-np.pi / 2, 0, 0])
    lying = replace(truth, pose=Pose(truth.pose.root_position, rotations))
    assert list(by_mode([lying], load_solver("dls"), BODY, 3)) == []
