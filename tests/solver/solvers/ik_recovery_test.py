"""Effector recovery: few effectors bring a pose about, and nothing but they tell the solver of it."""

from __future__ import annotations

import numpy as np
import pytest
from ik_samples import body_skeleton, natural

from solver.body.body import BodyShape
from solver.effectors.placement import placed
from solver.errors import UnknownName
from solver.evaluation.speed import random_poses
from solver.ik.exact import refine_batch
from solver.ik.problem import IKProblem
from solver.ik.residuals import residuals
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.solvers.catalog import SOLVERS, load_solver
from solver.solvers.recovery import FAR_M, candidate_effectors, recover_effectors

SKELETON, SHAPE = body_skeleton(), BodyShape()
POSES = random_poses(SKELETON, 3, seed=21)


# As read from photos, rotation vectors by joint: an umpire with bent arms, and a man with crossed legs.
UMPIRE = {
    0: (0.1, 0.3, 0), 1: (-0.3, 0, -0.1), 2: (-0.2, -0.1, 0.1), 3: (0, 0.1, 0), 4: (0.7, 0, 0), 5: (0.6, 0, 0),
    7: (-0.4, 0.2, 0), 8: (-0.4, -0.3, 0), 9: (0, 0, 0.1), 10: (-0.1, 0, 0), 11: (-0.1, 0, 0),
    12: (-0.1, -0.1, -0.1), 15: (0.3, -0.1, 0.1), 16: (0.7, -1.1, -1.1), 17: (0.7, 1.3, 1.1), 18: (0, -1.2, 0.7),
    19: (0, 1.2, -0.6), 20: (-0.2, 0, 0), 21: (-0.2, 0, 0),
}  # fmt: skip
CROSSED_LEGS = {
    0: (-0.8, -0.9, -0.2), 1: (-0.7, 1.1, -0.2), 2: (-1, -1, 0.3), 3: (0.9, -0.1, -0.1), 4: (2.4, 0.1, -0.1),
    5: (1.6, -0.1, 0.1), 6: (0.3, -0.1, 0), 7: (0.1, -0.4, -0.1), 8: (0.3, 0.2, 0.1), 10: (0.3, 0, 0),
    11: (0.3, 0, 0), 12: (0.2, 0.3, 0.1), 13: (0, 0, 0.1), 14: (0, 0, -0.1), 15: (-0.5, 0.6, -0.4),
    16: (-0.4, -0.7, -1.6), 17: (0.8, 0.8, 1.3), 18: (-0.1, -0.7, 0.5), 19: (0, 1.1, -0.6), 20: (0.1, 0.1, 0.1),
    21: (0.3, 0, 0),
}  # fmt: skip


HANDY = ("wrist", "hand", "ankle", "foot", "head", "pelvis")


def turned(by_joint: dict[int, tuple[float, float, float]]) -> Pose:
    rotations = np.tile(np.eye(3, dtype=np.float32), (len(SKELETON.names), 1, 1))
    for joint, vector in by_joint.items():
        rotations[joint] = from_rotation_vector(np.array(vector, dtype=np.float64))
    return Pose(np.zeros(3, np.float32), rotations)


def mean_error(pose: Pose, wanted: Pose) -> float:
    here, there = (forward_kinematics(SKELETON, p).positions for p in (pose, wanted))
    return float(np.linalg.norm(here - there, axis=1).mean())


@pytest.mark.parametrize("pose", POSES)
def test_eight_effectors_bring_a_pose_back_within_a_few_centimetres(pose: Pose) -> None:
    result = recover_effectors(SKELETON, SHAPE, pose, max_effectors=8, threshold_m=0)
    assert len(result.effectors) == 8
    assert result.effectors[0].kind == "position"
    assert list(result.errors_m) == sorted(result.errors_m, reverse=True)
    assert result.errors_m[-1] < 0.04
    assert mean_error(result.pose, pose) == pytest.approx(result.errors_m[-1], abs=1e-5)
    assert {r.state for r in residuals(SKELETON, pose, result.effectors)} == {"met"}


def test_the_solver_gets_the_same_pose_from_the_effectors_alone() -> None:
    result = recover_effectors(SKELETON, SHAPE, POSES[0], max_effectors=5)
    start = placed(SKELETON, natural(), result.effectors)
    assert refine_batch(SKELETON, [result.effectors], [start])[0] == result.pose


def test_with_a_network_eight_effectors_bring_a_pose_back_too_and_all_are_taken_from_it() -> None:
    result = recover_effectors(SKELETON, SHAPE, POSES[0], "smplik", max_effectors=8, threshold_m=0)
    assert result.effectors[0].kind == "position"
    assert len({(e.joint, e.kind) for e in result.effectors}) == len(result.effectors) == len(result.errors_m)
    assert list(result.errors_m) == sorted(result.errors_m, reverse=True)
    assert result.errors_m[-1] < 0.06
    assert mean_error(result.pose, POSES[0]) == pytest.approx(result.errors_m[-1], abs=1e-5)
    assert {r.state for r in residuals(SKELETON, POSES[0], result.effectors)} == {"met"}


