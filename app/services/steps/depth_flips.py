"""A limb's next reading in depth, as an edit of its own once the solver is there to find it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from app.document import edits
from app.document.model.document import Character, Document
from app.services.session import Session
from solver.camera import PinholeCamera

FLIP = "Flip limb in depth"

Eye = Callable[[Character], NDArray[np.floating] | None]


def eye_of_photo(character: Character, document: Document) -> NDArray[np.floating] | None:
    """(3,) metres: where the camera of somebody's photo is, see `camera_of_photo`; None without a photo."""
    camera = camera_of_photo(character, document)
    return None if camera is None else camera.position


def camera_of_photo(character: Character, document: Document) -> PinholeCamera | None:
    """The camera of the photo that somebody was read off; at later frames that of the photo that shows; None without a
    photo."""
    if document.photo is None:
        return None
    from app.document.in_photo.photo_membership import own_photo

    place = 0 if character.frame else own_photo(character, document)
    return document.photos[place].camera


def flip_limb(
    session: Session,
    id: str,
    joint_of: Callable[[Character], str],
    eye_of: Eye,
    said: Callable[[bool], None],
    flipped: Callable[[], None] = lambda: None,
) -> None:
    """Take the next reading of a limb of somebody; nothing if they are gone by the time the solver is prepared.

    joint_of: of the person as they are then, a joint of the limb, "" for none. eye_of: (3,) metres, where the picture
    was taken from; None for nowhere. said(limb): nothing was changed, for want of a limb (False) or of another reading.
    flipped: called once the limb is.
    """
    document = session.document
    person = next((character for character in document.characters if character.id == id), None)
    if person is None or eye_of(person) is None:
        return
    if not session.late.is_ready(FLIP, lambda: flip_limb(session, id, joint_of, eye_of, said, flipped)):
        return
    joint, eye = joint_of(person), eye_of(person)
    if not joint or eye is None:
        said(False)
        return
    from app.document.in_photo.depth import other_depth  # only once asked for: it compiles on a new machine

    pose = other_depth(person, joint, eye)
    if pose is None:
        said(True)
    elif session.edit(FLIP, edits.set_reading(id, pose, joint)):
        flipped()
