"""Scenes on disk for the tests of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.document import edits
from app.document.model.document import Document
from app.document.posing.create import new_character, new_document
from app.document.scene_file.io import save_scene


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    save_scene(tmp_path / "scene.json", edits.set_target("c1", "e1", [0.3, 1.5, 0.4])(new_document()))
    return tmp_path / "scene.json"


@pytest.fixture
def two(tmp_path: Path) -> Path:
    document = Document()
    for name in ("Anna", "Ben"):
        document = edits.add_character(new_character(document, name=name))(document)
    save_scene(tmp_path / "two.json", document)
    return tmp_path / "two.json"
