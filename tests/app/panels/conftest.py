"""The timeline of somebody who moves."""

from __future__ import annotations

import pytest
from timeline_driver import FRAMES, KEYS, TimelineMouse, set_moving

from app.window.editor import Editor


@pytest.fixture
def desk(editor: Editor) -> Editor:
    """The window with somebody who moves and has keys at four frames."""
    set_moving(editor, FRAMES, KEYS)
    return editor


@pytest.fixture
def mouse(desk: Editor) -> TimelineMouse:
    """The mouse over that timeline."""
    return TimelineMouse(desk)
