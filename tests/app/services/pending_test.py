"""Who waits for a solve, what stays of them in it, and what happens to steps that are left before they are solved."""

from __future__ import annotations

import gc
from weakref import ref

import numpy as np
import pytest
from document_samples import only

from app.document import edits
from app.document.model.document import Document
from app.document.model.figure import skeleton_of
from app.document.posing.create import new_character, new_document
from app.document.posing.findings import Findings
from app.services.pending_solves import LEFT_KEPT, PendingSolves
from app.services.session import Session
from app.services.solve_service import SolveQuery, SolveRequest, SolveService
from solver.ik.multi_solve.only_limb import only_arms

SLOT = ("c1", 0)
HOLD = only_arms(skeleton_of(only(new_document())), only(new_document()).pose)


@pytest.fixture
def pending() -> PendingSolves:
    made = PendingSolves()
    made.add({SLOT}, HOLD)
    return made


def asked(pending: PendingSolves, document: Document) -> list[SolveRequest]:
    return pending.requests(document, 7, "drag", Findings())


def test_a_request_is_for_a_pose_at_the_revision_and_of_the_drag_that_asked(pending: PendingSolves) -> None:
    (request,) = asked(pending, new_document())
    assert (request.slots, request.revision, request.key, request.query) == ((SLOT,), 7, "drag", SolveQuery.POSE)
    assert request.holds == {"c1": HOLD}


def test_a_person_removed_meanwhile_waits_no_longer(pending: PendingSolves) -> None:
    document = new_document()
    document = edits.add_character(new_character(document, "Ben"))(document)
    pending.add({("c2", 0)}, None)
    assert [request.slot for request in asked(pending, document)] == [SLOT, ("c2", 0)]
    assert [request.slot for request in asked(pending, edits.remove_character("c1")(document))] == [("c2", 0)]
    assert SLOT not in pending


def test_a_step_left_unsolved_is_asked_for_again_with_what_stayed_by_whoever_comes_back(pending: PendingSolves) -> None:
    left = new_document()
    pending.suspend(left)
    assert not pending
    assert not pending.resume(new_document())
    assert not pending
    assert pending.resume(left)
    (request,) = asked(pending, left)
    assert request.holds == {"c1": HOLD}


def test_several_steps_left_unsolved_in_a_row_are_each_asked_for_again(pending: PendingSolves) -> None:
    first, second = new_document(), new_document()
    pending.note(first)
    assert pending, "whoever waits goes on waiting in the next step"
    pending.suspend(second)
    for left in (second, first):
        assert pending.resume(left)
        assert [request.slot for request in asked(pending, left)] == [SLOT]
        pending.forget()


def test_who_is_on_the_way_in_a_step_that_is_left_is_asked_for_again_as_well(pending: PendingSolves) -> None:
    document = new_document()
    document = edits.add_character(new_character(document, "Ben"))(document)
    pending.suspend(document, {("c2", 0)})
    assert pending.resume(document)
    assert [request.slot for request in asked(pending, document)] == [SLOT, ("c2", 0)]


def test_the_last_steps_that_were_left_are_remembered_each_as_it_was_left_last(pending: PendingSolves) -> None:
    first, *others = documents = [new_document() for _ in range(LEFT_KEPT)]
    for document in (*documents, *others):
        pending.note(document)
    assert pending.resume(first), "leaving the others twice does not push it out"
    pending.note(new_document())
    assert not pending.resume(first)


def test_nothing_is_kept_of_steps_left_unsolved_in_a_scene_that_is_closed(qapp: object) -> None:
    session = Session(SolveService())
    session.open(new_document())
    hand = next(e.id for e in only(session.document).effectors if e.joint == "left_wrist")
    for place in range(3):
        session.edit("Move", edits.set_target("c1", hand, np.full(3, 0.1 * place)), solve=True)
    left = ref(session.history.undo_document)
    session.open(new_document())
    gc.collect()
    assert left() is None


def test_what_stays_is_let_go_of_after_the_last_solve_and_the_body_goes_on_from_there(pending: PendingSolves) -> None:
    document, findings = new_document(), Findings()
    findings.set_residuals(only(document), ())
    fresh = findings.of(only(document)).memory
    pending.release_finished(document, findings)
    assert asked(pending, document)[0].holds == {"c1": HOLD}
    assert findings.of(only(document)).memory == fresh
    pending.discard([SLOT])
    pending.release_finished(document, findings)
    assert not pending
    assert findings.of(only(document)).memory != fresh
