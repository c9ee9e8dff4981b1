"""How soon bodies show over a photo opened in the window, for the first one of a session and for later ones."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.window.editor import Editor

OPENED = 3
GIVE_UP_S = 60.0


def first_bodies(editor: Editor, path: Path) -> list[float]:
    """Seconds from opening a photo until the first bodies over it are painted, for one opening after another.

    Before the first, the file dialog has been open for as long as the networks take to load behind it.
    """
    from PySide6.QtWidgets import QApplication

    from app.viewport.photo_reading import PhotoReading

    def wait(what: str) -> None:
        end = time.monotonic() + GIVE_UP_S
        while not done[what]():
            if time.monotonic() > end:
                raise SystemExit(f"{what} took too long")
            QApplication.processEvents()
            time.sleep(0.001)

    def bodies() -> bool:
        shown = editor.viewport.findChild(PhotoReading)
        return shown is not None and shown.bodies is not None

    done = {
        "the solver": lambda: editor.service.awake,
        "loading networks": lambda: not editor.photos.ready.busy,
        "finding people": bodies,
        "giving up": lambda: not editor.jobs.busy,
    }
    editor.viewport.setFixedSize(1280, 800)
    editor.warm_up()
    wait("the solver")
    editor.photos.ready.begin()
    wait("loading networks")
    times = []
    for _ in range(OPENED):
        start = time.perf_counter()
        editor.files.open_path(path)
        wait("finding people")
        QApplication.processEvents()  # what the view was told to paint
        times.append(time.perf_counter() - start)
        editor.jobs.cancel()
        wait("giving up")
    return times
