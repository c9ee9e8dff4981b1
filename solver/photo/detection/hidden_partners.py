"""Finds whoever is hidden by somebody known, or hides them, by looks at the two in turn.

Of two people close together the landmark networks may see one, with an arm or the head of the other. Where that mixture
is painted over, hardly anything is left of the other, and what is seen counts as a remnant. The heavy network may still
see somebody in it, roughly. So it looks at each of the two in turn, with the other painted over as last seen, and the
mixture comes apart. Where there is only one person, both looks end in the same reading.

Where somebody's limbs are painted over, a wide trunk is left and taken for a part of them, and so is a partner. Where
the silhouette is, only partners are left; and a matte that nobody known explains says that there is one.

Where more of a matte is left over, looks begin at several squares, each goes on where it saw somebody, and most of
those that end at somebody who is not known end at the same body. In a box that a user drew round a partner, less of it
will do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from PIL import Image

from solver.photo.detection.blazepose import Detections, Landmarks, Region, landmarks, region_of
from solver.photo.detection.closer_search import marks_about
from solver.photo.detection.duplicates import SURE, is_same_person
from solver.photo.detection.inpainting import alone, partners, without_people
from solver.photo.detection.models import HEAVY
from solver.photo.detection.plausibility import (
    certainty,
    extent,
    is_remnant_of,
    is_worth_more_looks,
    joints_apart,
    lies_on,
    shares_limbs,
)
from solver.photo.detection.regions import PRESENCE_THRESHOLD, iou, same_region, weighted_nms
from solver.photo.detection.repeated_looks import (
    WEIGHT_ALONE,
    agreed_close_looks_from,
    close_looks_from,
    median_of_close_looks,
    with_close_details,
    with_quick_looks,
)
from solver.photo.detection.silhouettes import Silhouettes, silhouettes, without_silhouettes
from solver.photo.detection.surest_reading import KEPT
from solver.photo.detection.turned_looks import Box, box_of

_MARKED, _FAINTLY = 0.8, 0.6  # of the detector's score; the lower one where somebody there is unsure, maybe a mixture
_READ, _LOOKS = 1.0, 3  # certainty of a reading, and how many looks saw it
_SIDE = 0.75  # of the person's extent
_LARGE = 0.15  # share of the picture's longest side
_TRIES = 2  # squares that are looked at for each person
_SIZE = 0.55  # of the known person's extent, from which somebody may be their partner
# Of the extent, between the joints of two readings: of one person; of two, if they are sure, or very sure, by the heavy
# network alone; and of one who is seen in two ways.
_ONE, _TWO, _CLOSE, _SAME = 0.08, 0.15, 0.11, 0.15
_SURE, _VERY_SURE = 2.0, 3.5  # certainty
_CLEAR = -0.8  # certainty of a single look from which it may be somebody else though it lies where somebody known does
_LEFT_OVER = 0.2  # share of a matte that nobody known explains, from which a partner is looked for
# The share of what is left over that lies on a partner's limbs, and of these that lies on it. Of a person seen once
# more where they are painted over, the latter is below 0.15.
_EXPLAINED, _ON_LEFT_OVER = 0.5, 0.2
_SURE_LEFT_OVER = 2.5  # certainty: a matte also fills gaps between two who are known, and somebody is seen there (2.2)
_LEFT = 0.0  # certainty of what is seen where all of the other is painted over
# Looks into a box: squares in units of its longer side, in the picture as it is and with those known painted over; how
# far these are moved aside; how often a look is followed.
_AS_IT_IS, _PAINTED, _ASIDE, _FOLLOWED = (0.85, 1.0), (1.0, 1.25), (0.0, 0.1, -0.1), 2
_ALIKE = 0.06  # of the extent, between the joints of looks that ended at the same body
_SHARED = 0.1  # of the box and of somebody known, from which they may hide somebody there
# In a box, the share of a matte that nobody known explains, and the share of that on somebody's limbs, from which they
# are there: where everybody is known, as much is left over around two who are close, but not on such readings (0.2).
_LEFT_OVER_IN_BOX, _EXPLAINED_IN_BOX = 0.1, 0.35
# Without a box, the share of a matte from which such looks are made; how many of the first and of the first three must
# see somebody new; and what such readings explain of what is left over, and the share of these that lies on it.
_CLEARLY_LEFT_OVER, _AT_FIRST, _ALIKE_AT_LEAST = 0.25, {1: 1, 3: 2}, 2
_EXPLAINED_BY_MANY, _ON_LEFT_OVER_BY_MANY = 0.25, 0.15
# How much of the box and of a reading's own box must be common; and by how much more than of somebody known, if the
# reading lies within 8% of them, but not within 4%.
_FITS, _FITS_MORE, _NEAR = 0.5, 0.1, 0.04


def hidden_partners(
    picture: Image.Image,
    seen: Sequence[tuple[Landmarks, Image.Image]],
    marks: Sequence[Detections],
    people: Sequence[Landmarks],
    ended: Callable[[], bool],
) -> Iterator[Landmarks]:
    """Whoever is so close to one of the people that they were taken for a part of them; after close looks.

    seen: all readings, by one or several looks. marks: what the detector marks where everybody is painted over. people:
    those known. ended: whether the search was cancelled.
    """
    known = [*people]
    tiles = weighted_nms([*marks])
    for person in people:
        if ended():
            return
        if extent(person) < _LARGE * max(picture.size):
            continue
        left = without_people(picture, known)
        others = [other for other in known if other is not person]
        there = [person, *(other for other in others if shares_limbs(person, other))]
        score = _MARKED if all(certainty(one) >= SURE for one in there) else _FAINTLY
        squares = _squares(left, person, [reading for reading, _ in seen], tiles, score)
        for square in squares[:_TRIES]:
            partner = _partner(picture, left, square, person, others, ended)
            if partner:
                known.append(partner)
                yield partner
                break


def _squares(
    left: Image.Image, person: Landmarks, readings: Sequence[Landmarks], tiles: Detections, least: float
) -> list[Region]:
    """Where a partner of a person may be: what the detector marks best, about the person or in a tile, then readings
    that lie on the person. left: the picture with everybody painted over. least: the detector's score."""
    low, high = person.pixels[:33].min(axis=0), person.pixels[:33].max(axis=0)
    marked: list[tuple[float, Region]] = []
    for found in (weighted_nms([marks_about(left, person)]), tiles):
        for score, (hips, end, *_) in zip(found.scores, found.points, strict=True):
            square = region_of(hips, end)
            inside = bool(((hips > low) & (hips < high)).all())
            if score >= least and inside and square.side >= _SIDE * extent(person):
                marked.append((float(score), square))
    squares: list[Region] = []
    for _, square in sorted(marked, key=lambda one: -one[0]):
        if not any(same_region(square, other) for other in squares):
            squares.append(square)
    for reading in sorted(readings, key=certainty, reverse=True):
        if certainty(reading) < _READ:
            break
        if len(reading.looks) < _LOOKS or extent(reading) < _SIZE * extent(person) or not lies_on(reading, person):
            continue
        square = _square(reading)
        if joints_apart(reading, person) > _ONE and not any(same_region(square, other) for other in squares):
            squares.append(square)
    return squares


