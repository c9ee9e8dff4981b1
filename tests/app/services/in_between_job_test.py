"""In-betweens come in the background and belong to the step that made them necessary."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from document_samples import only
from motion_samples import look_at_frame, raised, strolling, walker
from window_driver import settled, until

from app.document import edits
from app.document.model.document import Document
from app.document.model.history import History
from app.document.over_time.in_betweens import document_completed, missing
from app.services.background.in_betweens import InBetweens, SolvedSpans, limit_memory, spans_edit
from app.services.background.jobs import Jobs
from app.services.session import Session
from app.services.solve_service import SolveService
from solver.kinematics.pose import Motion

pytestmark = pytest.mark.usefixtures("qapp", "no_leaked_threads", "compiled_solver")


class Desk:
    """A session with somebody who strolls, whose in-betweens are solved in the background."""

    def __init__(self, frames: int = 60) -> None:
        self.service = SolveService()
        self.service.start()
        self.session = Session(self.service)
        self.jobs = Jobs()
        self.in_betweens = InBetweens(self.session, self.jobs)
        self.started: list[str] = []
        self.jobs.started.connect(self.started.append)
        self.session.open(edits.set_solver("c1", "dls")(walker(frames)))

    @property
    def document(self) -> Document:
        return self.session.history.document

    def raise_hand(self, frame: int, metres: float = 0.2) -> None:
        look_at_frame(self.session, "c1", frame)
        wrist = next(e for e in only(self.session.document).effectors if e.joint == "left_wrist")
        target = wrist.target + np.float32([0, metres, 0.1])  # type: ignore[attr-defined]
        edit = edits.chain(edits.make_strict("c1", [wrist.id]), edits.set_target("c1", wrist.id, target))
        assert self.session.edit("Raise", edit, solve=True)
        settled(self.session)

    def complete(self) -> bool:
        return not self.jobs.busy and not self.in_betweens.missing("c1")

    def close(self) -> None:
        self.in_betweens.stop()
        self.jobs.stop()
        self.service.stop()


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.close()


@pytest.fixture
def long_desk() -> Iterator[Desk]:
    desk = Desk(3000)
    yield desk
    desk.close()


def test_after_an_edit_the_frames_about_it_are_solved_within_its_step(desk: Desk) -> None:
    desk.raise_hand(30)
    assert desk.in_betweens.missing("c1") == 28
    until(desk.complete)
    assert desk.session.history.steps() == ("Raise",)
    assert [(span.first, span.last) for span in desk.document.actors[0].spans()] == [(16, 29), (31, 44)]
    assert desk.started == ["Solving between the keys of Person 1"]
    assert not desk.in_betweens.solving


def test_undo_and_redo_bring_in_betweens_with_the_keys_and_solve_nothing(desk: Desk) -> None:
    desk.raise_hand(30)
    until(desk.complete)
    one = desk.document.actors[0].at(25).pose
    desk.raise_hand(30, 0.1)
    until(desk.complete)
    two = desk.document.actors[0].at(25).pose
    assert two != one
    jobs = len(desk.started)
    desk.session.undo()
    assert desk.document.actors[0].at(25).pose == one
    desk.session.undo()
    assert desk.document.actors[0].at(25).pose == desk.document.actors[0].at(25).base_pose
    desk.session.redo()
    desk.session.redo()
    assert desk.document.actors[0].at(25).pose == two
    until(desk.complete)
    assert len(desk.started) == jobs


def test_moved_keys_are_solved_where_they_land(desk: Desk) -> None:
    desk.raise_hand(30)
    until(desk.complete)
    look_at_frame(desk.session, "c1", 5)
    assert desk.session.edit("Move keys", edits.move_keys("c1", [30], 10), solve=True)
    settled(desk.session)
    until(desk.complete)
    document = desk.document
    shown = only(document.at_frame("c1", 40))
    wrist = next(e for e in shown.effectors if e.joint == "left_wrist")
    from app.document.model.figure import joints_of, skeleton_of

    assert wrist.residual(skeleton_of(shown), joints_of(shown)) < 1e-3
    assert desk.session.history.steps() == ("Raise", "Move keys")
    assert [key.frame for key in shown.clip.keys] == [0, 40]
    desk.session.undo()
    assert [key.frame for key in only(desk.document).clip.keys] == [0, 30]
    assert not missing(desk.document.actors[0])


def test_while_somebody_drags_nothing_is_solved_in_between(desk: Desk) -> None:
    look_at_frame(desk.session, "c1", 30)
    wrist = next(e for e in only(desk.session.document).effectors if e.joint == "left_wrist")
    for metres in (0.05, 0.1, 0.2):
        target = wrist.target + np.float32([0, metres, 0])  # type: ignore[attr-defined]
        edit = edits.chain(edits.make_strict("c1", [wrist.id]), edits.set_target("c1", wrist.id, target))
        desk.session.edit("Drag", edit, merge_key="drag", solve=True)
        settled(desk.session)
        desk.in_betweens.look()
        assert desk.started == []
    desk.session.close_step()
    until(desk.complete)
    assert len(desk.started) == 1
    assert desk.session.history.steps() == ("Drag",)


def test_while_a_hand_moves_the_time_a_few_frames_are_solved_at_once(desk: Desk) -> None:
    desk.in_betweens.held = lambda: True
    desk.raise_hand(30)
    until(desk.complete)
    assert desk.document.actors[0].spans()


@pytest.mark.slow
def test_while_a_hand_moves_the_time_many_frames_wait(long_desk: Desk) -> None:
    desk = long_desk
    desk.session.edit("Ease", edits.set_in_between("c1", ease_s=10.0))
    hand = threading.Event()
    desk.in_betweens.held = lambda: not hand.is_set()
    told, waited = list[float](), threading.Event()
    desk.jobs.progressed.connect(lambda share, text: told.append(share))
    desk.jobs.progressed.connect(lambda share, text: waited.set())
    desk.raise_hand(1500)
    until(lambda: waited.is_set() and desk.in_betweens.solving)
    assert desk.in_betweens.missing("c1") > 128
    assert set(told) == {0.0}, "not even the first of them are solved"
    hand.set()
    until(desk.complete)
    assert desk.document.actors[0].spans()


@pytest.mark.slow
def test_a_job_that_is_cancelled_leaves_the_way_of_the_joints_until_something_is_edited(long_desk: Desk) -> None:
    desk = long_desk
    desk.session.edit("Ease", edits.set_in_between("c1", ease_s=50.0))
    halfway = threading.Event()
    desk.jobs.progressed.connect(lambda share, text: halfway.set() if share > 0 else None)
    desk.raise_hand(1500)
    until(halfway.is_set)
    desk.jobs.cancel()
    until(lambda: not desk.jobs.busy)
    assert desk.in_betweens.missing("c1") > 1000
    shown = desk.document.actors[0]
    assert shown.at(1490).pose == shown.with_spans(()).at(1490).pose
    desk.in_betweens.look()
    assert not desk.jobs.busy, "it was the user who did not want it"
    desk.session.edit("Ease", edits.set_in_between("c1", ease_s=0.5))
    until(desk.complete)
    assert desk.document.actors[0].spans()


def test_what_was_given_up_can_be_asked_for_again(long_desk: Desk) -> None:
    desk = long_desk
    desk.raise_hand(1500)
    until(lambda: desk.jobs.busy)
    desk.jobs.cancel()
    until(lambda: not desk.jobs.busy)
    if desk.in_betweens.missing("c1"):
        desk.in_betweens.again()
    until(desk.complete)


@pytest.mark.slow
def test_an_edit_during_the_job_has_it_begin_anew(long_desk: Desk) -> None:
    desk = long_desk
    desk.session.edit("Ease", edits.set_in_between("c1", ease_s=50.0))
    halfway = threading.Event()
    desk.jobs.progressed.connect(lambda share, text: halfway.set() if share > 0 else None)
    desk.raise_hand(1500)
    until(halfway.is_set)
    desk.session.edit("Ease", edits.set_in_between("c1", ease_s=0.2))
    until(desk.complete)
    assert [(s.first, s.last) for s in desk.document.actors[0].spans()] == [(1495, 1499), (1501, 1505)]
    assert len(desk.started) == 2


def test_planted_feet_are_found_and_held_by_the_job(desk: Desk) -> None:
    stroll = strolling()
    on_the_spot = Motion(stroll.root_positions * np.float32([1, 1, 0]), stroll.rotations, stroll.fps)
    desk.session.edit("Import", edits.import_motion("c1", on_the_spot))
    desk.raise_hand(30)
    until(desk.complete)
    desk.session.edit("Hold feet", edits.set_in_between("c1", contacts=True))
    source = only(desk.document).clip.source
    assert source is not None
    assert not source.knows_contacts, "a long motion takes a while to be looked through: not in the window's thread"
    until(lambda: source.knows_contacts and desk.complete())
    solved = {frame for span in desk.document.actors[0].spans() for frame in range(span.first, span.last + 1)}
    touched = [c for c in source.contacts("anny") if c.first <= 45 and c.last >= 15]
    assert touched
    for contact in touched:
        assert solved >= set(range(contact.first, contact.last + 1)) - {30}


def test_a_result_that_no_longer_belongs_is_not_folded_in() -> None:
    document = document_completed(raised(edits.set_solver("c1", "dls")(walker()).at_frame("c1", 30)))
    made = SolvedSpans({"c1": document.actors[0].clip.solved})
    other = raised(document.at_frame("c1", 30), 0.1)
    assert spans_edit(made)(other) is other
    bare = replace(document, actors=(document.actors[0].with_spans(()),))
    assert spans_edit(made)(bare).actors[0].spans() == list(document.actors[0].clip.solved)
    assert spans_edit(made)(walker()).actors[0].spans() == []


@pytest.mark.slow
def test_the_history_forgets_in_betweens_that_are_many_steps_away() -> None:
    document = document_completed(raised(edits.set_solver("c1", "dls")(walker()).at_frame("c1", 30)))
    history = History(document)
    for number in range(6):
        history.apply("Raise", lambda d, n=number: document_completed(raised(d.at_frame("c1", 30), 0.01 * (n + 1))))
    each = sum(span.bytes for span in document.actors[0].clip.solved)
    limit_memory(history, most=10 * each)
    assert all(d.actors[0].spans() for d in history.documents())
    limit_memory(history, most=3 * each)
    kept = [bool(d.actors[0].spans()) for d in history.documents()]
    assert kept == [True, True, True, False, False, False, False]
    last = history.document
    for _ in range(6):
        assert history.undo()
    assert history.document == document
    assert missing(history.document.actors[0])
    for _ in range(6):
        history.redo()
    assert history.document is last


def test_a_saved_document_stays_saved_when_it_is_made_lighter() -> None:
    document = document_completed(raised(edits.set_solver("c1", "dls")(walker()).at_frame("c1", 30)))
    history = History(document)
    history.mark_saved()
    history.apply("Move", edits.move_character("c1", (1, 0, 0)))
    limit_memory(history, most=0)
    assert history.dirty
    history.undo()
    assert not history.dirty
