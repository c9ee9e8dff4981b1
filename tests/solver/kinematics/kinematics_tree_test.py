"""Forward kinematics against chained 4x4 matrices, mirroring, and effectors' derivatives by finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from ik_samples import body_skeleton, natural
from scipy.spatial.transform import Rotation as Turn

from solver.effectors.form_ids import AIM, POINT, TURN
from solver.effectors.residual_kernels import residual, residual_blocks
from solver.ik.kernel_arrays import tree_of
from solver.kinematics.fk import forward_kinematics, forward_kinematics_batch, skinning_matrices
from solver.kinematics.fk_kernels import forward
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.rig.mirroring import mirror_pose

SKELETON = body_skeleton()
RNG = np.random.default_rng(5)


def random_pose(spread: float = 0.5) -> Pose:
    turns = Turn.from_rotvec(RNG.normal(0, spread, (24, 3))).as_matrix()
    return Pose(RNG.normal(0, 1, 3).astype(np.float32), turns.astype(np.float32))


def chained(pose: Pose) -> np.ndarray:
    """World matrices (24, 4, 4) by multiplying transforms along the tree."""
    world = np.zeros((24, 4, 4))
    for j, parent in enumerate(SKELETON.parents):
        local = np.eye(4)
        local[:3, :3] = pose.rotations[j]
        local[:3, 3] = pose.root_position if parent < 0 else SKELETON.offsets[j]
        world[j] = local if parent < 0 else world[parent] @ local
    return world


def test_forward_kinematics_agrees_with_chained_transforms() -> None:
    for _ in range(5):
        pose = random_pose()
        joints, world = forward_kinematics(SKELETON, pose), chained(pose)
        assert joints.positions == pytest.approx(world[:, :3, 3], abs=1e-5)
        assert joints.rotations == pytest.approx(world[:, :3, :3], abs=1e-5)


def test_the_compiled_one_agrees_with_the_batch() -> None:
    poses, tree = [random_pose() for _ in range(4)], tree_of(SKELETON)
    roots = np.stack([p.root_position for p in poses]).astype(np.float64)
    local = np.stack([p.rotations for p in poses]).astype(np.float64)
    batch = forward_kinematics_batch(SKELETON.parents, tree.offsets, roots, local)
    positions, world = np.empty((24, 3)), np.empty((24, 3, 3))
    for i in range(4):
        forward(tree.parents, tree.offsets, roots[i], local[i], positions, world)
        assert positions == pytest.approx(batch.positions[i], abs=1e-12)
        assert world == pytest.approx(batch.rotations[i], abs=1e-12)


def test_the_rest_pose_stands_at_the_rest_positions_and_skins_nothing() -> None:
    rest = rest_pose(SKELETON)
    assert forward_kinematics(SKELETON, rest).positions == pytest.approx(SKELETON.rest_positions, abs=1e-6)
    assert skinning_matrices(SKELETON, rest) == pytest.approx(np.broadcast_to(np.eye(4), (24, 4, 4)), abs=1e-6)


def test_skinning_carries_every_joint_to_its_place() -> None:
    pose = random_pose()
    rest = np.concatenate([SKELETON.rest_positions, np.ones((24, 1))], axis=1)
    carried = np.einsum("jik,jk->ji", skinning_matrices(SKELETON, pose), rest)[:, :3]
    assert carried == pytest.approx(forward_kinematics(SKELETON, pose).positions, abs=1e-5)


def test_mirroring_twice_gives_the_pose_back_and_once_swaps_the_sides() -> None:
    pose = random_pose()
    once = mirror_pose(SKELETON, pose)
    assert mirror_pose(SKELETON, once) == pose
    here, there = forward_kinematics(SKELETON, pose).positions, forward_kinematics(SKELETON, once).positions
    left, right = SMPL_JOINTS.index("left_wrist"), SMPL_JOINTS.index("right_wrist")
    assert there[right] == pytest.approx(here[left] * [-1, 1, 1], abs=0.01)  # the body itself is symmetric to 1 cm


@pytest.mark.parametrize("kind", [POINT, TURN, AIM])
@pytest.mark.parametrize("joint", ["left_hand", "right_foot", "head", "pelvis", "spine2"])
def test_derivatives_along_the_tree_are_those_of_finite_differences(kind: int, joint: str) -> None:
    tree, index = tree_of(SKELETON), SKELETON.index(joint)
    pose = random_pose(0.4)
    root, local = pose.root_position.astype(np.float64), pose.rotations.astype(np.float64)
    target = Turn.from_rotvec(RNG.normal(0, 1, 3)).as_matrix()
    if kind != TURN:
        target[0] = RNG.normal(0, 2, 3)
        target[1] = [0, 0, 1]
    positions, world, work = np.empty((24, 3)), np.empty((24, 3, 3)), np.empty((4, 3))

    def value(root: np.ndarray, local: np.ndarray) -> np.ndarray:
        out = np.empty(3)
        forward(tree.parents, tree.offsets, root, local, positions, world)
        length = residual(kind, target, positions[index], world[index], work, out)
        assert length == pytest.approx(np.linalg.norm(out))
        return out

    start = value(root, local)
    depth = tree.depths[index]
    columns = np.empty((6, 3 * depth + 3))
    residual_blocks(kind, index, tree, start, positions, world, work, 2.0, 3, columns)
    blocks = columns[3:].reshape(3, depth + 1, 3).swapaxes(0, 1) / 2.0
    rows = slice(0, 1) if kind == AIM else slice(0, 3)  # a look-at's angle; its other row is not a difference
    for k in range(depth + 1):
        for axis in range(3):
            d = np.zeros(3)
            d[axis] = 1e-6
            ends = []
            for sign in (1, -1):
                moved, there = local.copy(), root.copy()
                if k > 0:
                    j = tree.paths[index, k - 1]
                    moved[j] = moved[j] @ Turn.from_rotvec(sign * d).as_matrix()
                else:
                    there = there + sign * d
                ends.append(value(there, moved)[rows])
            assert blocks[k, rows, axis] == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=2e-4)


def test_natural_pose_stands_upright_with_the_feet_on_the_floor_and_arms_down() -> None:
    joints = forward_kinematics(SKELETON, natural()).positions
    index = SKELETON.index
    rest = SKELETON.rest_positions
    assert joints[index("left_foot"), 1] == pytest.approx(rest[index("left_foot"), 1], abs=0.03)
    assert joints[index("left_wrist"), 1] < joints[index("spine1"), 1]
    assert joints[index("head"), 1] > 0.97 * rest[index("head"), 1]
    assert abs(joints[index("head"), 0]) < 0.02
