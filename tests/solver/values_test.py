"""Frozen values: read-only arrays, equality by content; and the registry that loads late."""

from __future__ import annotations

import sys
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.errors import UnknownName
from solver.kinematics.pose import Motion, Pose, rest_pose
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS, Skeleton
from solver.registry import Registry
from solver.solvers.catalog import SOLVERS


def skeleton() -> Skeleton:
    return Skeleton(SMPL_JOINTS, SMPL_PARENTS, np.full((24, 3), 0.1))


def test_an_array_in_a_value_cannot_be_written_to() -> None:
    pose = rest_pose(skeleton())
    with pytest.raises(ValueError, match="read-only"):
        pose.root_position[0] = 1.0
    with pytest.raises(FrozenInstanceError):
        pose.root_position = np.zeros(3)  # type: ignore[misc]


def test_the_callers_array_is_copied_so_that_later_writes_do_not_leak_in() -> None:
    mine = np.zeros(3, np.float32)
    effector = Position("head", mine)
    mine[0] = 5.0
    assert effector.target[0] == 0.0


def test_values_are_equal_by_content() -> None:
    assert Position("head", [1, 2, 3], tolerance=0.5) == Position("head", np.array([1.0, 2.0, 3.0]), tolerance=0.5)
    assert Position("head", [1, 2, 3]) != Position("head", [1, 2, 4])
    assert Position("head", [0, 0, 1]) != LookAt("head", [0, 0, 1])
    assert BodyShape() == BodyShape(np.zeros(10), "neutral") != BodyShape(gender="male")


@pytest.mark.parametrize("bad", [[1, 2], [1, 2, np.nan], [np.inf, 0, 0]])
def test_a_target_of_wrong_length_or_not_finite_is_refused(bad: list[float]) -> None:
    with pytest.raises(ValueError, match="target"):
        Position("head", bad)


def test_effectors_check_what_they_are_given() -> None:
    with pytest.raises(ValueError, match="tolerance"):
        Position("head", [0, 0, 0], tolerance=1.5)
    with pytest.raises(ValueError, match="rotation matrix"):
        Rotation("head", np.diag([1.0, 1.0, -1.0]))
    with pytest.raises(ValueError, match="no length"):
        LookAt("head", [0, 0, 1], [0, 0, 0])
    assert np.allclose(LookAt("head", [0, 0, 1], [0, 3, 4]).local_axis, [0, 0.6, 0.8])


def test_a_shape_keeps_within_what_people_are() -> None:
    with pytest.raises(ValueError, match="±5"):
        BodyShape(np.full(10, 6.0))
    with pytest.raises(ValueError, match="gender"):
        BodyShape(gender="tall")


def test_a_motion_needs_frames_and_a_rate() -> None:
    with pytest.raises(ValueError, match="at least one frame"):
        Motion(np.zeros((0, 3)), np.zeros((0, 24, 3, 3)))
    with pytest.raises(ValueError, match="above 0"):
        Motion(np.zeros((1, 3)), np.zeros((1, 24, 3, 3)), fps=0)


def test_a_skeleton_is_a_tree_whose_parents_come_first() -> None:
    assert len(skeleton()) == 24
    assert skeleton().children(9) == (12, 13, 14)
    assert np.allclose(skeleton().rest_positions[15], 0.1 * 6)
    with pytest.raises(ValueError, match="before it"):
        Skeleton(("a", "b", "c"), (-1, 2, 0), np.zeros((3, 3)))
    with pytest.raises(UnknownName, match="left_tail.*pelvis"):
        skeleton().index("left_tail")


def test_replacing_one_field_shares_the_others() -> None:
    pose = rest_pose(skeleton())
    moved = replace(pose, root_position=np.ones(3))
    assert moved.rotations is pose.rotations
    assert isinstance(moved, Pose)


def test_the_registry_names_what_it_has_and_refuses_doubles() -> None:
    registry: Registry = Registry("solver")
    registry.register(SOLVERS["dls"])
    with pytest.raises(ValueError, match="twice"):
        registry.register(SOLVERS["dls"])
    with pytest.raises(UnknownName, match="no solver named “magic”. Known: dls"):
        registry["magic"]


def test_listing_solvers_imports_none_of_them() -> None:
    import subprocess

    code = (
        "import sys, solver.solvers.catalog; "
        "sys.exit(any(m.startswith(('solver.backends.', 'torch', 'numba')) for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