def _partner(
    picture: Image.Image,
    left: Image.Image,
    square: Region,
    person: Landmarks,
    others: Sequence[Landmarks],
    ended: Callable[[], bool],
) -> Landmarks | None:
    """Somebody else than the person in a square, if the heavy network sees two people; after close looks.

    Each is looked at in the square of their last look, with the other painted over as last seen: each look makes the
    next one better. ended: whether the search was cancelled; then nobody comes back.
    """

    def seen(among: Image.Image, where: Region) -> Landmarks | None:
        return None if ended() else _seen(among, where)

    def seen_closely(among: Image.Image, look: Landmarks | None) -> list[Landmarks]:
        return [] if look is None or ended() else close_looks_from(among, look)

    def is_only_left_over(look: Landmarks) -> bool:
        known = any(joints_apart(look, one) < _ONE for one in (person, *others))
        return known and certainty(look) < _CLEAR

    hidden = seen(left, square)
    if hidden is None or is_only_left_over(hidden):
        return None
    hidden = seen(left, _square(hidden)) or hidden
    if is_only_left_over(hidden):
        return None
    first = seen(alone(picture, person, [*others, hidden]), _square(person))
    if first is None:
        return None
    hidden = seen(without_people(picture, [*others, first]), _square(hidden))
    if hidden is None or joints_apart(hidden, first) < _ONE:
        return None
    # Where the other one's limbs are not painted over, a single person is seen again.
    hidden = seen(alone(picture, hidden, [*others, first]), _square(hidden))
    if hidden is None or joints_apart(hidden, first) < _ONE:
        return None
    first = median_of_close_looks(seen_closely(alone(picture, first, [*others, hidden]), first))
    if first is None:
        return None
    by_themselves = alone(picture, hidden, [*others, first])
    close = seen_closely(by_themselves, seen(by_themselves, _square(hidden)) or hidden)
    sure = median_of_close_looks(close)
    if sure is None or not _are_two(sure, first):
        return None
    if is_remnant_of(sure, others) or any(is_same_person(sure, other) for other in others):
        return None
    without_first = without_people(picture, [*others, first])
    again = median_of_close_looks(seen_closely(without_first, seen(without_first, _square(sure))))
    if again is None or certainty(again) < _LEFT or joints_apart(again, sure) > _SAME or ended():
        return None
    partner = with_close_details(by_themselves, with_quick_looks(by_themselves, sure.looks[0]), close, WEIGHT_ALONE)
    return partner if certainty(partner) > KEPT else None


