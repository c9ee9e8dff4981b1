"""Places that a user keeps stay where they are after a network that heeds them, wherever bones reach."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from ik_samples import body_skeleton, kept, masks, natural, position, problem

from solver.effectors.effector import Effector
from solver.effectors.kinds import Rotation
from solver.ik.kept_places import (
    BEYOND_M,
    PLACE,
    bring_ends_home,
    held_joints,
    kept_place_leans,
    let_go,
    within_reach,
)
from solver.ik.memory import FRESH, Memory
from solver.ik.preserve_modes import LOCAL, PLACE_FREEZE, POSE_FREEZE, PreserveMode
from solver.ik.problem import Cause, IKProblem, Reason
from solver.ik.solution import IKSolution
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.solvers.catalog import load_solver
from solver.values import FloatArray

BASE = natural()
SKELETON = body_skeleton()
AT = forward_kinematics(SKELETON, BASE)
FEET = ("left_ankle", "right_ankle")
HANDS = ("left_wrist", "right_wrist")
MODES = pytest.mark.parametrize("mode", [LOCAL, PLACE_FREEZE], ids=lambda mode: mode.id)
LOWERED = (0.0, -0.05, 0.0)


def named(joints: list[int]) -> set[str]:
    return {SKELETON.names[j] for j in joints}


def moved(joint: str, *way: float) -> list[Effector]:
    """A joint is asked for elsewhere, over feet that stay."""
    return [position(BASE, joint, list(way)), *(position(BASE, foot) for foot in FEET)]


def solve(asked: IKProblem, memory: Memory = FRESH) -> IKSolution:
    return load_solver("skelik").solve(asked, memory)


def off(pose: Pose, joint: str) -> tuple[float, float]:
    """Metres and degrees from where the base pose has the joint in the world."""
    now, j = forward_kinematics(SKELETON, pose), SKELETON.index(joint)
    turned = geodesic_angle(now.rotations[j], AT.rotations[j])
    return float(np.linalg.norm(now.positions[j] - AT.positions[j])), float(np.degrees(turned))


def stays(pose: Pose, joint: str) -> bool:
    away, turned = off(pose, joint)
    return away < 1e-3 and turned < 0.1


@MODES
@pytest.mark.parametrize(
    ("joint", "way"),
    [
        *(("pelvis", way) for way in (LOWERED, (0.05, 0.0, 0.0), (0.05, -0.12, 0.05))),
        ("spine3", (0.05, -0.04, 0.15)),
        *(("head", way) for way in ((0.0, -0.1, 0.1), (0.0, -0.15, 0.0), (0.06, 0.0, 0.0))),
    ],
)
def test_hands_that_are_kept_stay_in_place_below_a_pelvis_chest_or_head_that_moves(
    mode: PreserveMode, joint: str, way: tuple[float, float, float]
) -> None:
    found = solve(kept(moved(joint, *way), mode))
    assert all(stays(found.pose, hand) for hand in HANDS), "an arm's kept shape took its hand along by decimetres"
    assert {residual.state for residual in found.residuals} == {"met"}


@MODES
def test_what_cannot_be_reached_gives_way_and_the_handle_is_met(mode: PreserveMode) -> None:
    found = solve(kept(moved("pelvis", 0.0, 0.0, 1.6)[:1], mode))
    assert found.residuals[0].state == "met"
    assert min(off(found.pose, hand)[0] for hand in HANDS) > 0.05


def test_what_lets_go_is_named_with_the_reason_the_furthest_first() -> None:
    asked = kept(moved("pelvis", 0.0, 0.0, 1.6)[:1], PLACE_FREEZE)
    hands = [each for each in let_go(asked, solve(asked).pose) if each.joint in HANDS]
    assert {each.joint for each in hands} == {*HANDS}
    assert {each.reason for each in hands} == {Reason(Cause.OUT_OF_REACH)}
    assert hands[0].off_m >= hands[1].off_m > 0.05
    asked = kept(moved("left_wrist", 1.0, 0.0, 0.0), PLACE_FREEZE)
    (pelvis,) = (each for each in let_go(asked, solve(asked).pose) if each.joint == "pelvis")
    assert pelvis.reason == Reason(Cause.EFFECTOR, "left_wrist", "position"), "it is what is asked furthest away"
    away = Pose(BASE.root_position + np.float32([0.0, 0.0, 0.5]), BASE.rotations)
    assert {each.reason for each in let_go(kept([], PLACE_FREEZE), away)} == {Reason(Cause.OUT_OF_REACH)}
    assert let_go(kept([], PLACE_FREEZE), BASE) == ()
    assert let_go(kept([], PLACE_FREEZE, 0.5), away) == (), "it was to be kept in part only"


def test_a_hand_that_is_kept_alone_stays_and_the_other_one_goes_along() -> None:
    found = solve(problem(moved("pelvis", *LOWERED), BASE, masks(right_wrist=1.0)))
    assert stays(found.pose, "right_wrist")
    assert off(found.pose, "left_wrist")[0] > 0.02


def test_an_elbow_that_is_kept_alone_stays_in_place_and_may_turn() -> None:
    asked = problem(moved("pelvis", *LOWERED), BASE, masks(left_elbow=1.0))
    assert [lean.effector.kind for lean in kept_place_leans(asked, BASE)] == ["position"]
    assert off(solve(asked).pose, "left_elbow")[0] < 1e-3


def test_held_are_the_root_ends_of_limbs_and_the_last_of_each_kept_line() -> None:
    every = np.ones(len(SKELETON), np.float32)
    assert named(held_joints(problem([], BASE, every))) == {"pelvis", *HANDS, *FEET}
    chest = [position(BASE, "spine3", [0.0, 0.1, 0.0])]
    assert named(held_joints(problem(chest, BASE, every))) == {"pelvis", "head", *HANDS, *FEET}
    trunk = masks(spine1=1.0, spine2=1.0, spine3=1.0, left_elbow=1.0)
    assert named(held_joints(problem([], BASE, trunk))) == {"spine3", "left_elbow"}
    assert named(held_joints(problem([], BASE, masks(left_foot=1.0)))) == {"left_foot"}


def test_nothing_is_held_of_a_limb_that_is_given_a_place_nor_while_one_limb_moves_alone() -> None:
    every = np.ones(len(SKELETON), np.float32)
    asked = problem([position(BASE, "left_elbow", [0.0, 0.1, 0.0])], BASE, every)
    assert named(held_joints(asked)) == {"pelvis", "right_wrist", *FEET}
    assert held_joints(replace(asked, frozen=frozenset({"pelvis"}))) == []


def test_where_no_place_is_kept_nothing_holds_and_the_proposal_stays_itself() -> None:
    free = kept(moved("pelvis", *LOWERED), POSE_FREEZE)
    assert kept_place_leans(free, BASE) == ()
    assert bring_ends_home(free, BASE) is BASE
    home = kept([], PLACE_FREEZE)
    assert bring_ends_home(home, BASE) is BASE, "every end is there already"


def test_an_end_whose_turn_is_asked_for_is_held_in_place_alone() -> None:
    turn = Rotation(
        "head", from_rotation_vector(np.array([0.0, 0.4, 0.0], np.float32)) @ AT.rotations[SKELETON.index("head")]
    )
    asked = problem([turn], BASE, masks(head=1.0, left_wrist=1.0))
    leans = {(lean.effector.joint, lean.effector.kind) for lean in kept_place_leans(asked, BASE)}
    assert leans == {("head", "position"), ("left_wrist", "position"), ("left_wrist", "rotation")}


def test_limbs_come_home_before_the_exact_stage_and_what_carries_them_stays() -> None:
    every = np.ones(len(SKELETON), np.float32)
    sunk = Pose(BASE.root_position + np.array(LOWERED, np.float32), BASE.rotations)
    home = bring_ends_home(problem([], BASE, every), sunk)
    assert all(stays(home, hand) for hand in HANDS)
    limbs = [j for j, name in enumerate(SKELETON.names) if name.startswith(("left", "right")) and "collar" not in name]
    others = [j for j in range(len(SKELETON)) if j not in limbs]
    assert np.array_equal(home.rotations[others], BASE.rotations[others])
    assert np.array_equal(home.root_position, sunk.root_position)


def test_limbs_are_bent_about_a_trunk_where_effectors_take_it() -> None:
    way = np.array([0.05, -0.04, 0.15])
    home = bring_ends_home(kept(moved("spine3", *way), PLACE_FREEZE), BASE)
    chest = SKELETON.index("spine3")
    assert forward_kinematics(SKELETON, home).positions[chest] == pytest.approx(AT.positions[chest] + way, abs=1e-3)
    assert all(stays(home, hand) for hand in HANDS)
    hardly = bring_ends_home(kept(moved("spine3", *way), PLACE_FREEZE, 0.1), BASE)
    gone = forward_kinematics(SKELETON, hardly).positions[chest] - AT.positions[chest]
    assert gone == pytest.approx(0.1 * way, abs=0.01), "as much as they are kept, so that a strength brings no jump"


def test_a_place_out_of_reach_is_let_go_of_little_by_little() -> None:
    wrist, asked = SKELETON.index("left_wrist"), problem([], BASE, masks(left_wrist=1.0))

    def share(way: float, joint: int = wrist, which: IKProblem = asked) -> float:
        said = forward_kinematics(
            SKELETON, Pose(BASE.root_position + np.array([0.0, way, 0.0], np.float32), BASE.rotations)
        )
        return float(within_reach(which, [joint], AT, said)[0])

    shares = [share(way) for way in np.linspace(0.0, 0.6, 61)]
    assert (shares[0], shares[-1]) == (1.0, 0.0)
    assert (np.diff(shares) <= 0.0).all()
    assert np.abs(np.diff(shares)).max() < 0.11
    head = SKELETON.index("head")
    assert (share(0.0, head), share(-1.1 * BEYOND_M, head)) == (1.0, 0.0), "a trunk is as long as it stands"
    held = problem([position(BASE, "spine3")], BASE, masks(head=1.0))
    assert share(-BEYOND_M, head, held) == 1.0, "its chest is where it is asked for, whatever the proposal says"


def test_leans_are_as_firm_as_places_are_kept_and_hold_in_part_the_ends_brought_home() -> None:
    sunk, wrist = Pose(BASE.root_position + np.array(LOWERED, np.float32), BASE.rotations), SKELETON.index("left_wrist")
    whole, half = (kept_place_leans(problem([], BASE, masks(left_wrist=part)), sunk) for part in (1.0, 0.5))
    assert whole[0].strength == pytest.approx(PLACE)
    assert half[0].strength.weight < 0.01 * PLACE.weight
    assert half[0].strength.force == pytest.approx(0.25 * PLACE.force)
    said = forward_kinematics(SKELETON, sunk).positions[wrist]
    assert whole[0].effector.target == pytest.approx(AT.positions[wrist], abs=1e-6)
    assert half[0].effector.target == pytest.approx(said, abs=1e-3)
    assert np.array_equal(whole[1].effector.target, AT.rotations[wrist])


@pytest.mark.parametrize("part", [0.25, 0.5, 0.75])
def test_an_end_that_is_kept_in_part_comes_home_by_that_share(part: float) -> None:
    asked = problem([], BASE, masks(left_wrist=part))
    sunk = Pose(BASE.root_position + np.array(LOWERED, np.float32), BASE.rotations)
    assert off(bring_ends_home(asked, sunk), "left_wrist")[0] == pytest.approx((1.0 - part) * 0.05, abs=1e-3)


@pytest.mark.parametrize("joint", ["left_elbow", "left_shoulder", "left_wrist", "head"])
def test_the_place_of_one_joint_alone_is_kept_more_and_more_without_jumps(joint: str) -> None:
    memory: Memory = FRESH
    places = list[FloatArray]()
    for strength in np.linspace(0.0, 1.0, 21).tolist():
        found = solve(problem(moved("spine3", 0.05, -0.1, 0.1), BASE, masks(**{joint: strength})), memory)
        memory = found.memory
        places.append(forward_kinematics(SKELETON, found.pose).positions)
    assert max(float(np.linalg.norm(b - a, axis=-1).max()) for a, b in pairwise(places)) < 0.04


@MODES
@pytest.mark.parametrize("part", [0.3, 0.5, 0.7])
def test_a_strength_counts_once(mode: PreserveMode, part: float) -> None:
    asked = kept(moved("pelvis", *LOWERED), mode, part)
    said, found = load_solver("skelik").propose(asked), solve(asked).pose
    assert off(found, "left_wrist")[0] == pytest.approx((1.0 - part) * off(said, "left_wrist")[0], rel=0.25)


@MODES
@pytest.mark.parametrize("joint", ["pelvis", "spine3"])
def test_a_strength_that_is_swept_brings_ends_home_without_jumps(mode: PreserveMode, joint: str) -> None:
    memory: Memory = FRESH
    poses = list[Pose]()
    for strength in np.linspace(0.0, 1.0, 21):
        found = solve(kept(moved(joint, 0.05, -0.1, 0.05), mode, float(strength)), memory)
        memory = found.memory
        poses.append(found.pose)
    places = [forward_kinematics(SKELETON, pose).positions for pose in poses]
    steps = [float(np.linalg.norm(b - a, axis=-1).max()) for a, b in pairwise(places)]
    whole = float(np.linalg.norm(places[-1] - places[0], axis=-1).max())
    assert max(steps) < max(0.3 * whole, 0.03)
    wrists = [off(pose, "left_wrist")[0] for pose in poses]
    assert wrists[-1] < 1e-3 < wrists[0]


@MODES
def test_a_pelvis_that_is_dragged_over_hands_that_are_kept_does_not_tremble(mode: PreserveMode) -> None:
    memory: Memory = FRESH
    places = list[FloatArray]()
    for part in np.linspace(0.0, 1.0, 31).tolist():
        found = solve(kept(moved("pelvis", *(part * way for way in (0.05, -0.15, 0.05))), mode), memory)
        memory = found.memory
        places.append(forward_kinematics(SKELETON, found.pose).positions)
    bends = np.linalg.norm(places[2:] - 2.0 * np.array(places[1:-1]) + np.array(places[:-2]), axis=-1)
    assert bends.max() < 0.012
    assert np.sqrt((bends**2).mean()) < 0.002


@pytest.mark.sweep("left_elbow-way1")
@pytest.mark.parametrize(("joint", "way"), [("left_wrist", (-0.9, 0.01, -0.03)), ("left_elbow", (0.0, 0.64, -0.64))])
def test_a_wild_pull_does_not_throw_kept_arms_from_one_way_to_bend_into_another(
    joint: str, way: tuple[float, float, float]
) -> None:
    memory: Memory = FRESH
    places = list[FloatArray]()
    for part in (*np.linspace(0.0, 1.0, 46).tolist(), *np.linspace(1.0, 0.0, 46).tolist()):
        found = solve(kept(moved(joint, *(part * each for each in way)), LOCAL), memory)
        memory = found.memory
        places.append(forward_kinematics(SKELETON, found.pose).positions)
    bends = np.linalg.norm(places[2:] - 2.0 * np.array(places[1:-1]) + np.array(places[:-2]), axis=-1)
    assert np.sqrt((bends**2).mean()) < 0.012
