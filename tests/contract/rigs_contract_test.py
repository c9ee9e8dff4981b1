"""Every solver gives the same pose on every rig: more joints, other names and order, other frames at rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from made_up_solvers import PACE_M_S, PACED, registered
from numpy.typing import NDArray
from rig_samples import (
    JOINT_COUNTS,
    body_rig,
    places_by_role,
    posed_like,
    renamed_and_reordered,
    rig_of_many_joints,
    with_a_joint_between,
    with_rest_frames,
)

from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.errors import PoserError
from solver.evaluation.speed import random_poses
from solver.ik.memory import AtPose, ChosenPose, Memory
from solver.ik.multi_solve.other_solutions import other_solution
from solver.ik.pipeline.pipeline import Solver
from solver.ik.pipeline.reasons import reasons
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.ik.residuals import residuals
from solver.ik.rig_adapter import adapter_for
from solver.ik.solution import IKSolution
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import Rig
from solver.rig.roles import BODY_ROLES, LIMBS, Role
from solver.solvers.catalog import SOLVERS, load_solver
from solver.solvers.recovery import recover_effectors

SAME_M = 1e-4
BODY = body_rig()
BASE = natural_pose(BODY)
POSES = random_poses(BODY, 4, seed=5)
RIGS: dict[str, Callable[[], Rig]] = {
    "24 joints": body_rig,
    "renamed and reordered": renamed_and_reordered,
    "with rest frames": with_rest_frames,
    "with a joint between": with_a_joint_between,
    "all joints of the body": lambda: load_body(DEFAULT_BODY).whole_rig(BodyShape()),
    **{f"{count} joints": lambda count=count: rig_of_many_joints(count) for count in JOINT_COUNTS},  # type: ignore[misc]
}


@pytest.fixture(params=RIGS)
def rig(request: pytest.FixtureRequest) -> Rig:
    return RIGS[request.param]()


@pytest.fixture(params=[spec.id for spec in SOLVERS])
def solver(request: pytest.FixtureRequest) -> Solver:
    try:
        return load_solver(request.param)
    except PoserError as error:
        pytest.skip(str(error))


def asked(rig: Rig, pose: Pose) -> tuple[Effector, ...]:
    """Five positions, a turned wrist and pelvis, and a look, as the pose of the body has them, on `rig`'s joints."""
    there = posed_like(rig, pose)
    at = forward_kinematics(rig, there)
    joint = rig.joint
    head, frames = joint(Role.HEAD), rig.rest_frames
    axis = np.float32([0, 0, 1]) if frames is None else frames[head].T @ np.float32([0, 0, 1])
    return (
        *(Position(rig.name(limb.end), at.positions[joint(limb.end)]) for limb in LIMBS),
        Rotation(rig.name(Role.PELVIS), at.rotations[joint(Role.PELVIS)], tolerance=0.1),
        Rotation(rig.name(Role.LEFT_WRIST), at.rotations[joint(Role.LEFT_WRIST)]),
        LookAt(rig.name(Role.HEAD), at.positions[head] + 2 * at.rotations[head] @ axis, axis),
    )


def problem_on(rig: Rig, pose: Pose, base: Pose = BASE) -> IKProblem:
    return IKProblem.without_masks(rig, asked(rig, pose), posed_like(rig, base))


def test_a_natural_pose_looks_the_same(rig: Rig) -> None:
    assert places_by_role(rig, natural_pose(rig)) == pytest.approx(places_by_role(BODY, BASE), abs=SAME_M)


@cache  # every rig is compared with what a solver makes on the body itself
def on_body(solver: Solver, number: int) -> IKSolution:
    """The solution for one of the poses."""
    return solver.solve(problem_on(BODY, POSES[number]))


@cache
def dragged_on_body(solver: Solver) -> NDArray[np.float32]:
    return dragged(solver, BODY)


@cache
def keeping_on_body(solver: Solver) -> NDArray[np.float32]:
    return keeping(solver, BODY)


