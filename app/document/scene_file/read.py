"""A scene's JSON as a document, read by the table."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from app.document.model.document import FORMAT_VERSION, Document
from app.document.scene_file.table import FEATURES, FORMAT, NEWER, SCENE, UnapprovedBodyFolder
from app.document.scene_file.version_1 import upgraded
from solver.files.json_checks import Node
from solver.files.json_forms import Asleep, Context, Quota
from solver.size_limits import MAX_FRAMES

__all__ = ["UnapprovedBodyFolder", "document_of", "is_scene", "newer_version"]
_MAKE_ONE = "make one of another program's file: python main.py convert FILE -o scene.json"


def is_scene(top: Node) -> bool:
    """Whether this JSON says it is a scene."""
    return isinstance(top.value, dict) and top.value.get("format") == FORMAT


def document_of(top: Node, folder: Path, bodies: Collection[str] | None = None) -> Document:
    """The document that a scene from `folder` describes. InputRefused with the key path otherwise.

    bodies: ids of the official bodies that may be loaded, None for any; UnapprovedBodyFolder for any other.
    What this version does not understand of a scene that a newer one wrote is kept for the next save.
    """
    if not is_scene(top):
        top.refuse(
            f"is not a scene: the key “format” is not “{FORMAT}”",
            f"Choose a scene that this program saved, or {_MAKE_ONE}",
        )
    version = top["version"].integer(1, 1_000_000)
    for need in needs.items() if (needs := top.get("needs")) else ():
        if need.string(200) not in FEATURES:
            need.refuse(f"the scene needs “{need.value}”, which this program does not have", NEWER)
    context = Context(folder, bodies=bodies, frames=Quota(MAX_FRAMES), newer=version > FORMAT_VERSION)
    document: Document = SCENE.value(upgraded(top) if version == 1 else top, context)
    return document


def newer_version(document: Document) -> int | None:
    """The version of the format that a newer program wrote the document's file in; None for one of ours."""
    version = document.extra.get("version")
    return int(version.written) if isinstance(version, Asleep) else None
