"""What the shipped pose edition does: it comes near what it is asked for, quickly, and refuses what is not its own."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from time import thread_time

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.effectors.kinds import Position
from solver.errors import InputRefused
from solver.ik.pipeline.pipeline import Solver
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.rig.roles import ENDS, Role
from solver.solvers.catalog import load_solver
from solver.solvers.learned.weights import CONFIG, WEIGHTS, load_weights

SKELETON = load_body("anny").skeleton(BodyShape())
BASE = natural_pose(SKELETON)
AT = forward_kinematics(SKELETON, BASE).positions
FOLDER = WEIGHTS / "pose_edition"


@pytest.fixture(scope="module")
def solver() -> Solver:
    return load_solver("pose_edition")


def moved(role: Role, *way: float) -> Position:
    return Position(role, AT[SKELETON.index(role)] + np.float32(way))


def left(solver: Solver, *effectors: Position) -> list[float]:
    """Metres from the targets that the network alone leaves."""
    found = forward_kinematics(SKELETON, solver.propose(IKProblem.without_masks(SKELETON, effectors, BASE))).positions
    return [float(np.linalg.norm(found[SKELETON.index(e.joint)] - e.target)) for e in effectors]


def test_the_network_alone_comes_near_each_set_of_targets(solver: Solver) -> None:
    hands = moved(Role.LEFT_WRIST, 0.1, 0.3, 0.2), moved(Role.RIGHT_WRIST, -0.1, 0.1, 0.2)
    assert max(left(solver, *hands)) < 0.08
    assert max(left(solver, hands[0])) < 0.08
    head = moved(Role.HEAD, 0.0, -0.15, 0.1)
    every = (*hands, moved(Role.LEFT_ANKLE, 0.1, 0.1, 0.1), moved(Role.RIGHT_ANKLE, 0.0, 0.0, -0.1), head)
    assert np.mean(left(solver, *every)) < 0.06
    off = solver.solve(IKProblem.without_masks(SKELETON, every, BASE))
    assert max(residual.value for residual in off.residuals) < 5e-3


def test_what_is_dragged_there_and_back_leaves_no_trace(solver: Solver) -> None:
    ways = (0.0, 0.1, 0.2, 0.1, 0.0)
    poses = [solver.propose(IKProblem.without_masks(SKELETON, (moved(Role.LEFT_WRIST, 0, w, w),), BASE)) for w in ways]
    assert poses[0] == poses[-1]
    assert poses[1] == poses[-2]


def test_an_answer_takes_less_than_a_millisecond_of_one_thread(solver: Solver) -> None:
    for roles in (ENDS[:2], ENDS):
        problem = IKProblem.without_masks(SKELETON, [moved(role, 0.05, 0.05, 0.05) for role in roles], BASE)
        times = []
        for _ in range(60):
            started = thread_time()
            solver.propose(problem)
            times.append(thread_time() - started)
        assert np.median(times) < 2e-3, "1 ms on a quiet machine"


def test_its_folder_is_small_and_holds_the_papers_nets() -> None:
    metrics = json.loads((FOLDER / "metrics.json").read_text())
    assert metrics["protocol"] == "N"
    assert metrics["fp32"]["paper_megabytes"] < 0.87
    assert (FOLDER / "model.onnx").stat().st_size < 1.1e6
    assert "Pose edition" in (FOLDER / "CARD.md").read_text()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"joints": ["pelvis", "left_hip"]}, "does not answer with 2 joints"),
        ({"joints": ["hips", "left_hip"]}, "not SMPL's body joints"),
        ({"body": "other"}, "trained on the body “other”"),
        ({"network": "smplik"}, "for the network “smplik”"),
    ],
    ids=["fewer joints", "other joints", "another body", "another network"],
)
def test_weights_of_another_skeleton_are_refused(tmp_path: Path, change: dict[str, object], reason: str) -> None:
    folder = shutil.copytree(FOLDER, tmp_path / "weights")
    config = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps({**config, **change}))
    with pytest.raises(InputRefused, match=reason):
        load_weights(folder, "pose_edition", "anny")


def test_a_posing_networks_model_does_not_pass_for_one_that_edits(tmp_path: Path) -> None:
    folder = shutil.copytree(WEIGHTS / "smplik", tmp_path / "weights")
    config = json.loads((folder / CONFIG).read_text())
    (folder / CONFIG).write_text(json.dumps({**config, "network": "pose_edition", "conditions": None}))
    with pytest.raises(InputRefused, match="asks for inputs that this program does not have: betas"):
        load_weights(folder, "pose_edition", "anny")


def test_a_target_that_is_off_counts_for_nothing(solver: Solver) -> None:
    hand, head = moved(Role.LEFT_WRIST, 0.1, 0.2, 0.1), moved(Role.HEAD, 0.1, -0.2, 0.0)
    alone, beside = (
        solver.propose(IKProblem.without_masks(SKELETON, some, BASE))
        for some in ((hand,), (hand, replace(head, enabled=False)))
    )
    assert alone == beside
