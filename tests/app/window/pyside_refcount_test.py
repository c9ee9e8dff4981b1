"""PySide6 6.12 on CPython 3.11 loses a reference to None in every call that returns None, and aborts in the end."""

from __future__ import annotations

import sys

import pytest

pytestmark = pytest.mark.gl


def test_calls_that_return_none_keep_their_reference_to_none(qtbot: object) -> None:
    from rendering.view.viewport import Viewport, prepare_opengl

    prepare_opengl()
    viewport = Viewport()
    qtbot.addWidget(viewport)  # type: ignore[attr-defined]
    before = sys.getrefcount(None)
    for _ in range(500):
        viewport.update()
    after = sys.getrefcount(None)
    if before < 1 << 31:  # where None is immortal (3.12 and later) the count says nothing
        assert abs(after - before) < 100
