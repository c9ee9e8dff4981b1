"""Confirms people by their face where too little else shows: at a table, behind others, cut off by the border.

Where the legs are hidden, the looks disagree about them, and so about the whole person. Faces have a network of their
own, which hardly takes anything else for one, so a face that belongs to nobody yet is another person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from PIL import Image

from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.duplicates import heads_apart
from solver.photo.detection.face_and_hands import face_of
from solver.photo.detection.faces import is_own_face, is_same_face
from solver.photo.detection.plausibility import upper_certainty
from solver.photo.detection.repeated_looks import with_close_details, with_quick_looks

_WORTH = -4.0  # certainty of the upper body from which a face is looked for
_KEPT = -1.5  # the same, after all looks, from which a person is there
_TRIES = 3  # readings of one head in which a face is looked for
_SAME_HEAD = 0.6  # of a head's size between the middles of two that are one


def confirmed_by_face(
    seen: Sequence[tuple[Landmarks, Image.Image]], people: Sequence[Landmarks], ended: Callable[[], bool]
) -> Iterator[Landmarks]:
    """Those of the seen, each with the picture they were seen in, whose face is nobody else's; after closer looks.

    people: those known already. ended: whether the search was cancelled.
    """
    known, tried = [*people], list[Landmarks]()
    for person, left in sorted(seen, key=lambda one: -upper_certainty(one[0])):
        if ended() or upper_certainty(person) < _WORTH:
            return
        if any(heads_apart(person, other) < _SAME_HEAD for other in known):
            continue
        if sum(heads_apart(person, other) < _SAME_HEAD for other in tried) >= _TRIES:
            continue
        tried.append(person)
        face = face_of(left, person.pixels)
        if not is_own_face(face, person) or any(is_same_face(face, other.face) for other in known):
            continue
        first = person.looks[0] if person.looks else person
        closely = with_close_details(left, with_quick_looks(left, first))
        if not is_own_face(closely.face, closely) or upper_certainty(closely) < _KEPT:
            continue
        known.append(closely)
        yield closely
