"""No knee bends backwards: not by turns that are added to poses, and not by the exact stage."""

from __future__ import annotations

import numpy as np
import pytest
from ik_samples import body_skeleton, natural, position, problem

from solver.kinematics.knees_ahead import with_knees_ahead
from solver.kinematics.limits import BEND, KNEES, joint_limits
from solver.kinematics.pose import Pose, Poses
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.solvers.catalog import load_solver


def bent(degrees: float) -> Pose:
    """The natural pose with the left knee bent so, and turned a little about the shin."""
    rotations = natural().rotations.copy()
    turn = from_rotation_vector([np.radians(degrees), 0.0, 0.0]) @ from_rotation_vector([0.0, 0.05, 0.0])
    rotations[body_skeleton().index("left_knee")] = turn
    return Pose(natural().root_position, rotations)


def bend(poses: Poses) -> float:
    """Degrees, of the left knee in the first of the poses."""
    knee = poses.rotations[0, [body_skeleton().index("left_knee")]]
    return float(np.degrees(joint_limits(KNEES[:1]).coordinates(knee)[0, BEND]))


@pytest.mark.parametrize(
    ("added", "beneath", "expected"),
    [(-9.0, 20.0, 0.0), (-9.0, -4.0, -4.0), (-3.0, -4.0, -3.0), (30.0, 20.0, 30.0)],
    ids=["straight", "as beneath", "less than beneath", "ahead"],
)
def test_a_knee_bends_back_no_further_than_straight_or_than_beneath(
    added: float, beneath: float, expected: float
) -> None:
    found = with_knees_ahead(body_skeleton(), Poses.of([bent(added)]), Poses.of([bent(beneath)]))
    assert bend(found) == pytest.approx(expected, abs=0.1)


def test_knees_that_are_not_named_as_ours_stay_as_they_are() -> None:
    ours, poses = body_skeleton(), Poses.of([bent(-9.0)])
    named = Skeleton(tuple(f"b{i}" for i in range(len(ours))), ours.parents, ours.offsets)
    assert with_knees_ahead(named, poses, Poses.of([bent(20.0)])) is poses


def test_a_leg_that_is_too_long_for_its_way_bends_ahead_unless_its_base_pose_bends_back() -> None:
    """Where hip and ankle are as far apart as in a leg that bends back by eight degrees."""

    def solved(base: Pose) -> float:
        back = bent(-8.0)
        held = [position(back, name) for name in ("pelvis", "left_hip", "left_ankle")]
        return bend(Poses.of(load_solver("dls").finish([problem(held, base)], [back])))

    assert solved(bent(5.0)) > -3.0
    assert solved(bent(-8.0)) == pytest.approx(-8.0, abs=0.5)