def partners_left_over(
    picture: Image.Image, people: Sequence[Landmarks], ended: Callable[[], bool]
) -> Iterator[Landmarks]:
    """Whoever is close to one of the people, where a matte shows more than their silhouettes; after close looks.

    people: those known. ended: whether the search was cancelled.
    """
    known = [*people]
    for person in people:
        if ended():
            return
        if extent(person) < _LARGE * max(picture.size):
            continue
        shown = silhouettes(picture, person, partners(person, known))
        rest = shown.left_over
        if rest.sum() < _LEFT_OVER * max(shown.anybody.sum(), 1):
            continue
        left = without_silhouettes(picture, shown, known)
        partner = _partner_left_over(left, _square_left_over(person, shown), known, shown, ended)
        if not partner and rest.sum() >= _CLEARLY_LEFT_OVER * shown.anybody.sum() and not ended():
            partner = _partner_by_many_looks(picture, person, partners(person, known), shown, ended)
        if partner:
            known.append(partner)
            yield partner


def _square_left_over(person: Landmarks, shown: Silhouettes) -> Region:
    """Where somebody left over may be: the person's own square, moved aside to the middle of what is left over."""
    own = _square(person)
    aside = float((shown.middle_left_over - own.centre) @ own.turn[:, 0])
    x, y = own.centre + aside * own.turn[:, 0]
    return replace(own, centre=(float(x), float(y)))


def _partner_left_over(
    left: Image.Image,
    square: Region,
    known: Sequence[Landmarks],
    shown: Silhouettes,
    ended: Callable[[], bool],
) -> Landmarks | None:
    """Somebody else than those known in a square, if the heavy network sees them where a matte is left over; after
    close looks. left: the picture without the silhouettes of those known. ended: whether the search was cancelled."""
    look = _seen(left, square)
    if look is None or ended() or not _explains(shown, look):
        return None
    look = _seen(left, _square(look))
    if look is None or ended() or not _explains(shown, look):
        return None
    close = agreed_close_looks_from(left, look)
    sure = median_of_close_looks(close)
    if sure is None or certainty(sure) < _SURE_LEFT_OVER or not _explains(shown, sure):
        return None
    if any(joints_apart(sure, one) < _ONE or is_same_person(sure, one) for one in known):
        return None
    partner = with_close_details(left, with_quick_looks(left, look), close, WEIGHT_ALONE)
    return partner if certainty(partner) > KEPT else None


def _partner_by_many_looks(
    picture: Image.Image,
    person: Landmarks,
    others: Sequence[Landmarks],
    shown: Silhouettes,
    ended: Callable[[], bool],
) -> Landmarks | None:
    """Somebody else than a person and others near them, where looks end that begin in several squares about the person
    and what a matte leaves over; after close looks. ended: whether the search was cancelled."""
    near = [person, *others]

    def is_new(look: Landmarks) -> bool:
        explained, share = shown.explained_by(look)
        apart = all(joints_apart(look, one) > _ONE for one in near)
        return apart and explained > _EXPLAINED_BY_MANY and share > _ON_LEFT_OVER_BY_MANY

    seen: list[Landmarks] = []
    own, rest = np.array(box_of(person, picture.size)), np.array(shown.box_left_over)
    box = (*np.minimum(own, rest)[:2], *np.maximum(own, rest)[2:])
    for number, look in enumerate(_ends_in_box(picture, box, near), start=1):
        seen += [look] if look.presence >= PRESENCE_THRESHOLD and is_new(look) else []
        if ended() or len(seen) < _AT_FIRST.get(number, 0):
            return None
    tried: list[Landmarks] = []
    for count, look in _most_alike(seen, lambda look: shown.explained_by(look)[0]):
        if count < _ALIKE_AT_LEAST or len(tried) == _TRIES or ended():
            break
        if any(joints_apart(look, other) < _ALIKE for other in tried):
            continue
        tried.append(look)
        by_themselves = alone(picture, look, near)
        close = close_looks_from(by_themselves, look)
        sure = median_of_close_looks(close)
        if sure is not None and certainty(sure) > _SURE and is_new(sure):
            partner = with_close_details(by_themselves, with_quick_looks(by_themselves, look), close, WEIGHT_ALONE)
            return partner if certainty(partner) > KEPT else None
    return None


