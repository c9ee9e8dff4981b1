"""Memories on rigs of other kinds, at other poses, and handed from solver to solver; and what damaged ones do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import body_skeleton, difference, natural, position
from made_up_solvers import LOYAL, PACED, Loyal, Pacing
from rig_samples import (
    body_rig,
    places_by_role,
    posed_like,
    renamed_and_reordered,
    rig_of_many_joints,
    with_a_joint_between,
    with_rest_frames,
)

from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.ik.memory import (
    FRESH,
    AtPose,
    BegunAnew,
    ChosenPose,
    ForeignRigMemory,
    Memory,
    SolverMemory,
    WarmStart,
    state_at,
)
from solver.ik.pipeline.pipeline import Solver
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.ik.rig_adapter import adapter_for, rig_effectors
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.rig.rig import Rig
from solver.rig.roles import Role
from solver.solvers.catalog import load_solver

BASE = natural()
REST = rest_pose(body_skeleton())
RIGS = (rig_of_many_joints(52), rig_of_many_joints(65), renamed_and_reordered(), with_rest_frames())
NAMED = ("52 joints", "65 joints", "renamed", "rest frames")
each_rig = pytest.mark.parametrize("rig", RIGS, ids=NAMED)


def raised(rig: Rig, height: float = 0.3, base: Pose | None = None) -> IKProblem:
    """On any rig, the left hand is asked for higher up and the feet stay."""
    start = natural_pose(rig) if base is None else base
    places = forward_kinematics(rig, natural_pose(rig)).positions
    asked: list[Effector] = [
        Position(rig.name(role), places[rig.joint(role)] + np.float32(shift))
        for role, shift in (
            (Role.LEFT_WRIST, (0, height, 0.2)), (Role.LEFT_ANKLE, (0, 0, 0)), (Role.RIGHT_ANKLE, (0, 0, 0)),
        )
    ]  # fmt: skip
    return IKProblem.without_masks(rig, asked, start)


@each_rig
def test_a_pose_of_the_rig_is_seen_inside_as_solvers_see_it_and_a_strangers_stays_what_it_is(rig: Rig) -> None:
    seen = adapter_for(raised(rig))
    assert seen is not None
    inside = AtPose(rest_pose(rig)).for_solver_rig(seen)
    assert isinstance(inside, AtPose)
    assert len(inside.pose.rotations) == seen.joints
    strange = AtPose(Pose(np.zeros(3), np.tile(np.eye(3), (3, 1, 1))))
    assert strange.for_solver_rig(seen) is strange
    assert strange.for_solver_rig(seen).warm_start_for("dls", seen.joints) == WarmStart()


@each_rig
def test_a_chosen_pose_takes_its_effectors_inside(rig: Rig) -> None:
    asked = raised(rig)
    seen = adapter_for(asked)
    assert seen is not None
    inside = ChosenPose(rest_pose(rig), asked.effectors).for_solver_rig(seen)
    assert isinstance(inside, ChosenPose)
    assert [effector.joint for effector in inside.effectors] == ["left_wrist", "left_ankle", "right_ankle"]
    strange = ChosenPose(Pose(np.zeros(3), np.tile(np.eye(3), (3, 1, 1))), asked.effectors)
    assert strange.for_solver_rig(seen) is strange


@each_rig
def test_what_a_solver_leaves_on_a_rig_is_wrapped_up_with_the_rigs_pose(rig: Rig) -> None:
    solution = load_solver("dls").solve(raised(rig))
    memory = solution.memory
    assert isinstance(memory, ForeignRigMemory)
    assert memory.pose == solution.pose
    assert memory.for_own_rig(REST) is memory
    assert memory.with_default_pose(REST) is memory
    assert memory.warm_start_for("dls", len(rig)) == WarmStart(solution.pose)
    assert memory.warm_start_for("dls", len(rig) + 1) == WarmStart()


@each_rig
def test_solving_again_from_it_stays_and_from_an_older_one_brings_the_older_answer(rig: Rig) -> None:
    solver, asked = load_solver("dls"), raised(rig)
    first = solver.solve(asked)
    moved = solver.solve(raised(rig, 0.35), first.memory)
    again, back = solver.solve(asked, first.memory), solver.solve(asked, moved.memory)
    assert np.abs(places_by_role(rig, again.pose) - places_by_role(rig, first.pose)).max() < 2e-3
    assert np.abs(places_by_role(rig, back.pose) - places_by_role(rig, first.pose)).max() < 0.02


@each_rig
def test_on_a_rig_a_proposer_gets_what_it_wanted_to_remember(rig: Rig) -> None:
    solver = Solver(replace(LOYAL, exact=False), Loyal())
    first = solver.solve(raised(rig))
    loyal = solver.solve(raised(rig, base=rest_pose(rig)), first.memory)
    assert places_by_role(rig, loyal.pose) == pytest.approx(places_by_role(rig, first.pose), abs=1e-4)
    anew = solver.solve(raised(rig, base=rest_pose(rig)))
    assert np.abs(places_by_role(rig, anew.pose) - places_by_role(rig, first.pose)).max() > 0.2


def test_a_memory_of_one_rig_is_but_a_start_from_nothing_on_a_rig_with_other_joints() -> None:
    left = load_solver("dls").solve(raised(RIGS[0])).memory
    fresh, handed = (load_solver("dls").solve(raised(RIGS[1]), memory) for memory in (FRESH, left))
    assert difference(handed.pose, fresh.pose) < 1e-6


def test_a_finger_asked_for_from_now_on_changes_what_solvers_see_and_the_pose_goes_on() -> None:
    rig, solver = rig_of_many_joints(52), load_solver("dls")
    first = solver.solve(raised(rig))
    tip = rig.names[rig.joint(Role.RIGHT_INDEX3)]
    there = forward_kinematics(rig, first.pose).positions[rig.index(tip)]
    asked = raised(rig)
    more = replace(asked, effectors=(*asked.effectors, Position(tip, there)))
    second = solver.solve(more, first.memory)
    assert [residual.state for residual in second.residuals] == ["met"] * 4
    assert np.abs(places_by_role(rig, second.pose) - places_by_role(rig, first.pose)).max() < 0.02
    seen = adapter_for(more)
    assert seen is not None
    assert isinstance(first.memory, ForeignRigMemory)
    assert isinstance(first.memory.for_solver_rig(seen), AtPose)


@pytest.mark.parametrize(
    "memory",
    [FRESH, SolverMemory("paced", WarmStart(proposer_memory=1))],
    ids=["fresh", "of a proposer without a pose"],
)
def test_where_no_pose_is_known_the_one_shown_is_taken_and_no_pose_is_made_up(memory: Memory) -> None:
    rig = RIGS[0]
    seen, outside = adapter_for(raised(rig)), memory.for_own_rig(natural_pose(rig))
    assert seen is not None
    assert outside.warm_start_for("dls", len(rig)) == WarmStart()
    assert outside.for_solver_rig(seen).warm_start_for("paced", seen.joints).pose is None
    shown = outside.with_default_pose(natural_pose(rig))
    assert shown.warm_start_for("dls", len(rig)).pose == natural_pose(rig)
    inside = shown.for_solver_rig(seen).warm_start_for("dls", seen.joints).pose
    assert inside is not None
    assert len(inside.rotations) == seen.joints


def test_a_choice_is_left_behind_as_the_pose_alone() -> None:
    assert ChosenPose(REST, ()).for_own_rig(BASE) == AtPose(BASE)
    assert AtPose(REST).for_own_rig(BASE) == AtPose(BASE)
    assert FRESH.for_own_rig(BASE) is FRESH


def test_to_another_solver_only_the_pose_counts() -> None:
    own = SolverMemory("dls", WarmStart(BASE, chosen_for=(), proposer_memory="secret"))
    assert own.warm_start_for("dls", 24) == own.warm_start
    assert own.warm_start_for("ccd", 24) == WarmStart(BASE)
    assert own.warm_start_for("dls", 22) == WarmStart()


def test_the_time_passed_is_told_though_the_memory_is_not_of_this_solver() -> None:
    solver = Solver(PACED, Pacing())
    asked = replace(raised(body_rig()), step_s=0.25)
    assert solver.solve(asked, AtPose(REST)).pose.root_position == pytest.approx([0, 0.5, 0])
    assert solver.solve(replace(asked, step_s=0.0), AtPose(REST)).pose.root_position == pytest.approx([0, 0, 0])


def test_states_of_equal_poses_are_equal() -> None:
    assert state_at(BASE) == state_at(Pose(np.array(BASE.root_position), np.array(BASE.rotations)))
    assert state_at(BASE) != state_at(REST)


@each_rig
def test_a_pose_told_to_solvers_and_back_is_the_pose(rig: Rig) -> None:
    asked = raised(rig, base=posed_like(rig, load_solver("dls").solve(raised(body_rig())).pose))
    seen = adapter_for(asked)
    assert seen is not None
    inside = seen.solver_pose(asked.base_pose)
    assert inside is not None
    assert difference(seen.rig_pose(inside), asked.base_pose) < 1e-5
    assert seen.solver_pose(Pose(np.zeros(3), np.eye(3)[None])) is None


@each_rig
def test_joints_are_told_by_the_rigs_own_names(rig: Rig) -> None:
    seen = adapter_for(raised(rig))
    assert seen is not None
    for role in (Role.LEFT_WRIST, Role.HEAD, Role.RIGHT_KNEE):
        assert seen.rig_joint_name(role.value) == rig.name(role)


@pytest.mark.parametrize("rig", RIGS[2:], ids=NAMED[2:])
def test_what_is_left_on_the_body_itself_is_gone_on_from_on_a_rig_with_the_same_joints(rig: Rig) -> None:
    solver = load_solver("dls")
    first = solver.solve(raised(body_rig()))
    handed = solver.solve(raised(rig), first.memory)
    assert np.abs(places_by_role(rig, handed.pose) - places_by_role(body_rig(), first.pose)).max() < 2e-3
    assert handed.iterations < 0.5 * solver.solve(raised(rig)).iterations


@each_rig
def test_effectors_told_to_solvers_and_back_are_the_rigs_own(rig: Rig) -> None:
    world = forward_kinematics(rig, natural_pose(rig))
    asked = tuple(
        kind.on(rig, rig.name(role), world)
        for kind in (Position, Rotation, LookAt)
        for role in (Role.HEAD, Role.LEFT_KNEE)
    )
    seen = adapter_for(replace(raised(rig), effectors=asked))
    assert seen is not None
    back = rig_effectors(seen.movable, seen.solver_problem.effectors)
    assert [(e.joint, e.kind) for e in back] == [(e.joint, e.kind) for e in asked]
    for mine, its in zip(back, asked, strict=True):
        assert mine.target == pytest.approx(its.target, abs=1e-6)
        assert mine.distance_from(its) < 1e-5


def test_of_a_choice_made_for_a_finger_too_solvers_see_the_finger_only_while_it_asks() -> None:
    rig = rig_of_many_joints(52)
    asked = raised(rig)
    seen, tip = adapter_for(asked), rig.name(Role.RIGHT_INDEX3)
    assert seen is not None
    chosen = ChosenPose(natural_pose(rig), (*asked.effectors, Position(tip, np.zeros(3)))).for_solver_rig(seen)
    assert isinstance(chosen, ChosenPose)
    assert [effector.joint for effector in chosen.effectors] == ["left_wrist", "left_ankle", "right_ankle"]


def test_the_bodys_own_skeleton_passes_as_it_is() -> None:
    assert adapter_for(raised(body_rig())) is None
    assert isinstance(load_solver("dls").solve(raised(body_rig())).memory, SolverMemory)


@pytest.mark.parametrize("mask", ["preserve_position", "preserve_orientation"])
def test_what_is_kept_of_a_rigid_joint_keeps_the_joint_that_carries_it_in_its_place_alone(mask: str) -> None:
    rig = rig_of_many_joints(52)
    values = np.zeros(len(rig), np.float32)
    values[rig.joint(Role.LEFT_INDEX2)] = 0.7
    seen = adapter_for(replace(raised(rig), **{mask: values}))
    assert seen is not None
    inside = getattr(seen.solver_problem, mask)
    wrist = seen.solver_problem.skeleton.index("left_wrist")
    assert inside[wrist] == pytest.approx(0.7 if mask == "preserve_position" else 0.0)
    assert np.delete(inside, wrist) == pytest.approx(np.zeros(len(inside) - 1))


def test_what_a_wrist_keeps_more_firmly_is_not_made_weaker_by_its_finger() -> None:
    rig = rig_of_many_joints(52)
    values = np.zeros(len(rig), np.float32)
    values[rig.joint(Role.LEFT_INDEX2)], values[rig.joint(Role.LEFT_WRIST)] = 0.2, 0.9
    seen = adapter_for(replace(raised(rig), preserve_position=values))
    assert seen is not None
    assert seen.solver_problem.preserve_position[seen.solver_problem.skeleton.index("left_wrist")] == pytest.approx(0.9)


def test_a_joint_without_a_role_in_the_middle_of_a_leg_does_not_break_the_leg() -> None:
    rig = with_a_joint_between()
    solution = load_solver("dls").solve(raised(rig))
    assert [residual.state for residual in solution.residuals] == ["met"] * 3
    between = rig.index("left_thigh_middle")
    assert solution.pose.rotations[between] == pytest.approx(np.eye(3), abs=1e-6)


def test_what_is_off_on_a_rigid_joint_is_not_seen_by_the_solver_and_reported_as_off() -> None:
    rig = rig_of_many_joints(55)
    off = Position(rig.names[rig.joint(Role.JAW)], [0, 9, 0], enabled=False)
    asked = raised(rig)
    with_it = load_solver("dls").solve(replace(asked, effectors=(off, *asked.effectors)))
    without = load_solver("dls").solve(asked)
    assert difference(with_it.pose, without.pose) < 1e-6
    assert [residual.state for residual in with_it.residuals] == ["disabled", "met", "met", "met"]


@pytest.mark.parametrize("solver", ["dls", "smplik"])
def test_a_memory_of_a_pose_some_way_off_does_not_hold_the_body_back(solver: str) -> None:
    far = Pose(np.float32([6, 1, -2]), REST.rotations)
    asked = [position(BASE, "left_wrist", (0, 0.2, 0.1)), position(BASE, "left_ankle"), position(BASE, "right_ankle")]
    solution = load_solver(solver).solve(IKProblem.without_masks(body_skeleton(), asked, BASE), AtPose(far))
    assert [residual.state for residual in solution.residuals] == ["met"] * 3


def test_from_very_far_the_body_comes_nearer_with_every_solve_until_it_is_there() -> None:
    asked = IKProblem.without_masks(body_skeleton(), [position(BASE, "left_ankle"), position(BASE, "head")], BASE)
    memory: Memory = AtPose(Pose(np.float32([30, 1, 0]), REST.rotations))
    off = [np.inf]
    while off[-1] > 1e-3:
        solution = load_solver("dls").solve(asked, memory)
        memory = solution.memory
        off.append(max(residual.value for residual in solution.residuals))
        assert off[-1] < 0.9 * off[-2]
    assert len(off) < 8


def test_a_drag_that_begins_anew_knows_what_was_known_where_it_begins_whatever_is_shown() -> None:
    memory = BegunAnew(FRESH, REST)
    assert memory.with_default_pose(BASE) == AtPose(REST)
    assert memory.warm_start_for("dls", len(BASE.rotations)).pose == REST
    assert memory.for_own_rig(BASE) is FRESH
    rig = rig_of_many_joints(65)
    seen, there = adapter_for(raised(rig)), natural_pose(rig)
    assert seen is not None
    assert BegunAnew(FRESH, there).for_solver_rig(seen) == AtPose(there).for_solver_rig(seen)
