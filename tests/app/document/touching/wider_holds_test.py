"""A limb led over its owner's skin gets the help of wider holds, one after the other, until one brings it there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.document.edits.world_contacts import world_contacts
from app.document.in_photo.photo_membership import somebody_in_photo
from app.document.model.character import Character
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.posing.arms_then_rest import answer_with_wider_holds
from app.document.posing.create import new_document
from app.document.posing.solving import problem_of
from solver.ik.memory import FRESH, Memory, SettledMemory, SolveRecord
from solver.ik.multi_solve.only_limb import LimbHold, arm_before_body
from solver.ik.problem import Residual
from solver.ik.solution import Answer, IKSolution
from solver.kinematics.pose import Pose


def posed(person: Character, by_m: float, state: str = "met") -> Answer:
    """An answer that moves all of a person by metres to the left."""
    pose = Pose(person.pose.root_position + np.float32([by_m, 0.0, 0.0]), person.pose.rotations)
    told = tuple(Residual(0.0 if state == "met" else 0.04, state) for _ in person.effectors)
    return Answer(IKSolution(pose, FRESH, told, 0, 0.0), person.effectors)


@pytest.mark.parametrize(("off", "holds"), [((0.05, 0.0), 2), ((0.0,), 1)])
def test_the_next_wider_hold_helps_where_the_arm_alone_leaves_the_hand_off(off: tuple, holds: int) -> None:
    person = new_document().characters[0]
    wrist = next(e for e in person.effectors if e.joint == "left_wrist" and e.kind == "position")
    person = replace(person, effectors=(wrist,))
    asked = list[LimbHold | None]()

    def solve(one: Character, _: Memory, hold: LimbHold | None) -> Answer:
        left = off[min(len(asked), len(off) - 1)]
        asked.append(hold)
        told = Residual(left, "unreachable" if left else "met")
        return Answer(IKSolution(one.pose, FRESH, (told,), 0, 0.0), one.effectors)

    hold = arm_before_body(skeleton_of(person), person.pose, ["left_wrist"], "left_knee")
    found = answer_with_wider_holds(person, hold, FRESH, solve)
    assert len(asked) == holds
    assert found.solution.residuals[0].state == "met"


def helped(hold: LimbHold, person: Character) -> SettledMemory:
    """What is left of a step in which more than the limb has moved."""
    assert hold.wider is not None
    problem = replace(problem_of(person), frozen=hold.wider.frozen)
    return SettledMemory(FRESH, SolveRecord(problem, person.solver_options, None, person.pose), ())


@pytest.mark.parametrize(("goes_m", "taken_m"), [(0.1, 0.1), (0.2, 0.3)])
def test_where_the_arm_alone_would_leap_the_body_goes_on_helping_if_it_moves_less_than_half_as_far(
    goes_m: float, taken_m: float
) -> None:
    person = new_document().characters[0]
    hold = arm_before_body(skeleton_of(person), person.pose, ["left_wrist"], "left_knee")
    ways = iter((0.3, goes_m, 0.3, 0.3))
    found = answer_with_wider_holds(person, hold, helped(hold, person), lambda *_: posed(person, next(ways)))
    assert found.solution.pose.root_position[0] == pytest.approx(taken_m)


def test_nothing_comes_to_meet_a_limb_that_no_contact_leads() -> None:
    person = new_document().characters[0]
    asked = list[tuple[str, ...]]()

    def solve(one: Character, _: Memory, _hold: LimbHold | None) -> Answer:
        asked.append(tuple(e.id for e in one.effectors))
        return posed(one, 0.0, "unreachable")

    answer_with_wider_holds(
        person, arm_before_body(skeleton_of(person), person.pose, ["left_wrist"], "head"), FRESH, solve
    )
    assert asked == [tuple(e.id for e in person.effectors)] * 2


@pytest.mark.parametrize(("off", "holds"), [(0.05, 3), (0.005, 2), (0.0, 1)])
def test_the_trunk_bends_for_a_forearm_only_where_the_hand_is_clearly_off(off: float, holds: int) -> None:
    person = new_document().characters[0]
    wrist = next(e for e in person.effectors if e.joint == "left_wrist" and e.kind == "position")
    person = replace(person, effectors=(wrist,))
    asked = list[LimbHold | None]()

    def solve(one: Character, _: Memory, hold: LimbHold | None) -> Answer:
        asked.append(hold)
        told = Residual(off, "unreachable" if off else "met")
        return Answer(IKSolution(one.pose, FRESH, (told,), 0, 0.0), one.effectors)

    hold = arm_before_body(skeleton_of(person), person.pose, ["left_wrist"], "right_elbow")
    answer_with_wider_holds(person, hold, FRESH, solve)
    assert len(asked) == holds


@pytest.mark.parametrize("led", [False, True])
@pytest.mark.parametrize(("touched", "holds"), [("left_knee", 4), ("head", 2)])
def test_an_arm_that_stays_stuck_starts_from_where_it_hangs_only_as_its_drag_begins(
    touched: str, holds: int, led: bool
) -> None:
    person = new_document().characters[0]
    wrist = next(e for e in person.effectors if e.joint == "left_wrist" and e.kind == "position")
    person = replace(person, effectors=(wrist,))
    hold = arm_before_body(skeleton_of(person), person.pose, ["left_wrist"], touched)
    memory = helped(hold, person) if led else FRESH
    asked = list[Memory]()

    def solve(one: Character, known: Memory, _: LimbHold | None) -> Answer:
        asked.append(known)
        return Answer(IKSolution(one.pose, FRESH, (Residual(0.3, "unreachable"),), 0, 0.0), one.effectors)

    answer_with_wider_holds(person, hold, memory, solve)
    again = 0 if led else holds - 1
    assert asked.count(memory) == holds
    assert len(asked) == holds + again, "before a head comes to meet it or the body goes along"


def test_an_arm_that_gets_there_from_where_it_hangs_takes_nothing_of_the_body_along() -> None:
    person = new_document().characters[0]
    wrist = next(e for e in person.effectors if e.joint == "left_wrist" and e.kind == "position")
    person = replace(person, effectors=(wrist,))
    hold, asked = arm_before_body(skeleton_of(person), person.pose, ["left_wrist"], "left_knee"), list[Memory]()

    def solve(one: Character, known: Memory, _: LimbHold | None) -> Answer:
        asked.append(known)
        told = Residual(0.3, "unreachable") if known is FRESH else Residual(0.0, "met")
        return Answer(IKSolution(one.pose, FRESH, (told,), 0, 0.0), one.effectors)

    assert answer_with_wider_holds(person, hold, FRESH, solve).solution.residuals[0].state == "met"
    assert [known is FRESH for known in asked] == [True, True, True, False], "arm, then spine twice, then as it hangs"


def test_nobody_is_posed_next_where_nobody_is() -> None:
    assert somebody_in_photo(Document()) == ""
    assert somebody_in_photo(new_document()) == "c1"


def test_what_somebody_carries_may_stay() -> None:
    assert world_contacts(new_document(), ["c1"], carry=False).carried == ()
