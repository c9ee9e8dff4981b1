"""Jobs run outside the window's thread, report, can be cancelled, and leave no thread behind."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from window_driver import until

from app.services.background.jobs import Cancelled, Jobs, Progress
from solver.errors import PoserError

pytestmark = pytest.mark.usefixtures("qapp", "no_leaked_threads")


def test_a_job_works_in_a_thread_and_its_result_comes_back_to_this_one() -> None:
    jobs, results = Jobs(), []
    main = threading.get_ident()

    def work(progress: Progress, cancelled: Cancelled) -> int:
        progress(0.5, "half")
        return threading.get_ident()

    told: list[tuple[float, str]] = []
    jobs.progressed.connect(lambda share, text: told.append((share, text)))
    jobs.run("Work", work, lambda ident: results.append((ident, threading.get_ident())))
    until(lambda: bool(results))
    assert results[0][0] != main
    assert results[0][1] == main
    assert told == [(0.5, "half")]
    assert not jobs.busy


def test_a_job_that_is_waited_for_has_delivered_on_return_if_it_is_quick_and_delivers_later_if_not() -> None:
    jobs, results, go_on = Jobs(), [], threading.Event()
    jobs.run("Quick", lambda _p, _c: "quick", results.append, patience_s=60.0)
    assert results == ["quick"]
    assert not jobs.busy

    def slow(progress: Progress, cancelled: Cancelled) -> str:
        go_on.wait(60)
        return "slow"

    jobs.run("Slow", slow, results.append, patience_s=0.01)
    jobs.run("Next", lambda _p, _c: "next", results.append, patience_s=60.0)
    assert results == ["quick"], "nobody waits for those in a queue"
    go_on.set()
    until(lambda: not jobs.busy)
    assert results == ["quick", "slow", "next"]


def test_jobs_run_one_after_another_in_order() -> None:
    jobs, order = Jobs(), []
    for name in "abc":
        jobs.run(name, lambda _p, _c, name=name: order.append(name), lambda _r, name=name: order.append(name.upper()))
    until(lambda: len(order) == 6)
    assert "".join(order) == "aAbBcC"


def test_a_cancelled_job_delivers_nothing() -> None:
    jobs, results, started = Jobs(), [], threading.Event()

    def work(progress: Progress, cancelled: Cancelled) -> str:
        started.set()
        while True:
            progress(0.1, "")

    jobs.run("Work", work, results.append)
    assert started.wait(60)
    jobs.cancel()
    until(lambda: not jobs.busy)
    assert results == []


@pytest.mark.parametrize(
    ("error", "message", "is_bug"),
    [(PoserError("Not this file."), "Not this file.", False), (KeyError("x"), "'x'", True)],
)
def test_a_job_that_fails_says_why_and_the_next_one_runs(error: Exception, message: str, is_bug: bool) -> None:
    jobs, said, results = Jobs(), [], []

    def work(progress: Progress, cancelled: Cancelled) -> Any:
        raise error

    jobs.failed.connect(lambda text, trace: said.append((text, bool(trace))))
    jobs.run("Bad", work, results.append)
    jobs.run("Good", lambda _p, _c: "fine", results.append)
    until(lambda: bool(results))
    assert said == [(message, is_bug)]
    assert results == ["fine"]


def test_stopping_waits_for_the_thread() -> None:
    jobs = Jobs()

    def work(progress: Progress, cancelled: Cancelled) -> None:
        while not cancelled():
            threading.Event().wait(0.005)

    jobs.run("Work", work, lambda _r: None)
    jobs.stop()


def test_a_job_that_is_cancelled_while_it_stands_still_is_left_and_the_next_one_runs() -> None:
    held = threading.Event()
    results: list[str] = []
    finished: list[int] = []
    jobs = Jobs(held_up=lambda: True)
    jobs.finished.connect(lambda: finished.append(1))

    def stuck(progress: Progress, cancelled: Cancelled) -> str:
        held.wait(60)
        progress(0.5, "")
        return "stuck"

    jobs.run("Stuck", stuck, results.append)
    jobs.cancel()
    until(lambda: not jobs.busy)
    jobs.run("Next", lambda _p, _c: "next", results.append)
    until(lambda: bool(results))
    held.set()
    jobs.stop()
    until(lambda: not jobs._left)
    assert results == ["next"]
    assert finished == [1, 1]
