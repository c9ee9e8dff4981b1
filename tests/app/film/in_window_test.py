"""What a job asks of the window's thread is done there, and nobody waits for a window that waits itself."""

from __future__ import annotations

import threading
import time

import pytest
from PySide6.QtWidgets import QApplication
from window_driver import until

from app.film.main_thread import MainThreadCaller
from app.services.background.jobs import Cancelled, Jobs, Progress


@pytest.fixture
def jobs(qapp: QApplication, no_leaked_threads: None) -> Jobs:
    return Jobs()


def test_it_is_done_in_the_windows_thread_and_the_job_has_the_result(jobs: Jobs) -> None:
    window, got = MainThreadCaller(jobs), []

    def work(progress: Progress, cancelled: Cancelled) -> tuple[bool, bool]:
        asked = window.ask(threading.current_thread, cancelled)
        return asked is threading.main_thread(), threading.current_thread() is threading.main_thread()

    jobs.run("Ask", work, got.append)
    until(lambda: not jobs.busy)
    assert got == [(True, False)]


def test_what_goes_wrong_there_goes_wrong_in_the_job(jobs: Jobs) -> None:
    window, failed = MainThreadCaller(jobs), []
    jobs.failed.connect(lambda message, details: failed.append(message))
    jobs.run("Ask", lambda progress, cancelled: window.ask(lambda: [].index(3), cancelled), lambda result: None)
    until(lambda: not jobs.busy)
    assert len(failed) == 1
    assert "not in list" in failed[0]


def test_a_job_that_is_stopped_by_the_window_itself_does_not_wait_for_it(jobs: Jobs) -> None:
    """`stop` waits in the window's thread: what the job asks for there cannot come."""
    window, begun, done = MainThreadCaller(jobs), threading.Event(), []

    def work(progress: Progress, cancelled: Cancelled) -> None:
        begun.set()
        window.ask(lambda: done.append("drawn"), cancelled)

    jobs.run("Ask", work, lambda result: done.append("ended"))
    assert begun.wait(60)
    before = time.monotonic()
    jobs.stop()
    assert time.monotonic() - before < 20
    until(lambda: not jobs.busy)
    QApplication.processEvents()
    assert done == []
