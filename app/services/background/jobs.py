"""Work that takes a second or more: in a thread of its own, with progress and cancel, one job at a time."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal

from app.services.soon import soon
from solver.errors import InputRefused, PoserError

Progress = Callable[[float, str], None]
Cancelled = Callable[[], bool]
Work = Callable[[Progress, Cancelled], Any]


class JobCancelled(Exception):
    """Raised from within a job's progress call once the user has cancelled it."""


@dataclass(eq=False)
class _Job:
    title: str
    work: Work
    done: Callable[[Any], None]
    writes: str = ""
    for_scene: bool = False
    given_up: Callable[[], object] = lambda: None
    thread: QThread | None = None
    cancelled: bool = False
    result: Any = None
    error: BaseException | None = None
    trace: str = ""

    @property
    def has_ended(self) -> bool:
        return self.thread is not None and self.thread.isFinished()


def refusal_kept(work: Work) -> Work:
    """The work, with an InputRefused as its result instead of an error: for a file that may get another name."""

    def kept(progress: Progress, cancelled: Cancelled) -> Any:
        try:
            return work(progress, cancelled)
        except InputRefused as refused:
            return refused

    return kept


class Jobs(QObject):
    """Runs one job after another outside the window's thread.

    started(title), progressed(share 0..1, text), finished(): for a progress display. failed(message, details): the job
    raised; details is the traceback for the log, empty for an error meant for the user. idle(): everything the last job
    led to is done, questions to the user included, and no other job follows.
    held_up: says whether a job may stand still for minutes, as while the solver is compiled; one that is cancelled then
    is left to end by itself.
    """

    started = Signal(str)
    progressed = Signal(float, str)
    finished = Signal()
    failed = Signal(str, str)
    idle = Signal()

    def __init__(self, parent: QObject | None = None, held_up: Callable[[], bool] = lambda: False) -> None:
        super().__init__(parent)
        self._held_up = held_up
        self._left: list[_Job] = []
        self._queue: list[_Job] = []
        self._running: _Job | None = None

    @property
    def busy(self) -> bool:
        """Whether a job runs or waits."""
        return self._running is not None or bool(self._queue)

    @property
    def writing(self) -> str:
        """The name of the first file that is lost if the jobs stop now, "" if there is none."""
        ahead = [self._running, *self._queue]
        return next((job.writes for job in ahead if job is not None and job.writes and not job.cancelled), "")

    @property
    def awaited(self) -> bool:
        """Whether a job runs or waits whose result will be put into the scene: none that was cancelled or writes."""
        return any(job is not None and not job.cancelled and not job.writes for job in (self._running, *self._queue))

    def run(
        self,
        title: str,
        work: Work,
        done: Callable[[Any], None],
        writes: str = "",
        for_scene: bool = False,
        patience_s: float = 0.0,
        given_up: Callable[[], object] = lambda: None,
    ) -> None:
        """Run `work(progress, cancelled)` in a thread and call `done` with its result in this one.

        work raises PoserError for what the user should read. A cancelled job calls `given_up` instead. writes: the name
        of the file that it is to leave behind, if the user would miss it. for_scene: whether its result is for somebody
        or something in the open scene alone, see `leave_scene`. patience_s: how long this thread waits for it, unless
        other jobs come first; one that ends by then has called `done` on return.
        """
        job = _Job(title, work, done, writes, for_scene, given_up)
        self._queue.append(job)
        self._next()
        if patience_s > 0.0 and job.thread is not None and job.thread.wait(round(1000 * patience_s)):
            self._look()

    def cancel(self) -> None:
        """Cancel the running job: its result is dropped, whenever it ends."""
        if (job := self._running) is not None:
            job.cancelled = True
            if self._held_up():
                soon(self, lambda: self._leave(job))

    def leave_scene(self) -> None:
        """Drop what is for a scene that is no longer open: in another one, others have the same ids."""
        self._queue = [job for job in self._queue if not job.for_scene]
        if self._running is not None and self._running.for_scene:
            self.cancel()

    def stop(self) -> None:
        """Cancel everything and wait for the threads to end."""
        self._queue.clear()
        self.cancel()
        for job in (*self._left, *([self._running] if self._running else ())):
            if job.thread is not None:
                job.thread.wait()

    def _next(self) -> None:
        if self._running is not None or not self._queue:
            return
        job = self._running = self._queue.pop(0)
        job.thread = _Thread(lambda: self._work(job), self)
        job.thread.finished.connect(self._look)
        self.started.emit(job.title)
        job.thread.start()

    def _work(self, job: _Job) -> None:
        def progress(share: float, text: str = "") -> None:
            if job.cancelled:
                raise JobCancelled
            self.progressed.emit(float(share), text)

        try:
            job.result = job.work(progress, lambda: job.cancelled)
        except JobCancelled:
            job.cancelled = True
        except Exception as error:  # reaches the user as a message; the thread must end cleanly
            job.error = error
            job.trace = "" if isinstance(error, PoserError) else traceback.format_exc()

    def _look(self) -> None:
        """Some thread has ended."""
        ended = [job for job in self._left if job.has_ended]
        self._left = [job for job in self._left if job not in ended]
        running = self._running
        if running is not None and running.has_ended:
            ended.append(running)
        for job in ended:
            _let_go(job)
        if running is not None and running in ended:
            self._done(running)

    def _leave(self, job: _Job) -> None:
        """Go on without waiting for a cancelled job, if it still runs."""
        if job is self._running:
            self._left.append(job)
            self._done(job)

    def _done(self, job: _Job) -> None:
        self._running = None
        self.finished.emit()
        try:
            if job.cancelled:
                job.given_up()
            elif job.error is not None:
                self.failed.emit(str(job.error) or type(job.error).__name__, job.trace)
            else:
                job.done(job.result)
        finally:
            self._next()
            if not self.busy:
                self.idle.emit()


def _let_go(job: _Job) -> None:
    if job.thread is not None:
        job.thread.wait()  # finished is emitted a moment before the thread has ended
        job.thread.deleteLater()


class _Thread(QThread):
    def __init__(self, work: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._work = work

    def run(self) -> None:
        """Run the work, in the new thread."""
        self._work()
