"""How people of a file get into a document: beside those who are there, or into an empty scene."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document.history import Edit
from app.document.placing import moved, path_of, room_beside
from app.document.state import Character, Document


def newcomers(before: Document, after: Document) -> tuple[Character, ...]:
    """The characters of `after` who are not the same in `before`."""
    same = {id(character) for character in before.characters}
    return tuple(character for character in after.characters if id(character) not in same)


def beside_the_others(edit: Edit) -> Edit:
    """The edit with all people whom it adds moved together over the floor to where they have room.

    A scene that has a photo keeps it. In one that has none the photo that comes with them keeps its view of them: its
    camera moves along.
    """

    def placed(document: Document) -> Document:
        after = edit(document)
        if document.photo is not None:
            after = replace(after, photo=document.photo)
        new = newcomers(document, after)
        if not new:
            return after
        x, z = room_beside([path_of(c) for c in document.characters], np.concatenate([path_of(c) for c in new]))
        if not x and not z:
            return after
        shift = np.array([x, 0.0, z])
        for character in new:
            after = after.with_character(moved(character, shift))
        photo = after.photo
        if photo is None or photo is document.photo:
            return after
        camera = replace(photo.camera, position=photo.camera.position + shift)
        return replace(after, photo=replace(photo, camera=camera))

    return placed


def in_an_empty_scene(edit: Edit) -> Edit:
    """The edit as if nobody had been there."""
    return lambda document: edit(replace(document, characters=(), photo=None))
