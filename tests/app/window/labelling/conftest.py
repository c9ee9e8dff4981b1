"""A prepared folder of pictures, and the window that has opened it."""

from __future__ import annotations

from pathlib import Path

import pytest
from labelling_driver import opened, prepared

from app.window.editor import Editor


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return prepared(tmp_path)


@pytest.fixture
def begun(editor: Editor, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    return opened(editor, folder, monkeypatch)
