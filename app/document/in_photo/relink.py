"""Relinking a photo whose file has gone to where the user says it is now."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.document.edits import relink_photo
from app.document.model.document import Document, Photo
from app.document.model.history import Edit
from solver.errors import InputRefused
from solver.photo.image_file import load_image

OTHER_CONTENT = "It is not exactly the file that the scene was made with: check that the people still lie over it."


@dataclass(frozen=True)
class PhotoRelink:
    """edit: points the scene to the file, as long as that photo is behind it. hint: what to look at, or ""."""

    edit: Edit
    hint: str


def photo_relink(photo: Photo, path: Path) -> PhotoRelink:
    """The photo's file is now at `path`, perhaps with another content, as after a touch-up.

    InputRefused for what is no picture, or one of another size: the photo's camera and points would not fit it.
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

    def edit(document: Document) -> Document:
        now = document.photo
        same = now is not None and (now.path, now.sha256) == (photo.path, photo.sha256)
        return relink(document) if same else document

    return PhotoRelink(edit, "" if picture.sha256 == photo.sha256 else OTHER_CONTENT)
