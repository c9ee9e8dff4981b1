from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solver.effectors.kinds import LookAt
from solver.errors import UnknownName
from solver.evaluation.body_joints import BODY_JOINTS, LIMBS
from solver.evaluation.edits import EditProtocol
from solver.evaluation.protocols import FIVE_POINTS, MOTION_PROTOCOLS, PROTOCOLS, protocols_named
from solver.evaluation.trials import Trial
from solver.ik.preserve_modes import PRESERVE_MODES
from solver.ik.residuals import effector_errors
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from tests.solver.evaluation_samples import true_poses

POSES = true_poses(30, seed=2)
R, F = PROTOCOLS["R"], PROTOCOLS["F"]


def pairs(trial: Trial) -> list[tuple[str, str]]:
    return [(e.joint, e.kind) for e in trial.problem.effectors]


def test_limbs_share_no_joint_and_leave_the_trunk_out() -> None:
    joints = [name for limb in LIMBS.values() for name in limb]
    assert len(joints) == len(set(joints)) == 12
    assert set(joints) < set(BODY_JOINTS)
    assert not {"left_hip", "right_collar", "pelvis", "head"} & set(joints)
    assert len(BODY_JOINTS) == 22


def test_random_problems_have_6_to_12_effectors_none_twice() -> None:
    trials = list(R.trials(POSES))
    counts = [len(trial.problem.effectors) for trial in trials]
    assert counts == [6, 7, 8, 9, 10, 11, 12] * len(POSES)
    assert all(len(set(pairs(trial))) == len(pairs(trial)) for trial in trials)
    assert {joint for trial in trials for joint, _ in pairs(trial)} == set(BODY_JOINTS)
    assert {kind for trial in trials for _, kind in pairs(trial)} == R.kinds


def test_every_limb_has_a_position_in_a_random_problem() -> None:
    for trial in R.trials(POSES):
        placed = {joint for joint, kind in pairs(trial) if kind == "position"}
        assert all(placed & set(limb) for limb in LIMBS.values())


def test_the_rest_is_drawn_from_all_pairs_that_the_limbs_have_left() -> None:
    rest = [kind for seed in range(3) for trial in R.trials(POSES, seed) for _, kind in pairs(trial)[4:]]
    left = {"position": 22 - 4, "rotation": 22, "lookat": 22}
    for kind, count in left.items():
        assert rest.count(kind) / len(rest) == pytest.approx(count / 62, abs=0.03)


def test_positions_alone_are_drawn_as_random_effectors_are() -> None:
    trials = list(PROTOCOLS["Rp"].trials(POSES))
    assert [len(trial.problem.effectors) for trial in trials] == [6, 7, 8, 9, 10, 11, 12] * len(POSES)
    for trial in trials:
        joints = [joint for joint, kind in pairs(trial) if kind == "position"]
        assert len(joints) == len(set(joints)) == len(trial.problem.effectors)
        assert all(set(joints) & set(limb) for limb in LIMBS.values())
    assert {joint for trial in trials for joint, _ in pairs(trial)} == set(BODY_JOINTS)


def test_a_base_pose_is_another_pose_over_the_same_place() -> None:
    for trial in PROTOCOLS["B:local"].trials(POSES):
        base = trial.problem.base_pose
        assert any(base.rotations is other.pose.rotations for other in POSES if other is not trial.truth)
        assert base.rotations is not trial.truth.pose.rotations
        assert base.root_position[[0, 2]] == pytest.approx(trial.truth.pose.root_position[[0, 2]])
    used = {id(trial.problem.base_pose.rotations) for trial in PROTOCOLS["B:local"].trials(POSES)}
    assert len(used) > len(POSES) / 2


def test_pelvis_and_ankles_are_given_whatever_is_kept_of_the_others() -> None:
    given = [("pelvis", "position"), ("pelvis", "rotation"), ("left_ankle", "position"), ("right_ankle", "position")]
    free = [name in ("pelvis", "left_ankle", "right_ankle") for name in POSES[0].skeleton.names]
    found = {mode.id: list(PROTOCOLS[f"B:{mode.id}"].trials(POSES[:5])) for mode in PRESERVE_MODES}
    for mode in PRESERVE_MODES:
        for trial, first in zip(found[mode.id], found["global"], strict=True):
            assert pairs(trial) == given
            assert trial.problem.effectors == first.problem.effectors
            assert trial.problem.base_pose == first.problem.base_pose
            masks = trial.problem.preserve_position, trial.problem.preserve_orientation
            for mask, value in zip(masks, (mode.place, mode.shape), strict=True):
                assert mask[free] == pytest.approx(0.0)
                assert mask[np.logical_not(free)] == pytest.approx(value)


