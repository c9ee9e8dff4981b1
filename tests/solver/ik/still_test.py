"""What holds still while something else is edited: a body on a root that stays, and limbs that stay with it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton, masks, natural, position, problem
from made_up_solvers import LEAN, LEANING, Leaning

from solver.ik.options import PROPOSAL_ALONE
from solver.ik.pipeline.pipeline import Solver
from solver.ik.preserve import (
    CARRIES,
    FREE_M,
    SOFT,
    held_still,
    proposed_place_leans,
    still_shares,
    with_soft_masks,
    without_masks,
)
from solver.ik.preserve_modes import GLOBAL, LOCAL, PLACE_FREEZE, PreserveMode, posed_joints
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.solvers.catalog import load_solver

BASE = natural()
SKELETON = body_skeleton()
ENDS = ("left_wrist", "right_wrist", "left_ankle", "right_ankle")
FAR = 1.4  # metres that the hand is asked to rise, out of reach
TURNS = np.random.default_rng(5).normal(0.0, 0.2, (len(SKELETON), 3))
OTHER = Pose(BASE.root_position + 0.1, (BASE.rotations @ from_rotation_vector(TURNS)).astype(np.float32))


def edited(way: float = 0.3, strength: float = 1.0, pelvis: float = 0.0) -> IKProblem:
    """The left hand is asked for higher up; pelvis and the other limbs' ends are held; all else is kept."""
    asked = [position(BASE, "pelvis", [0.0, pelvis, 0.0])]
    asked += [position(BASE, end, [0.0, way if end == "left_wrist" else 0.0, 0.0]) for end in ENDS]
    kept = np.full(len(SKELETON), strength, np.float32)
    kept[posed_joints(SKELETON, asked)] = 0.0
    return problem(asked, BASE, kept, kept)


def shares(asked: IKProblem, *joints: str) -> list[float]:
    return [float(still_shares(asked)[SKELETON.index(joint)]) for joint in joints]


def test_without_masks_nothing_is_kept_and_a_problem_that_keeps_nothing_stays_itself() -> None:
    free = without_masks(edited())
    assert not free.has_masks
    assert without_masks(free) is free


def test_limbs_that_nothing_moves_hold_still_and_the_edited_limb_is_free() -> None:
    assert shares(edited(), "pelvis", "spine3", "head", "right_shoulder", "left_knee", "right_foot") == [1.0] * 6
    assert shares(edited(), "left_shoulder", "left_elbow", "left_wrist") == [0.0] * 3


def test_where_nothing_is_kept_all_holds_still_that_no_effector_moves_and_the_rest_is_the_solvers() -> None:
    free = edited(strength=0.0)
    assert shares(free, "pelvis", "left_knee", "right_hip", "right_foot") == [1.0] * 4
    assert shares(free, "neck", "head", "left_shoulder", "left_elbow") == [0.0] * 4


def test_a_trunk_holds_still_where_the_arm_that_it_carries_reaches_by_itself_and_lets_go_as_that_is_stretched() -> None:
    trunk = [shares(edited(way, strength=0.0), "spine1", "spine3", "right_elbow") for way in (0.3, FAR)]
    assert trunk[0] == [1.0] * 3
    assert trunk[1] == [0.0] * 3
    held = [shares(edited(way, strength=0.0), "spine2")[0] for way in np.linspace(0.3, FAR, 81)]
    assert (np.diff(held) <= 0.0).all()
    assert np.abs(np.diff(held)).max() < 0.3


def test_a_trunk_holds_still_between_a_root_and_hands_that_stay_and_a_head_that_nobody_holds_is_free() -> None:
    kick = [position(BASE, "pelvis"), *(position(BASE, end) for end in ENDS[:3])]
    kick = [*kick, position(BASE, "right_ankle", [0.0, 0.2, 0.3])]
    free = problem(kick, BASE)
    assert shares(free, "spine1", "spine3", "left_elbow", "right_shoulder", "left_knee") == [1.0] * 5
    assert shares(free, "right_hip", "right_knee", "neck", "head") == [0.0] * 4