def partner_in_box(picture: Image.Image, box: Box, people: Sequence[Landmarks]) -> Landmarks | None:
    """Whoever is in a box (left, top, right, bottom, pixels) so close to those known in it that they were taken for a
    part of them; after close looks by the heavy network alone.

    Nobody is looked for where a matte shows no more than the silhouettes of those known.
    """

    def common(one: Landmarks) -> float:
        return float(iou(np.array(box), np.array([box_of(one, picture.size)]))[0])

    near = [person for person in people if common(person) > _SHARED]
    shown = [silhouettes(picture, person, [one for one in people if one is not person]) for person in near]
    shown = [each for each in shown if each.left_over.sum() >= _LEFT_OVER_IN_BOX * max(each.anybody.sum(), 1)]
    if not shown:
        return None

    def is_new(look: Landmarks) -> bool:
        return any(each.explained_by(look)[0] > _EXPLAINED_IN_BOX for each in shown) and all(
            (away := joints_apart(look, one)) > _ONE or (away > _NEAR and common(look) > common(one) + _FITS_MORE)
            for one in near
        )

    ends = _ends_in_box(picture, box, near)
    seen = [look for look in ends if look.presence >= PRESENCE_THRESHOLD and is_new(look)]
    for _, best in _most_alike(seen, common):
        by_themselves = alone(picture, best, near)
        sure = median_of_close_looks(close_looks_from(by_themselves, best))
        if sure is not None and certainty(sure) > _SURE and common(sure) > _FITS and is_new(sure):
            return with_close_details(by_themselves, sure, [])
    return None


def _most_alike(seen: Sequence[Landmarks], weight: Callable[[Landmarks], float]) -> list[tuple[int, Landmarks]]:
    """Looks, each with how many ended at the same body; those first that have most of these, times a weight."""
    alike = [sum(joints_apart(other, look) < _ALIKE for other in seen) for look in seen]
    worth = [count * weight(look) for count, look in zip(alike, seen, strict=True)]
    return [(alike[n], seen[n]) for n in np.argsort(worth)[::-1]]


def _ends_in_box(picture: Image.Image, box: Box, known: Sequence[Landmarks]) -> Iterator[Landmarks]:
    """Where looks end that begin in a box and go on where each saw somebody, without those known: first those that
    begin where these are painted over."""
    left, top, right, bottom = box
    middle, side = ((left + right) / 2, (top + bottom) / 2), max(right - left, bottom - top)

    def end(among: Image.Image, scale: float, aside: float) -> Landmarks:
        look = landmarks(among, Region((middle[0] + aside * side, middle[1]), scale * side, 0.0), HEAVY)
        for _ in range(_FOLLOWED):
            if look.presence >= PRESENCE_THRESHOLD:
                look = landmarks(alone(picture, look, known), _square(look), HEAVY)
        return look

    for among, scales in (without_people(picture, known), _PAINTED), (picture, _AS_IT_IS):
        yield from (end(among, scale, aside) for scale in scales for aside in _ASIDE)


def _explains(shown: Silhouettes, person: Landmarks) -> bool:
    """Whether a person's limbs are most of what is left over of a matte, and lie there with a fair share."""
    explained, share = shown.explained_by(person)
    return explained > _EXPLAINED and share > _ON_LEFT_OVER


def _are_two(person: Landmarks, other: Landmarks) -> bool:
    """Whether a person is sure to be somebody else; the nearer the two are, the surer each must be."""
    apart = joints_apart(person, other)
    return (apart > _TWO and certainty(person) > _SURE) or (
        apart > _CLOSE and min(certainty(person), certainty(other)) > _VERY_SURE
    )


def _square(person: Landmarks) -> Region:
    return region_of(person.pixels[33], person.pixels[34])


def _seen(picture: Image.Image, square: Region) -> Landmarks | None:
    """What the heavy network sees in a square, if it is somebody who could become sure."""
    look = landmarks(picture, square, HEAVY)
    return look if look.presence >= PRESENCE_THRESHOLD and is_worth_more_looks(look, (), SURE) else None
