"""The four modes of keeping the base pose, as masks and as what a solver makes of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solver.effectors.kinds import Position, Rotation
from solver.ik.preserve_modes import GLOBAL, LOCAL, PLACE_FREEZE, POSE_FREEZE, PRESERVE_MODES, PreserveMode
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.rotations import geodesic_angle
from solver.rig.roles import ARMS, LEGS, Role
from solver.solvers.catalog import load_solver
from tests.solver.evaluation_samples import SKELETON, true_poses

BASE = true_poses(1, seed=3)[0].pose
PELVIS = Position(Role.PELVIS, BASE.root_position + np.float32([0.2, -0.05, 0.1]))


@pytest.mark.parametrize("mode", PRESERVE_MODES, ids=lambda mode: mode.id)
def test_a_mode_keeps_every_joint_alike_but_those_that_are_posed(mode: PreserveMode) -> None:
    place, shape = mode.masks(SKELETON, [PELVIS, replace(PELVIS, joint=Role.HEAD, enabled=False)])
    others = np.arange(len(SKELETON)) != SKELETON.index(Role.PELVIS)
    assert place[others] == pytest.approx(mode.place)
    assert shape[others] == pytest.approx(mode.shape)
    assert (place[~others], shape[~others]) == (0.0, 0.0)


def test_modes_differ_in_what_they_keep() -> None:
    assert len({(mode.place, mode.shape) for mode in PRESERVE_MODES}) == len(PRESERVE_MODES)
    assert len({mode.id for mode in PRESERVE_MODES}) == len(PRESERVE_MODES)


def kept(mode: PreserveMode) -> tuple[float, float]:
    """How far, in metres and radians, joints are from the base pose after the pelvis was moved in that mode."""
    problem = IKProblem.without_masks(SKELETON, [PELVIS], BASE)
    place, shape = mode.masks(SKELETON, problem.effectors)
    pose = load_solver("dls").solve(replace(problem, preserve_position=place, preserve_orientation=shape)).pose
    places = [forward_kinematics(SKELETON, p).positions for p in (BASE, pose)]
    apart = np.linalg.norm(places[1] - places[0], axis=-1)[1:].mean()
    return float(apart), float(geodesic_angle(BASE.rotations, pose.rotations)[1:].mean())


def test_place_freeze_keeps_places_and_pose_freeze_keeps_the_shape() -> None:
    found = {mode.id: kept(mode) for mode in (GLOBAL, LOCAL, PLACE_FREEZE, POSE_FREEZE)}
    places, turns = ({id: pair[i] for id, pair in found.items()} for i in (0, 1))
    assert places["place_freeze"] < 0.6 * places["global"]
    assert turns["pose_freeze"] < 0.01
    assert places["place_freeze"] < places["pose_freeze"]
    assert turns["pose_freeze"] < turns["place_freeze"]


@pytest.mark.parametrize("mode", PRESERVE_MODES, ids=lambda mode: mode.id)
def test_pins_are_met_whatever_is_kept(mode: PreserveMode) -> None:
    for truth in true_poses(6, seed=8):
        joints = forward_kinematics(SKELETON, truth.pose)
        roles = (Role.PELVIS, *(leg.end for leg in LEGS))
        given = [Position.on(SKELETON, role, joints) for role in roles] + [Rotation.on(SKELETON, Role.PELVIS, joints)]
        problem = IKProblem.without_masks(SKELETON, [replace(effector, pinned=True) for effector in given], BASE)
        place, shape = mode.masks(SKELETON, problem.effectors)
        solved = load_solver("dls").solve(replace(problem, preserve_position=place, preserve_orientation=shape))
        assert max(residual.value for residual in solved.residuals) < 1e-3


def test_what_gives_way_to_a_pin_is_what_it_has_to_move() -> None:
    hip = Position(Role.PELVIS, BASE.root_position + np.float32([0.1, -0.25, 0.1]), pinned=True)
    feet = [Position.on(SKELETON, leg.end, forward_kinematics(SKELETON, BASE)) for leg in LEGS]
    problem = IKProblem.without_masks(SKELETON, [hip, *(replace(foot, pinned=True) for foot in feet)], BASE)
    _, shape = POSE_FREEZE.masks(SKELETON, problem.effectors)
    solved = load_solver("dls").solve(replace(problem, preserve_orientation=shape))
    assert max(residual.value for residual in solved.residuals) < 1e-3
    turns = geodesic_angle(BASE.rotations, solved.pose.rotations)
    arms = [SKELETON.index(role) for arm in ARMS for role in arm.line]
    knees = [SKELETON.index(leg.hinge) for leg in LEGS]
    assert turns[arms].max() < np.radians(1.5)
    assert turns[knees].max() > np.radians(15.0)
