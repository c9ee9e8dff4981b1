"""Loading the variants of the embedded body in a thread, while the user is still looking at their names."""

from __future__ import annotations

import threading
from contextlib import suppress

from solver.errors import PoserError


class BodyWarmUp:
    """Loads, once for each gender, the bodies that presets may ask for, so that taking one does not hold the window.

    They take memory, so this is to begin once one is likely to be taken, not at the start.
    """

    def __init__(self) -> None:
        self._began: set[str] = set()
        self.thread: threading.Thread | None = None

    def begin(self, gender: str) -> None:
        """Load them for a gender. Returns at once; does nothing while loading or where they are ready."""
        if gender in self._began or (self.thread is not None and self.thread.is_alive()):
            return
        self._began.add(gender)
        self.thread = threading.Thread(target=_load, args=(gender,), name="body warm-up")
        self.thread.start()

    def wait(self) -> None:
        """Wait until nothing is loading."""
        if self.thread is not None:
            self.thread.join()


def _load(gender: str) -> None:
    import app.document.posing.contact_patches  # noqa: F401 - taking another body needs it
    from solver.body.body import BodyShape
    from solver.body.catalog import VARIANTS, load_body

    for id in VARIANTS:
        with suppress(PoserError):  # the user is told when taking it
            body, shape = load_body(id), BodyShape(gender=gender)
            body.vertices(shape)
            body.rig(shape)
