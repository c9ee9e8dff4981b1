"""A body that is led to where it goes comes there while nothing is edited, as part of the step that led it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtTest import QTest
from window_driver import until

from app.document import edits
from app.document.model.document import Character
from app.document.posing.create import new_document
from app.document.posing.solving import problem_of
from app.services.session import Session
from app.services.solve_service import SolveService
from solver.ik.memory import Destination, LastSolve, Memory, SolverMemory, WarmStart, state_at
from solver.ik.solution import IKSolution
from solver.kinematics.pose import Pose

STEPS = 4  # to where it goes


class Led:
    """A solver that leads the body a centimetre along x each time, from where it is to where it goes."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, character: Character, memory: Memory | None = None) -> IKSolution:
        self.asked += 1
        pose = character.pose
        there = min(STEPS, round(100 * float(pose.root_position[0])) + 1)
        pose = Pose(np.array([there / 100, *pose.root_position[1:]], np.float32), pose.rotations)
        found = IKSolution(pose, SolverMemory(character.solver, WarmStart(pose)), (), 0, 0.0)
        goes_to = Destination(problem_of(character), character.solver_options, found) if there < STEPS else None
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


def dragged(session: Session, key: object | None = None, by: float = 0.1) -> None:
    character = session.document.characters[0]
    effector = next(e for e in character.effectors if e.joint == "left_wrist")
    session.edit("Move", edits.set_target(character.id, effector.id, effector.target + np.float32(by)), key, solve=True)


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
