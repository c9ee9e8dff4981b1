"""A photo's file that has gone, where the user says it is now, and what lies beside it."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os.path import isfile  # False where the system refuses to look, where Path's raise OSError
from pathlib import Path, PureWindowsPath

from app.document.edits import relink_photo
from app.document.model.document import Document, Photo
from app.document.model.history import Edit
from solver.errors import InputRefused
from solver.files.reading import read_bytes
from solver.photo.image_file import MAX_BYTES, load_image

OTHER_CONTENT = "It is not exactly the file that the scene was made with: check that the people still lie over it."


@dataclass(frozen=True)
class PhotoRelink:
    """edit: points the scene to the file, as long as that photo is behind it, and to those found with it. hint: what to
    look at and what else was found, or is still missing; may be ""."""

    edit: Edit
    hint: str


def photo_relink(photo: Photo, path: Path, others: Sequence[Photo] = ()) -> PhotoRelink:
    """The photo's file is now at `path`, perhaps with another content, as after a touch-up.

    others: photos of the scene that may have moved with it; those whose file is gone, and there with the same content,
    are found as well.

    InputRefused for what is not a picture, or one of another size: the photo's camera and points would not fit it.
    """
    picture = load_image(path)
    if picture.size != tuple(photo.camera.image_size):
        (width, height), (wide, high) = picture.size, photo.camera.image_size
        raise InputRefused(
            path,
            f"it has {width} × {height} pixels and the scene's photo {wide} × {high}, so it is another picture",
            "Choose the photo itself, or open this one beside it with “Add a photo…”",
        )
    relink = relink_photo(str(path.absolute()), picture.sha256)
    gone = {_key(other): other for other in others if not isfile(other.path)}
    found = {key: there for key, other in gone.items() if (there := _moved_along(other, photo, path)) is not None}
    if _key(photo) in gone:  # the same file added twice
        found[_key(photo)] = str(path.absolute()), picture.sha256

    def now_at(photo: Photo) -> Photo:
        there = found.get(_key(photo))
        return photo if there is None else replace(photo, path=there[0], sha256=there[1])

    def edit(document: Document) -> Document:
        now = document.photo
        if now is None or _key(now) != _key(photo):
            return document
        after = relink(document)
        return replace(after, photos=(*after.photos[:1], *map(now_at, after.photos[1:])))

    hint = "" if picture.sha256 == photo.sha256 else OTHER_CONTENT
    return PhotoRelink(edit, f"{hint} {_told(len(found), len(gone) - len(found))}".strip())


def _key(photo: Photo) -> tuple[str, str]:
    return photo.path, photo.sha256


def _moved_along(other: Photo, photo: Photo, path: Path) -> tuple[str, str] | None:
    """Where another photo's file is if it has moved with the one that is at `path` now, and its content; or None.

    It may be in the same folder under its name, or in one that lies to this one as it did before.
    """
    name = PureWindowsPath(other.path).name  # splits at both kinds of slashes
    places = [path.parent / name]
    with contextlib.suppress(ValueError):  # it was on another drive
        places.append(path.parent / os.path.relpath(other.path, os.path.dirname(photo.path)))
    for place in places:
        with contextlib.suppress(InputRefused):  # it is not there, or cannot be read
            if hashlib.sha256(read_bytes(place, MAX_BYTES)).hexdigest() == other.sha256:
                return os.path.normpath(place.absolute()), other.sha256
    return None


def _told(found: int, missing: int) -> str:
    said = []
    if found:
        were = "Another photo of the scene was" if found == 1 else f"{found} other photos of the scene were"
        said.append(f"{were} found with it.")
    if missing:
        still, them = (
            ("One is", "it in the list, and find its file")
            if missing == 1
            else (f"{missing} are", "them in the list, and find their files")
        )
        said.append(f"{still} still missing: choose {them}.")
    return " ".join(said)
