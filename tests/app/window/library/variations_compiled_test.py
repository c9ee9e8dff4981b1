"""On a new machine the gallery of variations says that machine code is being made first, and how long that takes."""

from __future__ import annotations

import threading
from typing import Any

import numba
import pytest
from PySide6.QtCore import Qt
from window_driver import strike, until

from app.document.posing import pose_variations
from app.document.posing.pose_variations import variations_of
from app.window.controls.gallery_control import COMPILING, LOOKING, MINUTES
from app.window.editor import Editor

pytestmark = [pytest.mark.gl, pytest.mark.slow]


@pytest.mark.parametrize("compiled", [True, False])
def test_variations_say_that_they_are_prepared_where_something_is_compiled_and_only_there(
    editor: Editor, monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    begun, gate = threading.Event(), threading.Event()

    def found_when_let(*asked: Any) -> Any:
        if compiled:
            assert numba.njit(lambda number: number + 1)(1) == 2  # real machine code
        begun.set()
        assert gate.wait(60.0)
        return variations_of(*asked)

    monkeypatch.setattr(pose_variations, "variations_of", found_when_let)
    strike(editor, Qt.Key.Key_V)
    gallery = editor.pose_browsers.variations.gallery
    assert gallery is not None
    said = COMPILING.format(MINUTES) if compiled else LOOKING
    until(lambda: begun.is_set() and gallery.text.text() == said)
    gate.set()
    until(lambda: bool(gallery.tiles) and all(tile.drawn for tile in gallery.tiles))
