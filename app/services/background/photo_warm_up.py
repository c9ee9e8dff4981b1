"""Loading what opening and reading a photo need, in a thread, while the user is still choosing the photo."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from app.document.exchange.file_kind import PHOTO_SUFFIXES
from solver.errors import PoserError
from solver.estimates.plug_in_names import BUILT_IN

READERS = "app.document.exchange.open_file", "solver.estimates.plug_ins"  # modules that a photo is opened and read by


class PhotoWarmUp:
    """Loads, once for each body, what the built-in estimator needs for its first photo.

    That takes memory, so it is done once a photo is likely to come, not at the start. body: the id of the body that
    people will have. estimator: the one that reads photos.
    """

    def __init__(self, body: Callable[[], str], estimator: Callable[[], str]) -> None:
        self._body, self._estimator = body, estimator
        self._began: set[str] = set()
        self.thread: threading.Thread | None = None

    def begin(self) -> None:
        """Load, as a photo may come soon. Returns at once; does nothing while loading or for a body that is ready."""
        if self.busy or self._estimator() != BUILT_IN or (body := self._body()) in self._began:
            return
        self._began.add(body)
        self.thread = threading.Thread(target=_load, args=(body,), name="photo warm-up")
        self.thread.start()

    def expect(self, path: Path) -> None:
        """Get ready if this file, which may be opened soon, is a photo."""
        if path.suffix.lower() in PHOTO_SUFFIXES:
            self.begin()

    @property
    def busy(self) -> bool:
        """Whether it is loading."""
        return self.thread is not None and self.thread.is_alive()

    def wait(self) -> None:
        """Wait until nothing is loading."""
        if self.thread is not None:
            self.thread.join()


def _load(body: str) -> None:
    from solver.body.catalog import load_body
    from solver.photo.warm_up import warm_up

    for name in READERS:
        import_module(name)
    with suppress(PoserError):  # the user is told when opening a photo, with the way out
        warm_up(load_body(body))
