"""Makes the reading of photos ready in a thread, while a user is still choosing one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from app.document.exchange.file_kind import PHOTO_SUFFIXES
from solver.errors import PoserError
from solver.estimates.plug_in_names import BUILT_IN


class PhotoReady:
    """Loads, once for each body, what the built-in estimator needs for its first look.

    That takes memory, hence not at the start, but once a photo is likely to come. body: the id of the body that people
    will have. estimator: who reads photos.
    """

    def __init__(self, body: Callable[[], str], estimator: Callable[[], str]) -> None:
        self._body, self._estimator = body, estimator
        self._began: set[str] = set()
        self.thread: threading.Thread | None = None

    def begin(self) -> None:
        """A photo may come soon. Returns at once; while it loads, and for a body that is ready: nothing."""
        if self.busy or self._estimator() != BUILT_IN or (body := self._body()) in self._began:
            return
        self._began.add(body)
        self.thread = threading.Thread(target=_load, args=(body,), name="photo ready")
        self.thread.start()

    def expect(self, path: Path) -> None:
        """This file may be opened soon."""
        if path.suffix.lower() in PHOTO_SUFFIXES:
            self.begin()

    @property
    def busy(self) -> bool:
        """Whether it is loading."""
        return self.thread is not None and self.thread.is_alive()

    def wait(self) -> None:
        """Return once nothing is loading."""
        if self.thread is not None:
            self.thread.join()


def _load(body: str) -> None:
    from solver.body.catalog import load_body
    from solver.photo.ready import get_ready

    with suppress(PoserError):  # whoever opens a photo is told then, with the way out
        get_ready(load_body(body))
