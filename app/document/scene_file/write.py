"""A document as a scene: plain values ready for JSON, written by the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.document.model.document import Document
from app.document.scene_file.table import SCENE
from solver.files.json_forms import Context


def scene_dict(document: Document, folder: Path, compressed: bool = True) -> dict[str, Any]:
    """The scene as saved into `folder`: photo paths are relative to it, and unknown keys are put back.

    compressed: whether meshes are made smaller, which takes longest of all.
    """
    return SCENE.write(document, Context(folder, packing=Context.packing if compressed else 0))
