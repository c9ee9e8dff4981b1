"""A folder of pictures prepared for labelling: a scene and a proposed label for each, and COCO key points of all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from app.document import edits
from app.document.exchange.label import label_contents, label_of
from app.document.exchange.label_files import COCO_FILE, LabelFiles, files_of, passed_over
from app.document.exchange.label_state import states_of, write_coco
from app.document.model.document import Document
from app.document.scene_file.io import checked_scene_text, checksum
from solver.errors import PoserError
from solver.files.atomic import check_writable, encoded, make_folder, write_together

Tell = Callable[[str], None]
ROOM = 256 * 1024  # bytes that a picture's files may need
NO_FOLDER = "Copy the pictures to a folder where you may write, or on the command line choose another folder with --out"


def save_label(files: LabelFiles, document: Document, checked: bool, usable: bool = True) -> tuple[str, dict[str, Any]]:
    """Write one picture's scene and label, all or nothing; return the SHA-256 of the scene's file, and the label.

    PoserError where the picture is no longer among the document's photos.
    """
    own = files.photo_among(document.photos)
    if own is None:
        name = files.picture.name
        raise PoserError(f"{name} is no longer among the scene's photos, and its label needs it. Undo its removal.")
    in_front = edits.choose_photo(document.photos.index(own))(document)
    label = label_of(in_front, files.label.parent.absolute(), checked, usable)
    text = checked_scene_text(files.scene, document)
    label["scene"] = {"sha256": (seen := checksum(text))}  # by which a later change of the scene's file is noticed
    write_together({**label_contents(files.label, label), files.scene: encoded(files.scene, text)})
    return seen, label


def make_label_folder(out: Path) -> None:
    """Make the folder of the labels if it is not there yet. InputRefused where that cannot be done."""
    make_folder(out, NO_FOLDER)


def prepare(
    folder: Path, out: Path, read: Callable[[Path], tuple[Document, int]], tell: Tell, refuse: Tell
) -> tuple[int, int]:
    """Read every picture that has no label yet; return how many were read, and how many cannot be.

    read: gives a picture's people as a document with its photo, and how many were left out as unsure. tell: takes a
    line about each picture, but for one that cannot be read, about which refuse takes the reason. Existing labels stay.
    `coco.json` is written last, and also where the work is stopped. InputRefused where no further label could be
    written, as on a full disk: to read the rest of the pictures would be in vain.
    """
    every = files_of(folder, out)
    make_label_folder(out)
    try:
        read_now, failed = _prepare(every, read, tell, refuse)
    except (KeyboardInterrupt, PoserError):
        with suppress(PoserError):
            write_coco(states_of(every), out)
        raise
    write_coco(states_of(every), out)
    if others := passed_over(folder):
        tell(others)
    return read_now, failed


def _prepare(
    every: Sequence[LabelFiles], read: Callable[[Path], tuple[Document, int]], tell: Tell, refuse: Tell
) -> tuple[int, int]:
    read_now, failed = 0, 0
    for number, files in enumerate(every, start=1):
        place = f"{number} of {len(every)}  {files.picture.name}"
        try:
            if files.read() is not None:
                tell(f"{place}: done already")
                continue
            document, unsure = read(files.picture)
            save_label(files, document, checked=False)
        except PoserError as error:
            check_writable(files.label.with_name(COCO_FILE), ROOM)
            failed += 1
            refuse(str(error))
            continue
        read_now += 1
        found = len(document.characters)
        more = f", {unsure} more left out as unsure" if unsure else ""
        tell(f"{place}: {'1 person' if found == 1 else f'{found} people'}{more}")
    return read_now, failed
