"""A second try at a person about whose arms and legs the heavy network's looks disagree: its squares placed anew.

A network sees a person best in a square that lies about them as its training had it. The first squares are those of the
quick network's first look, which is off where people lie, or are partly hidden. So the heavy network looks again in
squares about its own landmarks, and where that does not bring its looks together, in squares turned about the person:
several readings, each looked at in squares about itself. Which counts is told by how far its looks agree and, where
that is little better than before, by whether the metres fit as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from PIL import Image

from solver.photo.detection.blazepose import Landmarks, Region, landmarks, region_of
from solver.photo.detection.face_and_hands import with_face_and_hands
from solver.photo.detection.inpainting import alone, partners
from solver.photo.detection.models import HEAVY
from solver.photo.detection.parallel import parallel_map
from solver.photo.detection.plausibility import joints_apart, limbs_apart
from solver.photo.detection.regions import PRESENCE_THRESHOLD
from solver.photo.detection.repeated_looks import sides_united
from solver.photo.detection.turned_looks import box_of
from solver.photo.second_try.new_looks import (
    AGREE,
    NewLooks,
    counts,
    is_hopeless,
    is_near,
    looked_about,
    sees_better,
    with_new_looks,
)

_ROUNDS = 4  # at most, in which squares are placed about the landmarks of the round before
_TURNS, _AROUND = 8, 1.25  # squares that are turned about a person, and their side in units of the box's longer one
# Of the extent, between the joints: below which readings are one, and of the person at all; and from which one, in the
# turned square, is of somebody else also in a square that is centred.
_ALIKE, _NEAR, _FAR = 0.06, 0.15, 0.2
_NEARLY = 0.035  # how far looks at a reading may disagree, for squares to be placed anew about what they see
_SURE = 2.0  # certainty, by the new looks alone, of a reading from a turned square


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
    if (best.apart if best else before) >= AGREE:
        best = _turned(by_themselves, person, ended) or best
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


def _turned(picture: Image.Image, person: Landmarks, ended: Callable[[], bool]) -> NewLooks | None:
    """Of readings from squares turned about the person, each looked at about itself, the one whose looks agree best."""
    found: list[NewLooks] = []
    for reading in _readings(picture, person, ended):
        if ended():
            break
        if is_hopeless(picture, reading):
            continue
        first = looked_about(picture, reading, person, _NEARLY)
        new = looked_about(picture, first.median, person, _NEARLY) if first and first.apart < _NEARLY else None
        if new is not None and counts(new, person) and new.certainty >= _SURE:
            found.append(new)
    return min(found, key=lambda one: one.apart, default=None)


def _readings(picture: Image.Image, person: Landmarks, ended: Callable[[], bool]) -> list[Landmarks]:
    """What the heavy network sees of the person in squares that the quick one, which looks at turned squares, centres;
    none like another."""
    left, top, right, bottom = box_of(person, picture.size)
    middle, side = ((left + right) / 2, (top + bottom) / 2), _AROUND * max(right - left, bottom - top)
    upright, kept = _square(person).angle, list[Landmarks]()
    turned = [Region(middle, side, upright + turn * 2 * np.pi / _TURNS) for turn in range(_TURNS)]
    for first in parallel_map(partial(landmarks, picture), turned):
        if ended():
            break
        if first.presence < PRESENCE_THRESHOLD or joints_apart(first, person) >= _FAR:
            continue
        seen = landmarks(picture, _square(first), HEAVY)
        if seen.presence < PRESENCE_THRESHOLD or joints_apart(seen, person) >= _NEAR:
            continue
        if all(joints_apart(seen, other) >= _ALIKE for other in kept):
            kept.append(seen)
    return kept


def _square(person: Landmarks) -> Region:
    return region_of(person.pixels[33], person.pixels[34])
