"""A body that is led to where it goes comes there while nothing is edited, as part of the step that led it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtTest import QTest
from window_driver import until

from app.document import edits
from app.document.model.document import Character
from app.document.model.figure import skeleton_of
from app.document.posing.create import new_character, new_document
from app.document.posing.solving import problem_of
from app.services import led_bodies, solve_service
from app.services import session as session_module
from app.services.led_bodies import GOES_ON_MOST
from app.services.session import Session
from app.services.solve_service import SolveQuery, SolveRequest, SolveService
from solver.errors import InputRefused
from solver.ik.memory import Destination, LastSolve, Memory, SolverMemory, WarmStart, state_at
from solver.ik.multi_solve.only_limb import LimbHold, only_arms
from solver.ik.problem import Residual
from solver.ik.solution import Answer, IKSolution
from solver.kinematics.pose import Pose

STEPS = 4  # to where it goes
LATE_S, LATE_STEPS = 0.04, 6  # longer, all together, than an edit waits


class Led:
    """A solver that leads the body a centimetre along x each time, from where it is to where it goes.

    steps: to where it goes. fails_at: which solve fails. fails_for: whose do. takes_s: how long a solve takes.
    """

    def __init__(self) -> None:
        self.asked, self.steps, self.fails_at, self.takes_s = 0, STEPS, 0, 0.0
        self.fails_for = ""

    def __call__(self, character: Character, memory: Memory | None = None) -> IKSolution:
        self.asked += 1
        time.sleep(self.takes_s)
        if self.asked == self.fails_at or character.id == self.fails_for:
            raise InputRefused("The solver", "it cannot go on", "Try another")
        pose = character.pose
        there = min(self.steps, round(100 * float(pose.root_position[0])) + 1)
        pose = Pose(np.array([there / 100, *pose.root_position[1:]], np.float32), pose.rotations)
        met = tuple(Residual(0.0, "met") for _ in character.effectors)
        found = IKSolution(pose, SolverMemory(character.solver, WarmStart(pose)), met, 0, 0.0)
        goes_to = Destination(problem_of(character), character.solver_options, found) if there < self.steps else None
        last = LastSolve(state_at(pose), character.effectors, character.base_pose, pose, pose, goes_to=goes_to)
        return replace(found, memory=SolverMemory(character.solver, WarmStart(pose, last_solve=last)))


@pytest.fixture
def led(
    qapp: object, compiled_solver: None, no_leaked_threads: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Led, Session]]:
    """Somebody who is there before the next edit, which waits as long as a busy machine takes."""
    monkeypatch.setattr(session_module, "MOMENT_S", 60.0)
    solver = Led()
    service = SolveService(solver)
    session = Session(service)
    document = new_document()
    session.open(edits.add_character(new_character(document, "Ben"))(document))
    session.select("c1")
    service.start()
    yield solver, session
    service.stop()


def dragged(session: Session, key: object | None = None, hold: LimbHold | None = None, id: str = "c1") -> None:
    character = session.document.character(id)
    effector = next(e for e in character.effectors if e.joint == "left_wrist")
    edit = edits.set_target(character.id, effector.id, effector.target + np.float32(0.1))
    session.edit("Move", edit, key, solve=True, hold=hold)


def place(session: Session) -> int:
    """Centimetres along x."""
    return round(100 * float(session.document.characters[0].pose.root_position[0]))


def test_it_goes_on_while_the_pointer_rests_until_it_is_there(led: tuple[Led, Session]) -> None:
    solver, session = led
    dragged(session, "drag")
    until(lambda: place(session) == STEPS)
    QTest.qWait(60)
    assert solver.asked == STEPS, "and is asked for no more then"
    assert session.in_step


def test_it_goes_on_after_the_drag_as_part_of_its_step(led: tuple[Led, Session]) -> None:
    _, session = led
    dragged(session, "drag")
    session.close_step("drag")
    assert place(session) == 1
    until(lambda: place(session) == STEPS)
    assert len(session.history.steps()) == 1
    session.undo()
    assert place(session) == 0


def recoloured(session: Session) -> None:
    session.edit("Recolour", edits.set_color("c2", "#123456"))


def test_a_step_back_takes_back_all_of_its_way_and_a_step_on_brings_it_there(led: tuple[Led, Session]) -> None:
    solver, session = led
    dragged(session, "drag")
    session.close_step("drag")
    session.undo()
    QTest.qWait(60)
    assert place(session) == 0, "it stays where it was put"
    session.redo()
    assert place(session) == STEPS
    assert solver.asked == STEPS


def test_it_is_there_before_somebody_else_is_edited(led: tuple[Led, Session]) -> None:
    _, session = led
    dragged(session, "drag")
    session.close_step("drag")
    assert place(session) == 1
    recoloured(session)
    assert place(session) == STEPS
    session.undo()
    assert place(session) == STEPS, "all of its way belongs to the step that led it"
    session.undo()
    assert place(session) == 0


def test_it_is_there_before_it_is_dragged_again(led: tuple[Led, Session]) -> None:
    solver, session = led
    dragged(session, "drag")
    session.close_step("drag")
    solver.steps = STEPS + 2
    dragged(session, "another drag")
    session.undo()
    assert place(session) in {STEPS, STEPS + 1, STEPS + 2}
    session.undo()
    assert place(session) == 0


@pytest.fixture
def late(led: tuple[Led, Session], monkeypatch: pytest.MonkeyPatch) -> tuple[Led, Session]:
    """Somebody who has just been dragged, and comes to where they go later than the next edit waits."""
    solver, session = led
    dragged(session, "drag")
    session.close_step("drag")
    monkeypatch.setattr(session_module, "MOMENT_S", 0.1)
    solver.takes_s, solver.steps = LATE_S, LATE_STEPS
    return led


def test_who_comes_later_than_an_edit_of_somebody_else_waits_goes_on_after_it(late: tuple[Led, Session]) -> None:
    _, session = late
    recoloured(session)
    assert place(session) < LATE_STEPS
    until(lambda: place(session) == LATE_STEPS)
    assert session.history.steps() == ("Move", "Recolour")


def test_who_came_later_comes_there_as_well_where_the_edit_is_taken_back(late: tuple[Led, Session]) -> None:
    _, session = late
    recoloured(session)
    until(lambda: place(session) == LATE_STEPS)
    session.undo()
    assert place(session) < LATE_STEPS
    until(lambda: place(session) == LATE_STEPS)
    session.redo()
    assert place(session) == LATE_STEPS


def test_a_step_back_that_cannot_wait_so_long_leaves_it_on_its_way_until_a_step_on(late: tuple[Led, Session]) -> None:
    _, session = late
    session.undo()
    QTest.qWait(3 * round(1000 * LATE_S))
    assert place(session) == 0
    session.redo()
    until(lambda: place(session) == LATE_STEPS)


def test_a_drag_of_somebody_else_that_is_cancelled_leaves_it_on_its_way(late: tuple[Led, Session]) -> None:
    _, session = late
    session.edit("Recolour", edits.set_color("c2", "#123456"), "scrub")
    assert session.cancel("scrub")
    until(lambda: place(session) == LATE_STEPS)
    assert session.history.steps() == ("Move",)


def test_who_is_asked_something_else_meanwhile_stays_unless_that_is_to_be_solved(late: tuple[Led, Session]) -> None:
    _, session = late
    person = session.document.character("c1")
    session.edit("Delete", edits.remove_effectors("c1", [e.id for e in person.effectors]))
    there = place(session)
    QTest.qWait(3 * round(1000 * LATE_S))
    assert place(session) == there < LATE_STEPS
    assert not session.solving


def test_who_is_taken_out_meanwhile_is_asked_for_no_more(late: tuple[Led, Session]) -> None:
    solver, session = late
    session.edit("Delete", edits.remove_character("c1"))
    asked = solver.asked
    QTest.qWait(3 * round(1000 * LATE_S))
    assert solver.asked <= asked + 1, "the solve that was under way"
    assert not session.solving


def test_who_is_put_into_another_pose_meanwhile_stays_in_it(late: tuple[Led, Session]) -> None:
    _, session = late
    found = session.findings.of(session.document.character("c1"))
    session.take_solution("Take", "c1", 0, IKSolution(new_document().characters[0].pose, found.memory, (), 0, 0.0))
    QTest.qWait(3 * round(1000 * LATE_S))
    assert place(session) == 0
    assert not session.solving


def test_it_is_there_before_it_is_saved(led: tuple[Led, Session]) -> None:
    _, session = led
    dragged(session, "drag")
    session.solve_now()
    assert place(session) == STEPS


def test_it_stays_as_it_was_saved(led: tuple[Led, Session], tmp_path: Path) -> None:
    _, session = led
    dragged(session, "drag")
    session.close_step("drag")
    session.solve_now()
    session.saved_as(tmp_path / "scene.json")
    saved = session.history.document
    QTest.qWait(60)
    assert session.history.document is saved
    assert not session.unsaved
    assert place(session) == STEPS


def test_one_who_would_never_be_there_does_not_keep_a_save_waiting(led: tuple[Led, Session]) -> None:
    solver, session = led
    solver.steps = 10 * GOES_ON_MOST
    dragged(session)
    session.solve_now()
    assert place(session) == 1 + GOES_ON_MOST


def test_each_move_of_the_pointer_has_it_go_on_as_often(
    led: tuple[Led, Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    solver, session = led
    solver.steps = 10
    monkeypatch.setattr(led_bodies, "GOES_ON_MOST", 1)
    dragged(session, "drag")
    until(lambda: place(session) == 2)
    QTest.qWait(60)
    assert solver.asked == 2
    dragged(session, "drag")
    until(lambda: place(session) == 4)


def test_it_stays_while_another_pose_is_looked_for(late: tuple[Led, Session], monkeypatch: pytest.MonkeyPatch) -> None:
    _, session = late
    session.settle(0.0)
    requests = list[SolveRequest]()
    monkeypatch.setattr(session, "settle", lambda _timeout_s: False)
    monkeypatch.setattr(session.service, "request", requests.append)
    session.request_other()
    QTest.qWait(60)
    assert [request.query for request in requests] == [SolveQuery.OTHER]


def test_it_goes_on_once_no_other_pose_was_found(late: tuple[Led, Session], monkeypatch: pytest.MonkeyPatch) -> None:
    _, session = late
    monkeypatch.setattr(solve_service, "other_solution_of", lambda *_: None)
    reasons = list[str]()
    session.solve_failed.connect(reasons.append)
    session.request_other()
    until(lambda: bool(reasons))
    until(lambda: place(session) == LATE_STEPS)


def test_it_goes_on_where_somebody_else_is_edited_before_another_pose_is_found(
    late: tuple[Led, Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, session = late
    monkeypatch.setattr(solve_service, "other_solution_of", lambda *_: time.sleep(0.2))
    session.request_other()
    recoloured(session)
    until(lambda: place(session) == LATE_STEPS)


def test_another_pose_that_is_found_is_not_led_any_further(
    late: tuple[Led, Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, session = late
    memory = session.findings.of(session.document.character("c1")).memory
    other = IKSolution(new_document().characters[0].pose, memory, (), 0, 0.0)
    monkeypatch.setattr(solve_service, "other_solution_of", lambda *_: other)
    session.request_other()
    until(lambda: session.history.steps()[-1] == "Other solution")
    QTest.qWait(3 * round(1000 * LATE_S))
    assert place(session) == 0
    assert not session.solving


def test_who_was_held_does_not_go_on_without_the_hold(
    led: tuple[Led, Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    solver, session = led

    def answers(group: Sequence[Character], *_: object) -> dict[str, Answer]:
        return {one.id: Answer(solver(one), one.effectors) for one in group}

    monkeypatch.setattr(solve_service, "answers_of", answers)
    person = session.document.characters[0]
    dragged(session, "drag", only_arms(skeleton_of(person), person.pose))
    session.close_step("drag")
    session.solve_now()
    assert (place(session), solver.asked) == (1, 1)


def test_a_solver_that_fails_on_the_way_is_not_asked_again_at_the_next_save(led: tuple[Led, Session]) -> None:
    solver, session = led
    solver.fails_at = 2
    reasons = list[str]()
    session.solve_failed.connect(reasons.append)
    dragged(session)
    until(lambda: bool(reasons))
    session.solve_now()
    assert (place(session), solver.asked) == (1, 2)


@pytest.mark.parametrize("waits", [False, True])
def test_a_step_on_that_there_is_not_leaves_everybody_on_their_way(late: tuple[Led, Session], waits: bool) -> None:
    solver, session = late
    if waits:
        solver.takes_s = 0.15
        dragged(session)
    assert not session.redo()
    until(lambda: place(session) == LATE_STEPS)


def test_it_waits_for_the_answer_to_an_edit_of_somebody_else(
    late: tuple[Led, Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked for without the hold of that edit, people tied to each other would move with all of their bodies."""
    _, session = late
    session.settle(0.0)
    requests = list[SolveRequest]()
    monkeypatch.setattr(session, "settle", lambda _timeout_s: False)
    monkeypatch.setattr(session.service, "request", requests.append)
    dragged(session, "drag", id="c2")
    QTest.qWait(60)
    assert [request.slots for request in requests] == [(("c2", 0),)]


def test_it_goes_on_once_that_answer_has_failed(late: tuple[Led, Session]) -> None:
    solver, session = late
    solver.fails_for = "c2"
    reasons = list[str]()
    session.solve_failed.connect(reasons.append)
    dragged(session, id="c2")
    until(lambda: bool(reasons))
    until(lambda: place(session) == LATE_STEPS)


def test_it_goes_on_once_whoever_was_waited_for_is_taken_out(late: tuple[Led, Session]) -> None:
    solver, session = late
    solver.takes_s = 0.3
    dragged(session, id="c2")
    session.edit("Delete", edits.remove_character("c2"))
    solver.takes_s = LATE_S
    until(lambda: place(session) == LATE_STEPS)
