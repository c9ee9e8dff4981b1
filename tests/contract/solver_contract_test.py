"""What every solver keeps to, whatever it is made of: those that are shipped, one that remembers, one with options."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from made_up_solvers import MADE_UP, registered

from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.effectors.effector import Effector
from solver.effectors.kinds import LookAt, Position, Rotation
from solver.errors import PoserError, UnsupportedEffector
from solver.evaluation.speed import FIVE, free_problem, positions_of, random_poses
from solver.ik.memory import FRESH, Memory
from solver.ik.pipeline.pipeline import Solver
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.ik.residuals import residuals
from solver.ik.solution import IKSolution
from solver.ik.solver import TOLERANCE
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.solvers.catalog import SOLVERS, load_solver

SKELETON = load_body("anny").skeleton(BodyShape())
BASE = natural_pose(SKELETON)
POSES = random_poses(SKELETON, 6, seed=11)
PIN_M, PIN_RAD = 1e-3, np.radians(0.1)


@pytest.fixture(params=[spec.id for spec in (*SOLVERS, *MADE_UP)])
def solver(request: pytest.FixtureRequest) -> Iterator[Solver]:
    with registered(*MADE_UP):
        try:
            yield load_solver(request.param)
        except PoserError as error:
            pytest.skip(str(error))


def needs(solver: Solver, *kinds: str) -> None:
    if not set(kinds) <= solver.spec.kinds:
        pytest.skip(f"{solver.spec.id} takes {', '.join(sorted(solver.spec.kinds))} effectors only")


def errors(solution: IKSolution) -> list[float]:
    return [residual.value for residual in solution.residuals]


def difference(a: Pose, b: Pose) -> float:
    return float(max(np.abs(a.rotations - b.rotations).max(), np.abs(a.root_position - b.root_position).max()))


def every_effector(pose: Pose, solver: Solver) -> list[Effector]:
    joints = forward_kinematics(SKELETON, pose)
    found: list[Effector] = []
    for name, p, r in zip(SMPL_JOINTS, joints.positions, joints.rotations, strict=True):
        found += [Position(name, p), Rotation(name, r), LookAt(name, p + r[:, 2])]
    return [effector for effector in found if solver.spec.takes(effector.kind, effector.joint)]


def test_the_same_problem_gives_the_same_pose_to_the_bit(solver: Solver) -> None:
    problem = free_problem(SKELETON, positions_of(SKELETON, POSES[0], FIVE), BASE)
    first, second = solver.solve(problem), solver.solve(problem)
    assert first.pose == second.pose
    third, fourth = solver.solve(problem, first.memory), solver.solve(problem, second.memory)
    assert third.pose == fourth.pose


def test_solving_leaves_the_problem_as_it_was(solver: Solver) -> None:
    effectors = positions_of(SKELETON, POSES[1], FIVE)
    problem, copy = free_problem(SKELETON, effectors, BASE), free_problem(SKELETON, effectors, BASE)
    before = np.array(problem.base_pose.rotations), np.array(problem.effectors[0].target)  # type: ignore[attr-defined]
    solver.solve(problem)
    assert problem == copy
    assert np.array_equal(before[0], problem.base_pose.rotations)
    assert np.array_equal(before[1], problem.effectors[0].target)  # type: ignore[attr-defined]


def test_solving_again_from_its_memory_stays_where_it_is(solver: Solver) -> None:
    problem = free_problem(SKELETON, positions_of(SKELETON, BASE, FIVE[1:]), BASE)
    moved = Position("left_wrist", positions_of(SKELETON, BASE, FIVE)[0].target + np.float32([0.1, 0.2, 0.1]))
    problem = replace(problem, effectors=(*problem.effectors, moved))
    solution = solver.solve(problem)
    for _ in range(3):
        again = solver.solve(problem, solution.memory)
        assert difference(again.pose, solution.pose) < 1e-4
        solution = again


def test_an_older_memory_brings_the_older_answer_back(solver: Solver) -> None:
    near, far = (free_problem(SKELETON, positions_of(SKELETON, pose, FIVE), BASE) for pose in (BASE, POSES[2]))
    first = solver.solve(near)
    second = solver.solve(far, first.memory)
    solver.solve(near, second.memory)
    assert solver.solve(far, first.memory).pose == second.pose


def test_residuals_are_those_of_the_pose_one_for_each_effector_in_order(solver: Solver) -> None:
    effectors: list[Effector] = list(positions_of(SKELETON, POSES[3], FIVE))
    effectors[1] = replace(effectors[1], enabled=False)
    effectors[3] = replace(effectors[3], tolerance=0.6)
    solution = solver.solve(free_problem(SKELETON, effectors, BASE))
    expected = residuals(SKELETON, solution.pose, effectors)
    assert [r.state for r in solution.residuals] == [r.state for r in expected]
    assert errors(solution) == pytest.approx([r.value for r in expected], abs=1e-5)
    assert solution.residuals[1].state == "disabled"


def test_a_disabled_effector_changes_nothing(solver: Solver) -> None:
    effectors = positions_of(SKELETON, POSES[4], FIVE)
    away = replace(effectors[0], target=effectors[0].target + 1, enabled=False)
    alone = solver.solve(free_problem(SKELETON, effectors[1:], BASE))
    beside = solver.solve(free_problem(SKELETON, (away, *effectors[1:]), BASE))
    assert alone.pose == beside.pose


def test_a_kind_that_the_solver_does_not_take_is_named(solver: Solver) -> None:
    head = SKELETON.index("head")
    examples = {
        "position": Position("head", BASE.root_position),
        "rotation": Rotation("head", BASE.rotations[head]),
        "lookat": LookAt("head", np.float32([0, 1, 5])),
    }
    for kind, effector in examples.items():
        if kind in solver.spec.kinds:
            solver.solve(free_problem(SKELETON, [effector], BASE))
        else:
            with pytest.raises(UnsupportedEffector, match=kind):
                solver.solve(free_problem(SKELETON, [effector], BASE))
            solver.solve(free_problem(SKELETON, [replace(effector, enabled=False)], BASE))


def test_pins_are_met_when_bones_reach(solver: Solver) -> None:
    needs(solver, "position")
    for pose in POSES:
        effectors: list[Effector] = [replace(e, pinned=True, tolerance=0.8) for e in positions_of(SKELETON, pose, FIVE)]
        if "rotation" in solver.spec.kinds:
            turns = forward_kinematics(SKELETON, pose).rotations
            effectors.append(Rotation("pelvis", turns[0], pinned=True))
            effectors.append(Rotation("left_wrist", turns[SKELETON.index("left_wrist")], pinned=True))
        solution = solver.solve(free_problem(SKELETON, effectors, BASE))
        assert max(errors(solution)[:5]) < PIN_M
        assert max([0, *errors(solution)[5:]]) < PIN_RAD


def test_a_pin_holds_while_another_effector_pulls_out_of_reach(solver: Solver) -> None:
    feet = [replace(e, pinned=True) for e in positions_of(SKELETON, BASE, ("left_ankle", "right_ankle"))]
    hand = positions_of(SKELETON, BASE, ("left_wrist",))[0]
    memory: Memory = FRESH
    for metres in (0.5, 1, 2, 5, 20):
        pull = replace(hand, target=hand.target + np.float32([0, 0, metres]))
        solution = solver.solve(free_problem(SKELETON, [pull, *feet], BASE), memory)
        memory = solution.memory
        assert max(errors(solution)[1:]) < PIN_M, metres
    assert solution.residuals[0].state == "unreachable"


def test_out_of_reach_is_a_steady_pose(solver: Solver) -> None:
    feet = positions_of(SKELETON, BASE, ("left_ankle", "right_ankle"))
    far = Position("left_wrist", np.float32([0.5, 2.0, 4.0]))
    solution = solver.solve(free_problem(SKELETON, [far, *feet], BASE))
    for nudge in np.random.default_rng(0).normal(0, 1e-3, (8, 3)):
        near = replace(far, target=far.target + nudge.astype(np.float32))
        again = solver.solve(free_problem(SKELETON, [near, *feet], BASE), solution.memory)
        allowed = 3 if solver.spec.id == "dragposer" else 2  # its latents are spread wide where nothing is within reach
        assert np.degrees(geodesic_angle(again.pose.rotations, solution.pose.rotations)).max() < allowed
        solution = again


def test_more_tolerance_never_pulls_harder(solver: Solver) -> None:
    held = [name for name in ("left_ankle", "right_ankle", "pelvis") if solver.spec.takes("position", name)]
    feet = positions_of(SKELETON, BASE, held)
    hand = positions_of(SKELETON, BASE, ("left_wrist",))[0]
    left = []
    for tolerance in (0, 0.2, 0.4, 0.6, 0.8, 1):
        pull = replace(hand, target=hand.target + np.float32([0.1, 0.4, 0.2]), tolerance=tolerance)
        left.append(errors(solver.solve(free_problem(SKELETON, [pull, *feet], BASE)))[0])
    assert all(b >= a - 2e-3 for a, b in pairwise(left)), left
    if TOLERANCE in solver.spec.heeds:
        assert left[-1] > left[0] + 0.03, "a hint leaves centimetres, also to a network that heeds hints"


def test_a_place_that_the_solver_cannot_be_asked_for_is_named(solver: Solver) -> None:
    knee = positions_of(SKELETON, BASE, ("left_knee",))
    if solver.spec.takes("position", "left_knee"):
        solver.solve(free_problem(SKELETON, knee, BASE))
    else:
        with pytest.raises(PoserError, match="left knee"):
            solver.solve(free_problem(SKELETON, knee, BASE))
        solver.solve(free_problem(SKELETON, [replace(knee[0], enabled=False)], BASE))


@pytest.mark.parametrize("count", [0, 1, 2, 7, 24, 66])
def test_any_number_of_effectors_gives_a_pose_of_rotations(solver: Solver, count: int) -> None:
    every = every_effector(POSES[5], solver)
    chosen = np.random.default_rng(count).permutation(len(every))[:count]
    solution = solver.solve(free_problem(SKELETON, [every[i] for i in chosen], BASE))
    r = solution.pose.rotations.astype(np.float64)
    assert np.isfinite(r).all()
    assert np.abs(np.swapaxes(r, -1, -2) @ r - np.eye(3)).max() < 1e-5
    assert np.linalg.det(r).min() > 0.99
    assert len(solution.residuals) == len(chosen)
    if count == 0:
        assert solution.pose == BASE


def test_several_effectors_on_one_joint_are_all_heeded(solver: Solver) -> None:
    needs(solver, "position", "rotation", "lookat")
    joints, head = forward_kinematics(SKELETON, BASE), SKELETON.index("head")
    turn = (from_rotation_vector([0, 0.3, 0]) @ joints.rotations[head]).astype(np.float32)
    place = joints.positions[head] + np.float32([0.05, -0.02, 0.1])
    effectors = [Position("head", place), Rotation("head", turn), LookAt("head", place + 2 * turn[:, 2])]
    solution = solver.solve(free_problem(SKELETON, effectors, BASE))
    assert errors(solution)[0] < 5e-3
    assert max(errors(solution)[1:]) < np.radians(1)


def test_pins_that_contradict_each_other_end_steadily_between(solver: Solver) -> None:
    place = positions_of(SKELETON, BASE, ("left_wrist",))[0].target
    pulls = [Position("left_wrist", place + np.float32([x, 0.2, 0.2]), pinned=True) for x in (-0.15, 0.15)]
    problem = free_problem(SKELETON, [*pulls, *positions_of(SKELETON, BASE, ("left_ankle", "right_ankle"))], BASE)
    solution = solver.solve(problem)
    first, second = errors(solution)[:2]
    assert first + second == pytest.approx(0.3, abs=0.02)
    again = solver.solve(problem, solution.memory)
    assert difference(again.pose, solution.pose) < 1e-3


def test_options_that_say_nothing_new_or_nothing_at_all_change_nothing(solver: Solver) -> None:
    problem = free_problem(SKELETON, positions_of(SKELETON, POSES[0], FIVE), BASE)
    plain = solver.solve(problem).pose
    for value in (None, "nonsense", -1e9):
        options = {o.id: o.default if value is None else value for o in solver.spec.options}
        assert solver.solve(problem, options={**options, "unheard of": 3.0}).pose == plain


def test_bones_keep_their_lengths(solver: Solver) -> None:
    solution = solver.solve(free_problem(SKELETON, positions_of(SKELETON, POSES[0], FIVE), BASE))
    positions = forward_kinematics(SKELETON, solution.pose).positions
    lengths = np.linalg.norm(positions[1:] - positions[list(SKELETON.parents[1:])], axis=1)
    assert lengths == pytest.approx(np.linalg.norm(SKELETON.offsets[1:], axis=1), abs=1e-5)


def test_a_memory_of_another_body_does_no_harm(solver: Solver) -> None:
    solution = solver.solve(free_problem(SKELETON, positions_of(SKELETON, POSES[0], FIVE), BASE))
    shape = BodyShape(np.float32([2, -1] + [0] * 8), "female")
    other = load_body("anny").skeleton(shape)
    base = natural_pose(other)
    free = np.zeros(len(other), np.float32)
    problem = IKProblem(other, shape, positions_of(other, base, FIVE), base, free, free)
    assert max(errors(solver.solve(problem, solution.memory))) < 5e-3
