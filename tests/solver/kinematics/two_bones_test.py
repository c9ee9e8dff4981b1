"""An arm is brought to where its hand should be: nothing else moves, and the elbow keeps the side that it is on."""

from __future__ import annotations

import numpy as np
import pytest
from ik_samples import body_skeleton, natural

from solver.kinematics.fk import forward_kinematics
from solver.kinematics.limits import BEND, joint_limits
from solver.kinematics.pose import Pose, Poses
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.two_bones import brought_to

SHOULDER, ELBOW, WRIST = (body_skeleton().index(f"left_{name}") for name in ("shoulder", "elbow", "wrist"))
ARM = SHOULDER, ELBOW, WRIST


def arm_bent(degrees: float) -> Pose:
    """The natural pose with its left elbow bent so, from the T-pose's straight arm."""
    rotations = natural().rotations.copy()
    limits = joint_limits(("left_elbow",))
    rotations[ELBOW] = from_rotation_vector(np.radians(degrees) * limits.frames[0][:, BEND])
    return Pose(natural().root_position, rotations)


def places(poses: Poses) -> np.ndarray:
    return np.stack([forward_kinematics(body_skeleton(), pose).positions for pose in poses.each()]).astype(np.float64)


def side_of(joints: np.ndarray) -> np.ndarray:
    """(3,) the normal of an arm's plane."""
    return np.cross(joints[ELBOW] - joints[SHOULDER], joints[WRIST] - joints[ELBOW])


@pytest.mark.parametrize("degrees", [2.0, 40.0, 110.0], ids=["nearly straight", "bent", "folded"])
@pytest.mark.parametrize("way", [(-0.12, 0.1, 0.05), (-0.1, -0.05, 0.15), (-0.2, 0.05, 0.0)])
def test_the_hand_comes_to_its_goal_and_the_rest_of_the_body_stays(
    degrees: float, way: tuple[float, float, float]
) -> None:
    before = Poses.of([arm_bent(degrees)])
    reach = places(before)[0, WRIST] - places(before)[0, SHOULDER]
    goal = places(before)[0, SHOULDER] + (reach + way) * 0.35 / np.linalg.norm(reach + way)
    after = brought_to(body_skeleton(), before, ARM, goal[None])
    assert places(after)[0, WRIST] == pytest.approx(goal, abs=0.02 if degrees == 2.0 else 1e-4)
    others = [j for j in range(len(body_skeleton())) if j not in (SHOULDER, ELBOW)]
    assert (after.rotations[:, others] == before.rotations[:, others]).all()


def test_an_arm_that_is_there_stays_to_the_bit() -> None:
    before = Poses.of([arm_bent(40.0), arm_bent(70.0)])
    goals = places(before)[:, WRIST]
    assert brought_to(body_skeleton(), before, ARM, goals) is before
    goals[1, 1] += 0.05
    assert (brought_to(body_skeleton(), before, ARM, goals).rotations[0] == before.rotations[0]).all()


def test_the_elbow_keeps_its_side_as_the_hand_goes_past_the_shoulder() -> None:
    before = Poses.of([arm_bent(60.0)] * 40)
    shoulder, wrist = places(before)[0, SHOULDER], places(before)[0, WRIST]
    past = shoulder + np.array([0.02, 0.3, 0.05])
    goals = wrist + np.linspace(0.0, 1.0, 40)[:, None] * (past - wrist)
    joints = places(brought_to(body_skeleton(), before, ARM, goals))
    assert np.linalg.norm(np.diff(joints[:, ELBOW], axis=0), axis=1).max() < 0.06
    sides = np.stack([side_of(each) for each in joints])
    sides /= np.linalg.norm(sides, axis=1, keepdims=True)
    assert (np.sum(sides[1:] * sides[:-1], axis=1) > 0.9).all()


def test_an_elbow_bends_no_further_than_it_may_and_an_arm_that_reaches_for_more_stays_a_little_bent() -> None:
    before = Poses.of([arm_bent(60.0)] * 2)
    shoulder, wrist = places(before)[0, SHOULDER], places(before)[0, WRIST]
    goals = np.stack([shoulder + 0.01 * (wrist - shoulder), shoulder + 3.0 * (wrist - shoulder)])
    after = brought_to(body_skeleton(), before, ARM, goals)
    limits = joint_limits(("left_elbow",))
    bends = limits.coordinates(after.rotations[:, [ELBOW]])[:, 0, BEND]
    assert bends[0] == pytest.approx(limits.high[0, BEND], abs=0.02)
    joints = places(after)[1]
    length = np.linalg.norm(joints[ELBOW] - joints[SHOULDER]) + np.linalg.norm(joints[WRIST] - joints[ELBOW])
    assert 0.95 * length < np.linalg.norm(joints[WRIST] - joints[SHOULDER]) < length
