"""Scene files: a document to a file and back. The format is described in docs/scene-format.md."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection
from dataclasses import replace
from os.path import isfile  # False where the system refuses to look, where Path's raise OSError
from pathlib import Path

from app.document.model.document import Document
from app.document.scene_file.photo_link import found_photo, sha256_of
from app.document.scene_file.read import document_of
from app.document.scene_file.write import scene_dict
from solver.errors import InputRefused, PoserError
from solver.files.atomic import write_text
from solver.files.json_checks import Node, parse_json
from solver.files.json_text import json_text
from solver.files.reading import read_text

MAX_BYTES = 256 << 20
MEND = "Open an earlier copy of it, or mend it in a text editor: docs/scene-format.md says what belongs there"


def save_scene(path: str | os.PathLike[str], document: Document, private: bool = False) -> str:
    """Write the document, all or nothing, and return the SHA-256 of the file. InputRefused where that cannot be done.

    The text is read back from memory first: a file that could not be opened again never replaces one that can.
    private: only the owner can read a new file.
    """
    target = Path(path)
    text = checked_scene_text(target, document)
    write_text(target, text, private)
    return checksum(text)


def checksum(text: str) -> str:
    """The SHA-256 of a file with that text."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def checked_scene_text(target: Path, document: Document) -> str:
    """The text to be written there. InputRefused if it could not be opened again."""
    text = scene_text(document, folder_of(target))
    if len(text) > MAX_BYTES:
        raise InputRefused(
            target,
            f"the scene would be larger than {MAX_BYTES >> 20} MB and could not be opened again",
            "Nothing was written. Take a motion out or import a shorter part of it",
        )
    try:
        read_scene_text(text, target)
    except PoserError as error:
        raise InputRefused(
            target, f"the scene cannot be saved as it is ({error})", "Nothing was written. Undo the last step"
        ) from error
    return text


def load_scene(path: str | os.PathLike[str], bodies: Collection[str] | None = ()) -> Document:
    """The document of a scene file; its photo is sought where it was and beside the scene. InputRefused otherwise."""
    target = Path(path)
    return open_scene(parse_json(read_text(target, MAX_BYTES), target), target, bodies)


def open_scene(top: Node, path: Path, bodies: Collection[str] | None = ()) -> Document:
    """The document of a parsed scene; its photo is looked for where it was and beside `path`."""
    try:
        document = document_of(top, folder_of(path), bodies)
    except InputRefused as refused:
        if refused.way_out:
            raise
        raise InputRefused(refused.source, refused.reason, MEND, refused.place) from refused
    if document.photos:
        document = replace(document, photos=tuple(found_photo(photo, folder_of(path)) for photo in document.photos))
    return document


def changed_on_disk(path: Path, seen: str) -> bool:
    """Whether the file holds something else than when its SHA-256 was `seen`; a file that is gone has not changed."""
    return bool(seen) and isfile(path) and sha256_of(path) not in (seen, "")


def scene_text(document: Document, folder: Path) -> str:
    """The scene as it is saved into `folder`."""
    return json_text(scene_dict(document, folder))


def read_scene_text(text: str, path: Path) -> Document:
    """The document that a scene's text describes; `path` is where it comes from, for messages and to find the photo."""
    return document_of(parse_json(text, path), folder_of(path))


def folder_of(path: Path) -> Path:
    """The folder of a file, absolute."""
    return Path(os.path.abspath(path)).parent
