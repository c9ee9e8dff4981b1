"""Feel: turning a strength up from nothing to all changes the pose all the way, without jumps."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.effectors.effector import Effector
from solver.effectors.kinds import Position
from solver.evaluation.speed import free_problem, random_poses
from solver.ik.memory import FRESH
from solver.ik.pose_prior import natural_pose
from solver.ik.preserve import firmness, turned_to_base
from solver.ik.preserve_modes import LEAST, posed_joints
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import geodesic_angle
from solver.rig.roles import Role
from solver.solvers.catalog import load_solver

SKELETON = load_body("anny").skeleton(BodyShape())
BASE = natural_pose(SKELETON)
STEPS = 20
FEET = {Role.LEFT_ANKLE: (0.0, 0.0, 0.0), Role.RIGHT_ANKLE: (0.0, 0.0, 0.0)}
DRAGS = {
    "pelvis": {Role.PELVIS: (0.15, -0.2, 0.1), **FEET},
    "wrist": {Role.LEFT_WRIST: (0.2, 0.3, 0.4), **FEET},
}


def places(pose: Pose) -> np.ndarray:
    return forward_kinematics(SKELETON, pose).positions


def asked(shifts: dict[Role, tuple[float, float, float]]) -> tuple[Effector, ...]:
    there = places(BASE)
    return tuple(Position(role, there[SKELETON.index(role)] + np.float32(shift)) for role, shift in shifts.items())


def swept(id: str, what: str, effectors: tuple[Effector, ...]) -> list[Pose]:
    """The poses while a strength goes up in steps, each solve going on from the one before."""
    solver, memory, poses = load_solver(id), FRESH, []
    for step in range(STEPS + 1):
        mask = np.full(len(SKELETON), step / STEPS, np.float32)
        mask[posed_joints(SKELETON, effectors)] = 0.0
        masks = {"preserve_position" if what == "place" else "preserve_orientation": mask}
        solution = solver.solve(replace(free_problem(SKELETON, effectors, BASE), **masks), memory)
        memory = solution.memory
        poses.append(solution.pose)
    return poses


@pytest.mark.parametrize("drag", DRAGS)
@pytest.mark.parametrize("what", ["place", "shape"])
@pytest.mark.parametrize("id", ["dls", "smplik"])
def test_a_strength_that_is_swept_changes_the_pose_without_jumps(id: str, what: str, drag: str) -> None:
    poses = swept(id, what, asked(DRAGS[drag]))
    pairs = list(pairwise(poses))
    turns = [np.degrees(geodesic_angle(a.rotations, b.rotations)) for a, b in pairs]
    moves = [np.linalg.norm(places(a) - places(b), axis=1).max() for a, b in pairs]
    assert max(t.max() for t in turns) < 40.0
    assert max(t.mean() for t in turns) < 10.0
    assert max(moves) < 0.22


def test_firmness_grows_by_the_same_factor_for_each_step() -> None:
    steps = firmness(np.linspace(0.0, 1.0, STEPS + 1))
    assert (steps[0], steps[-1]) == (0.0, pytest.approx(1.0))
    assert steps[11:] / steps[10:-1] == pytest.approx(np.full(STEPS - 10, 1e5 ** (1 / STEPS)), rel=0.01)


def test_a_joint_that_is_kept_half_is_proposed_half_way_to_the_base_pose() -> None:
    problem = free_problem(SKELETON, asked(DRAGS["wrist"]), BASE)
    said = random_poses(SKELETON, 1, seed=4)[0]
    assert turned_to_base(problem, said) is said
    for share in (0.5, 1.0):
        mask = np.full(len(SKELETON), share, np.float32)
        there = turned_to_base(replace(problem, preserve_orientation=mask, preserve_position=mask), said)
        left = geodesic_angle(there.rotations, BASE.rotations)
        assert left == pytest.approx((1 - share) * geodesic_angle(said.rotations, BASE.rotations), abs=1e-3)
        root = (1 - share) * said.root_position + share * BASE.root_position
        assert there.root_position == pytest.approx(root, abs=1e-6)


@pytest.mark.parametrize("strength", [0.0, LEAST / 2])
def test_a_strength_of_next_to_nothing_leaves_the_proposal_as_it_is(strength: float) -> None:
    proposal = random_poses(SKELETON, 1, seed=2)[0]
    problem = free_problem(SKELETON, asked(DRAGS["wrist"]), BASE)
    mask = np.full(len(SKELETON), strength, np.float32)
    assert turned_to_base(replace(problem, preserve_position=mask, preserve_orientation=mask), proposal) is proposal
