"""Which of those seen count: each person once, no part of a person, and nobody in a print or in somebody's head."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.face_and_hands import head_of
from solver.photo.detection.faces import is_clear_face, is_same_face
from solver.photo.detection.plausibility import certainty, extent, is_behind, is_remnant_of, is_rereading_of

SURE = 1.5  # certainty from which a person is there at first sight
_PRINT = 0.2  # share of a person's extent below which somebody in front of the trunk is a print on the shirt
_AS_LARGE = 0.85  # of the larger one's extent, from which the smaller of two is about the same size
_LESS_SURE = 2.5  # difference in certainty from which the larger of two is much less sure
_SAME_POSE = 0.25  # mean distance of landmarks, in units of the smaller person's half extent
# Of a head's size: how near to its middle the middle of the limbs, and each of their joints, is of who is seen in it.
_AMID_HEAD, _AROUND_HEAD = 0.55, 1.25
_HEAD, _LIMB_JOINTS = slice(11), (*range(11, 17), *range(23, 29))
_SAME_HEAD = 0.4  # of a head's size: two heads whose middles are nearer than this cannot be two people's


def newly_found(seen: Sequence[Landmarks], known: Sequence[Landmarks], least: float) -> list[Landmarks]:
    """Those seen several times who are certain enough and not yet known, the most certain first."""
    new: list[Landmarks] = []
    for person in sorted(seen, key=certainty, reverse=True):
        if certainty(person) < least:
            break
        if is_remnant_of(person, known) or is_rereading_of(person, new):
            continue
        if not any(is_same_person(person, other) for other in (*known, *new)):
            new.append(person)
    return new


def is_same_person(a: Landmarks, b: Landmarks) -> bool:
    """Whether two of those seen have their trunks, upper arms and thighs in the same places."""
    trunk = [11, 12, 13, 14, 23, 24, 25, 26]
    apart = float(np.linalg.norm(a.pixels[trunk] - b.pixels[trunk], axis=1).mean())
    return apart < _SAME_POSE * min(extent(a), extent(b)) / 2


def without_prints(people: list[Landmarks]) -> list[Landmarks]:
    """The people without those who are only printed on somebody's clothes, or made up of somebody's head, in the same
    order."""
    return [
        person
        for person in people
        if not any(_on_the_clothes(person, other) or _in_the_head(person, other) for other in people)
    ]


def without_parts(people: list[Landmarks]) -> list[Landmarks]:
    """The people without those who lie on somebody larger, limb on limb, in the same order.

    people: in the order in which they were found.

    Closer looks move landmarks: what seemed to be another person may turn out to be a part of somebody. If the larger
    one is much less sure, it is the one that goes: it was made up from the smaller one and its surroundings. Of two of
    about the same size neither is a part: the later one, seen when the first was painted over, is what was left.
    """
    pairs = [(a, b) for a in people for b in people if extent(b) > extent(a) and _lies_within(a, b)]
    gone = set()
    for small, large in pairs:
        first, later = (large, small) if people.index(large) < people.index(small) else (small, large)
        stays, goes = (first, later) if extent(small) > _AS_LARGE * extent(large) else (large, small)
        gone.add(id(stays if certainty(stays) < min(certainty(goes) - _LESS_SURE, SURE) else goes))
    return [person for person in people if id(person) not in gone]


def _lies_within(person: Landmarks, large: Landmarks) -> bool:
    return is_rereading_of(person, [large]) and not is_behind(person, large, SURE)


def without_shared_heads(people: list[Landmarks]) -> list[Landmarks]:
    """The people, after closer looks, with only one reading of each face or head, in the same order.

    Of two with the same face the surer stays. One who shows no face, and is unsure, gives way to one who is sure.
    """
    return [person for person in people if not any(_has_the_head_of(person, other) for other in people)]


def heads_apart(a: Landmarks, b: Landmarks) -> float:
    """The distance between the middles of two heads in the picture, as a share of the larger one's size."""
    apart = np.linalg.norm(a.pixels[_HEAD].mean(axis=0) - b.pixels[_HEAD].mean(axis=0))
    return float(apart) / max(head_of(a.pixels), head_of(b.pixels), 1e-9)


def _has_the_head_of(person: Landmarks, other: Landmarks) -> bool:
    if is_same_face(person.face, other.face):
        return certainty(other) > certainty(person)
    if person.face is not None and is_clear_face(person.face):
        return False
    return certainty(person) < SURE <= certainty(other) and heads_apart(person, other) < _SAME_HEAD


def _on_the_clothes(small: Landmarks, large: Landmarks) -> bool:
    """Whether a tiny person shows face and shoulders on another's trunk; one looking over a shoulder does not."""
    if extent(small) > _PRINT * extent(large):
        return False
    corners = large.pixels[[11, 12, 24, 23]]
    sides = np.roll(corners, -1, axis=0) - corners
    to = small.pixels[:13, None] - corners
    turns = sides[:, 0] * to[..., 1] - sides[:, 1] * to[..., 0]
    return bool((turns > 0).all() or (turns < 0).all())


def _in_the_head(small: Landmarks, large: Landmarks) -> bool:
    """Whether somebody's limbs are seen in the head, perhaps with a hand before it, of one who is surer, and who would
    hide whoever stands so small behind. One who stands beside the head is not in it."""
    if extent(small) >= extent(large) or certainty(large) < max(certainty(small), SURE):
        return False
    head, limbs = large.pixels[_HEAD].mean(axis=0), small.pixels[[*_LIMB_JOINTS]]
    amid, furthest = np.linalg.norm(limbs.mean(axis=0) - head), np.linalg.norm(limbs - head, axis=1).max()
    size = head_of(large.pixels)
    return bool(amid < _AMID_HEAD * size and furthest < _AROUND_HEAD * size)
