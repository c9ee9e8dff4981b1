"""Cycles with Qt's objects in them are collected in the window's thread, whatever other threads do meanwhile."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from window_driver import until

from app.window.editor import Editor

MANY = 20_000  # more cycles than Python leaves uncollected


class Ticking:
    """A timer that runs, in a cycle, as closed dialogs leave them."""

    def __init__(self) -> None:
        self.itself, self.timer = self, QTimer()
        self.timer.start(1000)


class Cycle:
    def __init__(self) -> None:
        self.itself = self


def in_a_job(editor: Editor, work: Callable[[], Any]) -> list[Any]:
    done: list[Any] = []
    editor.jobs.run("Making garbage", lambda progress, cancelled: work(), done.append)
    until(lambda: bool(done))
    return done


@pytest.mark.gl
def test_a_timer_that_became_garbage_is_not_destroyed_in_another_thread(editor: Editor, qtlog: Any) -> None:
    where: list[int] = []
    for _ in range(20):
        weakref.finalize(Ticking(), lambda: where.append(threading.get_ident()))
    in_a_job(editor, lambda: [Cycle() for _ in range(MANY)] and len(where))
    until(lambda: len(where) == 20)
    assert set(where) == {threading.get_ident()}
    assert not [record.message for record in qtlog.records if "another thread" in record.message]


@pytest.mark.gl
def test_what_a_long_job_leaves_behind_is_collected_while_it_runs(editor: Editor) -> None:
    def work() -> bool:
        for _ in range(5):
            left = [weakref.ref(Cycle()) for _ in range(MANY)]
            end = time.monotonic() + 60
            while any(one() is not None for one in left[:100]):
                if time.monotonic() > end:
                    return False
                time.sleep(0.01)
        return True

    assert in_a_job(editor, work) == [True]


@pytest.mark.gl
def test_python_collects_by_itself_again_once_the_window_has_closed(editor: Editor) -> None:
    assert not gc.isenabled()
    editor.session.history.mark_saved()
    editor.window.close()
    assert gc.isenabled()
