"""Other readings of a limb in a picture: the same picture, the same bones, another depth."""

from __future__ import annotations

import numpy as np
import pytest

from solver.formats.bvh.read import read_bvh, to_motion
from solver.ik.multi_solve.depth_readings import limb_at, next_reading
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.limits import joint_limits
from solver.kinematics.pose import Pose
from solver.rig.rig import rig_of
from solver.solvers.catalog import load_solver
from tests.solver.ik_samples import body_skeleton
from tests.solver.sample_files import CLIPS

SKELETON = body_skeleton()
EYE = np.array([0.5, 1.5, 4.0])


def pose_at(frame: int) -> Pose:
    motion, _ = to_motion(read_bvh(CLIPS / "reach.bvh"), SKELETON)
    return motion.pose(frame)


def other(pose: Pose, joint: str, eye: np.ndarray = EYE) -> Pose | None:
    return next_reading(load_solver("dls"), IKProblem.without_masks(SKELETON, (), pose), pose, joint, eye)


def places(pose: Pose) -> np.ndarray:
    return forward_kinematics(SKELETON, pose).positions.astype(np.float64)


def in_picture(points: np.ndarray) -> np.ndarray:
    return (points - EYE)[:, :2] / (EYE - points)[:, 2:]


@pytest.mark.parametrize("joint", ["left_wrist", "right_elbow", "left_knee"])
def test_a_limb_keeps_its_picture_and_its_bones_and_all_else_its_place(joint: str) -> None:
    pose = pose_at(0)
    found = other(pose, joint)
    assert found is not None
    limb = limb_at(rig_of(SKELETON), joint)
    assert limb is not None
    line = [rig_of(SKELETON).joint(role) for role in limb.line]
    before, after = places(pose), places(found)
    assert np.abs(in_picture(after)[line] - in_picture(before)[line]).max() < 1e-3
    assert np.linalg.norm(after - before, axis=1)[line].max() > 0.05
    rest = [j for j in range(len(SKELETON)) if j not in line and SKELETON.parents[j] not in line]
    assert np.array_equal(after[rest], before[rest])


@pytest.mark.parametrize("joint", ["left_wrist", "left_knee"])
def test_asked_again_and_again_it_comes_back_to_where_it_began(joint: str) -> None:
    first = pose = pose_at(0)
    seen = []
    for _ in range(4):
        found = other(pose, joint)
        assert found is not None
        pose = found
        seen.append(np.abs(places(pose) - places(first)).max())
        if seen[-1] < 0.01:
            break
    assert len(seen) > 1
    assert seen[-1] < 0.01


def test_no_knee_bends_backwards() -> None:
    ranges, shown = joint_limits(rig_of(SKELETON).keys), 0
    for frame in range(0, 45, 5):
        for joint in ("left_knee", "right_knee", "left_wrist", "right_wrist"):
            found = other(pose_at(frame), joint)
            shown += found is not None
            assert found is None or ranges.excess(found.rotations).max() < 0.35
    assert shown > 10


def test_what_is_no_limb_or_lies_flat_has_no_other_reading() -> None:
    pose = pose_at(0)
    assert other(pose, "head") is None
    assert other(pose, "pelvis") is None
    shoulder, elbow = places(pose)[[SKELETON.index("left_shoulder"), SKELETON.index("left_elbow")]]
    wrist = places(pose)[SKELETON.index("left_wrist")]
    across = np.cross(elbow - shoulder, wrist - elbow)
    eye = elbow + 6.0 * across / np.linalg.norm(across)
    assert other(pose, "left_elbow", eye) is None
