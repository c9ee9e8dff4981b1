"""Where people from a file are placed in a document: beside those already there, or in an empty scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from app.document.edits import choose_photo, middle_of
from app.document.model.actor import with_clip
from app.document.model.document import Character, Document, Photo
from app.document.model.figure import joints_of
from app.document.model.history import Edit
from app.document.posing.placing import moved, paths_of, room_beside, turned
from solver.errors import PoserError
from solver.size_limits import FARTHEST_M

AWAY = -0.3  # cosine between where somebody faces and where the others do in the mean


def added_people(before: Document, after: Document) -> tuple[Character, ...]:
    """The characters of `after` who are not the same in `before`."""
    same = {id(actor) for actor in before.actors}
    pairs = zip(after.actors, after.characters, strict=True)
    return tuple(character for actor, character in pairs if id(actor) not in same)


def placed_beside_others(edit: Edit) -> Edit:
    """The edit with all the people it adds moved together over the floor to where they have room: in no prop, and in
    nobody, however heavy they are.

    Photos that come with them keep their view of them: their cameras move along, to where the new photos do not see the
    people already there, nor the scene's photos the newcomers. A scene that has a photo keeps that one behind it, and
    the new ones after it. An avatar that faces away from where those do is turned round.
    """

    def placed(document: Document) -> Document:
        after = edit(document)
        new = added_people(document, after)
        if not new:
            return after
        if document.actors:
            new = tuple(_facing_as(document.characters, each) for each in new)
            for character in new:
                after = after.with_character(character)
        from app.document.in_photo.photo_separation import shift_to_separate  # the window starts without

        known = {id(photo) for photo in document.photos}
        photos = [photo for photo in after.photos if id(photo) not in known]
        x, z = room_beside(paths_of(document.characters), np.concatenate(paths_of(new)))
        room = _clear_of_all(document, new, np.array([x, 0.0, z]))
        shift = shift_to_separate(document.characters, document.photos, new, photos, room)
        if not shift.any():
            return after
        for character in new:
            after = after.with_character(_moved(character, shift))
        return replace(after, photos=tuple(p if id(p) in known else _seen_from(p, shift) for p in after.photos))

    return placed


def placed_at(edit: Edit, place: ArrayLike) -> Edit:
    """The edit with all the people it adds moved together to stand at (3,) metres; a single person on the floor goes
    where nobody and nothing else is, several where they are in no prop and in nobody. People who come with a photo
    stay, for it sees them where they are."""
    at = np.asarray(place, np.float64)

    def landed(document: Document) -> Document:
        after = edit(document)
        new = added_people(document, after)
        if not new or len(after.photos) > len(document.photos):
            return after
        if len(new) == 1 and not at[1]:
            from app.document.edits.clear_place import placed_clear  # only once somebody comes

            return after.with_character(placed_clear(after, new[0], (float(at[0]), float(at[2]))))
        shift = at - middle_of(new)
        if not at[1]:  # above the floor they are put onto a prop
            shift = _clear_of_all(document, new, shift)
        for character in new:
            after = after.with_character(_moved(character, shift))
        return after

    return landed


def placed_before_photo(edit: Edit) -> Edit:
    """The edit with the last photo it adds behind the scene; the edit itself if it adds none."""

    def chosen(document: Document) -> Document:
        after = edit(document)
        newest = len(after.photos) - 1
        return choose_photo(newest)(after) if newest >= len(document.photos) else after

    return chosen


def _facing_as(others: Sequence[Character], character: Character) -> Character:
    """Somebody with a skin of their own who stands still, turned round if they face away from where the others do."""
    if character.own_skin is None or len(character.clip) > 1:
        return character
    ahead = joints_of(character).rotations[0][:, 2]
    theirs = np.sum([joints_of(each).rotations[0][:, 2] for each in others], axis=0)
    return turned(character, np.pi) if ahead @ theirs < AWAY * np.linalg.norm(theirs) else character


def _clear_of_all(document: Document, new: Sequence[Character], shift: NDArray[np.float64]) -> NDArray[np.float64]:
    if not new or not (document.props or document.actors):
        return shift
    from app.document.edits.clear_place import clear_of_all  # only where there is anything

    return clear_of_all(document, new, shift)


def _seen_from(photo: Photo, shift: NDArray[np.float64]) -> Photo:
    return replace(photo, camera=replace(photo.camera, position=photo.camera.position + shift.astype(np.float32)))


def _moved(character: Character, shift: NDArray[np.float64]) -> Character:
    try:
        return moved(character, shift)
    except PoserError:
        raise PoserError(
            f"“{character.name}” cannot be put beside the others: some of it would be about {FARTHEST_M / 1e3:,.0f} km "
            "from the origin, which no scene can hold. Open the file in a new scene."
        ) from None


def placed_as_before(edit: Edit, character_id: str) -> Edit:
    """The edit with the character's clip where the earlier one was, at the frame looked at."""

    def placed(document: Document) -> Document:
        before, after = document.character(character_id), edit(document)
        character = after.character(character_id)
        clip = character.clip.placed(before.clip.placement)
        return after.with_character(with_clip(character, clip, min(before.frame, len(clip) - 1)))

    return placed


def placed_in_empty_scene(edit: Edit) -> Edit:
    """The edit as if nobody had been there."""
    return lambda document: edit(replace(document, actors=(), photos=()))
