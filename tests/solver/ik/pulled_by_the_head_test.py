"""Where a head that is pulled up takes the pelvis along."""

from __future__ import annotations

import numpy as np
import pytest
from ik_samples import body_skeleton, natural, position

from solver.effectors.effector import Effector
from solver.effectors.kinds import Position, Rotation
from solver.ik.stance.getting_up import pelvis_leans, with_pelvis_pulled
from solver.kinematics.fk import forward_kinematics

SKELETON, POSE = body_skeleton(), natural()
WORLD = forward_kinematics(SKELETON, POSE)
HEAD, PELVIS = SKELETON.index("head"), SKELETON.index("pelvis")
UP = position(POSE, "head", (0.0, 0.2, 0.0))


def test_the_pelvis_follows_along_the_trunk_as_far_away_as_it_was() -> None:
    made = with_pelvis_pulled(SKELETON, (UP,), WORLD)
    assert made is not None
    pelvis = made[-1]
    assert isinstance(pelvis, Position)
    trunk = np.linalg.norm(WORLD.positions[HEAD] - WORLD.positions[PELVIS])
    assert np.linalg.norm(UP.target - pelvis.target) == pytest.approx(trunk, abs=1e-5)
    assert pelvis.target[1] > WORLD.positions[PELVIS][1] + 0.15
    assert [lean.effector.joint for lean in pelvis_leans(made, WORLD)] == ["pelvis"]


@pytest.mark.parametrize(
    "effectors",
    [
        (),
        (position(POSE, "head", (0.0, -0.1, 0.0)),),  # towards the pelvis
        (position(POSE, "head", (0.0, -2.0, 0.0)),),  # below it
        (UP, position(POSE, "pelvis")),
        (UP, Rotation("pelvis", np.eye(3, dtype=np.float32))),
    ],
)
def test_it_stays_where_no_head_pulls_or_where_it_is_asked_for_itself(effectors: tuple[Effector, ...]) -> None:
    assert with_pelvis_pulled(SKELETON, effectors, WORLD) is None
