"""One picture of a folder, opened in the background before it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject

from app.services.background.jobs import Cancelled, JobCancelled, Jobs, Progress, Work

WAIT_S = 0.05
People = Any  # as `SoFar` of the estimators has them


class ReadAhead(QObject):
    """Works on one picture at a time, beside the window's own jobs and without showing any progress."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = Jobs(self)
        self._path: Path | None = None
        self._future: Future[Any] = Future()
        self._seen: list[Any] = [None, None]  # the picture and who is found in it, while it is read
        self._share, self._doing = 0.0, ""  # how far that has come, and what is being done

    def show(self, image: object) -> None:
        """Keep the picture that is being read, for a job that may come to wait for it."""
        self._seen[0] = image

    def so_far(self, people: People) -> None:
        """Keep the people found in it so far."""
        self._seen[1] = people

    def begin(self, path: Path, work: Work) -> None:
        """Begin with a picture in place of the previous one; do nothing if it is the same one."""
        if path == self._path:
            return
        self.drop()
        self._path, self._future, self._seen = path, Future(), [None, None]
        self._share, self._doing = 0.0, ""
        future = self._future

        def run(progress: Progress, cancelled: Cancelled) -> None:
            if not future.set_running_or_notify_cancel():
                return

            def note(share: float, text: str = "") -> None:
                if future is self._future:
                    self._share, self._doing = share, text
                progress(share, text)

            try:
                future.set_result(work(note, cancelled))
            except Exception as error:  # told to the job that waits for the picture
                future.set_exception(error)

        self._jobs.run(path.name, run, lambda _nothing: None)

    def has(self, path: Path) -> bool:
        """Whether the picture is there or being opened."""
        return path == self._path

    def take(self, path: Path) -> Any:
        """The picture, which is then forgotten; None where it is not there yet or could not be opened."""
        future = self._future
        if path != self._path or not future.done():
            return None
        self._path = None
        return None if future.exception() is not None else future.result()

    def waiting(self, show: Callable[[object], object], so_far: Callable[[People], object]) -> Work:
        """Work for a job that waits for the picture being opened. Cancelling it does not stop the opening.

        show, so_far: told of the picture and of who is found in it.
        """
        future, path = self._future, self._path
        told: list[Any] = [None, None]

        def wait(progress: Progress, cancelled: Cancelled) -> Any:
            while not cancelled():
                if path == self._path and self._doing:
                    progress(self._share, self._doing)
                for place, tell in enumerate((show, so_far)):
                    if self._seen[place] is not told[place]:
                        told[place] = self._seen[place]
                        tell(told[place])
                try:
                    return future.result(WAIT_S)
                except TimeoutError:
                    if path != self._path:  # another one is wanted
                        break
                except CancelledError:
                    break
            raise JobCancelled

        return wait

    def forget(self, path: Path) -> None:
        """The picture is open and from now on may change."""
        if path == self._path:
            self._path = None

    def drop(self) -> None:
        """Give up the picture that is being opened."""
        self._path = None
        self._future.cancel()
        self._jobs.cancel()

    def stop(self) -> None:
        """Drop it and wait for its thread to end."""
        self.drop()
        self._jobs.stop()
