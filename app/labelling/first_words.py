"""What is said about a picture that has just been opened, or does not show yet."""

from __future__ import annotations

from pathlib import Path

from app.document.exchange.label_files import LabelFiles
from app.document.exchange.label_opening import LabelPicture
from app.document.exchange.label_state import Stage
from app.document.in_photo.unsure_people import first_to_look_at
from app.document.model.document import Character, Document
from app.labelling.texts import BEHIND, LOOK_FIRST, NOBODY_FOUND, OPENING, TOO_SOON, UNSURE_ONE, UNSURE_SOME
from app.panels.widgets.external_text import shortened


def first_words(picture: LabelPicture, document: Document) -> tuple[str, Character | None]:
    """Who was left out of it, and whose pose is most likely off, in words, "" for nothing; and that person, if any."""
    told, unchecked = [], picture.state.stage in (Stage.NEW, Stage.PROPOSED)
    if picture.unsure:
        told.append(UNSURE_ONE if picture.unsure == 1 else UNSURE_SOME.format(picture.unsure))
    elif not document.characters and unchecked:
        told.append(NOBODY_FOUND)
    first = first_to_look_at(document) if unchecked else None
    if first is not None and len(document.characters) > 1:
        told.append(LOOK_FIRST.format(shortened(first.name)))
    return " ".join(told), first


def why_not_seen(opening: str, files: LabelFiles, document: Document) -> str:
    """Why nobody can decide yet on the picture that is being opened, by its name, or if that is "" on the open one."""
    name, photo = shortened(files.picture.name), document.photo
    if opening:
        return OPENING.format(shortened(opening))
    if photo is not None and files.photo_among(document.photos) is not photo:
        return BEHIND.format(shortened(Path(photo.path).name), name)
    return TOO_SOON.format(name)
