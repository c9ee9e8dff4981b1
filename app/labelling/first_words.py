"""What is said about a picture that has just been opened."""

from __future__ import annotations

from app.document.exchange.label_opening import LabelPicture
from app.document.exchange.label_state import Stage
from app.document.in_photo.unsure_people import first_to_look_at
from app.document.model.document import Character, Document
from app.labelling.texts import LOOK_FIRST, NOBODY_FOUND, UNSURE_ONE, UNSURE_SOME
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