def test_nothing_is_stiller_than_what_it_hangs_from() -> None:
    asked = edited(FAR, strength=0.4)
    assert shares(asked, "pelvis", "left_knee") == [1.0] * 2
    assert shares(asked, "spine2", "right_elbow", "head") == pytest.approx([0.4] * 3)
    free = replace(asked, preserve_position=masks(head=0.4), preserve_orientation=masks(head=0.4))
    assert shares(free, "pelvis", "left_knee", "head", "right_elbow") == pytest.approx([1.0, 1.0, 0.0, 0.0])


def test_what_is_pulled_lets_go_little_by_little() -> None:
    ways = np.linspace(0.0, 1.2 * FREE_M, 25)
    held = [shares(edited(way), "left_elbow")[0] for way in ways]
    assert held[0] == 1.0
    assert held[-1] == 0.0
    assert (np.diff(held) <= 0.0).all()
    assert np.abs(np.diff(held)).max() < 0.1


def test_of_two_effectors_on_a_limb_the_one_that_has_gone_further_counts() -> None:
    asked = edited(0.0)
    for both in (asked.effectors, asked.effectors[::-1]):
        pulled = replace(asked, effectors=(*both, position(BASE, "left_elbow", [0.0, 0.3, 0.0])))
        first = replace(asked, effectors=(pulled.effectors[-1], *both))
        assert shares(pulled, "left_wrist") == shares(first, "left_wrist") == [0.0]


def test_a_body_whose_root_moves_or_is_not_asked_for_holds_nothing_still() -> None:
    assert still_shares(edited(pelvis=0.3)).max() == 0.0
    loose = edited()
    loose = replace(loose, effectors=loose.effectors[1:])
    assert still_shares(loose).max() == 0.0
    off = replace(edited(), effectors=(replace(edited().effectors[0], enabled=False), *edited().effectors[1:]))
    assert still_shares(off).max() == 0.0
    assert held_still(loose, OTHER) is OTHER


def test_what_holds_still_is_the_base_pose_to_the_bit_and_half_of_it_half_way() -> None:
    whole, half = held_still(edited(), OTHER), held_still(edited(FAR, strength=0.5), OTHER)
    free = [SKELETON.index(f"left_{joint}") for joint in ("shoulder", "elbow", "wrist")]
    still = np.flatnonzero(still_shares(edited()) == 1.0)
    assert (whole.rotations[still] == BASE.rotations[still]).all()
    assert whole.root_position == pytest.approx(BASE.root_position, abs=1e-6)
    assert half.root_position == pytest.approx(BASE.root_position, abs=1e-6)
    assert geodesic_angle(whole.rotations[free], OTHER.rotations[free]) == pytest.approx(0.0, abs=1e-3)
    trunk = [SKELETON.index(joint) for joint in ("spine1", "spine3", "head")]
    away = geodesic_angle(half.rotations[trunk], BASE.rotations[trunk])
    assert away == pytest.approx(0.5 * geodesic_angle(OTHER.rotations[trunk], BASE.rotations[trunk]), abs=2e-3)


def test_after_a_network_that_keeps_by_itself_only_what_is_kept_and_still_is_kept_softly() -> None:
    soft = with_soft_masks(edited(strength=0.6))
    kept = soft.preserve_orientation[[SKELETON.index(joint) for joint in ("spine2", "head", "left_elbow")]]
    assert kept == pytest.approx([SOFT * 0.6, SOFT * 0.6, 0.0])
    assert soft.preserve_orientation[SKELETON.index("left_knee")] == 0.0, "nobody asked to keep what an effector poses"
    assert not soft.preserve_position.any()
    assert not with_soft_masks(edited(pelvis=0.3)).has_masks
    nothing = edited(FAR, strength=0.0)
    assert with_soft_masks(nothing) is nothing


def test_a_trunk_whose_arm_reaches_by_itself_is_kept_more_softly_where_nothing_is_kept() -> None:
    soft = with_soft_masks(edited(strength=0.0)).preserve_orientation
    assert soft[[SKELETON.index(joint) for joint in ("spine1", "spine3")]] == pytest.approx([CARRIES] * 2)
    assert not soft[[SKELETON.index(joint) for joint in ("left_knee", "head", "left_shoulder")]].any()


