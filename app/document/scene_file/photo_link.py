"""Finding a scene's photo again when the scene or the photo was moved."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from os.path import isfile  # False where the system refuses to look, where Path's raise OSError
from pathlib import Path, PureWindowsPath

from app.document.model.document import Photo
from solver.errors import InputRefused
from solver.files.reading import MEBIBYTE, open_regular

MAX_BYTES = 256 * MEBIBYTE  # the most that is read as a photo


def found_photo(photo: Photo, folder: Path) -> Photo:
    """The photo with the path of its file now: as written, or beside the scene under the same name.

    A file with the right content is preferred to one that only has the name; if there is neither, nothing changes.
    """
    name = PureWindowsPath(photo.path).name  # splits at both kinds of slashes
    places = [place for place in (Path(photo.path), folder / name) if isfile(place)]
    for place in places:
        if sha256_of(place) == photo.sha256:
            return replace(photo, path=str(place))
    return replace(photo, path=str(places[0])) if places else photo


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's content in hexadecimal digits; "" where it cannot be read or is too large for a photo."""
    try:
        with open_regular(path, MAX_BYTES) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]  # it has readinto
    except (InputRefused, OSError):
        return ""
