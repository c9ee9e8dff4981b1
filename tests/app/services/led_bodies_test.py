"""A body that is led to where it goes comes there while nothing is edited, as part of the step that led it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtTest import QTest
from window_driver import until

from app.document import edits
from app.document.model.document import Character
from app.document.posing.create import new_document
from app.document.posing.solving import problem_of, skeleton_of
from app.services import solve_service, solves
from app.services.session import Session
from app.services.solve_service import SolveQuery, SolveRequest, SolveService
from app.services.solves import GOES_ON_MOST
from solver.errors import InputRefused
from solver.ik.memory import Destination, LastSolve, Memory, SolverMemory, WarmStart, state_at
from solver.ik.multi_solve.only_limb import LimbHold, only_arms
from solver.ik.problem import Residual
from solver.ik.solution import Answer, IKSolution
from solver.kinematics.pose import Pose

STEPS = 4  # to where it goes


class Led:
    """A solver that leads the body a centimetre along x each time, from where it is to where it goes.

    steps: to where it goes. fails_at: which solve fails.
    """

    def __init__(self) -> None:
        self.asked, self.steps, self.fails_at = 0, STEPS, 0

    def __call__(self, character: Character, memory: Memory | None = None) -> IKSolution:
        self.asked += 1
        if self.asked == self.fails_at:
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
def led(qapp: object, compiled_solver: None, no_leaked_threads: None) -> Iterator[tuple[Led, Session]]:
    solver = Led()
    service = SolveService(solver)
    session = Session(service)
    session.open(new_document())
    service.start()
    yield solver, session
    service.stop()


def dragged(session: Session, key: object | None = None, hold: LimbHold | None = None) -> None:
    character = session.document.characters[0]
    effector = next(e for e in character.effectors if e.joint == "left_wrist")
    edit = edits.set_target(character.id, effector.id, effector.target + np.float32(0.1))
    session.edit("Move", edit, key, solve=True, hold=hold)


def place(session: Session) -> int:
    """Centimetres along x."""
    return round(100 * float(session.document.characters[0].pose.root_position[0]))


def test_it_goes_on_while_the_pointer_rests_until_it_is_there(led: tuple[Led, Session]) -> None:
    solver, session = led
    dragged(session, "drag")
    until(lambda: place(session) == STEPS, 5_000)
    QTest.qWait(60)
    assert solver.asked == STEPS, "and is asked for no more then"
    assert session.in_step


def test_it_goes_on_after_the_drag_as_part_of_its_step(led: tuple[Led, Session]) -> None:
    _, session = led
    dragged(session, "drag")
    session.close_step("drag")
    assert place(session) == 1
    until(lambda: place(session) == STEPS, 5_000)
    assert len(session.history.steps()) == 1
    session.undo()
    assert place(session) == 0


def test_it_stays_where_a_step_back_has_put_it(led: tuple[Led, Session]) -> None:
    solver, session = led
    dragged(session, "drag")
    session.close_step("drag")
    session.undo()
    QTest.qWait(60)
    assert (place(session), solver.asked) == (0, 1)
    session.redo()
    QTest.qWait(60)
    assert (place(session), solver.asked) == (1, 1)


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
    monkeypatch.setattr(solves, "GOES_ON_MOST", 1)
    dragged(session, "drag")
    until(lambda: place(session) == 2, 5_000)
    QTest.qWait(60)
    assert solver.asked == 2
    dragged(session, "drag")
    until(lambda: place(session) == 4, 5_000)


def test_it_stays_while_another_pose_is_looked_for(led: tuple[Led, Session], monkeypatch: pytest.MonkeyPatch) -> None:
    _, session = led
    dragged(session)
    assert session.settle(5.0)
    requests = list[SolveRequest]()
    monkeypatch.setattr(session.service, "request", requests.append)
    session.request_other()
    QTest.qWait(60)
    assert [request.query for request in requests] == [SolveQuery.OTHER]


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
    until(lambda: bool(reasons), 5_000)
    session.solve_now()
    assert (place(session), solver.asked) == (1, 2)
