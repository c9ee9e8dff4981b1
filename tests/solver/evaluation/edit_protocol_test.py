"""Protocol N: two poses of one clip, the targets of the one for the other, and what is measured of the answers."""

from __future__ import annotations

import numpy as np
import pytest

from solver.body.catalog import load_body
from solver.effectors.kinds import Position
from solver.evaluation.contestants import Contestant, Contestants
from solver.evaluation.edits import DRAWN_M, WRISTS, EditProtocol, edit_figures, heading
from solver.evaluation.evaluate import able_to
from solver.evaluation.poses import TruePose
from solver.evaluation.preservation import BASE_POSE
from solver.evaluation.protocols import PROTOCOLS, protocols_named
from solver.evaluation.trial_arrays import Answers, answers_of, trial_arrays_of
from solver.ik.residuals import effector_errors
from solver.kinematics.fk import forward_kinematics
from solver.rig.roles import ENDS
from tests.solver.evaluation_samples import true_poses

POSES = true_poses(12)
BODY = load_body("anny")


def edits(id: str) -> EditProtocol:
    found = PROTOCOLS[id]
    assert isinstance(found, EditProtocol)
    return found


def test_its_rows_are_two_and_five_targets_of_another_pose_and_drawn() -> None:
    assert [p.id for p in protocols_named("n")] == ["N:2", "N:5", "N:2-drawn", "N:5-drawn"]
    assert [p.joints for p in protocols_named("N")] == [frozenset(some) for some in (WRISTS, ENDS, WRISTS, ENDS)]


def test_start_and_targets_are_of_one_clip_over_the_same_place_and_facing_the_same_way() -> None:
    trials = list(edits("N:5").trials(POSES))
    assert len(trials) == len(POSES)
    starts: dict[str, list[TruePose]] = {}
    for pose in POSES:
        starts.setdefault(pose.clip, []).append(pose)
    for trial, original in zip(trials, POSES, strict=True):
        start, goal = trial.problem.base_pose, trial.truth.pose
        assert any(start is other.pose for other in starts[original.clip])
        assert goal.root_position[[0, 2]] == pytest.approx(start.root_position[[0, 2]])
        assert goal.root_position[1] == original.pose.root_position[1]
        assert np.cos(heading(goal) - heading(start)) == pytest.approx(1.0, abs=1e-5)
        assert np.array_equal(goal.rotations[1:], original.pose.rotations[1:])
        assert [e.joint for e in trial.problem.effectors] == list(ENDS)
        off = effector_errors(original.skeleton, goal, trial.problem.effectors)
        assert max(off) < 1e-5


def test_a_clip_of_one_pose_is_edited_from_itself() -> None:
    (trial,) = edits("N:2").trials(POSES[:1])
    assert trial.problem.base_pose is POSES[0].pose


def test_drawn_targets_lie_about_the_start_pose() -> None:
    way = []
    for seed in range(20):
        for trial in edits("N:5-drawn").trials(POSES, seed):
            assert trial.truth.pose is trial.problem.base_pose
            at = forward_kinematics(trial.truth.skeleton, trial.problem.base_pose).positions
            for effector in trial.problem.effectors:
                assert isinstance(effector, Position)
                way.append(effector.target - at[trial.truth.skeleton.index(effector.joint)])
    assert np.std(way, axis=0) == pytest.approx([DRAWN_M] * 3, rel=0.1)
    assert np.abs(np.mean(way, axis=0)).max() < 0.02


def test_the_same_seed_gives_the_same_edits_and_other_rows_the_same_starts() -> None:
    one, two = (list(edits("N:5").trials(POSES, 3)) for _ in range(2))
    assert [a.problem == b.problem for a, b in zip(one, two, strict=True)] == [True] * len(POSES)
    for a, b in zip(one, edits("N:2").trials(POSES, 3), strict=True):
        assert a.problem.base_pose is b.problem.base_pose


def test_a_contestant_that_changes_nothing_misses_the_targets_and_keeps_the_bones() -> None:
    still = Contestant("still", frozenset({"position"}), lambda problem: problem.base_pose, size_bytes=17)
    for id in ("N:2", "N:2-drawn"):
        protocol = edits(id)
        arrays = trial_arrays_of(tuple(protocol.trials(POSES)), BODY)
        figures = edit_figures(protocol, still, arrays, answers_of(still, arrays))
        assert figures["effector_mm"] > 50.0
        assert figures["bone_mm"] < 0.01
        assert figures["model_bytes"] == 17
        assert ("mpjpe_mm" in figures) == (id == "N:2")
    answers = Answers(tuple(trial.truth.pose for trial in arrays.trials), np.ones(len(arrays.trials)))
    assert "model_bytes" not in edit_figures(
        protocol, Contestant("x", frozenset(), lambda p: p.base_pose), arrays, answers
    )


def test_a_solver_that_places_few_joints_is_left_out_where_others_are_asked_for() -> None:
    few = Contestant("few", frozenset({"position"}), lambda p: p.base_pose, places=frozenset(ENDS))
    turning = Contestant("turning", frozenset({"rotation"}), lambda p: p.base_pose)
    field = Contestants((few, turning), {})
    for id in ("N:2", "N:5-drawn"):
        able, left_out = able_to(PROTOCOLS[id], field, BASE_POSE)
        assert [row.name for row in able] == ["few", "base pose"]
        assert left_out == {"turning": "It does not take position effectors."}
    able, left_out = able_to(PROTOCOLS["Rp"], field)
    assert able == ()
    assert left_out["few"] == "It places left_ankle, right_ankle, head, left_wrist, right_wrist alone."