def test_a_pose_alone_is_its_own_base() -> None:
    (trial,) = PROTOCOLS["B:global"].trials(POSES[:1])
    assert trial.problem.base_pose == POSES[0].pose


def test_the_true_pose_meets_every_effector() -> None:
    for protocol in PROTOCOLS.values():
        if isinstance(protocol, EditProtocol) and protocol.drawn:
            continue
        for trial in protocol.trials(POSES[:5]):
            assert effector_errors(trial.truth.skeleton, trial.truth.pose, trial.problem.effectors).max() < 1e-3
            assert all(e.tolerance == 0.0 and e.pinned == (protocol.family == "B") for e in trial.problem.effectors)


def test_looks_go_in_all_directions_of_the_joint_at_distances_of_metres() -> None:
    looks = [(t.truth, e) for t in R.trials(POSES) for e in t.problem.effectors if isinstance(e, LookAt)]
    axes = np.array([e.local_axis for _, e in looks])
    assert np.abs(axes.mean(axis=0)).max() < 0.15
    assert np.square(axes).mean(axis=0) == pytest.approx(np.full(3, 1 / 3), abs=0.08)
    away = []
    for truth, effector in looks:
        joints = forward_kinematics(truth.skeleton, truth.pose)
        away.append(np.linalg.norm(effector.target - joints.positions[truth.skeleton.index(effector.joint)]))
    assert np.sqrt(np.mean(np.square(away))) == pytest.approx(5.0, rel=0.15)  # a folded normal keeps its second moment


def test_five_points_are_chest_wrists_and_ankles() -> None:
    trials = list(F.trials(POSES))
    assert len(trials) == len(POSES)
    assert all(pairs(trial) == [(name, "position") for name in FIVE_POINTS] for trial in trials)


def test_the_same_seed_gives_the_same_problems_and_another_seed_others() -> None:
    first, again, other = (list(R.trials(POSES[:3], seed)) for seed in (4, 4, 5))
    assert [t.problem for t in first] == [t.problem for t in again]
    assert [pairs(t) for t in first] != [pairs(t) for t in other]


def test_a_pose_gets_the_same_problems_whatever_else_is_measured() -> None:
    alone, among = list(R.trials(POSES[2:3])), list(R.trials(POSES[:4]))[14:21]
    assert [t.problem for t in alone] == [t.problem for t in among]


def test_the_base_pose_tells_nothing_but_what_the_effectors_tell() -> None:
    truth = POSES[0]
    away = replace(truth, pose=Pose(truth.pose.root_position + np.float32([3, 0, -2]), truth.pose.rotations))
    here, there = next(F.trials((truth,))).problem, next(F.trials((away,))).problem
    assert here.base_pose.rotations == pytest.approx(there.base_pose.rotations, abs=1e-5)
    moved = there.base_pose.root_position - here.base_pose.root_position
    assert moved == pytest.approx([3, 0, -2], abs=1e-4)
    other_elbow = np.array(truth.pose.rotations)
    other_elbow[truth.skeleton.index("left_hand")] = np.diag([1, -1, -1])  # beyond every effector
    turned = replace(truth, pose=Pose(truth.pose.root_position, other_elbow))
    assert next(F.trials((turned,))).problem == here


def test_protocols_are_named_in_a_list() -> None:
    assert [p.id for p in protocols_named("f, R,F,rp")] == ["F", "R", "Rp"]
    assert [p.id for p in protocols_named("b")] == ["B:global", "B:local", "B:place_freeze", "B:pose_freeze"]
    assert [p.id for p in protocols_named("B:local, R,b:LOCAL")] == ["B:local", "R"]
    assert [p.id for p in protocols_named("m, M:Local")] == ["M:global", "M:local"]
    assert [p.id for p in protocols_named("all")] == [*PROTOCOLS, *MOTION_PROTOCOLS]
    with pytest.raises(UnknownName, match=r"“X”.*R, Rp, F, B, N, M, B:global"):
        protocols_named("R,X")