def test_in_global_skelik_raises_a_hand_and_its_network_does_not_swing_the_legs() -> None:
    shown, said = (knees_moved(pose) for pose in posed_by_skelik(GLOBAL))
    assert shown < 0.012, "as far as the pelvis, whose turn nobody holds"
    assert said > 2 * shown


def test_in_local_skelik_raises_a_hand_and_the_trunk_hardly_bends() -> None:
    pose, _ = posed_by_skelik(LOCAL)
    assert np.degrees(geodesic_angle(pose.rotations, BASE.rotations))[SKELETON.index("spine2")] < 0.5
    assert knees_moved(pose) < 0.012


def test_places_that_a_network_keeps_are_where_limits_of_joints_are_met_by() -> None:
    asked = edited(0.3)
    kept = np.ones(len(SKELETON), np.float32)
    kept[posed_joints(SKELETON, asked.effectors)] = 0.0
    leans = proposed_place_leans(replace(asked, preserve_orientation=0.25 * kept), OTHER)
    assert {lean.effector.joint for lean in leans} == {SKELETON.names[j] for j in np.flatnonzero(kept)}
    places = forward_kinematics(SKELETON, OTHER).positions
    assert all(np.array_equal(e.target, places[SKELETON.index(e.joint)]) for e, _ in leans)
    assert proposed_place_leans(asked, OTHER) == (), "where shapes are kept, places follow"


def test_in_place_freeze_skelik_meets_all_and_its_knees_stay_near() -> None:
    pose, _ = posed_by_skelik(PLACE_FREEZE)
    assert knees_moved(pose) < 0.05


def test_a_root_that_no_effector_poses_is_as_still_as_its_place_is_kept() -> None:
    free = edited()
    hand = problem([e for e in free.effectors if e.joint != "pelvis"], BASE)
    kept = np.full(len(SKELETON), 0.8, np.float32)
    assert shares(replace(hand, preserve_position=kept, preserve_orientation=kept), "pelvis") == pytest.approx([0.8])
    assert not still_shares(hand).any()


def posed_by_skelik(mode: PreserveMode) -> tuple[Pose, Pose]:
    """A hand raised by half a metre, met with all else: the pose, and what the network says alone."""
    asked = edited(0.5)
    kept = [np.array(mask) for mask in mode.masks(SKELETON)]
    for mask in kept:
        mask[posed_joints(SKELETON, asked.effectors)] = 0.0
    asked = replace(asked, preserve_position=kept[0], preserve_orientation=kept[1])
    found = load_solver("skelik").solve(asked)
    assert {residual.state for residual in found.residuals} == {"met"}
    return found.pose, load_solver("skelik").propose(asked)


def knees_moved(pose: Pose) -> float:
    """Metres that the knee moves which moves more."""
    before, after = (forward_kinematics(SKELETON, each).positions for each in (BASE, pose))
    knees = [SKELETON.index(f"{side}_knee") for side in ("left", "right")]
    return float(np.linalg.norm(after - before, axis=1)[knees].max())


@pytest.mark.parametrize("again", [True, False])
def test_only_a_network_that_keeps_by_itself_has_its_proposals_held_still(again: bool) -> None:
    solver, asked = Solver(replace(LEANING, preserves_again=again), Leaning()), edited(0.2)
    lean = {LEAN.id: 20.0}
    alone = solver.solve(asked, options={**lean, PROPOSAL_ALONE.id: True}).pose
    assert np.degrees(geodesic_angle(alone.rotations[0], BASE.rotations[0])) == pytest.approx(20.0, abs=0.1)
    posed = solver.solve(asked, options=lean)
    others = np.flatnonzero(still_shares(asked) == 1.0)
    (over,) = solver.propose_over_base([asked], lean)
    assert (float(geodesic_angle(over.rotations[others], BASE.rotations[others]).max()) < 1e-3) == (not again)
    assert posed.residuals[2].state == "met"
    assert (posed.pose == Solver(LEANING, Leaning()).solve(asked, options=lean).pose) == again
