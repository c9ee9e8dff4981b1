"""What nothing moves stays as the base pose has it, to the bit, after a network that heeds what is kept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton, kept, masks, natural, position, problem

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.contact.balance import mass_shares
from solver.contact.floor_points import floor_points
from solver.contact.weight_shift import Balancing
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.ik.fixed import tightness
from solver.ik.memory import FRESH, Memory
from solver.ik.preserve_modes import LOCAL, PLACE_FREEZE, POSE_FREEZE, PreserveMode
from solver.ik.problem import IKProblem
from solver.ik.stance.stance import Stance
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.solvers.catalog import load_solver

BASE = natural()
SKELETON = body_skeleton()
AT = forward_kinematics(SKELETON, BASE)
POINTS = floor_points(load_body("anny"), BodyShape())
FEET = ("left_ankle", "right_ankle")
ARM = [SKELETON.index(f"left_{name}") for name in ("collar", "shoulder", "elbow", "wrist", "hand")]
REST = [j for j in range(len(SKELETON)) if j not in ARM]
NEAR, FAR = (0.06, 0.2, 0.1), (0.3, 0.5, 0.6)
MODES = pytest.mark.parametrize("mode", [LOCAL, PLACE_FREEZE], ids=lambda mode: mode.id)


def hand(way: tuple[float, float, float], tolerance: float = 0.0) -> list[Effector]:
    """The left hand is asked for elsewhere, over feet that stay."""
    wrist = position(BASE, "left_wrist", list(way))
    return [replace(wrist, tolerance=tolerance), *(position(BASE, foot) for foot in FEET)]


def turned(pose: Pose) -> float:
    """Degrees that a joint has turned from the base pose which is not of the left arm."""
    return float(np.degrees(geodesic_angle(pose.rotations, BASE.rotations))[REST].max())


def tight(asked: IKProblem, *joints: str) -> list[float]:
    return [float(tightness(asked)[SKELETON.index(joint)]) for joint in joints]


@MODES
def test_while_a_hand_is_dragged_within_reach_all_else_that_is_kept_stays_to_the_bit(mode: PreserveMode) -> None:
    found = load_solver("skelik").solve(kept(hand(NEAR), mode))
    assert np.array_equal(found.pose.rotations[REST], BASE.rotations[REST])
    assert np.array_equal(found.pose.root_position, BASE.root_position)
    assert {residual.state for residual in found.residuals} == {"met"}


def test_where_nothing_is_asked_to_move_the_pose_is_the_base_pose() -> None:
    found = load_solver("skelik").solve(kept([position(BASE, foot) for foot in FEET]))
    assert found.pose == BASE


@MODES
def test_a_hand_out_of_the_arms_reach_is_met_and_the_trunk_gives_way(mode: PreserveMode) -> None:
    found = load_solver("skelik").solve(kept(hand(FAR), mode))
    assert {residual.state for residual in found.residuals} == {"met"}
    assert turned(found.pose) > 2.0


def test_the_trunk_gives_way_without_a_jump() -> None:
    memory: Memory = FRESH
    before, steps = AT.positions, list[float]()
    for part in np.linspace(0.0, 1.0, 41).tolist():
        found = load_solver("skelik").solve(kept(hand((part * FAR[0], part * FAR[1], part * FAR[2]))), memory)
        memory, now = found.memory, forward_kinematics(SKELETON, found.pose).positions
        steps.append(float(np.linalg.norm(now - before, axis=-1)[REST].max()))
        before = now
    assert steps[5] == 0.0
    assert steps[-1] > 0.005
    assert max(steps) < 0.03, "a hand goes on by 21 mm"


def test_a_strength_near_all_holds_nearly_to_the_bit() -> None:
    left = [turned(load_solver("skelik").solve(kept(hand(NEAR), LOCAL, part)).pose) for part in (0.8, 0.9, 0.97, 1.0)]
    assert left[0] > left[1] > left[2] > left[3] == 0.0
    assert left[2] < 0.02


def test_a_loose_handle_gives_way_before_what_is_kept() -> None:
    beyond = Rotation("left_wrist", from_rotation_vector(np.array([0.0, 0.0, 2.8], np.float32)), tolerance=0.5)
    found = load_solver("skelik").solve(kept([*hand(NEAR), beyond]))
    assert turned(found.pose) == 0.0


def test_a_hand_that_the_arm_alone_cannot_bend_to_takes_the_rest_along() -> None:
    chest, wrist = (AT.positions[SKELETON.index(joint)] for joint in ("spine2", "left_wrist"))
    across = chest + np.array([-0.1, 0.0, -0.25], np.float32) - wrist
    asked = kept(hand((float(across[0]), float(across[1]), float(across[2]))))
    assert tight(asked, "spine3") == [1.0]
    assert turned(load_solver("skelik").solve(asked).pose) > 0.0


@MODES
def test_a_hand_that_is_asked_far_down_gets_there_over_ends_that_are_kept(mode: PreserveMode) -> None:
    found = load_solver("skelik").solve(kept(hand((0.4, -1.0, 1.2)), mode))
    assert {residual.state for residual in found.residuals} == {"met"}


def test_what_an_effector_moves_is_free_with_all_that_hangs_from_it() -> None:
    asked = kept(hand(NEAR))
    assert tight(asked, "pelvis", "spine3", "head", "right_wrist", "left_knee", "left_ankle") == [1.0] * 6
    assert tight(asked, "left_shoulder", "left_elbow", "left_wrist", "left_hand") == [0.0] * 4
    shoulder = SKELETON.index("left_shoulder")
    turn = Rotation(
        "left_shoulder", from_rotation_vector(np.array([0.0, 0.0, 0.02], np.float32)) @ AT.rotations[shoulder]
    )
    assert tight(kept([turn]), "left_collar", "left_shoulder", "left_elbow") == [1.0, 0.0, 0.0]


def test_a_head_that_looks_is_free_with_its_neck() -> None:
    look = LookAt("head", AT.positions[SKELETON.index("head")] + np.array([0.0, 0.0, 1.5], np.float32))
    assert tight(kept([look]), "spine3", "left_wrist", "neck", "head") == [1.0, 1.0, 0.0, 0.0]


def test_nobody_is_held_whose_root_may_move() -> None:
    pelvis = kept([position(BASE, "pelvis"), *hand(NEAR)])
    chest = kept([Position("spine3", AT.positions[SKELETON.index("spine3")] + np.float32(0.05))])
    alone = replace(kept(hand(NEAR)), frozen=frozenset({"pelvis"}))
    for asked in (pelvis, chest, alone, kept(hand(NEAR), POSE_FREEZE), kept(hand(NEAR), LOCAL, 0.7)):
        assert not tightness(asked).any()
    assert not tightness(problem(hand(NEAR), BASE, masks(head=1.0))).any()


def test_nobody_brought_into_balance_or_sinking_into_a_solid_floor_is_held() -> None:
    asked = kept(hand(NEAR))
    balancing = Balancing(POINTS, mass_shares(load_body("anny"), BodyShape()), True)
    assert not tightness(replace(asked, stance=Stance(balancing=balancing))).any()
    assert tightness(replace(asked, stance=Stance(soft_look=True))).any()
    up, down = (Pose(BASE.root_position + np.array([0.0, way, 0.0], np.float32), BASE.rotations) for way in (0.1, -0.1))
    here, there = (replace(kept([]), base_pose=pose, floor=POINTS) for pose in (up, down))
    assert tightness(here).any()
    assert not tightness(there).any()
