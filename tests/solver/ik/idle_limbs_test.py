"""Limbs of which nothing is asked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton, natural, position
from rig_samples import body_rig, places_by_role, posed_like, renamed_and_reordered

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.effectors.kinds import Position
from solver.ik.anchor import anchor
from solver.ik.limp.limp import TrunkRest, limp
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.ik.rig_adapter import adapter_for
from solver.ik.stance.idle_limbs import idle_limbs
from solver.ik.stance.idle_upper_body import with_idle_arms_as_posed
from solver.ik.stance.lying import how_tipped
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS, Role


def test_an_arm_that_is_dragged_by_a_finger_of_the_users_own_rig_is_not_idle() -> None:
    rig = load_body("anny").whole_rig(BodyShape())
    pose, free = rest_pose(rig), np.zeros(len(rig), np.float32)
    world = forward_kinematics(rig, pose)
    asked = tuple(Position.on(rig, joint, world) for joint in ("left_index3", "right_wrist"))
    rigged = adapter_for(IKProblem(rig, BodyShape(), asked, pose, free, free))
    assert rigged is not None
    inner = rigged.solver_problem
    skeleton, proposal = inner.skeleton, natural_pose(inner.skeleton)
    ends = {skeleton.names[line[-1]] for line in idle_limbs(skeleton, inner.effectors)}
    assert ends == {"left_foot", "right_foot"}
    assert with_idle_arms_as_posed(skeleton, inner.effectors, inner.base_pose, proposal) is proposal


def test_an_idle_arm_hangs_on_however_the_trunk_leans_of_a_rig_without_a_neck_too() -> None:
    whole = rig_of(body_skeleton())
    without = replace(whole, roles=tuple(None if role == Role.NECK else role for role in whole.roles))
    leaned = np.array(natural().rotations)
    leaned[whole.joint(Role.SPINE1)] = from_rotation_vector(np.float32([1.2, 0.0, 0.0]))
    proposal, asked = Pose(natural().root_position, leaned), (position(natural(), "left_wrist"),)
    shoulder = whole.joint(Role.RIGHT_SHOULDER)
    for rig in (whole, without):
        found = with_idle_arms_as_posed(rig, asked, natural(), proposal)
        was, now = (forward_kinematics(rig, pose).rotations[shoulder] for pose in (natural(), found))
        assert geodesic_angle(was, now) < 0.3
        assert geodesic_angle(was, forward_kinematics(rig, proposal).rotations[shoulder]) > 1.0


def test_a_difference_that_is_not_firm_fades_for_arms_as_posed_too() -> None:
    shown = np.array(natural().rotations)
    arm = [body_skeleton().index(f"right_{name}") for name in ("collar", "shoulder", "elbow", "wrist")]
    shown[arm[1]] = shown[arm[1]] @ from_rotation_vector(np.float32([0.0, 0.0, 0.5]))
    pose, far = Pose(natural().root_position, shown), (position(natural(), "left_wrist", (0.0, 3.0, 0.0)),)
    there = (position(natural(), "left_wrist"),)
    left = [
        anchor(pose, natural(), there, firm).applied_to(natural(), far, ((arm, 1.0),)).rotations[arm[1]]
        for firm in (frozenset(arm), frozenset[int]())
    ]
    assert left[0] == pytest.approx(shown[arm[1]], abs=1e-5)
    assert left[1] == pytest.approx(natural().rotations[arm[1]], abs=1e-3)


def test_somebody_on_a_rig_of_other_names_comes_to_rest_as_on_our_own() -> None:
    down = np.array(natural().rotations)
    down[0] = from_rotation_vector(np.float32([-np.pi / 2, 0.0, 0.0]))
    lying = Pose(np.float32([0.0, 0.15, 0.0]), down)
    places = []
    for rig in (body_rig(), renamed_and_reordered()):
        pose, free = posed_like(rig, lying), np.zeros(len(rig), np.float32)
        found = limp(IKProblem(rig, BodyShape(), (), pose, free, free), (ARMS[0],), False, TrunkRest.STAYS)
        places.append(places_by_role(rig, found))
    wrist = body_rig().joint(Role.LEFT_WRIST)
    assert places[0][wrist, 1] < places_by_role(body_rig(), lying)[wrist, 1] - 0.05
    assert places[1] == pytest.approx(places[0], abs=1e-3)


def test_who_hangs_by_the_trunk_is_tipped_only_with_both_feet_or_the_front_up() -> None:
    skeleton = body_skeleton()
    headstand = _turned(natural(), 0, np.pi)
    assert how_tipped(skeleton, (), headstand) == 1.0
    assert how_tipped(skeleton, (), natural()) == 0.0
    one_leg_down = _turned(headstand, skeleton.index("left_hip"), np.pi)
    assert how_tipped(skeleton, (), one_leg_down) == 0.0
    bent_back = _turned(_turned(natural(), 0, -np.pi / 2), skeleton.index("spine1"), -np.pi / 3)
    for leg in LEGS:
        bent_back = _turned(bent_back, skeleton.index(leg.root), np.pi / 2)
    assert how_tipped(skeleton, (), bent_back) == 1.0
    stick = Skeleton(("root", "tip"), (-1, 0), np.float32([[0, 1, 0], [0, 1, 0]]))
    assert how_tipped(stick, (), rest_pose(stick)) == 0.0


def test_who_is_tipped_as_they_stood_is_so_until_the_trunk_is_taken_up() -> None:
    skeleton = body_skeleton()
    aslant, leaning, bowing, kneeling = (_turned(natural(), 0, np.radians(each)) for each in (30.0, 5.0, 60.0, -30.0))
    for leg in LEGS:
        bowing = _turned(bowing, skeleton.index(leg.root), -np.radians(60.0))
        kneeling = _turned(_turned(kneeling, skeleton.index(leg.root), -0.9), skeleton.index(leg.hinge), 1.8)
    told = [how_tipped(skeleton, (), pose) for pose in (aslant, leaning, bowing, kneeling)]
    assert told == [pytest.approx(1.0), 0.0, 0.0, 0.0]
    pelvis = Position(skeleton.names[0], aslant.root_position + np.float32([0.0, 1.0, 0.0]))
    assert how_tipped(skeleton, (pelvis,), aslant) == 0.0


def test_who_lies_on_a_thing_is_tipped_with_bent_legs_and_who_is_on_all_fours_is_not() -> None:
    skeleton = body_skeleton()
    on_the_back, prone = (_turned(natural(), 0, each * np.pi / 2) for each in (-1.0, 1.0))
    knees_up, all_fours = on_the_back, prone
    for leg in LEGS:
        knees_up = _turned(_turned(knees_up, skeleton.index(leg.root), -0.9), skeleton.index(leg.hinge), 1.8)
        all_fours = _turned(_turned(all_fours, skeleton.index(leg.root), -1.5), skeleton.index(leg.hinge), 1.5)
    told = [how_tipped(skeleton, (), pose) for pose in (knees_up, all_fours)]
    assert told == [pytest.approx(1.0), 0.0]


def _turned(pose: Pose, joint: int, radians: float) -> Pose:
    """The pose with a joint turned about its own left axis."""
    rotations = np.array(pose.rotations)
    rotations[joint] = rotations[joint] @ from_rotation_vector([radians, 0.0, 0.0])
    return Pose(pose.root_position, rotations.astype(np.float32))
