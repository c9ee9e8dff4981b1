"""How people of a file get into a document: beside those who are there, or into an empty scene."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document.history import Edit
from app.document.placing import moved, paths_of, room_beside
from app.document.state import Character, Document
from solver.errors import PoserError
from solver.formats.motion_bounds import motion_fault
from solver.ik.effectors import LookAt, Position
from solver.size_limits import FARTHEST_M


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
        x, z = room_beside(paths_of(document.characters), np.concatenate(paths_of(new)))
        if not x and not z:
            return after
        shift = np.array([x, 0.0, z])
        for character in new:
            after = after.with_character(_within(moved(character, shift)))
        photo = after.photo
        if photo is None or photo is document.photo:
            return after
        camera = replace(photo.camera, position=photo.camera.position + shift)
        return replace(after, photo=replace(photo, camera=camera))

    return placed


def _within(character: Character) -> Character:
    points = [character.pose.root_position, character.base_pose.root_position]
    points += [e.target for e in character.effectors if isinstance(e, Position | LookAt)]
    motion = character.motion
    too_far = motion is not None and motion_fault(motion.root_positions, motion.fps) is not None
    if too_far or np.abs(points).max() > FARTHEST_M:
        raise PoserError(
            f"“{character.name}” cannot be put beside the others: some of it would be about {FARTHEST_M / 1e3:,.0f} km "
            "from the origin, which no scene can hold. Open the file in a new scene."
        )
    return character


def in_an_empty_scene(edit: Edit) -> Edit:
    """The edit as if nobody had been there."""
    return lambda document: edit(replace(document, characters=(), photo=None))
