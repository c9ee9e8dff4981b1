"""Waiting for the window to paint."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.window.editor import Editor

GIVE_UP_S = 60.0


def wait_for_frame(editor: Editor) -> None:
    """Let the window run until it has painted what it shows now."""
    from PySide6.QtWidgets import QApplication

    painted: list[float] = []
    connection = editor.viewport.painted.connect(painted.append)
    end = time.monotonic() + GIVE_UP_S
    while not painted and time.monotonic() < end:
        QApplication.processEvents()
    editor.viewport.painted.disconnect(connection)
    if not painted:
        sys.exit("the window painted nothing")