def dragged(solver: Solver, rig: Rig) -> NDArray[np.float32]:
    """The places of a rig's joints after a drag of the first effector."""
    problem = problem_on(rig, BASE)
    memory: Memory = AtPose(posed_like(rig, BASE))
    for step in range(6):
        moved = problem.effectors[0]
        shift = np.float32([0.03 * step, 0.05 * step, 0.02 * step])
        pulled = replace(moved, target=moved.target + shift)
        solution = solver.solve(replace(problem, effectors=(pulled, *problem.effectors[1:])), memory)
        memory = solution.memory
    return places_by_role(rig, solution.pose)


def keeping(solver: Solver, rig: Rig) -> NDArray[np.float32]:
    """The places of a rig's joints where one effector asks and an elbow and the spine keep place and shape."""
    problem = problem_on(rig, POSES[0])
    mask = np.zeros(len(rig), np.float32)
    mask[[rig.joint(role) for role in (Role.RIGHT_ELBOW, Role.SPINE2)]] = 0.7
    problem = replace(problem, effectors=problem.effectors[:1], preserve_position=mask, preserve_orientation=mask)
    return places_by_role(rig, solver.solve(problem).pose)


def test_a_solution_looks_the_same(solver: Solver, rig: Rig) -> None:
    for number, pose in enumerate(POSES[:2]):
        expected = on_body(solver, number)
        found = solver.solve(problem_on(rig, pose))
        assert places_by_role(rig, found.pose) == pytest.approx(places_by_role(BODY, expected.pose), abs=SAME_M)
        assert [r.state for r in found.residuals] == [r.state for r in expected.residuals]
        assert [r.value for r in found.residuals] == pytest.approx([r.value for r in expected.residuals], abs=SAME_M)


def test_a_drag_looks_the_same(solver: Solver, rig: Rig) -> None:
    assert dragged(solver, rig) == pytest.approx(dragged_on_body(solver), abs=SAME_M)


def test_what_is_kept_is_kept_alike(solver: Solver, rig: Rig) -> None:
    assert keeping(solver, rig) == pytest.approx(keeping_on_body(solver), abs=SAME_M)


def test_a_proposal_looks_the_same_alone_and_among_many(solver: Solver, rig: Rig) -> None:
    expected = places_by_role(BODY, solver.propose(problem_on(BODY, POSES[1])))
    assert places_by_role(rig, solver.propose(problem_on(rig, POSES[1]))) == pytest.approx(expected, abs=SAME_M)
    both = solver.propose_batch([problem_on(rig, POSES[1]), problem_on(BODY, POSES[1])])
    assert places_by_role(rig, both[0]) == pytest.approx(expected, abs=5 * SAME_M)
    assert places_by_role(BODY, both[1]) == pytest.approx(expected, abs=5 * SAME_M)


def test_joints_of_which_nothing_is_asked_stay_as_in_the_base_pose(solver: Solver) -> None:
    rig = rig_of_many_joints(65)
    rotations = np.array(posed_like(rig, BASE).rotations)
    finger = rig.joint(Role.RIGHT_RING2)
    rotations[finger] = from_rotation_vector([0.0, 0.2, 0.6])
    base = Pose(BASE.root_position, rotations)
    found = solver.solve(IKProblem.without_masks(rig, asked(rig, POSES[2]), base)).pose
    moved = [rig.joint(role) for role in BODY_ROLES]
    still = [j for j in range(len(rig)) if j not in moved]
    assert found.rotations[still] == pytest.approx(base.rotations[still])


