"""What is done ahead while nothing is asked of the solver: step by step, and what the first contact then finds."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from app.document.posing.create import new_document
from app.services import rehearsal as rehearsals
from app.services import solve_service
from app.services.solve_service import SolveRequest, SolveService, ahead
from solver.contact import patches as patch_module
from solver.contact.patches import Patch
from solver.contact.solid_body import _solid_body
from solver.ik.solution import IKSolution

GIVE_UP_S = 20.0


def test_what_is_done_ahead_waits_while_something_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve_service, "IDLE_S", 0.0)
    monkeypatch.setattr(solve_service, "REST_S", 0.0)
    order: list[str] = []
    over = threading.Event()
    person = new_document().characters[0]

    def spare() -> Iterator[None]:
        order.append("step 1")
        service.request(SolveRequest(person, 1))  # comes in the middle of a step
        yield
        order.append("step 2")
        over.set()
        yield

    def solve(*_: object) -> IKSolution:
        order.append("solve")
        raise ValueError("nobody looks at the answer")

    service = SolveService(solve, spare=spare)
    service.start()
    assert over.wait(GIVE_UP_S)
    service.stop()
    assert order == ["step 1", "solve", "step 2"]


def test_a_step_that_fails_ends_what_is_done_ahead_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve_service, "IDLE_S", 0.0)
    failed, solved = threading.Event(), threading.Event()

    def spare() -> Iterator[None]:
        failed.set()
        raise OSError("cannot be read")
        yield

    def solve(*_: object) -> IKSolution:
        solved.set()
        raise ValueError("nobody looks at the answer")

    service = SolveService(solve, spare=spare)
    service.start()
    assert failed.wait(GIVE_UP_S)
    service.request(SolveRequest(new_document().characters[0], 1))
    assert solved.wait(GIVE_UP_S)
    service.stop()


@pytest.mark.slow
def test_after_it_a_palm_on_a_box_needs_nothing_new_and_it_is_done_once(
    compiled_solver: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rehearsals, "_rehearsed", set())
    document = new_document()
    made: list[str] = []
    find = patch_module._patch

    def counted(*of: Any) -> Patch:
        made.append(of[-1])
        return find(*of)

    monkeypatch.setattr(patch_module, "_patch", counted)
    patch_module._patches.cache_clear()
    _solid_body.cache_clear()
    steps = len(list(ahead(document)))
    assert steps > len(set(made)) > 40, "each patch is a step of its own"
    assert len(_solid_body._known) == 2, "the body at rest, and as it is solid while its hand lies on something"
    assert not list(ahead(document)), "for a body once"
