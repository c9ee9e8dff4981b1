"""A second try at a person about whose arms and legs the heavy network's looks disagree: its squares placed anew.

A network sees a person best in a square that lies about them as its training had it. The first squares are those of the
quick network's first look, which is off where people lie, or are partly hidden. So the heavy network looks again in
squares about its own landmarks. Whether that counts is told by how far its looks agree and, where that is little better
than before, by whether the metres fit as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PIL import Image

from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.face_and_hands import with_face_and_hands
from solver.photo.detection.inpainting import alone, partners
from solver.photo.detection.plausibility import limbs_apart
from solver.photo.detection.repeated_looks import sides_united
from solver.photo.second_try.new_looks import (
    NewLooks,
    counts,
    is_near,
    looked_about,
    sees_better,
    with_new_looks,
)

_ROUNDS = 4  # at most, in which squares are placed about the landmarks of the round before


def tried_again(
    picture: Image.Image, person: Landmarks, people: Sequence[Landmarks], ended: Callable[[], bool] = lambda: False
) -> Landmarks:
    """The person, with new looks by the heavy network in place of its former ones if these see better; else the very
    same. How present somebody is stays as it was, as that is told by the quick network.

    people: everybody known; those near the person are painted over. ended: whether the user has cancelled.
    """
    before = limbs_apart(sides_united(person.looks)) if len(person.looks) > 1 else None
    if before is None:
        return person
    others = partners(person, people)
    by_themselves = alone(picture, person, others) if others else picture
    best = _centred(by_themselves, person, before, ended)
    if best is None or ended():
        return person
    again = with_new_looks(person, best)
    return with_face_and_hands(by_themselves, again) if sees_better(again, person) else person


def _centred(picture: Image.Image, person: Landmarks, before: float, ended: Callable[[], bool]) -> NewLooks | None:
    """The looks about the landmarks, and again about where these have them, as long as they agree better; once they
    count, one more time."""
    best: NewLooks | None = None
    last: NewLooks | None = None
    for _ in range(_ROUNDS):
        new = None if ended() else looked_about(picture, last.median if last else person, person, before)
        if new is None or new.apart > (last.apart if last else before) or not is_near(new, person):
            break
        last, counted = new, best is not None
        best = new if counts(new, person) else None
        if counted:
            break
    return best
