"""The solver thread and the session: newest request wins, each result finds its step, undo never solves."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtTest import QTest
from window_driver import settled, until

from app.document import edits
from app.document.model.document import Character
from app.document.posing.create import new_character, new_document
from app.services import solve_service
from app.services.session import Session
from app.services.solve_service import SolveQuery, SolveRequest, SolveService, solve_character
from solver.ik.solution import IKSolution


def test_only_what_is_prepared_for_longer_than_compiled_code_is_read_counts_as_compiled(
    qapp: object, no_leaked_threads: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve_service, "READ_S", 0.02)
    compiled, told = threading.Event(), list[bool]()

    def prepare() -> None:
        assert compiled.wait(60)

    service = SolveService(prepare=prepare)
    service.slow.connect(lambda: told.append(service.compiles))
    try:
        assert not service.compiles, "not before it starts"
        service.start()
        until(lambda: bool(told))
        assert told == [True]
        compiled.set()
        until(lambda: service.awake)
        assert not service.compiles
    finally:
        compiled.set()
        service.stop()


def test_what_is_read_at_once_is_never_said_to_be_compiled(
    qapp: object, no_leaked_threads: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solve_service, "READ_S", 0.02)
    service, told = SolveService(prepare=lambda: None), list[bool]()
    service.slow.connect(lambda: told.append(True))
    service.start()
    service.wait_until_awake()
    QTest.qWait(150)
    service.stop()
    assert not told


class Gate:
    """The real solver behind a gate: it solves when it is let through, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Character] = []
        self.entered, self.open = threading.Semaphore(0), threading.Semaphore(0)

    def __call__(self, character: Character, memory: object = None) -> IKSolution:
        self.asked.append(character)
        self.entered.release()
        assert self.open.acquire(timeout=60)
        return solve_character(character, memory)

    def wait_entered(self) -> None:
        assert self.entered.acquire(timeout=60)


@pytest.fixture
def gate(qapp: object, compiled_solver: None, no_leaked_threads: None) -> Iterator[tuple[Gate, Session]]:
    held = Gate()
    service = SolveService(held)
    session = Session(service)
    session.open(new_document())
    service.start()
    assert service.wait(120)  # the measuring of the new document
    session.apply_results()
    yield held, session
    for _ in range(50):
        held.open.release()
    service.stop()


def raised(session: Session, height: float, key: object | None = None) -> None:
    """Ask for the left wrist at another height."""
    character = session.document.characters[0]
    effector = next(e for e in character.effectors if e.joint == "left_wrist")
    target = np.array([effector.target[0], height, effector.target[2]])
    session.edit("Move left wrist", edits.set_target(character.id, effector.id, target), key, solve=True)


def wrist_height(session: Session) -> float:
    from app.document.model.figure import joints_of, skeleton_of

    character = session.document.characters[0]
    return float(joints_of(character).positions[skeleton_of(character).index("left_wrist")][1])


def test_the_newest_request_overwrites_those_that_wait(gate: tuple[Gate, Session]) -> None:
    held, session = gate
    key = object()
    raised(session, 1.0, key)
    held.wait_entered()
    for height in (1.05, 1.1, 1.15, 1.2):
        raised(session, height, key)
    held.open.release()
    held.wait_entered()
    held.open.release()
    assert session.service.wait(60)
    targets = [round(float(next(e for e in c.effectors if e.joint == "left_wrist").target[1]), 3) for c in held.asked]
    assert targets == [1.0, 1.2]
    session.apply_results()
    assert wrist_height(session) == pytest.approx(1.2, abs=0.005)


def test_a_result_that_the_pointer_has_overtaken_is_shown_while_its_drag_goes_on(gate: tuple[Gate, Session]) -> None:
    held, session = gate
    key, before = object(), wrist_height(session)
    raised(session, 1.1, key)
    held.wait_entered()
    raised(session, 1.2, key)
    held.open.release()
    held.wait_entered()
    session.apply_results()
    assert wrist_height(session) == pytest.approx(1.1, abs=0.005)
    assert before < 1.0


def test_a_result_of_the_scrub_before_does_not_get_into_the_next_one_of_the_same_field(
    gate: tuple[Gate, Session],
) -> None:
    held, session = gate
    before = wrist_height(session)
    raised(session, 1.1, "tolerance")
    held.wait_entered()
    session.close_step()
    raised(session, 1.2, "tolerance")
    held.open.release()
    held.wait_entered()
    session.apply_results()
    assert wrist_height(session) == pytest.approx(before, abs=0.005)
    held.open.release()
    assert session.service.wait(60)
    session.apply_results()
    assert wrist_height(session) == pytest.approx(1.2, abs=0.005)


def test_a_result_for_a_step_that_is_over_is_dropped(gate: tuple[Gate, Session]) -> None:
    held, session = gate
    key, before = object(), session.document
    raised(session, 1.1, key)
    held.wait_entered()
    session.cancel(key)
    held.open.release()
    assert session.service.wait(60)
    session.apply_results()
    assert session.document == before
    assert session.history.steps() == ()


def test_a_result_is_folded_into_the_step_that_asked_and_undo_solves_nothing(session: Session) -> None:
    settled(session)
    before = session.document
    raised(session, 1.15)
    settled(session)
    after = session.document
    assert len(session.history.steps()) == 1
    solve_s = session.finding.elapsed_s
    session.undo()
    settled(session)  # what was never solved is measured, no more
    assert session.document == before
    assert session.finding.elapsed_s == 0.0 < solve_s
    session.redo()
    assert session.document is after
    assert session.service.idle()


