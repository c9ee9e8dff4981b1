"""DragPoser with SMPL-IK beside it: when poses are averaged, and what is remembered."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from solver.effectors.kinds import Position, Rotation
from solver.errors import InputRefused
from solver.ik.options import PROPOSAL_ALONE
from solver.ik.problem import IKProblem
from solver.ik.solver import Proposal, ProposalRequest
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, pose_between, rest_pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.kinematics.skeleton import Skeleton
from solver.rig.roles import Role
from solver.solvers.catalog import BALANCE, FLOOR, HEAD, ROOM
from solver.solvers.latent import ensemble
from solver.solvers.latent.dragposer import DragPoser, MotionMemory
from solver.solvers.latent.dragposer import dragposer as search
from solver.solvers.latent.ensemble import SIDES, Ensemble, EnsembleMemory, dragposer, is_averaged
from solver.solvers.learned.heading_average import HeadingAverage
from solver.solvers.learned.shipped import smplik
from solver.trackers.simulated_trackers import SIX_ROLES
from tests.solver.ik_samples import body_skeleton, natural

SKELETON = body_skeleton()
STEP_S = 1 / 30
UPPER = (Role.HEAD, Role.LEFT_WRIST, Role.RIGHT_WRIST)


def followed(sensors: tuple[Role, ...] = SIX_ROLES, step_s: float = STEP_S) -> IKProblem:
    """A frame of sensors on somebody natural whose left wrist is raised."""
    joints = forward_kinematics(SKELETON, natural())
    raised = joints.positions[SKELETON.index("left_wrist")] + np.float32([0, 0.1, 0.05])
    asked = [kind.on(SKELETON, role, joints) for role in sensors for kind in (Position, Rotation)]
    asked = [replace(e, target=raised) if (e.joint, e.kind) == ("left_wrist", "position") else e for e in asked]
    return replace(IKProblem.without_masks(SKELETON, tuple(asked), natural()), step_s=step_s)


def places(problem: IKProblem) -> IKProblem:
    """What is asked but for turns."""
    return replace(problem, effectors=tuple(e for e in problem.effectors if isinstance(e, Position)))


@cache
def sought(sensors: tuple[Role, ...], turns: bool = True) -> tuple[IKProblem, Proposal[MotionMemory]]:
    """A frame of sensors, with or without turns, and what the search alone proposes to it without a memory."""
    problem = followed(sensors) if turns else places(followed(sensors))
    return problem, search().propose(ProposalRequest(problem))


def is_on_the_way(problem: IKProblem, alone: Pose, found: Pose, share: float) -> None:
    """Assert that a pose is so far on the way from the search's to the other's."""
    other = HeadingAverage(smplik(), SIDES).propose(ProposalRequest(problem)).pose
    whole = geodesic_angle(alone.rotations, other.rotations)
    assert whole.max() > 0.02
    np.testing.assert_allclose(geodesic_angle(found.rotations, alone.rotations), share * whole, atol=2e-3)
    np.testing.assert_allclose(geodesic_angle(found.rotations, other.rotations), (1 - share) * whole, atol=2e-3)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("sensors", "seconds", "share"),
    [
        (SIX_ROLES, 0.0, 0.3),
        (SIX_ROLES, 1.0, 0.5),
        (SIX_ROLES, 2.0, 0.7),
        (SIX_ROLES[:5], 60.0, 0.7),
        (SIX_ROLES[:4], 60.0, 0.65),
        (SIX_ROLES[:3], 60.0, 0.8),
        (SIX_ROLES[:5], 0.0, 0.3),
        (SIX_ROLES[:4], 0.0, 0.15),
        (SIX_ROLES[:3], 0.0, 0.15),
    ],
)
def test_a_frame_of_a_motion_is_on_the_way_between_both_and_only_the_search_is_remembered(
    sensors: tuple[Role, ...], seconds: float, share: float
) -> None:
    problem, alone = sought(sensors)
    found = dragposer().propose(ProposalRequest(problem, memory=EnsembleMemory(None, seconds)))
    is_on_the_way(problem, alone.pose, found.pose, share)
    assert isinstance(found.memory, EnsembleMemory)
    assert found.memory.seconds == seconds + STEP_S
    assert isinstance(found.memory.search, MotionMemory)
    assert isinstance(alone.memory, MotionMemory)
    np.testing.assert_array_equal(found.memory.search.latents, alone.memory.latents)
    np.testing.assert_array_equal(found.memory.search.root, alone.memory.root)


@pytest.mark.slow
def test_the_frames_of_a_motion_add_up_and_a_still_pose_starts_again() -> None:
    both, memory = dragposer(), None
    for _ in range(4):
        memory = both.propose(ProposalRequest(followed(), memory=memory)).memory
    assert isinstance(memory, EnsembleMemory)
    assert memory.seconds == pytest.approx(4 * STEP_S)
    assert isinstance(memory.search, MotionMemory)
    assert memory.search.frame == 3
    still = both.propose(ProposalRequest(followed(step_s=0.0), memory=memory)).memory
    assert isinstance(still, EnsembleMemory)
    assert still.seconds is None


@pytest.mark.slow
def test_a_motion_that_begins_with_a_pose_far_from_its_sensors_is_sought_from_the_others() -> None:
    crouched = replace(natural(), root_position=natural().root_position - np.float32([0.0, 0.4, 0.3]))
    problem = replace(followed(), base_pose=crouched)
    other = HeadingAverage(smplik(), SIDES).propose(ProposalRequest(problem)).pose
    sought, lost = (
        search().propose(ProposalRequest(each)).memory for each in (replace(problem, base_pose=other), problem)
    )
    memory = dragposer().propose(ProposalRequest(problem)).memory
    assert isinstance(memory, EnsembleMemory)
    assert (memory.seconds, memory.confirmed) == (STEP_S, False)
    assert isinstance(memory.search, MotionMemory)
    assert isinstance(sought, MotionMemory)
    assert isinstance(lost, MotionMemory)
    np.testing.assert_array_equal(memory.search.latents, sought.latents)
    assert np.abs(memory.search.latents - lost.latents).max() > 0.01


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("sensors", "turns", "seconds", "share"),
    [
        (SIX_ROLES, True, 0.0, 0.7),
        (SIX_ROLES[:4], True, 0.0, 0.65),
        ((Role.PELVIS, Role.LEFT_WRIST, Role.RIGHT_WRIST), True, 0.0, 0.8),
        (UPPER, True, 0.0, 0.5),
        (UPPER, True, 1.0, 0.65),
        (UPPER, True, 5.0, 0.8),
        (SIX_ROLES, False, 0.0, 0.85),
        (SIX_ROLES, False, 1.0, 0.775),
        (SIX_ROLES[:5], False, 0.0, 0.7),
    ],
)
def test_where_a_motion_began_without_a_pose_the_mean_is_another_one_at_first(
    sensors: tuple[Role, ...], turns: bool, seconds: float, share: float
) -> None:
    problem, alone = sought(sensors, turns)
    found = dragposer().propose(ProposalRequest(problem, memory=EnsembleMemory(None, seconds, False)))
    is_on_the_way(problem, alone.pose, found.pose, share)
    assert isinstance(found.memory, EnsembleMemory)
    assert not found.memory.confirmed


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("problem", "options"),
    [
        (followed(step_s=0.0), {}),
        (followed(SIX_ROLES[:2]), {}),
        (followed(), {PROPOSAL_ALONE.id: True}),
        (followed(), {FLOOR.id: True}),
        (followed(), {ROOM.id: 1.0}),
        (followed(), {BALANCE.id: 0.5}),
        (followed(), {HEAD.id: 2.0}),
    ],
)
def test_the_search_is_alone_in_still_poses_with_few_sensors_and_where_it_was_told_something(
    problem: IKProblem, options: dict[str, bool | float]
) -> None:
    assert not is_averaged(problem, options)
    request: ProposalRequest[MotionMemory] = ProposalRequest(problem, options)
    assert dragposer().propose(request).pose == search().propose(request).pose


def test_defaults_that_are_set_are_nothing_told() -> None:
    assert is_averaged(followed(), {HEAD.id: 1.0, FLOOR.id: False})


def test_a_share_of_the_way_to_another_pose_is_on_the_shortest_one() -> None:
    rest = natural()
    turned = Pose(rest.root_position + np.float32([0.2, 0, 0]), rest.rotations @ from_rotation_vector([0, 0.4, 0]))
    found = pose_between(rest, turned, 0.25)
    np.testing.assert_allclose(found.root_position - rest.root_position, [0.05, 0, 0], atol=1e-6)
    np.testing.assert_allclose(geodesic_angle(found.rotations, rest.rotations), 0.1, atol=1e-3)


def test_both_have_to_fit_the_skeleton() -> None:
    assert dragposer().accepts(followed()) == ""
    fewer = Skeleton(SKELETON.names[:5], SKELETON.parents[:5], SKELETON.offsets[:5])
    rest = rest_pose(fewer)
    assert dragposer().accepts(IKProblem.without_masks(fewer, (), rest)) != ""


def test_without_the_others_weights_the_search_is_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise InputRefused("weights/smplik", "no such folder", "Install the program again")

    assert isinstance(dragposer(), Ensemble)
    monkeypatch.setattr(ensemble, "smplik", missing)
    assert isinstance(dragposer(), DragPoser)
