"""A problem solved about a pose that is given."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from ik_samples import body_skeleton, natural, position, problem

from solver.effectors.kinds import Position
from solver.effectors.resolve import Context
from solver.effectors.sources import FloorSource, JointSource
from solver.ik.multi_solve.solve_from_proposal import Ties, solve_from_proposal
from solver.ik.multi_solve.variations import joints_without_self_ties
from solver.ik.standing_stage import solve_with_standing

BASE = natural()
RAISED = problem([position(BASE, "left_wrist", [0.1, 0.3, 0.1]), position(BASE, "left_ankle")], BASE)
NOBODY = Ties("c1", Context())


def test_where_targets_stay_it_is_the_exact_stage_and_standing_alone() -> None:
    alone = solve_with_standing(RAISED, BASE)
    for ties in (None, NOBODY):
        found = solve_from_proposal(RAISED, BASE, ties)
        assert found.refined.pose == alone.pose
        assert found.effectors == RAISED.effectors


def test_a_target_on_the_floor_is_found_on_the_floor() -> None:
    high = replace(position(BASE, "left_ankle", [0.1, 0.2, 0.1]), source=FloorSource())
    found = solve_from_proposal(problem([high, position(BASE, "right_ankle")], BASE), BASE, NOBODY)
    assert found.effectors[0].target[1] == 0.0


def test_limbs_that_hold_on_to_the_own_body_do_not_count_in_how_far_a_pose_was_bent() -> None:
    skeleton = body_skeleton()
    source = JointSource("c1", "pelvis", np.float32([0.2, 0.0, 0.0]))
    tied = Position("left_wrist", np.zeros(3, np.float32), source=source)
    held = problem([tied, position(BASE, "right_wrist")], BASE)
    counting = joints_without_self_ties(held, NOBODY)
    assert counting is not None
    assert skeleton.index("left_elbow") not in counting
    assert skeleton.index("right_elbow") in counting
    assert joints_without_self_ties(held, None) is None
    assert joints_without_self_ties(RAISED, NOBODY) is None
