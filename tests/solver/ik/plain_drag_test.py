"""A figure tied to nothing that is dragged there and back: its pose is as it was, and it moves as evenly as away."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from ik_samples import FEET, natural, position, problem

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.contact.floor_points import floor_points
from solver.contact.obstacles import Obstacles, body_alone
from solver.contact.patches import patches
from solver.contact.solid_body import solid_body
from solver.contact.solids import Solid, SolidForm
from solver.effectors.contact import Contact
from solver.ik.anchor import anchor, anchor_toward
from solver.ik.memory import FRESH, AtPose, Memory, SettledMemory
from solver.ik.multi_solve.plain_drag import solve_in_drag
from solver.ik.options import BALANCE, NO_OPTIONS, PROPOSAL_ALONE, with_option
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.solvers.catalog import load_solver

BASE = natural()
WAY = np.array([0.5, 0.7, 0.5])
AWAY = np.arange(0.03, 0.32, 0.03)


def shown_pose() -> Pose:
    """A pose that no solver would have made: leaning and twisted, with one elbow bent."""
    rotations = BASE.rotations.copy()
    rotations[3] = rotations[3] @ from_rotation_vector(np.array([0.5, 0.3, 0.0]))
    rotations[19] = rotations[19] @ from_rotation_vector(np.array([0.0, 0.9, 0.0]))
    return Pose(BASE.root_position, rotations.astype(np.float32))


def asked(shown: Pose, far: float, joint: str = "left_wrist") -> IKProblem:
    return problem([position(shown, joint, tuple(far * WAY)), *(position(shown, foot) for foot in FEET)], shown)


def largest_step(one: Pose, other: Pose) -> float:
    """Metres that the joint that moves most moves."""
    skeleton = asked(BASE, 0.0).skeleton
    a, b = (forward_kinematics(skeleton, pose).positions for pose in (one, other))
    return float(np.linalg.norm(a - b, axis=1).max())


def dragged(solver: str, shown: Pose, distances: np.ndarray, joint: str = "left_wrist") -> tuple[list[Pose], Memory]:
    memory: Memory = FRESH
    poses = [shown]
    for far in distances:
        solution = solve_in_drag(load_solver(solver), asked(shown, far, joint), memory, poses[-1])
        memory = solution.memory
        poses.append(solution.pose)
    return poses, memory


@pytest.mark.parametrize("solver", ["dls", "smplik", "pose_edition", pytest.param("skelik", marks=pytest.mark.slow)])
def test_a_drag_that_comes_back_ends_at_the_very_pose_it_began_with(solver: str) -> None:
    shown = shown_pose()
    poses, _ = dragged(solver, shown, np.concatenate([AWAY, AWAY[-2::-1], [0.0]]))
    steps = [largest_step(*pair) for pair in pairwise(poses)]
    assert poses[-1] is shown
    assert max(steps[len(AWAY) :]) < 1.1 * max(steps[: len(AWAY)]) + 1e-3, "no jump where it arrives"


@pytest.mark.slow
def test_dragposer_goes_on_from_the_pose_shown_and_comes_back_to_it() -> None:
    shown = shown_pose()
    poses, _ = dragged("dragposer", shown, np.array([0.01, 0.0]))
    assert largest_step(shown, poses[1]) < 0.02, "a centimetre, as the hand"
    assert poses[-1] is shown


def test_a_drag_goes_on_from_the_start_once_it_is_back() -> None:
    shown = shown_pose()
    poses, _ = dragged("smplik", shown, np.array([0.02, 0.1, 0.02, 0.0, 0.02]))
    assert largest_step(poses[1], poses[-1]) < 1e-3


def test_a_drag_of_another_handle_starts_where_the_first_one_ended() -> None:
    shown = shown_pose()
    poses, memory = dragged("smplik", shown, AWAY)
    last, solver = asked(shown, AWAY[-1]), load_solver("smplik")
    there = position(poses[-1], "right_wrist")

    def with_other(by: float) -> IKProblem:
        return replace(last, effectors=(*last.effectors, replace(there, target=there.target + np.float32([0, by, 0]))))

    away = solve_in_drag(solver, with_other(0.1), memory, poses[-1])
    back = solve_in_drag(solver, with_other(0.0), away.memory, away.pose)
    assert back.pose is poses[-1]


def test_another_option_at_the_place_where_a_drag_began_is_heeded() -> None:
    shown = shown_pose()
    poses, memory = dragged("smplik", shown, np.array([0.1, 0.0]))
    assert poses[-1] is shown
    alone = with_option(NO_OPTIONS, PROPOSAL_ALONE.id, True)
    solution = solve_in_drag(load_solver("smplik"), asked(shown, 0.0), memory, shown, alone)
    assert largest_step(solution.pose, shown) > 0.01, "the network says something else"


@pytest.mark.parametrize("what", ["another option", "another effector switched off", "more is kept", "the floor"])
def test_what_is_changed_in_the_middle_of_a_drag_is_heeded_where_it_comes_back(what: str) -> None:
    shown = shown_pose()
    poses, memory = dragged("dls", shown, np.array([0.1]))
    options, start = NO_OPTIONS, asked(shown, 0.0)
    away = asked(shown, 0.1)

    def changed(asks: IKProblem) -> IKProblem:
        if what == "another effector switched off":
            return replace(asks, effectors=(*asks.effectors[:2], replace(asks.effectors[2], enabled=False)))
        if what == "more is kept":
            return replace(asks, preserve_orientation=np.ones_like(asks.preserve_orientation))
        return replace(asks, floor=floor_points(load_body("anny"), BodyShape())) if what == "the floor" else asks

    if what == "another option":
        options = with_option(NO_OPTIONS, BALANCE.id, "strict")
    pose = poses[-1]
    for asks in (changed(away), changed(start)):
        solution = solve_in_drag(load_solver("dls"), asks, memory, pose, options)
        memory, pose = solution.memory, solution.pose
    assert pose is not shown


def test_a_handle_that_was_out_of_reach_before_keeps_no_drag_of_another_from_coming_back() -> None:
    shown = shown_pose()
    far = replace(position(shown, "right_wrist", (-0.6, 0.5, 0.0)), id="far")

    def asks(by: float) -> IKProblem:
        hand = replace(position(shown, "left_wrist", tuple(by * WAY)), id="hand")
        return problem([hand, far, *(replace(position(shown, foot), id=foot) for foot in FEET)], shown)

    pose, memory = shown, FRESH
    for by in (0.03, 0.1, 0.03, 0.0):
        solution = solve_in_drag(load_solver("smplik"), asks(by), memory, pose)
        memory: Memory = solution.memory
        pose = solution.pose
    assert pose is shown


def test_who_sits_goes_on_from_the_start_once_a_drag_is_back() -> None:
    shown = shown_pose()
    patch = patches(load_body("anny"), BodyShape())["seat"]
    skeleton, world = asked(BASE, 0.0).skeleton, forward_kinematics(asked(BASE, 0.0).skeleton, shown)
    seat = Contact(patch.joint, np.zeros(3), patch.middle, patch="seat", normal=patch.normal, facing=[0.0, 1.0, 0.0])
    seat = replace(seat.at_pose(skeleton, world), id="seat")
    pose, memory, poses = shown, FRESH, list[Pose]()
    for by in (0.02, 0.0, 0.02):
        hand = replace(position(shown, "left_wrist", tuple(by * WAY)), id="hand")
        asks = problem([seat, hand, *(position(shown, foot) for foot in FEET)], BASE)
        solution = solve_in_drag(load_solver("smplik"), asks, memory, pose)
        memory: Memory = solution.memory
        pose = solution.pose
        poses.append(pose)
    assert poses[1] is shown
    assert largest_step(poses[0], poses[2]) < 1e-3


def test_what_is_remembered_of_a_drag_leaves_out_what_was_in_the_way() -> None:
    shown, memory = shown_pose(), FRESH
    solid = body_alone(solid_body(load_body("anny"), BodyShape()))
    for by in (0.02, 0.04):
        asks = replace(asked(shown, by), obstacles=solid)
        memory: Memory = solve_in_drag(load_solver("dls"), asks, memory, shown).memory
        assert isinstance(memory, SettledMemory)
        assert memory.drag_start is not None
        assert memory.record.problem.obstacles is memory.drag_start.settled.record.problem.obstacles is None


def test_what_has_come_to_be_in_the_way_where_a_drag_began_is_heeded() -> None:
    shown = shown_pose()
    poses, memory = dragged("dls", shown, np.array([0.1, 0.0]))
    assert poses[-1] is shown
    asks = asked(shown, 0.0)
    box = Solid(SolidForm.BOX, np.full(3, 0.3), asks.effectors[0].target + np.float32([0.05, 0.0, 0.0]))
    around = Obstacles(solid_body(load_body("anny"), BodyShape()), things=(box,))
    solution = solve_in_drag(load_solver("dls"), replace(asks, obstacles=around), memory, shown)
    assert largest_step(solution.pose, shown) > 0.02


@pytest.mark.parametrize("share", [0.25, 1.0])
@pytest.mark.parametrize("without", ["neither", "the last", "the first"])
def test_on_the_way_back_what_is_added_to_proposals_goes_over_to_what_was_where_the_drag_began(
    share: float, without: str
) -> None:
    first, last = asked(BASE, 0.0).effectors, asked(BASE, 0.1).effectors
    here = asked(BASE, 0.05).effectors
    begun = None if without == "the first" else anchor(shown_pose(), BASE, first)
    now = None if without == "the last" else anchor(BASE, shown_pose(), last)
    found = anchor_toward(now, begun, share, first, here)
    assert found is not None
    begins, goes_on = (0.0 if one is None else one.share_left(here) * one.turns for one in (begun, now))
    assert found.share_left(here) * found.turns == pytest.approx(share * begins + (1.0 - share) * goes_on, abs=1e-5)


def test_a_pose_in_motion_keeps_no_start() -> None:
    shown = shown_pose()
    moving = replace(asked(shown, 0.1), step_s=1 / 30)
    solution = solve_in_drag(load_solver("dls"), moving, AtPose(shown), shown)
    assert not isinstance(solution.memory, SettledMemory)
