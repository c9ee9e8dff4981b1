"""Which people belong to the photo behind a scene, where the scene has several photos."""

from __future__ import annotations

from app.document.model.document import Character, Document


def belongs_to_photo(character: Character, document: Document) -> bool:
    """Whether somebody of the document goes along when its chosen photo gets another lens, horizon or floor.

    People read off another photo of the scene stay, and so stay in place over that one. A photo that nobody was read
    off shows people of the others from elsewhere: all go with it.
    """
    if document.photo is None or len(document.photos) < 2:
        return True
    here = document.photo.sha256
    if not any(_read_off(one) == here for one in document.characters):
        return True
    return not is_of_another_photo(character, document)


def is_of_another_photo(character: Character, document: Document) -> bool:
    """Whether somebody was read off a photo of the document that is not the one behind the scene."""
    return _read_off(character) in {photo.sha256 for photo in document.photos[1:]} - {document.photos[0].sha256}


def somebody_in_photo(document: Document, *first: str) -> str:
    """The id of who is posed next where the photo behind the scene has changed: the first of these that belongs to it,
    else the first visible person who does; "" if nobody does.
    """
    of_photo = {one.id: one for one in document.characters if belongs_to_photo(one, document)}
    visible = (id for id, one in of_photo.items() if one.visible)
    return next((id for id in first if id in of_photo), "") or next(visible, "")


def own_photo(character: Character, document: Document) -> int:
    """The place among the document's photos of the one that somebody was read off; 0, the one behind the scene, where
    they were read off none of them."""
    seen_in = _read_off(character)
    return next((place for place, photo in enumerate(document.photos) if photo.sha256 == seen_in), 0)


def _read_off(character: Character) -> str:
    return character.sighting.photo if character.sighting is not None else ""