def test_with_a_network_the_pose_is_what_it_says_of_the_effectors_with_care() -> None:
    result = recover_effectors(SKELETON, SHAPE, POSES[1], "smplik", max_effectors=4, threshold_m=0)
    asked = [IKProblem.without_masks(SKELETON, result.effectors, natural(), SHAPE)]
    proposals = load_solver("smplik").propose_batch(asked)
    (pose,) = refine_batch(SKELETON, [result.effectors], proposals)
    assert mean_error(pose, result.pose) < 1e-4
    assert mean_error(pose, POSES[1]) == pytest.approx(result.errors_m[-1], abs=1e-4)


def test_the_search_goes_on_where_none_of_the_sets_that_seem_best_is_better() -> None:
    result = recover_effectors(SKELETON, SHAPE, turned(UMPIRE), "smplik")
    assert len(result.effectors) > 5
    assert result.errors_m[-1] < 0.01


@pytest.mark.slow
def test_a_pose_that_eight_leave_far_off_may_have_more_and_no_other() -> None:
    result = recover_effectors(SKELETON, SHAPE, turned(CROSSED_LEGS), "smplik", more=2)
    assert result.errors_m[7] > FAR_M > result.errors_m[-1]
    assert 8 < len(result.effectors) <= 10
    usual = recover_effectors(SKELETON, SHAPE, POSES[0], "smplik", threshold_m=0.0, max_effectors=6, more=2)
    assert len(usual.effectors) == (8 if usual.errors_m[6] > FAR_M else 6 + (usual.errors_m[5] > FAR_M))


def test_it_stops_below_the_threshold() -> None:
    loose = recover_effectors(SKELETON, SHAPE, POSES[1], max_effectors=20, threshold_m=0.1)
    assert loose.errors_m[-1] <= 0.1
    assert all(error > 0.1 for error in loose.errors_m[:-1])


def test_the_natural_pose_elsewhere_needs_hardly_an_effector() -> None:
    rotations = np.array(natural().rotations)
    there = Pose(natural().root_position + np.float32([3, 0, 1]), rotations)
    assert len(recover_effectors(SKELETON, SHAPE, there).effectors) == 1


def test_a_body_that_faces_away_is_found_too() -> None:
    rotations = np.array(POSES[2].rotations)
    rotations[0] = from_rotation_vector([0, 2.8, 0]) @ rotations[0]
    assert recover_effectors(SKELETON, SHAPE, Pose(POSES[2].root_position, rotations)).errors_m[-1] < 0.05


def test_progress_grows_and_cancelling_keeps_what_was_found() -> None:
    shares: list[float] = []
    result = recover_effectors(
        SKELETON,
        SHAPE,
        POSES[0],
        max_effectors=8,
        threshold_m=0,
        progress=shares.append,
        cancelled=lambda: len(shares) == 3,
    )
    assert shares == [1 / 8, 2 / 8, 3 / 8]
    assert len(result.effectors) == 3


def test_candidates_are_every_joints_position_and_rotation_and_the_heads_sight() -> None:
    kinds = SOLVERS["dls"].kinds
    assert len(candidate_effectors(SKELETON, POSES[0], kinds)) == 24 + 24 + 1
    assert len(candidate_effectors(SKELETON, POSES[0], frozenset({"position"}))) == 24


@pytest.mark.slow
def test_ends_of_limbs_head_and_pelvis_come_before_what_nobody_grabs() -> None:
    first = [e for pose in POSES[:3] for e in recover_effectors(SKELETON, SHAPE, pose, "smplik").effectors[:4]]
    assert sum(e.joint.rpartition("_")[2] in HANDY for e in first) >= 0.75 * len(first)
    assert not any(e.joint.endswith(("collar", "hip", "spine1")) for e in first)


def test_both_sides_are_taken_where_the_pose_is_the_same_on_both() -> None:
    rotations = np.array(natural().rotations)
    for joint, turn in (("shoulder", [0.0, 0.0, 1.2]), ("elbow", [0.0, 1.2, 0.0]), ("hip", [-1.1, 0.0, 0.0])):
        for side, sign in (("left", 1.0), ("right", -1.0)):
            j = SKELETON.index(f"{side}_{joint}")
            rotations[j] = from_rotation_vector(np.array(turn) * [1.0, sign, sign]) @ np.eye(3)
    effectors = recover_effectors(SKELETON, SHAPE, Pose(natural().root_position, rotations), "smplik").effectors
    joints = {e.joint for e in effectors}
    mirrored = {name.replace("left_", "~").replace("right_", "left_").replace("~", "right_") for name in joints}
    assert len(joints & mirrored) >= 0.7 * len(joints)


def test_only_the_kinds_that_are_allowed_are_taken_and_turns_are_not_strict() -> None:
    turns = recover_effectors(SKELETON, SHAPE, POSES[0], max_effectors=4, kinds=frozenset({"rotation"})).effectors
    assert len(turns) == 4
    assert all(e.kind == "rotation" and 0 < e.tolerance < 0.6 for e in turns)
    assert not recover_effectors(SKELETON, SHAPE, POSES[0], kinds=frozenset()).effectors


def test_an_unknown_solver_is_named() -> None:
    with pytest.raises(UnknownName, match="nobody"):
        recover_effectors(SKELETON, SHAPE, POSES[0], "nobody")
