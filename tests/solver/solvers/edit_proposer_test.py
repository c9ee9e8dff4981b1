"""Asking a network that edits joint positions: how it sees a problem, and how bones and rotations are fitted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position, Rotation
from solver.errors import InputRefused, UnsupportedEffector
from solver.evaluation.speed import random_poses
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.ik.solver import ProposalRequest, SolverSpec
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.kinematics.skeleton import SMPL_JOINTS, Skeleton
from solver.networks.pose_edition import PoseEdition
from solver.networks.residual import NetworkShape
from solver.networks.torch_model import TorchModel
from solver.rig.roles import ENDS, Role
from solver.solvers.catalog import SOLVERS
from solver.solvers.learned.edit_input import ABOVE_M, BELOW_M, REACH_M, Edit, edit_of, size_of
from solver.solvers.learned.edit_proposer import EditProposer, fitted
from solver.solvers.learned.weights import COLUMNS, Weights, WeightsConfig

JOINTS = 22
SKELETON = load_body("anny").skeleton(BodyShape())
BASE = natural_pose(SKELETON)
POSES = random_poses(SKELETON, 6, seed=2)
SIZE = size_of(SKELETON, JOINTS)
SPEC = SOLVERS["pose_edition"]


@pytest.fixture(scope="module")
def proposer() -> EditProposer:
    torch.manual_seed(0)
    network = PoseEdition(JOINTS, NetworkShape(width=32, embedding=16))
    poses = torch.stack([torch.tensor(seen(pose).start) for pose in POSES])
    network.normalise_by(poses.float())
    config = WeightsConfig(
        "test", "pose_edition", SMPL_JOINTS[:JOINTS], "anny", COLUMNS, "fp32", "", {}, "", "", "", ""
    )
    return EditProposer(Weights(config, TorchModel(network)), SKELETON)


def places(pose: Pose, skeleton: Skeleton = SKELETON) -> np.ndarray:
    return np.asarray(forward_kinematics(skeleton, pose).positions)


def at(role: Role, pose: Pose = BASE, *way: float) -> Position:
    return Position(role, (places(pose)[SKELETON.index(role)] + np.float32(way or (0, 0, 0))).astype(np.float32))


def seen(pose: Pose, *effectors: Effector, skeleton: Skeleton = SKELETON) -> Edit:
    found = edit_of(skeleton, pose, effectors or (at(Role.HEAD, pose),), JOINTS, SIZE)
    assert found is not None
    return found


def moved(pose: Pose, angle: float, *way: float) -> Pose:
    """The pose turned about the vertical through the origin, then moved."""
    turn = from_rotation_vector(np.float32([0.0, angle, 0.0]))
    rotations = np.array(pose.rotations)
    rotations[0] = turn @ rotations[0]
    return Pose((turn @ pose.root_position + np.float32(way)).astype(np.float32), rotations)


def test_an_edit_is_the_same_edit_wherever_it_is_made(proposer: EditProposer) -> None:
    here, there = POSES[0], moved(POSES[0], 2.0, 3.0, 0.0, -1.0)
    shift = np.float32([0.1, 0.2, 0.3])
    turn = from_rotation_vector(np.float32([0.0, 2.0, 0.0]))
    one = seen(here, at(Role.LEFT_WRIST, here, *shift))
    two = seen(there, at(Role.LEFT_WRIST, there, *(turn @ shift)))
    assert one.start == pytest.approx(two.start, abs=1e-5)
    assert one.targets == pytest.approx(two.targets, abs=1e-5)
    assert one.start[0, [0, 2]] == pytest.approx([0.0, 0.0], abs=1e-6)
    found = [
        proposer.propose(
            ProposalRequest(IKProblem.without_masks(SKELETON, (at(Role.LEFT_WRIST, pose, *way),), pose))
        ).pose
        for pose, way in ((here, shift), (there, turn @ shift))
    ]
    assert places(moved(found[0], 2.0, 3.0, 0.0, -1.0)) == pytest.approx(places(found[1]), abs=1e-4)


def test_only_what_is_asked_for_counts() -> None:
    edit = seen(BASE, at(Role.RIGHT_ANKLE), replace(at(Role.HEAD), enabled=False), Rotation("head", np.eye(3)))
    assert edit.asked.tolist() == [float(role == Role.RIGHT_ANKLE) for role in ENDS]
    assert edit_of(SKELETON, BASE, (Rotation("head", np.eye(3)),), JOINTS, SIZE) is None


def test_of_two_targets_on_a_joint_the_mean_counts_and_one_off_the_joint_is_moved_to_it() -> None:
    pair = seen(BASE, at(Role.HEAD, BASE, 0.1, 0, 0), at(Role.HEAD, BASE, 0.3, 0, 0))
    mean = seen(BASE, at(Role.HEAD, BASE, 0.2, 0, 0))
    assert pair.targets == pytest.approx(mean.targets, abs=1e-6)
    tip = replace(at(Role.LEFT_WRIST), offset=np.float32([0.1, 0.0, 0.0]))
    world = forward_kinematics(SKELETON, BASE)
    off = replace(tip, target=tip.held_at(SKELETON, world).astype(np.float32))
    assert seen(BASE, off).targets == pytest.approx(seen(BASE, at(Role.LEFT_WRIST)).targets, abs=1e-6)


def test_a_target_that_no_bones_reach_is_brought_in() -> None:
    hand = at(Role.LEFT_WRIST, BASE, 0.0, 0.0, 40.0)
    feet = at(Role.LEFT_ANKLE), at(Role.RIGHT_ANKLE)
    edit = seen(BASE, hand, *feet)
    way = edit.targets[ENDS.index(Role.LEFT_WRIST)] - edit.start[0]
    assert np.linalg.norm(way) == pytest.approx(REACH_M)


def test_a_start_pose_far_from_all_targets_comes_near_them() -> None:
    far = [at(role, moved(BASE, 0.0, 5.0, 0.0, 0.0)) for role in ENDS]
    edit = seen(BASE, *far)
    assert edit.view.origin[0] == pytest.approx(BASE.root_position[0] + 4.5, abs=1e-4)


@pytest.mark.parametrize(("lift", "floor"), [(0.0, 0.0), (5.0, "below"), (-5.0, "above")])
def test_people_far_from_the_floor_are_seen_as_near_it_as_recorded_poses(lift: float, floor: object) -> None:
    pose = moved(BASE, 0.0, 0.0, lift, 0.0)
    edit = seen(pose, *(at(role, pose) for role in ENDS))
    lowest = places(pose)[:JOINTS, 1].min()
    expected = {0.0: 0.0, 5.0: lowest - ABOVE_M, -5.0: lowest + BELOW_M}[lift]
    assert edit.view.origin[1] == pytest.approx(expected, abs=1e-5)


def test_upside_down_people_are_seen_too() -> None:
    turned = np.array(BASE.rotations)
    turned[0] = np.diag([-1.0, -1.0, 1.0])
    edit = seen(Pose(BASE.root_position, turned))
    assert edit.view.turn == pytest.approx(np.eye(3))


def test_a_larger_body_is_seen_in_the_size_that_the_network_knows() -> None:
    large = Skeleton(SKELETON.names, SKELETON.parents, SKELETON.offsets * np.float32(1.3))
    base = Pose(BASE.root_position * np.float32(1.3), BASE.rotations)
    head = Position(Role.HEAD, (1.3 * at(Role.HEAD, BASE, 0.1, -0.2, 0.1).target).astype(np.float32))
    edit = seen(base, head, skeleton=large)
    same = seen(BASE, at(Role.HEAD, BASE, 0.1, -0.2, 0.1))
    assert edit.start == pytest.approx(same.start, abs=1e-5)
    assert edit.targets == pytest.approx(same.targets, abs=1e-5)


def test_bones_of_any_body_are_fitted_without_a_change_of_length(proposer: EditProposer) -> None:
    shaped = load_body("anny").skeleton(BodyShape(np.float32([2, -2, 1, 0, 0, 0, 0, 0, 0, 0]), "male"))
    base = natural_pose(shaped)
    wrist = Position(Role.LEFT_WRIST, places(base, shaped)[shaped.index("left_wrist")] + np.float32([0.1, 0.3, 0.2]))
    pose = proposer.propose(ProposalRequest(IKProblem.without_masks(shaped, (wrist,), base))).pose
    found = places(pose, shaped)
    long = np.linalg.norm(found[1:] - found[list(shaped.parents[1:])], axis=1)
    assert long == pytest.approx(np.linalg.norm(shaped.offsets[1:], axis=1), abs=1e-5)


def test_places_that_a_pose_has_give_its_bones_back_with_the_twist_of_the_start() -> None:
    for pose in POSES:
        assert places(fitted(SKELETON, pose, places(pose)[:JOINTS].astype(np.float64))) == pytest.approx(
            places(pose), abs=1e-4
        )
        found = fitted(SKELETON, BASE, places(pose)[:JOINTS].astype(np.float64))
        assert places(found)[:JOINTS] == pytest.approx(places(pose)[:JOINTS], abs=0.02)
    elbow = SKELETON.index("left_elbow")
    twisted = np.array(BASE.rotations)
    twisted[elbow] = twisted[elbow] @ from_rotation_vector(np.float32([0.6, 0.0, 0.0]))
    start = Pose(BASE.root_position, twisted)
    same = fitted(SKELETON, start, places(start)[:JOINTS].astype(np.float64))
    assert geodesic_angle(same.rotations, start.rotations).max() < 1e-3


def test_where_nothing_is_asked_the_base_pose_stays(proposer: EditProposer) -> None:
    turn = Rotation("head", from_rotation_vector(np.float32([0.0, 0.4, 0.0])))
    requests = [
        ProposalRequest(IKProblem.without_masks(SKELETON, effectors, BASE))
        for effectors in ((), (turn,), (at(Role.HEAD),))
    ]
    first, second, third = proposer.propose_batch(requests)
    assert first.pose is BASE
    assert second.pose is BASE
    assert third.pose == proposer.propose(requests[2]).pose


def test_other_joints_are_refused_by_name_and_turns_are_left_to_the_exact_stage() -> None:
    knee = IKProblem.without_masks(SKELETON, (at(Role.LEFT_KNEE),), BASE)
    assert "position effector on the left knee" in SPEC.accepts(knee)
    assert "ankles, head and wrists only" in SPEC.accepts(knee)
    assert SPEC.accepts(IKProblem.without_masks(SKELETON, (replace(at(Role.LEFT_KNEE), enabled=False),), BASE)) == ""
    for role in ENDS:
        assert SPEC.accepts(IKProblem.without_masks(SKELETON, (at(role),), BASE)) == ""
    assert SPEC.accepts(IKProblem.without_masks(SKELETON, (Rotation("left_knee", np.eye(3)),), BASE)) == ""
    assert not SPEC.takes("position", Role.PELVIS)
    assert not SPEC.takes("position", "")
    assert SPEC.takes("position")
    assert SPEC.takes("rotation", Role.PELVIS)
    none = SolverSpec("some", "Some", "", effector_kinds=frozenset({"rotation"}))
    assert not none.takes("position", Role.HEAD)
    assert "position" in str(UnsupportedEffector("some", "position", none.kinds))


def test_a_skeleton_without_the_joints_is_refused_by_the_network(proposer: EditProposer) -> None:
    strange = Skeleton(tuple(f"j{i}" for i in range(24)), SKELETON.parents, SKELETON.offsets)
    problem = IKProblem.without_masks(strange, (Position("j20", np.zeros(3, np.float32)),), rest_pose(strange))
    assert SPEC.accepts(problem) == ""
    assert "does not have" in proposer.accepts(problem)
    assert proposer.accepts(IKProblem.without_masks(SKELETON, (), BASE)) == ""


def test_what_is_no_place_is_refused_and_a_model_in_no_file_has_no_size(proposer: EditProposer) -> None:
    torch.manual_seed(0)
    network = PoseEdition(JOINTS, NetworkShape(width=32, embedding=16))
    with torch.no_grad():
        network.mean.fill_(float("nan"))
    broken = EditProposer(replace(proposer._weights, session=TorchModel(network)), SKELETON)
    with pytest.raises(InputRefused, match="gives no pose for these targets"):
        broken.propose(ProposalRequest(IKProblem.without_masks(SKELETON, (at(Role.HEAD),), BASE)))
    assert proposer.size_bytes == 0
