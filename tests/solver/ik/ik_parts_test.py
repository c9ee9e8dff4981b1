"""Residuals and their states, placement, the natural pose's file, and the cache of compiled code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from ik_samples import FIVE, body_skeleton, difference, look, natural, position, rotation
from sample_files import CLIPS

from solver import jit
from solver.effectors.kinds import Position, kinds
from solver.effectors.placement import placed
from solver.errors import InputRefused, PoserError
from solver.formats.bvh.write import write_bvh
from solver.ik import pose_prior as prior_module
from solver.ik.pose_prior import PRIOR_FILE, natural_pose, pose_prior, read_recorded_prior, whole_pose_stiffness
from solver.ik.residuals import effector_errors, residuals
from solver.kinematics.pose import Motion, Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.kinematics.skeleton import SMPL_JOINTS, Skeleton

SKELETON, BASE = body_skeleton(), natural()


def test_errors_are_metres_geodesic_angles_and_angles_of_sight() -> None:
    effectors = [
        position(BASE, "head", (0.03, 0, 0.04)),
        rotation(BASE, "left_wrist", from_rotation_vector([0, 0.25, 0])),
        look(BASE, (0, 0, 0)),
        position(BASE, "pelvis", (0, 0.01, 0), enabled=False),
    ]
    errors = effector_errors(SKELETON, BASE, effectors)
    assert errors == pytest.approx([0.05, 0.25, 0, 0.01], abs=1e-4)


def test_states_follow_the_tolerance_except_for_pins_and_disabled_ones() -> None:
    def state(shift: float, **options) -> str:
        return residuals(SKELETON, BASE, [position(BASE, "head", (shift, 0, 0), **options)])[0].state

    assert state(0.0005) == "met"
    assert state(0.01) == "unreachable"
    assert state(0.01, tolerance=0.5) == "tolerated"
    assert state(0.02, tolerance=0.5) == "unreachable"
    assert state(0.25, tolerance=1) == "tolerated"
    assert state(0.01, tolerance=1, pinned=True) == "unreachable"
    assert state(0.01, enabled=False) == "disabled"


def test_what_a_tolerance_allows_grows_from_a_hair_to_a_hint() -> None:
    for kind in kinds():
        allowed = [kind.allowed_error(t) for t in np.linspace(0, 1, 11)]
        assert allowed == sorted(allowed)
    assert Position.spec.allowed_error(0) == pytest.approx(1e-3)
    assert Position.spec.allowed_error(1) == pytest.approx(0.3)


def test_placement_lays_a_pose_over_its_own_effectors_wherever_it_was_moved() -> None:
    turn = from_rotation_vector([0.2, 2.4, -0.1])
    rotations = np.array(BASE.rotations)
    rotations[0] = turn @ rotations[0]
    moved = Pose(BASE.root_position + np.float32([1, 0.2, -2]), rotations)
    found = placed(SKELETON, BASE, [position(moved, joint) for joint in (*FIVE, "left_shoulder", "right_shoulder")])
    assert geodesic_angle(found.rotations[0], moved.rotations[0]) < 0.15
    assert np.linalg.norm(found.root_position - moved.root_position) < 0.1


def test_placement_keeps_upright_and_facing_where_effectors_say_little() -> None:
    found = placed(SKELETON, BASE, [position(BASE, "head", (1, 0, 1))])
    assert geodesic_angle(found.rotations[0], BASE.rotations[0]) < 1e-3
    assert found.root_position - BASE.root_position == pytest.approx([1, 0, 1], abs=1e-5)
    assert difference(placed(SKELETON, BASE, []), BASE) < 1e-6


def test_the_natural_pose_is_symmetric_and_its_file_small() -> None:
    prior = pose_prior(SMPL_JOINTS)
    flip = np.diag([-1.0, 1, 1])
    left, right = SMPL_JOINTS.index("left_shoulder"), SMPL_JOINTS.index("right_shoulder")
    assert flip @ prior.mean[left] @ flip == pytest.approx(prior.mean[right], abs=1e-4)
    assert PRIOR_FILE.stat().st_size < 50_000
    assert np.linalg.eigvalsh(prior.stiffness).min() > 0


def test_the_whole_poses_stiffness_is_symmetric_leaves_the_root_free_and_holds_the_rest() -> None:
    stiffness = whole_pose_stiffness(SMPL_JOINTS)
    assert stiffness == pytest.approx(stiffness.T)
    assert not stiffness[:3].any()
    assert np.linalg.eigvalsh(stiffness[3:, 3:]).min() > 0.1


def test_a_walkers_thighs_are_more_natural_than_both_ahead_and_a_hip_bent_with_its_knee_than_alone() -> None:
    stiffness = whole_pose_stiffness(SMPL_JOINTS)

    def cost(**bends: float) -> float:
        v = np.zeros(3 * len(SMPL_JOINTS))
        for name, angle in bends.items():
            v[3 * SMPL_JOINTS.index(name)] = angle
        return float(v @ stiffness @ v)

    assert cost(left_hip=-0.5, right_hip=0.4) < cost(left_hip=-0.5, right_hip=-0.4)
    assert cost(left_hip=-0.8, left_knee=0.8) < cost(left_hip=-0.8)


def test_the_whole_poses_stiffness_knows_joints_by_name() -> None:
    turned = ("pelvis", *reversed(SMPL_JOINTS[1:]))
    rows = np.concatenate([3 * SMPL_JOINTS.index(name) + np.arange(3) for name in turned])
    assert whole_pose_stiffness(turned) == pytest.approx(
        whole_pose_stiffness(SMPL_JOINTS)[np.ix_(rows, rows)], abs=1e-8
    )
    strange = whole_pose_stiffness(("pelvis", "tail"))
    assert strange[3:, 3:] == pytest.approx(np.eye(3) / (prior_module.UNKNOWN_SPREAD**2 + prior_module.FLOOR**2))


def test_a_skeleton_of_strangers_has_its_rest_pose_for_a_natural_one() -> None:
    tail = Skeleton(("root", "tail"), (-1, 0), np.float32([[0, 1, 0], [0, 0, -0.3]]))
    assert difference(natural_pose(tail), rest_pose(tail)) < 1e-6


def test_the_script_makes_a_prior_from_a_folder_of_clips(tmp_path: Path) -> None:
    from solver.training.data.pose_prior import main

    out = tmp_path / "prior.json"
    assert main(["--bvh", str(CLIPS), "-o", str(out)]) == 0
    joints = json.loads(out.read_text())["joints"]
    assert set(joints) == set(SMPL_JOINTS)
    together = json.loads(out.read_text())["together"]
    size = 3 * len(together["joints"])
    assert len(together["covariance"]) == size * (size + 1) // 2
    assert joints["left_knee"]["covariance"][0][0] > joints["left_knee"]["covariance"][1][1]


def test_clips_in_which_nobody_stands_are_refused_in_one_sentence(tmp_path: Path) -> None:
    from solver.training.data.pose_prior import main

    base = natural()
    lying = np.concatenate([from_rotation_vector([1.5, 0.0, 0.0])[None] @ base.rotations[:1], base.rotations[1:]])
    motion = Motion(np.tile(base.root_position, (20, 1)), np.tile(lying, (20, 1, 1, 1)))
    write_bvh(tmp_path / "lie.bvh", body_skeleton(), motion)
    with pytest.raises(PoserError, match="Nobody stands"):
        main(["--bvh", str(tmp_path), "-o", str(tmp_path / "prior.json")])
    assert not (tmp_path / "prior.json").exists()


@pytest.mark.parametrize("damage", ["{", "{}", "[]", '{"joints": {"head": {"mean": "x"}}}', ""])
def test_a_damaged_prior_is_refused_with_the_file_and_where_a_good_one_is(damage: str, tmp_path: Path) -> None:
    file = tmp_path / "natural_pose.json"
    file.write_text(damage)
    with pytest.raises(InputRefused, match=r"natural_pose\.json: .*cannot be read.*assets"):
        read_recorded_prior(file)
    file.unlink()
    with pytest.raises(InputRefused, match="cannot be read"):
        read_recorded_prior(file)


def test_the_prior_that_is_carried_knows_every_joint() -> None:
    assert set(json.loads(PRIOR_FILE.read_text())["joints"]) == set(SMPL_JOINTS)


def test_compiled_code_goes_to_the_users_cache_and_its_name_follows_the_sources(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(jit.sys, "platform", "linux")
    before = jit.numba.config.CACHE_DIR
    try:
        assert jit.choose_cache()
        assert Path(jit.numba.config.CACHE_DIR) == tmp_path / "contrapposto" / f"kernels-{jit.sources_digest()}"
    finally:
        jit.numba.config.CACHE_DIR = before


@pytest.mark.slow
def test_solving_works_where_no_cache_can_be_written() -> None:
    code = "from solver.jit import kernel; print(kernel(lambda x: 2.0 * x)(1.0))"
    environment = {**os.environ, "NUMBA_CACHE_DIR": "/dev/null/nowhere"}
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=root, env=environment, check=False
    )
    assert done.stdout.split() == ["2.0"], done.stderr


@pytest.mark.slow
def test_the_solver_loads_without_torch() -> None:
    modules = "solver.solvers.dls, solver.solvers.recovery"
    code = f"import sys, {modules}; print('torch' in sys.modules, 'PySide6' in sys.modules)"
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, check=False)
    assert done.stdout.split() == ["False", "False"], done.stderr
