"""What a network is told of a point off its joint, and of kinds that it does not read."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import FIVE, body_skeleton, natural, position, problem
from made_up_kind import Grip

from solver.effectors.forms import PointEffector
from solver.effectors.kinds import Position
from solver.kinematics.fk import forward_kinematics
from solver.solvers.catalog import load_solver
from solver.solvers.learned.model_input import model_effectors

SKELETON, BASE = body_skeleton(), natural()
JOINTS = 22
OFFSET = np.array([0.12, 0.0, 0.0], np.float32)


def test_a_point_off_its_joint_is_told_as_the_joints_own_place() -> None:
    world, j = forward_kinematics(SKELETON, BASE), SKELETON.index("left_wrist")
    asked = Position("left_wrist", [0.5, 1.2, 0.4], OFFSET)
    (told,) = model_effectors(SKELETON, BASE, (asked,), JOINTS, BASE)
    assert isinstance(told, PointEffector)
    assert told.holds_joint
    assert told.target == pytest.approx(asked.target - world.rotations[j] @ OFFSET, abs=1e-6)


def test_a_point_off_a_hand_goes_to_the_wrist_with_all_that_lies_between() -> None:
    world = forward_kinematics(SKELETON, BASE)
    hand, wrist = SKELETON.index("left_hand"), SKELETON.index("left_wrist")
    (told,) = model_effectors(SKELETON, BASE, (Position("left_hand", [0.5, 1.2, 0.4], OFFSET),), JOINTS, BASE)
    way = world.positions[hand] + world.rotations[hand] @ OFFSET - world.positions[wrist]
    assert told.joint == "left_wrist"
    assert told.target == pytest.approx(np.array([0.5, 1.2, 0.4]) - way, abs=1e-6)


def test_a_kind_without_a_number_is_left_to_the_exact_stage() -> None:
    grip = Grip("left_wrist", [0.5, 1.2, 0.4])
    held = position(BASE, "head")
    assert model_effectors(SKELETON, BASE, (grip, held), JOINTS) == (held,)
    assert model_effectors(SKELETON, BASE, (grip,), JOINTS) == ()


@pytest.mark.parametrize("shift", [(0.1, 0.1, 0.1), (0.0, 0.2, 0.2), (0.2, 0.4, 0.2)])
def test_the_network_proposes_nearer_to_the_point_than_if_it_were_told_the_joint(shift: tuple[float, ...]) -> None:
    solver = load_solver("smplik")
    feet = [position(BASE, joint) for joint in FIVE if joint != "left_wrist"]
    asked = replace(position(BASE, "left_wrist", shift), offset=OFFSET)
    wrongly = replace(asked, offset=np.zeros(3, np.float32))

    def off(told: Position) -> float:
        proposed = solver.propose(problem([*feet, told]))
        return asked.residual(SKELETON, forward_kinematics(SKELETON, proposed))

    assert off(asked) < 0.95 * off(wrongly)
