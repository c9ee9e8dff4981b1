"""Many effectors on one person: the step's cost grows with their number no faster than they do."""

from __future__ import annotations

import numpy as np
import pytest
from ik_samples import body_skeleton, look, natural, position, problem, rotation

from solver.effectors.effector import Effector
from solver.ik.kernel_arrays import rows_of, tree_of
from solver.ik.kernels.step_kernels import Linear, StepWork, primal_step, shared_columns, step
from solver.ik.memory import FRESH
from solver.ik.multi_solve.other_solutions import other_solution
from solver.kinematics.rotations import from_rotation_vector
from solver.solvers.catalog import load_solver

SKELETON, BASE = body_skeleton(), natural()


def many(count: int, spread: float = 0.05) -> list[Effector]:
    """Pinned effectors of all kinds, all over the body, that contradict each other a little."""
    rng = np.random.default_rng(3)
    made: list[Effector] = []
    for i in range(count):
        joint, shift = SKELETON.names[i % len(SKELETON)], rng.normal(0, spread, 3)
        if i % 5 == 3:
            made.append(rotation(BASE, joint, from_rotation_vector(shift), pinned=True))
        elif i % 5 == 4:
            made.append(look(BASE, shift, pinned=True))
        else:
            made.append(position(BASE, joint, shift, pinned=True))
    return made


def test_both_forms_of_the_step_are_the_same_step() -> None:
    rng = np.random.default_rng(5)
    tree, joints = tree_of(SKELETON), rows_of(SKELETON, many(30)).joints
    bones, size, columns = len(SKELETON) + 1, 3 * len(joints), 3 * int(tree.depths.max()) + 3
    rows, residuals = rng.normal(size=(size, columns)) * 1e3, rng.normal(size=size) * 10
    half = rng.normal(size=(bones, 3, 3))
    curvature, gradient = half @ np.swapaxes(half, 1, 2) + np.eye(3), rng.normal(size=(bones, 3))
    shared = np.empty((len(joints), len(joints)), np.int64)
    shared_columns(joints, tree, shared)
    linear, factors = Linear(residuals, rows, curvature, gradient), np.empty((bones, 6))
    reduced, white = np.empty((bones, 3)), np.empty((size, columns))
    room = StepWork(factors, reduced, white, shared, np.empty((size, size)), np.empty(size))
    wide_room = StepWork(factors, reduced, white, shared, np.empty((3 * bones, 3 * bones)), np.empty(3 * bones))
    dual, primal = np.empty((bones, 3)), np.empty((bones, 3))
    change = step(joints, tree, linear, 1e-3, room, dual)
    same = primal_step(joints, tree, linear, 1e-3, wide_room, primal)
    assert same == pytest.approx(change, rel=1e-6)
    assert primal == pytest.approx(dual, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("id", ["dls", "smplik"])
def test_a_thousand_pins_are_met_as_one_pin_for_each_joint_is(id: str) -> None:
    """Targets that stand there forty times over pull forty times as hard and to the same place."""
    solver, once = load_solver(id), [e for e in many(24, 0.01) if e.kind != "lookat"]
    few = solver.solve(problem(once))
    lots = solver.solve(problem(once * 50))
    assert len(lots.residuals) == 50 * len(once) >= 950
    assert max(r.value for r in lots.residuals) < max(r.value for r in few.residuals) + 2e-3


def test_a_thousand_contradicting_pins_are_answered_many_times_over_within_a_tests_patience() -> None:
    """Each took a minute once; the limit is the test's own (two minutes)."""
    solver, memory = load_solver("dls"), FRESH
    for spread in (0.01, 0.1, 1.0):
        memory = solver.solve(problem(many(1000, float(spread))), memory).memory


def test_a_search_for_another_pose_ends_where_it_is_no_longer_wanted() -> None:
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 2

    solver = load_solver("dls")
    assert other_solution(problem(many(4)), solver, BASE, cancelled) is None
    assert asked <= 4
