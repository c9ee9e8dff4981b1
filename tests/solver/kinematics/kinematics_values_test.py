"""Skeletons, poses, motions and rigid motions: what they refuse, and what holds for any of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ik_samples import body_skeleton, natural

from solver.errors import UnknownName
from solver.kinematics.fk import forward_kinematics, forward_kinematics_batch, skinning_matrices
from solver.kinematics.limits import joint_limits
from solver.kinematics.mirror import BODY_PLANE, MirrorPlane, mirror_rotation
from solver.kinematics.pose import Motion, Pose, mean_pose, rest_pose
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import (
    from_6d,
    from_quaternion_xyzw,
    from_rotation_vector,
    geodesic_angle,
    interpolate,
    nearest_rotation,
    to_6d,
    to_quaternion_xyzw,
    to_rotation_vector,
)
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS, Skeleton

ONE = np.zeros((1, 3), np.float32)
EYE = np.eye(3)
angles = st.floats(-1.75, 1.75, width=32)
turns = st.tuples(angles, angles, angles)
metres = st.tuples(*[st.floats(-5, 5, width=32)] * 3)


@st.composite
def trees(draw: st.DrawFn, most: int = 9) -> Skeleton:
    """Any tree of a few joints with any bones."""
    count = draw(st.integers(1, most))
    parents = (-1, *(draw(st.integers(0, j - 1)) for j in range(1, count)))
    seed = draw(st.integers(0, 2**16))
    offsets = np.random.default_rng(seed).normal(0, 0.3, (count, 3))
    return Skeleton(tuple(f"j{j}" for j in range(count)), parents, offsets.astype(np.float32))


def any_pose(skeleton: Skeleton, seed: int) -> Pose:
    rng = np.random.default_rng(seed)
    turned = from_rotation_vector(rng.normal(0, 1, (len(skeleton), 3)))
    return Pose(rng.normal(0, 1, 3).astype(np.float32), turned.astype(np.float32))


@pytest.mark.parametrize(
    ("names", "parents", "offsets", "reason"),
    [
        (("a", "a"), (-1, 0), np.zeros((2, 3)), "repeat"),
        (("a", "b"), (-1,), np.zeros((2, 3)), "one parent for each joint"),
        (("a", "b"), (0, 0), np.zeros((2, 3)), "-1 for the first"),
        (("a", "b"), (-1, -1), np.zeros((2, 3)), "before it"),
        (("a", "b", "c"), (-1, 2, 0), np.zeros((3, 3)), "before it"),
        (("a", "b"), (-1, 1), np.zeros((2, 3)), "before it"),
        (("a", "b"), (-1, 0), np.zeros((1, 3)), "offsets has shape"),
        (("a",), (-1,), np.array([[0, np.nan, 0]]), "offsets.*not finite"),
    ],
)
def test_what_is_no_tree_of_joints_is_refused_with_its_fault(names, parents, offsets, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Skeleton(names, parents, offsets)


def test_a_joint_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(UnknownName, match=r"“tail”.*a, b"):
        Skeleton(("a", "b"), (-1, 0), np.zeros((2, 3), np.float32)).index("tail")


@given(skeleton=trees())
@settings(max_examples=30, deadline=None)
def test_every_joint_but_the_root_is_the_child_of_one(skeleton: Skeleton) -> None:
    children = [c for j in range(len(skeleton)) for c in skeleton.children(j)]
    assert sorted(children) == list(range(1, len(skeleton)))
    assert [skeleton.index(name) for name in skeleton.names] == list(range(len(skeleton)))
    for j in range(len(skeleton)):
        assert all(skeleton.parents[c] == j for c in skeleton.children(j))


@given(skeleton=trees(), seed=st.integers(0, 99))
@settings(max_examples=30, deadline=None)
def test_bones_keep_their_lengths_in_any_pose_of_any_tree(skeleton: Skeleton, seed: int) -> None:
    places = forward_kinematics(skeleton, any_pose(skeleton, seed)).positions
    for j, p in enumerate(skeleton.parents[1:], start=1):
        assert np.linalg.norm(places[j] - places[p]) == pytest.approx(np.linalg.norm(skeleton.offsets[j]), abs=1e-5)


@given(skeleton=trees(), seed=st.integers(0, 99), turn=turns, shift=metres)
@settings(max_examples=30, deadline=None)
def test_a_turned_root_turns_the_whole_tree_as_one_piece(skeleton: Skeleton, seed: int, turn, shift) -> None:
    pose = any_pose(skeleton, seed)
    rigid = RigidMotion(from_rotation_vector(turn), np.array(shift, np.float64))
    rotations = np.array(pose.rotations)
    rotations[0] = rigid.turn @ rotations[0]
    moved = Pose(rigid.points(pose.root_position).astype(np.float32), rotations)
    before, after = forward_kinematics(skeleton, pose), forward_kinematics(skeleton, moved)
    assert after.positions == pytest.approx(rigid.points(before.positions), abs=2e-5)
    assert after.rotations == pytest.approx(rigid.rotations(before.rotations), abs=1e-5)


@given(skeleton=trees(), seeds=st.lists(st.integers(0, 99), min_size=1, max_size=4))
@settings(max_examples=20, deadline=None)
def test_many_poses_at_once_are_where_each_is_alone(skeleton: Skeleton, seeds: list[int]) -> None:
    poses = [any_pose(skeleton, seed) for seed in seeds]
    roots, local = np.stack([p.root_position for p in poses]), np.stack([p.rotations for p in poses])
    many = forward_kinematics_batch(skeleton.parents, skeleton.offsets, roots, local)
    for i, pose in enumerate(poses):
        assert many.positions[i] == pytest.approx(forward_kinematics(skeleton, pose).positions, abs=1e-6)


@given(skeleton=trees(), seed=st.integers(0, 99))
@settings(max_examples=20, deadline=None)
def test_skin_that_lies_on_a_joint_stays_on_it(skeleton: Skeleton, seed: int) -> None:
    pose = any_pose(skeleton, seed)
    matrices, places = skinning_matrices(skeleton, pose), forward_kinematics(skeleton, pose).positions
    carried = (matrices[:, :3, :3] @ skeleton.rest_positions[..., None])[..., 0] + matrices[:, :3, 3]
    assert carried == pytest.approx(places, abs=2e-5)
    assert skinning_matrices(skeleton, rest_pose(skeleton)) == pytest.approx(
        np.tile(np.eye(4), (len(skeleton), 1, 1)), abs=1e-5
    )


@pytest.mark.parametrize(
    ("root", "rotations", "reason"),
    [
        ([0, 0], [EYE], "root position"),
        ([0, 0, np.inf], [EYE], "root position.*not finite"),
        ([0, 0, 0], EYE, "rotations has shape"),
        ([0, 0, 0], [EYE * np.nan], "rotations.*not finite"),
    ],
)
def test_a_pose_of_other_numbers_is_refused(root, rotations, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Pose(np.array(root), np.array(rotations))


@pytest.mark.parametrize("fps", [0.0, -30.0, float("nan"), float("inf")])
def test_a_motion_has_a_rate(fps: float) -> None:
    with pytest.raises(ValueError, match=f"frames per second.*{fps}"):
        Motion(ONE, EYE[None, None], fps)


def test_a_motion_has_frames_and_as_many_places_as_poses() -> None:
    with pytest.raises(ValueError, match="at least one frame"):
        Motion(np.zeros((0, 3)), np.zeros((0, 2, 3, 3)))
    with pytest.raises(ValueError, match="rotations has shape"):
        Motion(np.zeros((2, 3)), np.tile(EYE, (3, 1, 1, 1)))


def test_frames_of_a_motion_are_its_poses_and_none_lies_beyond() -> None:
    rng = np.random.default_rng(1)
    motion = Motion(rng.normal(0, 1, (4, 3)), from_rotation_vector(rng.normal(0, 1, (4, 2, 3))))
    assert len(motion) == 4
    for frame in range(4):
        assert motion.pose(frame).root_position == pytest.approx(motion.root_positions[frame])
        assert motion.pose(frame).rotations == pytest.approx(motion.rotations[frame])
    with pytest.raises(IndexError):
        motion.pose(4)


def test_what_was_given_can_be_changed_afterwards_without_harm() -> None:
    root, turned = np.zeros(3, np.float32), np.tile(EYE, (2, 1, 1)).astype(np.float32)
    pose = Pose(root, turned)
    root[0], turned[1, 0, 0] = 7.0, 7.0
    assert pose == Pose(np.zeros(3), np.tile(EYE, (2, 1, 1)))
    with pytest.raises(ValueError, match="read-only"):
        pose.rotations[0, 0, 0] = 2.0


def test_values_of_other_types_are_never_equal() -> None:
    pose = Pose(np.zeros(3), EYE[None])
    assert pose != Motion(ONE, EYE[None, None])
    assert pose != "pose"
    assert pose != Pose(np.zeros(3), np.tile(EYE, (2, 1, 1)))


@given(turn=turns, centre=metres)
@settings(max_examples=40, deadline=None)
def test_a_turn_about_a_point_leaves_the_point_and_all_distances(turn, centre) -> None:
    rigid, points = RigidMotion.about(from_rotation_vector(turn), centre), np.random.default_rng(2).normal(0, 1, (5, 3))
    assert rigid.points(np.array(centre, np.float64)) == pytest.approx(np.array(centre), abs=1e-5)
    carried = rigid.points(points)
    apart = np.linalg.norm(points[:, None] - points, axis=-1)
    assert np.linalg.norm(carried[:, None] - carried, axis=-1) == pytest.approx(apart, abs=1e-6)


def test_a_motion_between_two_frames_carries_one_to_the_other() -> None:
    old, new = (from_rotation_vector(turn).astype(np.float32) for turn in ([0.3, 1.0, -0.2], [-1.1, 0.4, 0.9]))
    places = np.float32([0.2, 1.4, -0.3]), np.float32([-2.0, 0.1, 1.7])
    way = RigidMotion.between(old, places[0], new, places[1])
    assert way.points(places[0]) == pytest.approx(places[1], abs=1e-6)
    assert way.rotations(old) == pytest.approx(new, abs=1e-6)


def test_a_move_knows_that_it_turns_nothing() -> None:
    assert not RigidMotion.move([1, 2, 3]).turns
    assert RigidMotion.move([1, 2, 3]).points(np.zeros((2, 3))) == pytest.approx(np.tile([1, 2, 3], (2, 1)))
    assert RigidMotion.about(from_rotation_vector([0, 1e-3, 0]), [0, 0, 0]).turns


@given(turn=turns, centre=metres, heading=st.floats(0, 6.25, width=32))
@settings(max_examples=40, deadline=None)
def test_a_mirror_gives_back_what_it_is_shown_twice(turn, centre, heading: float) -> None:
    plane = MirrorPlane.across(np.array([np.cos(heading), 0.0, np.sin(heading)]), np.array(centre, np.float64))
    points, rotation = np.random.default_rng(3).normal(0, 1, (4, 3)), from_rotation_vector(turn)
    seen = plane.points(points)
    assert plane.points(seen) == pytest.approx(points, abs=1e-5)
    assert plane.points(np.array(centre, np.float64)) == pytest.approx(np.array(centre), abs=1e-5)
    assert plane.world_rotations(plane.world_rotations(rotation)) == pytest.approx(rotation, abs=1e-6)
    assert np.linalg.det(plane.world_rotations(rotation)) == pytest.approx(1.0)


def test_in_the_bodys_own_mirror_a_turn_about_the_vertical_goes_the_other_way() -> None:
    left = from_rotation_vector([0.0, 0.4, 0.0])
    assert mirror_rotation(left) == pytest.approx(from_rotation_vector([0, -0.4, 0]), abs=1e-6)
    assert BODY_PLANE.world_rotations(left) == pytest.approx(from_rotation_vector([0, -0.4, 0]), abs=1e-6)
    nod = from_rotation_vector([0.4, 0.0, 0.0])
    assert mirror_rotation(nod) == pytest.approx(nod, abs=1e-6)


@given(turn=turns)
@settings(max_examples=60, deadline=None)
def test_all_spellings_of_a_rotation_tell_the_rotation(turn) -> None:
    rotation = from_rotation_vector(turn)
    assert from_rotation_vector(to_rotation_vector(rotation)) == pytest.approx(rotation, abs=1e-6)
    assert from_quaternion_xyzw(to_quaternion_xyzw(rotation)) == pytest.approx(rotation, abs=1e-6)
    assert from_6d(to_6d(rotation)) == pytest.approx(rotation, abs=1e-6)
    assert nearest_rotation(3.0 * rotation) == pytest.approx(rotation, abs=1e-6)


@given(a=turns, b=turns, share=st.floats(0, 1))
@settings(max_examples=40, deadline=None)
def test_a_share_of_the_way_is_that_share_of_the_angle(a, b, share: float) -> None:
    start, end = from_rotation_vector(a), from_rotation_vector(b)
    whole = float(geodesic_angle(start, end))
    assert float(geodesic_angle(start, interpolate(start, end, share))) == pytest.approx(share * whole, abs=1e-4)
    assert float(geodesic_angle(end, start)) == pytest.approx(whole, abs=1e-6)


@given(name=st.sampled_from([n for n in SMPL_JOINTS if n.startswith("left_")]), turn=turns)
@settings(max_examples=40, deadline=None)
def test_a_joint_of_the_right_is_as_far_beyond_its_range_as_its_mirror_image_of_the_left(name: str, turn) -> None:
    other = name.replace("left_", "right_")
    rotation = from_rotation_vector(turn)
    left = joint_limits((name,)).excess(rotation[None])
    right = joint_limits((other,)).excess(mirror_rotation(rotation.astype(np.float32))[None])
    assert right == pytest.approx(left, abs=1e-4)


def test_limits_of_strangers_and_of_the_root_allow_every_turn() -> None:
    turned = from_rotation_vector(np.random.default_rng(5).normal(0, 2, (50, 2, 3)))
    assert not joint_limits(("pelvis", "tail")).excess(turned).any()


def test_limits_are_measured_alike_in_any_batch() -> None:
    rng, limits = np.random.default_rng(6), joint_limits(SMPL_JOINTS)
    turned = from_rotation_vector(rng.normal(0, 1, (2, 3, 24, 3)))
    together = limits.excess(turned)
    assert together.shape == (2, 3, 24)
    assert together[1, 2] == pytest.approx(limits.excess(turned[1, 2]))


def test_the_body_has_smpls_joints_in_smpls_tree() -> None:
    assert body_skeleton().names == SMPL_JOINTS
    assert body_skeleton().parents == SMPL_PARENTS
    with pytest.raises(ValueError, match=r"23 joints.*24|24.*23"):
        forward_kinematics(body_skeleton(), Pose(np.zeros(3), natural().rotations[:23]))


def test_the_inverse_of_a_rigid_motion_brings_points_and_rotations_back() -> None:
    there = RigidMotion.about(from_rotation_vector([0.3, -0.8, 0.5]), [1.0, 0.5, -2.0])
    points, turn = np.random.default_rng(3).normal(size=(5, 3)), from_rotation_vector([0.1, 0.2, 0.3])
    assert there.inverse.points(there.points(points)) == pytest.approx(points)
    assert there.inverse.rotations(there.rotations(turn)) == pytest.approx(turn)


def test_the_mean_of_two_poses_is_half_the_way_from_the_one_to_the_other() -> None:
    one, turn = natural(), from_rotation_vector([0.0, 0.6, 0.0])
    other = Pose(one.root_position + np.float32([0.2, 0.0, 0.4]), (one.rotations @ turn).astype(np.float32))
    mean = mean_pose([one, other])
    assert mean.root_position - one.root_position == pytest.approx([0.1, 0.0, 0.2], abs=1e-6)
    assert mean.rotations == pytest.approx(one.rotations @ from_rotation_vector([0.0, 0.3, 0.0]), abs=1e-6)
    assert mean_pose([one, one, one]).rotations == pytest.approx(one.rotations, abs=1e-6)
