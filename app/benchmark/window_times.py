"""What is measured in a real window, printed in seconds or megabytes; `bench` runs it as a process of its own.

python -m app.benchmark.window_times start SINCE      from the time SINCE (seconds of the epoch) to the first frame, and
                                                      until the solver is ready
python -m app.benchmark.window_times frames SINCE     from each of many edits to its painted frame, at 1280 x 800
python -m app.benchmark.window_times hands SINCE      from each step of a finger's bar to its painted frame, likewise
python -m app.benchmark.window_times contacts SINCE   from each step of drags that keep contacts to its painted frame
python -m app.benchmark.window_times scrub SINCE      from a scrubbed frame of a motion to its picture
python -m app.benchmark.window_times crowd SINCE      likewise with ten people who all walk
python -m app.benchmark.window_times library SINCE    from opening a library of 500 poses to its cards and the frame
                                                      beside it, the first time and later
python -m app.benchmark.window_times memory SINCE     megabytes of memory it takes after the first edit
python -m app.benchmark.window_times photo PATH SINCE from opening a photo to the first bodies over it, several times
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from app.benchmark.memory import held_mb
from app.benchmark.painted import GIVE_UP_S, wait_for_frame
from solver.rig.roles import Role

if TYPE_CHECKING:
    from app.window.editor import Editor

FRAMES = 120
LIBRARY, OPENED = 500, 10  # poses, and how often
POLL_S = 0.005


def main(what: str, since: float, path: str = "") -> list[float]:
    """Open the window with settings of its own, measure, and close it."""
    from app.window.fast_import import import_window

    window = import_window()
    from PySide6.QtCore import QSettings

    from app.services.settings import SettingsStore

    with tempfile.TemporaryDirectory() as folder:
        store = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
        editor = window.open_window(window.make_application(), SettingsStore(store))
        try:
            wait_for_frame(editor)
            first = time.time() - since
            if what == "start":
                wait_for_solver(editor)
                return [first, time.time() - since]
            if what == "memory":
                frames(editor, 1)
                return [held_mb()]
            if what == "contacts":
                from app.benchmark.contact_times import drawn_times

                return drawn_times(editor)
            if what == "scrub":
                from app.benchmark.motion_times import scrubbed_times

                return scrubbed_times(editor)
            if what == "crowd":
                from app.benchmark.motion_times import crowd_times

                return crowd_times(editor)
            if what == "photo":
                from app.benchmark.photo_times import first_bodies

                return first_bodies(editor, Path(path))
            if what == "library":
                return library_opened(editor, Path(folder) / "poses")
            return (finger_frames if what == "hands" else frames)(editor, FRAMES + 20)[20:]
        finally:
            editor.shut_down()


def frames(editor: Editor, count: int) -> list[float]:
    """Drag a hand along a circle; return, for each of `count` steps, the time until the solved body is painted."""
    import numpy as np

    from app.document import edits

    editor.viewport.setFixedSize(1280, 800)
    editor.warm_up()
    session = editor.session
    character = session.document.characters[0]
    effector = next(e for e in character.effectors if e.joint == Role.LEFT_WRIST)
    times = []
    for step in range(count):
        angle = 2 * np.pi * step / 60
        target = effector.target + 0.15 * np.array([np.cos(angle), np.sin(angle), 0.5])  # type: ignore[attr-defined]
        start = time.perf_counter()
        session.edit("Move", edits.set_target(character.id, effector.id, target), merge_key="bench", solve=True)
        session.settle(GIVE_UP_S)
        wait_for_frame(editor)
        times.append(time.perf_counter() - start)
    return times


def finger_frames(editor: Editor, count: int) -> list[float]:
    """Move the bar that curls all four fingers; return, for each of `count` steps, the time until it is painted."""
    import numpy as np

    from app.panels.hands_panel import HandsPanel

    editor.viewport.setFixedSize(1280, 800)
    editor.warm_up()
    editor.panels.section("Hands").set_open(True)
    panel = editor.panels.hands.panel
    assert isinstance(panel, HandsPanel)
    slider, times = panel.rows.bars["All four", "curl"].slider, []
    for step in range(count):
        start = time.perf_counter()
        slider.edited.emit(50 + 45 * float(np.sin(step / 10)))
        wait_for_frame(editor)
        times.append(time.perf_counter() - start)
    slider.finished.emit()
    return times


def library_opened(editor: Editor, own: Path) -> list[float]:
    """Open the library, filled up to 500 poses with the user's own, again and again."""
    from itertools import cycle, islice
    from unittest.mock import patch

    from app.library import folders

    shipped = sorted(folders.shipped_folder().rglob("*.json"))
    own.mkdir()
    for number, file in enumerate(islice(cycle(shipped), LIBRARY - len(shipped))):
        (own / f"{number}.json").write_bytes(file.read_bytes())
    times = []
    with patch.object(folders, "own_folder", lambda: own):
        for _ in range(OPENED):
            start = time.perf_counter()
            editor.pose_browsers.toggle_library()
            wait_for_frame(editor)
            times.append(time.perf_counter() - start)
            editor.pose_browsers.toggle_library()
            wait_for_frame(editor)
    return times


def wait_for_solver(editor: Editor) -> None:
    """Let the window run until its solver is ready."""
    from PySide6.QtWidgets import QApplication

    end = time.monotonic() + GIVE_UP_S
    while not editor.service.awake and time.monotonic() < end:
        QApplication.processEvents()
        editor.service.wait(POLL_S)


if __name__ == "__main__":
    print(*main(sys.argv[1], float(sys.argv[-1]), *sys.argv[2:-1]))
