"""Keeping a base pose as it is measured, and how natural a pose is where no true one says so."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from solver.evaluation.body_joints import BODY_JOINTS
from solver.evaluation.evaluate import Settings, evaluate
from solver.evaluation.naturalness import Library, beyond_limits, library_of, prior_energy
from solver.evaluation.preservation import BASE_POSE, preservation_figures
from solver.evaluation.protocols import PROTOCOLS
from solver.evaluation.trial_arrays import Answers, answers_of, trial_arrays_of
from solver.ik.pose_prior import pose_prior
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from tests.solver.evaluation_samples import BODY, SKELETON, true_poses, write_clips

POSES = true_poses(6, seed=4)
TRIALS = trial_arrays_of(tuple(PROTOCOLS["B:local"].trials(POSES)), BODY)
FREE = len(BODY_JOINTS) - 3


def figures(poses: list[Pose], library: Library | None = None) -> dict[str, float]:
    return preservation_figures(TRIALS, Answers(tuple(poses), np.ones(len(poses))), library)


def with_turn(pose: Pose, joint: str, vector: tuple[float, float, float]) -> Pose:
    rotations = np.array(pose.rotations)
    rotations[SKELETON.index(joint)] = rotations[SKELETON.index(joint)] @ from_rotation_vector(vector)
    return Pose(pose.root_position, rotations)


def test_the_base_pose_keeps_everything_and_misses_the_constraints() -> None:
    found = figures(list(answers_of(BASE_POSE, TRIALS).poses))
    assert found["kept_m"] == found["kept_rad"] == 0.0
    assert found["effector_mm"] > 10.0
    assert found["effector_deg"] > 1.0


def test_the_true_pose_meets_the_constraints_and_leaves_the_base_pose() -> None:
    found = figures([trial.truth.pose for trial in TRIALS.trials])
    assert found["effector_mm"] < 1e-3
    assert found["effector_deg"] < 0.05
    assert found["kept_m"] > 0.01
    assert found["kept_rad"] > 0.1


def test_what_is_kept_is_the_mean_over_joints_without_a_constraint() -> None:
    base = [trial.problem.base_pose for trial in TRIALS.trials]
    turned = figures([with_turn(pose, "head", (0, 0.4, 0)) for pose in base])
    assert turned["kept_rad"] == pytest.approx(0.4 / FREE, abs=1e-4)
    assert turned["kept_m"] == pytest.approx(0.0, abs=1e-5)  # nothing of the body hangs on the head
    constrained = figures([with_turn(pose, "left_ankle", (0.3, 0, 0)) for pose in base])
    assert constrained["kept_rad"] == pytest.approx(0.0, abs=1e-4)
    moved = figures([Pose(pose.root_position + np.float32([0, 0.05, 0]), pose.rotations) for pose in base])
    assert moved["kept_m"] == pytest.approx(0.05, abs=1e-5)


def test_energy_is_nothing_for_the_mean_pose_and_grows_with_every_turn() -> None:
    mean = pose_prior(BODY_JOINTS).mean
    bent = np.tile(mean, (3, 1, 1, 1))
    for row, angle in enumerate((0.0, 0.4, 0.8)):
        bent[row, BODY_JOINTS.index("left_elbow")] = mean[BODY_JOINTS.index("left_elbow")] @ from_rotation_vector(
            [0, angle, 0]
        )
    energy = prior_energy(bent)
    assert energy[0] == pytest.approx(0.0, abs=1e-9)
    assert energy[2] == pytest.approx(4 * energy[1])
    assert energy[1] > 0


def test_turning_the_whole_body_costs_no_energy() -> None:
    local = np.array([pose.pose.rotations[:22] for pose in POSES], dtype=np.float64)
    turned = local.copy()
    turned[:, 0] = from_rotation_vector([1.0, 2.0, 0.5]) @ local[:, 0]
    assert prior_energy(turned) == pytest.approx(prior_energy(local))


def test_a_knee_bent_forward_is_beyond_its_limits_and_a_resting_body_is_not() -> None:
    local = np.tile(np.eye(3), (2, 22, 1, 1))
    local[1, BODY_JOINTS.index("left_knee")] = from_rotation_vector([-1.0, 0, 0])
    resting, bent = beyond_limits(local)
    assert resting < 1.0
    assert 30.0 < bent < 90.0


def test_a_pose_of_the_library_is_found_wherever_it_faces() -> None:
    library = Library.of(BODY, [truth.pose for truth in POSES[:4]])
    local = np.array([truth.pose.rotations[:22] for truth in POSES], dtype=np.float64)
    local[:, 0] = from_rotation_vector([0, 2.0, 0]) @ local[:, 0]
    away = library.nearest_mm(local)
    assert away[:4] == pytest.approx(0.0, abs=0.1)
    assert away[4:].min() > 5.0


def test_the_distance_to_the_library_is_that_of_the_joints() -> None:
    library = Library.of(BODY, [POSES[0].pose])
    nodding = with_turn(POSES[0].pose, "neck", (0.5, 0, 0)).rotations[None, :22]
    here, there = (np.asarray(Library.of(BODY, [pose]).places[0]) for pose in (POSES[0].pose, Pose(
        POSES[0].pose.root_position, np.concatenate([nodding[0], np.tile(np.eye(3, dtype=np.float32), (2, 1, 1))])
    )))  # fmt: skip
    apart = 1000 * np.sqrt(np.square(here - there).sum(axis=-1).mean())
    assert library.nearest_mm(nodding)[0] == pytest.approx(apart, rel=0.02)


def test_the_library_is_of_the_clips_to_learn_from(tmp_path: Path) -> None:
    write_clips(tmp_path, {"learnt": 21, "unseen": 11})
    assert library_of(tmp_path, BODY) is None
    splits = [{"clip": "learnt", "split": "train"}, {"clip": "unseen", "split": "test"}]
    (tmp_path / "manifest.json").write_text(json.dumps(splits), encoding="utf-8")
    library = library_of(tmp_path, BODY)
    assert library is not None
    assert len(library.places) == 3
    found = evaluate(Settings(tmp_path, "test", protocol="B:global", solver="dls")).figures["B:global"]
    assert found["dls"]["nearest_mm"] > 0
    assert found["dls"]["effector_mm"] < 1.0 < found["base pose"]["effector_mm"]


def test_modes_keep_what_they_say(tmp_path: Path) -> None:
    write_clips(tmp_path, {"a": 41, "b": 41})
    rows = {id: row["dls"] for id, row in evaluate(Settings(tmp_path, protocol="B", solver="dls")).figures.items()}
    places, turns = ({id: row[name] for id, row in rows.items()} for name in ("kept_m", "kept_rad"))
    assert min(places, key=places.__getitem__) in ("B:place_freeze", "B:local")
    assert min(turns, key=turns.__getitem__) == "B:pose_freeze"
    assert max(row["effector_mm"] for row in rows.values()) < 1.0, "constraints are pins, and met in every mode"


def test_a_class_of_trials_keeps_its_answers() -> None:
    answers = answers_of(BASE_POSE, TRIALS)
    part, theirs = TRIALS.only(np.array([1, 4])), answers.only(np.array([1, 4]))
    assert [trial.truth.number for trial in part.trials] == [1, 4]
    assert part.poses == 2
    assert theirs.poses == (answers.poses[1], answers.poses[4])
    assert theirs.seconds == pytest.approx(answers.seconds[[1, 4]])
