"""What `evaluate --floor` measures: the same problems without a solid floor and with one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from evaluation_samples import BODY, true_poses

from solver.body.floor import posed_vertices
from solver.evaluation.posture import Posture
from solver.evaluation.protocols import ALL_PROTOCOLS
from solver.evaluation.standing.solid_floor import by_posture, standing
from solver.evaluation.trials import Protocol
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.solvers.catalog import load_solver


def positions() -> Protocol:
    protocol = ALL_PROTOCOLS["Rp"]
    assert isinstance(protocol, Protocol)
    return protocol


def test_true_poses_are_set_onto_the_floor_by_their_lowest_skin() -> None:
    for truth in true_poses(2):
        pose = standing(truth, BODY).pose
        assert posed_vertices(BODY, truth.shape, pose)[:, 1].min() == pytest.approx(0.0, abs=1e-4)


def test_rows_tell_of_each_posture_and_of_all_and_with_a_solid_floor_nobody_sinks() -> None:
    upright = true_poses(3)
    lying = [replace(truth, pose=turned(truth.pose)) for truth in true_poses(2, seed=4)]
    told: list[int] = []
    rows = list(
        by_posture(
            [*upright, *lying], positions(), load_solver("dls"), BODY, tell=lambda what, done, total: told.append(done)
        )
    )
    assert [row.posture for row in rows][-1] == "all"
    assert {row.posture for row in rows} & {Posture.LYING_BACK, Posture.LYING_BELLY, Posture.LYING_SIDE}
    assert rows[-1].problems == sum(row.problems for row in rows[:-1]) == told[-1]
    assert rows[-1].worst[0] == min(row.worst[0] for row in rows[:-1]) < -0.005
    assert rows[-1].worst[1] > -0.005
    assert rows[-1].sunk[0] > rows[-1].sunk[1] == 0.0


def turned(pose: Pose) -> Pose:
    """The pose laid on its back."""
    rotations = np.array(pose.rotations)
    rotations[0] = from_rotation_vector([-np.pi / 2, 0, 0]) @ rotations[0]
    return Pose(pose.root_position, rotations)
