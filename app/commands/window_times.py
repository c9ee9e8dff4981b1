"""What is measured in a real window, printed in seconds or megabytes; `bench` runs it as a process of its own.

python -m app.commands.window_times start SINCE      from the time SINCE (seconds of the epoch) to the first frame
python -m app.commands.window_times frames SINCE     from each of many edits to its painted frame, at 1280 x 800
python -m app.commands.window_times memory SINCE     megabytes of memory that it holds after these edits
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from app.commands.memory import resident_mb

if TYPE_CHECKING:
    from app.workplace import Workplace

FRAMES = 120
GIVE_UP_S = 60.0


def main(what: str, since: float) -> list[float]:
    """Open the window with settings of its own, measure, and close it."""
    from PySide6.QtCore import QSettings

    from app.app import make_application, open_window
    from app.services.settings import SettingsStore

    with tempfile.TemporaryDirectory() as folder:
        store = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
        workplace = open_window(make_application(), SettingsStore(store))
        try:
            wait_for_frame(workplace)
            first = time.time() - since
            if what == "start":
                return [first]
            times = frames(workplace)
            return [resident_mb()] if what == "memory" else times
        finally:
            workplace.shut_down()


def frames(workplace: Workplace) -> list[float]:
    """Drag a hand along a circle; for each step the time until the solved body is painted."""
    import numpy as np

    from app.document import edits

    workplace.viewport.setFixedSize(1280, 800)
    workplace.warm_up()
    session = workplace.session
    character = session.document.characters[0]
    effector = next(e for e in character.effectors if e.joint == "left_wrist")
    times = []
    for step in range(FRAMES + 20):
        angle = 2 * np.pi * step / 60
        target = effector.target + 0.15 * np.array([np.cos(angle), np.sin(angle), 0.5])  # type: ignore[attr-defined]
        start = time.perf_counter()
        session.edit("Move", edits.set_target(character.id, effector.id, target), merge_key="bench", solve=True)
        session.settle(GIVE_UP_S)
        wait_for_frame(workplace)
        times.append(time.perf_counter() - start)
    return times[20:]


def wait_for_frame(workplace: Workplace) -> None:
    """Let the window work until it has painted what it shows now."""
    from PySide6.QtWidgets import QApplication

    painted: list[float] = []
    connection = workplace.viewport.painted.connect(painted.append)
    end = time.monotonic() + GIVE_UP_S
    while not painted and time.monotonic() < end:
        QApplication.processEvents()
    workplace.viewport.painted.disconnect(connection)
    if not painted:
        sys.exit("the window painted nothing")


if __name__ == "__main__":
    print(*main(sys.argv[1], float(sys.argv[2])))
