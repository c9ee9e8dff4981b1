"""A drag that comes back near where it started goes on from there, as far as what is remembered of the start allows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ik_samples import FEET, natural, position, problem

from solver.effectors.kinds import Position
from solver.ik.exact import refine
from solver.ik.memory import (
    FRESH,
    DragStart,
    LastSolve,
    Memory,
    SettledMemory,
    SolveRecord,
    SolverMemory,
    WarmStart,
    state_at,
)
from solver.ik.multi_solve.drag_return import (
    blend_to_drag_start,
    drag_start_after,
    with_first_solve,
    with_patches_as_then,
)
from solver.ik.multi_solve.released_figures import memory_after_release
from solver.ik.options import NO_OPTIONS
from solver.ik.problem import IKProblem

BASE = natural()
HELD = tuple(position(BASE, foot) for foot in FEET)
SOLVER = "dls"


def wrist(forward: float) -> Position:
    return position(BASE, "left_wrist", (0.0, 0.0, forward))


def asked(forward: float) -> IKProblem:
    return problem([wrist(forward), *HELD], BASE)


def settled(inner: Memory, forward: float) -> SettledMemory:
    """Of a wrist that was dragged, has been far, and is so many metres from where it started."""
    start = SettledMemory(FRESH, SolveRecord(asked(0.0), NO_OPTIONS, SOLVER, BASE), ())
    record = SolveRecord(asked(forward), NO_OPTIONS, SOLVER, BASE)
    return SettledMemory(inner, record, (), DragStart(start, (wrist(0.0),), went_far=True))


def solved(forward: float) -> SolverMemory[None]:
    found = refine(asked(forward), BASE)
    last = LastSolve(found.state, asked(forward).effectors, BASE, found.pose, found.pose)
    return SolverMemory(SOLVER, WarmStart(found.pose, last_solve=last))


def test_a_body_of_which_no_search_is_remembered_is_not_brought_nearer() -> None:
    assert blend_to_drag_start(settled(FRESH, 0.06), asked(0.03), SOLVER, BASE) is None


def test_half_of_the_way_back_brings_the_pose_half_of_the_way_and_keeps_a_proposal_that_the_start_had_not() -> None:
    inner = solved(0.06)
    last = inner.warm_start.last_solve
    assert last is not None
    nearer = blend_to_drag_start(settled(inner, 0.06), asked(0.03), SOLVER, last.pose)
    assert nearer is not None
    memory, pose = nearer
    wanted = last.pose.root_position / 2 + BASE.root_position / 2
    assert pose.root_position == pytest.approx(wanted, abs=1e-6)
    assert isinstance(memory, SettledMemory)
    after = memory.warm_start_for(SOLVER, len(asked(0.0).skeleton)).last_solve
    assert after is not None
    assert after.proposal is last.proposal


def test_an_effector_that_was_gone_for_a_step_counts_as_having_been_far() -> None:
    inner = solved(0.06)
    without = replace(settled(inner, 0.06), record=SolveRecord(problem(list(HELD), BASE), NO_OPTIONS, SOLVER, BASE))
    shown = replace(BASE, root_position=BASE.root_position + np.float32([0.0, 0.0, 1.0]))
    nearer = blend_to_drag_start(without, asked(0.03), SOLVER, shown)
    assert nearer is not None
    assert nearer[1].root_position[2] - BASE.root_position[2] == pytest.approx(0.3, abs=1e-5), "of 10 cm it is 3 off"


def test_effectors_stay_as_they_are_where_nothing_has_settled() -> None:
    effectors = (wrist(0.0), *HELD)
    assert with_patches_as_then(effectors, FRESH) is effectors


def test_a_start_of_which_no_solve_was_known_learns_what_it_is_near_from_the_first_step() -> None:
    began = settled(SolverMemory(SOLVER, WarmStart(BASE)), 0.0)
    step = solved(0.02)
    begun = drag_start_after(replace(began, drag_start=None), asked(0.02), SOLVER, asked(0.02).effectors, step)
    assert begun is not None
    last = begun.settled.warm_start_for(SOLVER, len(asked(0.0).skeleton)).last_solve
    assert last is not None
    assert last.proposal is begun.pose is BASE
    assert with_first_solve(begun, asked(0.02), FRESH) is begun


@pytest.mark.parametrize("known", [False, True])
def test_nobody_counts_as_let_go_whose_body_is_another_or_of_whom_no_solve_is_known(known: bool) -> None:
    last = LastSolve(state_at(BASE), HELD, BASE, BASE, BASE) if known else None
    memory = settled(SolverMemory(SOLVER, WarmStart(BASE, last_solve=last)), 0.1)
    now = asked(0.1)
    if known:
        now = replace(now, skeleton=replace(now.skeleton, offsets=now.skeleton.offsets * np.float32(1.1)))
    assert memory_after_release(memory, now, BASE) is memory
