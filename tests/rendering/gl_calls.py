"""Which of OpenGL's functions are called, and with what."""

from __future__ import annotations

import pytest

from rendering.gl.api import GL


class Counted:
    """One of OpenGL's functions, and what it was called with."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        self.calls: list[tuple[object, ...]] = []
        original = getattr(GL, name)

        def counted(*arguments: object) -> object:
            self.calls.append(arguments)
            return original(*arguments)

        monkeypatch.setattr(GL, name, counted)
