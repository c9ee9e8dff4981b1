"""Roles, rigs of other names, orders and frames, and what solvers see of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from rig_samples import (
    JOINT_COUNTS,
    body_rig,
    places_by_role,
    posed_like,
    renamed_and_reordered,
    rig_of_many_joints,
    with_a_joint_between,
    with_rest_frames,
)

from solver.errors import UnknownName
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS, Skeleton
from solver.rig.mirroring import mirror_order, mirror_pose
from solver.rig.movable import in_own_axes, in_world_axes, is_carried, movable
from solver.rig.rig import LacksRole, Rig, rig_of
from solver.rig.roles import ARMS, BODY_PARTS, LEGS, LIMBS, SMPL_ROLES, Role

RIGS: dict[str, Callable[[], Rig]] = {
    "renamed and reordered": renamed_and_reordered,
    "with rest frames": with_rest_frames,
    "with a joint between": with_a_joint_between,
    **{f"{count} joints": lambda count=count: rig_of_many_joints(count) for count in JOINT_COUNTS},  # type: ignore[misc]
}


@pytest.fixture(params=RIGS)
def rig(request: pytest.FixtureRequest) -> Rig:
    return RIGS[request.param]()


def some_pose(seed: int = 1, spread: float = 0.4) -> Pose:
    rng = np.random.default_rng(seed)
    turns = from_rotation_vector(rng.normal(0, spread, (24, 3)))
    return Pose(rng.normal(0, 1, 3).astype(np.float32), turns.astype(np.float32))


def test_the_roles_of_smpl_are_its_joints_in_their_order() -> None:
    assert SMPL_ROLES == SMPL_JOINTS


def test_every_role_mirrors_to_one_that_mirrors_back() -> None:
    for role in Role:
        assert role.mirrored.mirrored is role
        assert (role.mirrored is role) == (role.side == "")
        assert role.mirrored.part == role.part
    assert Role.LEFT_WRIST.mirrored is Role.RIGHT_WRIST
    assert Role.LEFT_WRIST.words == "left wrist"


def test_the_body_parts_hold_each_joint_of_the_body_once() -> None:
    joints = [role for part in BODY_PARTS.values() for role in part]
    assert sorted(joints) == sorted(SMPL_ROLES)


def test_limbs_run_from_the_trunk_outward_along_the_tree() -> None:
    body = body_rig()
    for limb in LIMBS:
        chain = [body.joint(role) for role in limb.joints]
        assert [body.parents[j] for j in chain[1:]] == chain[:-1]
        assert limb.line == limb.joints[-4:-1]
    assert [arm.girdle for arm in ARMS] == [Role.LEFT_COLLAR, Role.RIGHT_COLLAR]
    assert [leg.girdle for leg in LEGS] == [None, None]


def test_the_body_gives_a_rig_whose_joints_are_found_by_role() -> None:
    body = body_rig()
    assert body.name(Role.LEFT_WRIST) == "left_wrist"
    assert body.role_of("spine2") is Role.SPINE2
    assert body.lacking(Role)[0] is Role.JAW
    assert body.find(Role.JAW) is None


def test_a_rig_without_a_joint_says_which_one() -> None:
    with pytest.raises(LacksRole, match="jaw"):
        body_rig().joint(Role.JAW)
    with pytest.raises(UnknownName, match="tail"):
        body_rig().role_of("tail")


@pytest.mark.parametrize(
    ("names", "role", "name"),
    [
        (("Hips", "LeftUpLeg", "LeftLeg", "RightUpLeg", "RightLeg"), None, ""),
        (SMPL_JOINTS, Role.RIGHT_KNEE, "right_knee"),
    ],
)
def test_a_plain_skeleton_is_known_by_its_names(names: tuple[str, ...], role: Role | None, name: str) -> None:
    body = body_rig()
    parents = body.parents if len(names) == 24 else (-1, 0, 1, 0, 3)
    rig = rig_of(Skeleton(names, parents, body.offsets[: len(names)]))
    if role is None:
        assert set(rig.roles) == {None}, "without arms nobody can tell that it is a human"
    else:
        assert rig.name(role) == name


def test_names_of_other_programs_give_roles() -> None:
    from solver.rig.joint_names import written_names

    body = body_rig()
    names = written_names(body.names, "mixamo")
    rig = rig_of(Skeleton(names, body.parents, body.offsets))
    assert rig.name(Role.LEFT_ELBOW) == "mixamorig:LeftForeArm"
    assert rig.roles == body.roles


def test_a_rig_is_made_of_its_skeleton_once() -> None:
    skeleton = Skeleton(SMPL_JOINTS, body_rig().parents, body_rig().offsets)
    assert rig_of(skeleton) is rig_of(skeleton)
    assert rig_of(body_rig()) is body_rig()


def test_wrong_rigs_are_refused() -> None:
    body = body_rig()
    with pytest.raises(ValueError, match="23 roles for 24"):
        Rig(body.names, body.parents, body.offsets, body.roles[1:])
    with pytest.raises(ValueError, match="same role"):
        Rig(body.names, body.parents, body.offsets, (Role.PELVIS, *body.roles[:23]))
    with pytest.raises(ValueError, match="rotation matrices"):
        Rig(body.names, body.parents, body.offsets, body.roles, np.ones((24, 3, 3), np.float32))


def test_rest_frames_of_the_world_are_none() -> None:
    body = body_rig()
    plain = Rig(body.names, body.parents, body.offsets, body.roles, np.tile(np.eye(3, dtype=np.float32), (24, 1, 1)))
    assert plain.rest_frames is None
    assert with_rest_frames().rest_frames is not None


def test_the_other_side_is_found_by_role_and_without_one_by_place() -> None:
    rig = renamed_and_reordered()
    for role in SMPL_ROLES:
        assert rig.mirrored_name(rig.name(role)) == rig.name(role.mirrored)
    between = with_a_joint_between()
    assert between.mirrored_name("left_thigh_middle") == "right_thigh_middle"
    assert between.mirrored_name("head") == "head"


def test_legs_are_measured_from_hip_over_knee_to_ankle_whatever_lies_between(rig: Rig) -> None:
    body, places = body_rig(), body_rig().rest_positions
    for leg in LEGS:
        hip, knee, ankle = (places[body.joint(role)] for role in leg.line)
        length = np.linalg.norm(knee - hip) + np.linalg.norm(ankle - knee)
        assert rig.limb_length(leg) == pytest.approx(length, abs=1e-5)
    assert rig.leg_length == pytest.approx(np.mean([rig.limb_length(leg) for leg in LEGS]))
    with pytest.raises(LacksRole, match="no left hip"):
        _ = Rig(("pelvis",), (-1,), np.zeros((1, 3), np.float32), (Role.PELVIS,)).leg_length


def test_a_rig_rests_where_the_body_does(rig: Rig) -> None:
    body = body_rig()
    assert places_by_role(rig, rest_pose(rig)) == pytest.approx(body.rest_positions[:22], abs=1e-5)
    for j, role in enumerate(rig.roles):
        if role is not None and (at := body.find(role)) is not None:
            assert rig.rest_positions[j] == pytest.approx(body.rest_positions[at], abs=1e-5)


def test_skinning_moves_the_skin_alike_whatever_the_frames_at_rest() -> None:
    body, rig, pose = body_rig(), with_rest_frames(), some_pose()
    assert skinning_matrices(rig, posed_like(rig, pose)) == pytest.approx(skinning_matrices(body, pose), abs=2e-5)
    assert skinning_matrices(rig, rest_pose(rig)) == pytest.approx(np.tile(np.eye(4), (24, 1, 1)), abs=1e-5)


def test_solvers_see_the_body_itself_as_it_is() -> None:
    body, pose = body_rig(), some_pose()
    seen = movable(body, pose)
    assert seen.is_whole
    assert seen.skeleton is body
    assert seen.reduced(pose) is pose
    assert seen.expanded(pose, rest_pose(body)) is pose


def test_solvers_see_every_rig_in_the_pose_that_it_has(rig: Rig) -> None:
    body, pose = body_rig(), some_pose()
    there = posed_like(rig, pose)
    seen = movable(rig, there)
    assert seen.skeleton.names[:22] == body.names[:22]
    assert seen.skeleton.parents[:22] == body.parents[:22]
    assert seen.reduced(there).rotations[:22] == pytest.approx(pose.rotations[:22], abs=1e-5)
    assert places_by_role(rig, seen.expanded(seen.reduced(there), there)) == pytest.approx(
        forward_kinematics(body, pose).positions[:22], abs=2e-5
    )


def test_rigid_joints_stay_as_the_base_pose_has_them() -> None:
    rig = rig_of_many_joints(55)
    bent = np.array(posed_like(rig, some_pose(2)).rotations)
    finger = rig.joint(Role.LEFT_INDEX2)
    bent[finger] = from_rotation_vector([0.0, 0.0, -0.7])
    base = Pose(np.zeros(3, np.float32), bent)
    seen = movable(rig, base)
    there = seen.reduced(posed_like(rig, some_pose(3)))
    after = seen.expanded(there, base)
    assert after.rotations[finger] == pytest.approx(bent[finger])
    assert after.rotations[rig.joint(Role.LEFT_ELBOW)] == pytest.approx(some_pose(3).rotations[18], abs=1e-5)


def test_what_hangs_behind_a_turned_rigid_joint_is_seen_where_it_is() -> None:
    rig, pose = with_a_joint_between(), some_pose(4)
    there = posed_like(rig, pose)
    rotations = np.array(there.rotations)
    rotations[rig.index("left_thigh_middle")] = from_rotation_vector([0.3, 0.2, -0.1])
    there = Pose(there.root_position, rotations)
    seen = movable(rig, there)
    inside = seen.reduced(there)
    at = forward_kinematics(seen.skeleton, inside).positions
    assert at == pytest.approx(forward_kinematics(rig, there).positions[seen.joints], abs=2e-5)
    assert seen.expanded(inside, there).rotations == pytest.approx(there.rotations, abs=1e-5)


def test_a_rigid_joint_of_which_something_is_asked_is_a_leaf_on_the_joint_that_carries_it() -> None:
    rig = rig_of_many_joints(55)
    tip = rig.joint(Role.LEFT_INDEX3)
    seen = movable(rig, rest_pose(rig), frozenset({tip}))
    assert len(seen.skeleton) == 23
    assert is_carried(seen.skeleton.names[-1])
    assert seen.skeleton.names[seen.skeleton.parents[-1]] == Role.LEFT_WRIST
    assert seen.skeleton.rest_positions[-1] == pytest.approx(rig.rest_positions[tip], abs=1e-5)
    assert movable(rig, rest_pose(rig), frozenset({tip})) is seen


def test_a_creature_without_a_human_body_moves_at_every_joint() -> None:
    creature = Rig(("a", "b", "c"), (-1, 0, 1), np.eye(3, dtype=np.float32), (None, None, None))
    assert movable(creature, rest_pose(creature)).skeleton is creature


def test_a_mirrored_pose_looks_the_same_on_every_rig(rig: Rig) -> None:
    body, pose = body_rig(), some_pose(6)
    there = posed_like(rig, pose)
    expected = places_by_role(body, mirror_pose(body, pose))
    assert places_by_role(rig, mirror_pose(rig, there)) == pytest.approx(expected, abs=5e-5)
    assert mirror_pose(rig, mirror_pose(rig, there)).rotations == pytest.approx(there.rotations, abs=1e-5)


def test_rotations_go_to_the_worlds_axes_and_back() -> None:
    rig, pose = with_rest_frames(), some_pose(7)
    local = in_world_axes(rig, posed_like(rig, pose).rotations)
    assert local == pytest.approx(pose.rotations, abs=1e-5)
    assert in_own_axes(rig, local) == pytest.approx(posed_like(rig, pose).rotations, abs=1e-5)


def test_an_order_of_roles_pairs_those_that_are_there() -> None:
    assert mirror_order(("pelvis", "left_hip", "right_hip", "left_knee")) == (0, 2, 1, 3)
