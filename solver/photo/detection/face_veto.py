"""People whose reading a face contradicts: where a face fills the picture, a body may be seen within it.

In close portraits the landmark networks may see somebody small, often upside down, in the face itself: cheeks are a
trunk, and hair is legs. The face network sees the face as it is, and below it is the body that it belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from solver.photo.detection.blazepose import Face, Landmarks, Region
from solver.photo.detection.face_and_hands import angle_of, face_in, face_of
from solver.photo.detection.faces import face_size, is_own_face, is_same_face
from solver.photo.detection.plausibility import certainty, upper_certainty
from solver.photo.detection.regions import distinct_looks, looks_at
from solver.photo.detection.repeated_looks import with_close_details, with_quick_looks

Array = NDArray[np.float64]
_UNSURE = 2.0  # certainty below which a face may contradict a reading
_CLEAR = 0.99  # presence of such a face
_HEAD, _SHOULDERS = slice(11), [11, 12]
_SQUARES = (1.6, 2.6, 4.0)  # in which the face is looked for, in units of the longer side of head and shoulders
_FILLS = (1.0, 0.7)  # the same where nobody was found, in units of the picture's longer side
_OVAL = 1.1  # of a face's oval: what is further from its middle is beside it
_WIDE = 1.2  # of a face's size: shoulders further apart than this are not seen within it
_BODY, _BELOW = 9.0, 3.3  # of a face's size: the square around the body that it belongs to, and how far below it is
_KEPT = -1.5  # certainty of the upper body from which the new reading counts, as in `face_confirmation`


def not_vetoed(
    picture: Image.Image, people: Sequence[Landmarks], ended: Callable[[], bool] = lambda: False
) -> Iterator[Landmarks]:
    """The people after closer looks, in the same order; whoever was seen within a face is read by that face, or is left
    out if the face is somebody else's.

    A face is also looked for here, in the whole picture: somebody painted over, who turned out to be nobody, may have
    taken it along. ended: whether the search was cancelled.
    """
    known = [*people]
    for number, person in enumerate(people):
        if ended() or _shows_clearly(person):
            yield person
            continue
        whose_face = _read_by_face(picture, person)
        found = whose_face or _with_face(picture, person)
        if found is None or not any(_is_face_of(found.face, other) for other in known if other is not person):
            known[number] = found or person
        elif whose_face:  # nobody: what was seen is part of that face
            continue
        yield known[number]


def _is_face_of(face: Face | None, person: Landmarks) -> bool:
    return is_own_face(person.face, person) and is_same_face(face, person.face)


def _shows_clearly(person: Landmarks) -> bool:
    """Whether a person's own face shows clearly; one that does not may be something in a larger face."""
    return person.face is not None and person.face.presence > _CLEAR and is_own_face(person.face, person)


def _with_face(picture: Image.Image, person: Landmarks) -> Landmarks | None:
    if is_own_face(person.face, person):
        return None
    face = face_of(picture, person.pixels)
    return replace(person, face=face) if is_own_face(face, person) else None


def whose_face_fills(picture: Image.Image) -> Landmarks | None:
    """Whose face fills a picture in which nobody was found: bodies that hardly show are not."""
    x, y = picture.width / 2, picture.height / 2
    for share in _FILLS:
        face = face_in(picture, Region((x, y), share * max(picture.size), 0.0))
        if face is not None and face.presence > _CLEAR:
            return _with_body(picture, face)
    return None


def _read_by_face(picture: Image.Image, person: Landmarks) -> Landmarks | None:
    """The body of a face that head and shoulders lie in; None if there is none, or its body is not seen."""
    if certainty(person) >= _UNSURE:
        return None
    return next((body for face in _faces_around(picture, person) if (body := _with_body(picture, face))), None)


def _with_body(picture: Image.Image, face: Face) -> Landmarks | None:
    """Whose face it is, by closer looks; None where they do not see it where the face is."""
    looks = distinct_looks(looks_at(picture, body_below(face)))
    seen = [again for look in looks if (again := with_quick_looks(picture, look)).looks]
    if not seen:
        return None
    closely = with_close_details(picture, max(seen, key=upper_certainty))
    theirs = is_own_face(closely.face, closely) and is_same_face(closely.face, face)
    return closely if theirs and upper_certainty(closely) >= _KEPT else None


def _faces_around(picture: Image.Image, person: Landmarks) -> Iterator[Face]:
    """Clear faces, upright or upside down, that the person's head and shoulders lie in."""
    head, shoulders = person.pixels[_HEAD], person.pixels[_SHOULDERS]
    points = np.concatenate([head, shoulders])
    low, high = points.min(axis=0), points.max(axis=0)
    x, y = (low + high) / 2
    for share in _SQUARES:
        face = face_in(picture, Region((float(x), float(y)), share * float((high - low).max()), 0.0))
        if face is not None and face.presence > _CLEAR and _lies_in(head.mean(axis=0), shoulders, face):
            yield face


def _lies_in(head: Array, shoulders: Array, face: Face) -> bool:
    """Whether the middle of a head (2,) and shoulders (2, 2) are seen within the oval of a face.

    Shoulders are never where the own face is, and whoever stands before a face hides it.
    """
    turn = Region((0.0, 0.0), 1.0, angle_of(face)).turn
    outline = face.points[:, :2] @ turn
    low, high = outline.min(axis=0), outline.max(axis=0)
    seen = np.stack([head, shoulders.mean(axis=0)]) @ turn
    inside = (np.linalg.norm((seen - (low + high) / 2) / ((high - low) / 2), axis=1) < _OVAL).all()
    return bool(inside and np.linalg.norm(np.subtract(*shoulders)) < _WIDE * face_size(face))


def body_below(face: Face) -> Region:
    """The square in which the landmark networks see the body of a face."""
    size, angle = face_size(face), angle_of(face)
    middle = (face.points[:, :2].min(axis=0) + face.points[:, :2].max(axis=0)) / 2
    x, y = middle + _BELOW * size * np.array([-np.sin(angle), np.cos(angle)])
    return Region((float(x), float(y)), _BODY * size, angle)