def test_a_finger_that_is_asked_for_is_carried_by_its_wrist(solver: Solver) -> None:
    if not solver.spec.takes("position", Role.LEFT_INDEX3):
        pytest.skip(f"{solver.spec.id} places no fingers")
    rig = rig_of_many_joints(55)
    base = posed_like(rig, BASE)
    at, tip, eye = forward_kinematics(rig, base), rig.joint(Role.LEFT_INDEX3), rig.joint(Role.LEFT_EYE)
    place = at.positions[tip] + np.float32([0.05, 0.25, 0.1])
    ahead = at.positions[eye] + np.float32([0.4, 0.1, 2.0])
    feet = [Position(rig.name(limb.end), at.positions[rig.joint(limb.end)]) for limb in LIMBS[2:]]
    turn = (from_rotation_vector([0.0, 0.5, 0.0]) @ at.rotations[tip]).astype(np.float32)
    effectors = (Position(rig.names[tip], place), Rotation(rig.names[tip], turn), LookAt(rig.names[eye], ahead), *feet)
    problem = IKProblem.without_masks(rig, effectors, base)
    solution = solver.solve(problem)
    assert [r.state for r in solution.residuals] == ["met"] * 5
    assert solution.residuals == residuals(rig, solution.pose, effectors)
    rigid = [rig.joint(role) for role in (Role.LEFT_INDEX1, Role.LEFT_INDEX2, Role.LEFT_INDEX3, Role.LEFT_EYE)]
    assert solution.pose.rotations[rigid] == pytest.approx(base.rotations[rigid])
    again = solver.solve(problem, solution.memory)
    assert places_by_role(rig, again.pose) == pytest.approx(places_by_role(rig, solution.pose), abs=1e-3)


def test_a_disabled_effector_on_a_finger_is_reported_as_such(solver: Solver) -> None:
    rig = rig_of_many_joints(52)
    off = Position(Role.LEFT_THUMB1, np.float32([1, 1, 1]), enabled=False)
    solution = solver.solve(IKProblem.without_masks(rig, (off, *asked(rig, BASE)), posed_like(rig, BASE)))
    assert [r.state for r in solution.residuals][:2] == ["disabled", "met"]


def test_a_chosen_pose_stays_on_every_rig(solver: Solver, rig: Rig) -> None:
    problem = replace(problem_on(rig, BASE), effectors=problem_on(rig, BASE).effectors[:4])
    first = solver.solve(problem)
    other = other_solution(problem, solver, first.pose)
    if other is None:
        pytest.skip("there is no other pose for these effectors")
    assert isinstance(other.memory, ChosenPose)
    after = solver.solve(problem, other.memory)
    assert places_by_role(rig, after.pose) == pytest.approx(places_by_role(rig, other.pose), abs=0.01)


def test_the_time_since_the_pose_before_reaches_the_proposer_on_every_rig(rig: Rig) -> None:
    with registered(PACED):
        paced = load_solver(PACED.id)
    asked_now = replace(problem_on(rig, BASE), step_s=0.5)
    assert paced.propose(asked_now).root_position[1] == pytest.approx(0.5 * PACE_M_S, abs=1e-5)


def test_reasons_name_the_rigs_own_joints() -> None:
    rig, dls = renamed_and_reordered(), load_solver("dls")
    base = posed_like(rig, BASE)
    at = forward_kinematics(rig, base).positions
    wrist, elbow = rig.joint(Role.LEFT_WRIST), rig.joint(Role.LEFT_ELBOW)
    effectors = (
        Position(rig.names[wrist], at[wrist] + np.float32([0.3, 0.3, 0.3])),
        Position(rig.names[elbow], at[elbow], pinned=True),
        Position(rig.name(Role.RIGHT_WRIST), at[0], enabled=False),
    )
    problem = IKProblem.without_masks(rig, effectors, base)
    solution = dls.solve(problem)
    found = reasons(problem, solution.pose, solution.residuals)
    assert found is not None
    assert len(found) == 3
    assert found[0] is not None
    assert found[0].joint in ("", rig.names[elbow])
    assert found[2] is None


def test_a_pose_is_recovered_from_effectors_on_the_rigs_own_joints() -> None:
    rig = with_rest_frames()
    there = posed_like(rig, POSES[3])
    found = recover_effectors(rig, IKProblem.without_masks(rig, (), there).shape, there, "dls", max_effectors=4)
    same = recover_effectors(BODY, IKProblem.without_masks(rig, (), there).shape, POSES[3], "dls", max_effectors=4)
    assert [(e.joint, e.kind) for e in found.effectors] == [(e.joint, e.kind) for e in same.effectors]
    assert residuals(rig, there, found.effectors)[0].state == "met", "the effectors are as the pose has them"
    assert found.error_m == pytest.approx(same.error_m, abs=SAME_M)