def test_a_scrub_is_one_step_and_its_release_is_solved(session: Session) -> None:
    settled(session)
    key = object()
    for height in np.linspace(0.9, 1.2, 20):
        raised(session, float(height), key)
    session.close_step()
    settled(session)
    assert len(session.history.steps()) == 1
    assert wrist_height(session) == pytest.approx(1.2, abs=0.005)


def test_a_step_undone_before_it_was_solved_is_solved_when_it_comes_back(gate: tuple[Gate, Session]) -> None:
    held, session = gate
    raised(session, 1.15)
    held.wait_entered()
    session.undo()
    held.open.release()
    assert session.service.wait(60)
    session.apply_results()
    assert wrist_height(session) < 1.0
    session.redo()
    held.open.release()
    until(lambda: abs(wrist_height(session) - 1.15) < 0.005)
    assert len(session.history.steps()) == 1


def test_an_edit_elsewhere_does_not_lose_a_solve_under_way(gate: tuple[Gate, Session]) -> None:
    held, session = gate
    raised(session, 1.15)
    held.wait_entered()
    other = new_character(session.document)
    session.edit("Add", edits.add_character(other))
    for _ in range(4):
        held.open.release()
    until(lambda: abs(wrist_height(session) - 1.15) < 0.005)


def test_a_step_that_was_solved_only_after_the_next_edit_is_solved_again_once_that_is_undone(
    gate: tuple[Gate, Session],
) -> None:
    held, session = gate
    raised(session, 1.15)
    held.wait_entered()
    session.edit("Add", edits.add_character(new_character(session.document)))
    for _ in range(4):
        held.open.release()
    until(lambda: abs(wrist_height(session) - 1.15) < 0.005)
    session.undo()
    assert wrist_height(session) < 1.0, "as the first step left it"
    until(lambda: abs(wrist_height(session) - 1.15) < 0.005)
    assert session.history.undo_text == "Move left wrist"
    session.redo()
    assert wrist_height(session) == pytest.approx(1.15, abs=0.005)


def test_a_drag_that_is_cancelled_leaves_the_step_before_it_solved(gate: tuple[Gate, Session]) -> None:
    held, session = gate
    key = session.history.step_key()
    raised(session, 1.15)
    held.wait_entered()
    raised(session, 1.3, key)
    assert session.cancel(key)
    for _ in range(4):
        held.open.release()
    until(lambda: abs(wrist_height(session) - 1.15) < 0.005)
    assert len(session.history.steps()) == 1


def test_a_press_that_is_cancelled_before_it_moves_leaves_the_step_before_it_solved(gate: tuple[Gate, Session]) -> None:
    held, session = gate
    raised(session, 1.15)
    held.wait_entered()
    assert not session.cancel(session.history.step_key())
    for _ in range(4):
        held.open.release()
    until(lambda: abs(wrist_height(session) - 1.15) < 0.005)
    assert len(session.history.steps()) == 1


def test_a_solve_that_ends_after_a_save_changes_nothing(gate: tuple[Gate, Session]) -> None:
    held, session = gate
    key = object()
    raised(session, 1.1, key)
    held.wait_entered()
    raised(session, 1.2, key)
    held.open.release()
    held.wait_entered()
    session.apply_results()  # what the save solves goes on from here, unlike what is being solved
    held.open.release()
    held.open.release()
    session.solve_now()
    written = session.document
    assert session.service.wait(60)
    session.apply_results()
    assert session.document is written


def test_saving_waits_for_what_is_not_solved_yet(gate: tuple[Gate, Session]) -> None:
    held, session = gate
    raised(session, 1.15)
    held.wait_entered()
    held.open.release()
    held.open.release()
    session.solve_now()
    assert wrist_height(session) == pytest.approx(1.15, abs=0.005)


def test_a_solver_that_fails_is_reported_and_the_thread_lives_on(
    qapp: object, compiled_solver: None, no_leaked_threads: None
) -> None:
    calls: list[int] = []

    def fails_once(character: Character, memory: object) -> IKSolution:
        calls.append(1)
        if len(calls) == 1:
            raise RuntimeError("no luck")
        return solve_character(character, memory)

    service = SolveService(fails_once)
    session = Session(service)
    session.open(new_document())
    service.start()
    settled(session)
    said: list[str] = []
    session.solve_failed.connect(said.append)
    raised(session, 1.1)
    settled(session)
    assert said == ["The solver failed: no luck."]
    raised(session, 1.2)
    settled(session)
    assert wrist_height(session) == pytest.approx(1.2, abs=0.005)
    service.stop()


def test_a_new_document_is_measured_without_being_moved_or_made_dirty(session: Session) -> None:
    before = session.document.characters[0]
    settled(session)
    after = session.document.characters[0]
    assert after.pose is before.pose
    assert [r.state for r in session.finding.residuals] == [
        "met" if e.is_active else "disabled" for e in after.effectors
    ]
    assert after.effectors == before.effectors
    assert not session.history.dirty


def test_stopping_drops_what_waits(qapp: object, no_leaked_threads: None) -> None:
    service = SolveService()
    character = new_document().characters[0]
    service.request(SolveRequest(character, 1))
    service.start()
    service.request(SolveRequest(replace(character, id="c2"), 1))
    service.stop()
    assert service.idle()


def test_a_question_why_does_not_take_the_place_of_a_solve_that_waits(
    qapp: object, compiled_solver: None, no_leaked_threads: None
) -> None:
    service, character = SolveService(), new_document().characters[0]
    service.request(SolveRequest(character, 1))
    service.request(SolveRequest(character, 1, query=SolveQuery.REASONS))
    service.start()
    assert service.wait(60)
    assert [result.request.query for result in service.take()] == [SolveQuery.POSE]
    service.stop()
