"""Forward kinematics is computed once for a skeleton and a pose, and the compiled walk says what the plain one says."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
from scipy.spatial.transform import Rotation as Turn

from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.kinematics import fk_kernels
from solver.kinematics.fk import forward_kinematics, forward_kinematics_batch
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton

SKELETON = load_body(DEFAULT_BODY).skeleton(BodyShape())
TALL = load_body(DEFAULT_BODY).skeleton(BodyShape(np.array([2.0] + [0.0] * 9)))


def some_pose(seed: int = 3) -> Pose:
    rng = np.random.default_rng(seed)
    return Pose(rng.normal(size=3), Turn.from_rotvec(rng.normal(size=(24, 3))).as_matrix())


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many poses each compiled walk was about."""
    counted: list[int] = []
    walk: Callable[..., None] = fk_kernels.forward_many

    def counting(parents: np.ndarray, offsets: np.ndarray, roots: np.ndarray, *rest: np.ndarray) -> None:
        counted.append(len(roots))
        walk(parents, offsets, roots, *rest)

    monkeypatch.setattr(fk_kernels, "forward_many", counting)
    return counted


def test_a_pose_is_computed_once_and_read_only(walks: list[int]) -> None:
    pose = some_pose()
    first, second = forward_kinematics(SKELETON, pose), forward_kinematics(SKELETON, pose)
    assert first is second
    assert walks == [1]
    with pytest.raises(ValueError, match="read-only"):
        first.positions[0] = 0.0


def test_another_skeleton_has_joints_of_its_own(walks: list[int]) -> None:
    pose = some_pose()
    usual, tall = forward_kinematics(SKELETON, pose).positions, forward_kinematics(TALL, pose).positions
    assert np.abs(usual - tall).max() > 0.05
    assert forward_kinematics(SKELETON, pose).positions == pytest.approx(usual)
    assert len(walks) == 3


def test_equal_poses_stay_equal_whichever_was_asked_for_its_joints() -> None:
    pose, twin = some_pose(), some_pose()
    forward_kinematics(SKELETON, pose)
    assert pose == twin


def test_a_batch_is_walked_in_one_go_and_says_what_single_poses_say(walks: list[int]) -> None:
    poses = [some_pose(seed) for seed in range(6)]
    roots, local = np.stack([p.root_position for p in poses]), np.stack([p.rotations for p in poses])
    joints = forward_kinematics_batch(SKELETON.parents, SKELETON.offsets, roots, local)
    assert walks == [6]
    for i, pose in enumerate(poses):
        alone = forward_kinematics(SKELETON, pose)
        assert joints.positions[i] == pytest.approx(alone.positions, abs=1e-6)
        assert joints.rotations[i] == pytest.approx(alone.rotations, abs=1e-6)


def test_a_batch_may_have_any_shape_and_bones_of_its_own() -> None:
    poses = [some_pose(seed) for seed in range(6)]
    roots = np.stack([p.root_position for p in poses]).reshape(2, 3, 3)
    local = np.stack([p.rotations for p in poses]).reshape(2, 3, 24, 3, 3)
    offsets = np.stack([[SKELETON.offsets, TALL.offsets, SKELETON.offsets]] * 2)
    joints = forward_kinematics_batch(SKELETON.parents, offsets, roots, local)
    assert joints.positions.shape == (2, 3, 24, 3)
    assert joints.positions.dtype == np.float32
    assert joints.positions[1, 1] == pytest.approx(forward_kinematics(TALL, poses[4]).positions, abs=1e-6)
    assert joints.positions[1, 2] == pytest.approx(forward_kinematics(SKELETON, poses[5]).positions, abs=1e-6)
    empty = forward_kinematics_batch(SKELETON.parents, SKELETON.offsets, np.empty((0, 3)), np.empty((0, 24, 3, 3)))
    assert empty.positions.shape == (0, 24, 3)


def test_float64_stays_float64() -> None:
    pose = some_pose()
    local = pose.rotations.astype(np.float64)
    assert (
        forward_kinematics_batch(SKELETON.parents, SKELETON.offsets, np.zeros(3), local).positions.dtype == np.float64
    )


@pytest.mark.parametrize("joints", [23, 25])
def test_a_pose_of_another_number_of_joints_is_refused_rather_than_read_beyond_its_end(joints: int) -> None:
    pose = Pose(np.zeros(3), np.broadcast_to(np.eye(3), (joints, 3, 3)))
    with pytest.raises(ValueError, match=f"the pose has {joints} joints, the skeleton 24"):
        forward_kinematics(SKELETON, pose)
    with pytest.raises(ValueError, match="reshape"):
        forward_kinematics_batch(SKELETON.parents, SKELETON.offsets, pose.root_position, pose.rotations)


@pytest.mark.slow
def test_without_a_solver_the_joints_are_found_without_numba_and_are_the_same() -> None:
    program = (
        "import sys, numpy as np\n"
        "from solver.kinematics.fk import forward_kinematics\n"
        "from solver.kinematics.pose import Pose\n"
        "from solver.kinematics.skeleton import Skeleton\n"
        "chain = Skeleton(('a', 'b', 'c', 'd'), (-1, 0, 1, 1), np.arange(12.0).reshape(4, 3) / 10)\n"
        "turns = np.roll(np.eye(3), 1, axis=0)[None].repeat(4, axis=0)\n"
        "plain = forward_kinematics(chain, Pose(np.ones(3), turns))\n"
        "assert 'numba' not in sys.modules\n"
        "import solver.kinematics.fk_kernels\n"
        "compiled = forward_kinematics(chain, Pose(np.ones(3), turns))\n"
        "assert np.allclose(plain.positions, compiled.positions, atol=1e-6)\n"
        "assert np.allclose(plain.rotations, compiled.rotations, atol=1e-6)\n"
        "print(plain.positions[3].round(4).tolist())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    turn = np.roll(np.eye(3), 1, axis=0)
    by_hand = np.ones(3) + turn @ [0.3, 0.4, 0.5] + turn @ turn @ [0.9, 1.0, 1.1]
    assert np.allclose(eval(done.stdout), by_hand, atol=1e-4)


def test_a_whole_motion_is_the_same_before_the_kernels_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    poses = [some_pose(seed) for seed in range(5)]
    asked = (
        SKELETON.parents,
        np.stack([SKELETON.offsets, TALL.offsets])[[0, 1, 0, 1, 1]],
        np.stack([pose.root_position for pose in poses]),
        np.stack([pose.rotations for pose in poses]),
    )
    compiled = forward_kinematics_batch(*asked)
    monkeypatch.delitem(sys.modules, "solver.kinematics.fk_kernels")
    plain = forward_kinematics_batch(*asked)
    assert plain.positions == pytest.approx(compiled.positions, abs=1e-6)
    assert plain.rotations == pytest.approx(compiled.rotations, abs=1e-6)


def test_a_tree_of_one_joint_is_its_root() -> None:
    one = Skeleton(("root",), (-1,), np.zeros((1, 3)))
    assert forward_kinematics(one, Pose([1, 2, 3], np.eye(3)[None])).positions.tolist() == [[1, 2, 3]]