@pytest.mark.parametrize("id", [spec.id for spec in SOLVERS if spec.learned])
def test_a_network_refuses_a_rig_that_lacks_what_it_wants(id: str) -> None:
    solver = load_solver(id)
    strange = Skeleton(tuple(f"j{i}" for i in range(24)), BODY.parents, BODY.offsets)
    problem = IKProblem.without_masks(strange, (Position("j20", np.float32([0.3, 1, 0.3])),), rest_pose(strange))
    assert "left wrist" in solver.accepts(problem)
    with pytest.raises(PoserError, match="does not have.*pelvis"):
        solver.solve(problem)
    assert load_solver("dls").accepts(problem) == ""


def test_a_network_refuses_joints_that_hang_together_in_another_way() -> None:
    parents = list(BODY.parents)
    parents[BODY.joint(Role.LEFT_COLLAR)] = BODY.joint(Role.SPINE2)
    bent = Rig(BODY.names, tuple(parents), BODY.offsets, BODY.roles)
    problem = IKProblem.without_masks(bent, (Position(Role.HEAD, np.float32([0.3, 1, 0.3])),), rest_pose(bent))
    assert "left collar" in load_solver("smplik").accepts(problem)


@pytest.mark.parametrize("framed", [False, True], ids=["the world's axes", "rest frames"])
def test_a_rigid_joint_that_the_base_pose_has_bent_meets_what_is_asked_of_its_frame(framed: bool) -> None:
    rng, whole = np.random.default_rng(1), load_body(DEFAULT_BODY).whole_rig(BodyShape())
    turns = from_rotation_vector(rng.normal(0, 0.5, (len(whole), 3))).astype(np.float32)
    rig = replace(whole, rest_rotations=turns) if framed else whole
    rotations = np.array(rest_pose(rig).rotations)
    rotations[24:] = rotations[24:] @ from_rotation_vector(rng.normal(0, 0.5, (len(rig) - 24, 3)))
    base, finger = Pose(np.float32([0, 1, 0]), rotations), rig.name(Role.LEFT_INDEX2)
    at = forward_kinematics(rig, base)
    place, turn = (part[rig.index(finger)] for part in at)
    turned = from_rotation_vector([0.2, 0.3, 0.1]) @ turn
    ahead = place + turn @ np.float32([1.0, 0.3, 0.0])
    for effector in (
        Position(finger, place + np.float32([0, 0.1, 0.05]), np.float32([0.1, 0.02, 0.03])),
        Rotation(finger, turned.astype(np.float32)),
        LookAt(finger, ahead, np.float32([1, 0, 0])),
    ):
        solution = load_solver("dls").solve(IKProblem.without_masks(rig, (effector,), base))
        assert solution.residuals[0].state == "met", effector.kind


@pytest.mark.parametrize("count", JOINT_COUNTS)
def test_rigid_joints_are_no_unknowns_of_a_search(count: int) -> None:
    rig = rig_of_many_joints(count)
    problem = problem_on(rig, POSES[0])
    seen, again = adapter_for(problem), adapter_for(problem_on(rig, POSES[1]))
    assert seen is not None
    assert again is not None
    assert seen.solver_problem.skeleton.names == BODY.names[:22]
    assert again.solver_problem.skeleton is seen.solver_problem.skeleton, "what is made of a skeleton is made once"
    assert adapter_for(problem_on(BODY, POSES[0])) is None


@pytest.mark.parametrize("count", JOINT_COUNTS)
def test_solvers_are_told_from_where_a_rig_is_led_and_what_of_it_slides(count: int) -> None:
    rig = rig_of_many_joints(count)
    problem = problem_on(rig, POSES[0])
    shown, foot = problem_on(rig, POSES[1]).base_pose, rig.name(Role.LEFT_ANKLE)
    told = adapter_for(replace(problem, seen=shown, slid=frozenset([foot])))
    plain = adapter_for(problem)
    assert told is not None
    assert plain is not None
    assert told.solver_problem.seen == told.movable.reduced(shown)
    assert told.solver_problem.slid == {BODY.name(Role.LEFT_ANKLE)}
    assert plain.solver_problem.seen is None
