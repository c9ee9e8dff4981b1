"""All people of a picture: found in rounds, then looked at closely, duplicates dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.duplicates import SURE, is_same_person, without_parts, without_prints, without_shared_heads
from solver.photo.detection.face_confirmation import confirmed_by_face
from solver.photo.detection.face_veto import not_vetoed, whose_face_fills
from solver.photo.detection.hidden_partners import hidden_partners, partners_left_over
from solver.photo.detection.inpainting import alone, partners
from solver.photo.detection.plausibility import (
    certainty,
    extent,
    is_part_of,
    is_rereading_of,
    joints_apart,
    shares_limbs,
)
from solver.photo.detection.repeated_looks import (
    closer_look,
    placed_by_looks_alone,
    with_close_details,
    with_quick_looks,
)
from solver.photo.detection.rounds import CancellableWork, Search
from solver.photo.detection.second_opinion import (
    confirmed_by_heavy_network,
    marked_and_seen_by_heavy_network,
    seen_by_heavy_network,
    tiny_beside_tiny,
    tiny_seen_by_heavy_network,
    tiny_where_nobody_is_sure,
)
from solver.photo.detection.surest_reading import KEPT, found_beside, other_readings, seen_without, surest_reading

# Rounds of the search: the share of all work done at the beginning and the end of each.
_ROUNDS = ((0.0, 0.2), (0.2, 0.5), (0.5, 0.6), (0.6, 0.65))
# Certainty below which whoever touches somebody sure is read anew, and by how much surer they must be for it.
_QUITE_SURE, _SURER = 3.0, 0.5
_MOVED = 0.1  # of the extent, between the joints: less than this leaves somebody where they are
_KEPT_CLOSER = 1.0  # certainty after the last looks from which people seen only by a closer search are there


def find_people(
    rgb: NDArray[np.uint8],
    report: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    so_far: Callable[[Sequence[Landmarks]], None] | None = None,
) -> list[Landmarks]:
    """Everybody in an (H, W, 3) picture, the most certain first. report: called with the share done, 0..1.

    so_far: called with the people known by then; closer looks may drop some.

    Everyone found is painted over, and the rest of the picture is searched again, more closely, until nobody is new.
    """
    work = CancellableWork(report, cancelled)

    def show(people: Sequence[Landmarks]) -> None:
        if so_far and not work.is_cancelled():
            so_far(people)

    search = Search(Image.fromarray(rgb), work, show)
    for number, (begin, end) in enumerate(_ROUNDS):
        if number and work.is_cancelled():
            break
        new = search.round(number, begin, end)
        show(search.known)
        if number and not new:
            break
    kept = without_prints(search.known)
    show(kept)
    firsts = _closely(search, kept, work)
    closely = without_shared_heads(without_parts([*firsts]))
    show(closely)
    for look in _closer_looks(search, work):
        if more := [*look.at(closely)]:
            closely = without_prints([*closely, *more])
            closely = without_shared_heads(without_parts(closely)) if look.sees_parts else closely
            show(closely)
    left_over = [*partners_left_over(search.picture, closely, work.is_cancelled)]
    if left_over:
        closely = without_prints([*closely, *left_over])
        show(closely)
    again = _without_late_partners(search, closely, firsts, left_over, work)
    again = _read_anew(search, again, firsts, left_over, work)
    if again != closely:
        closely = again
        show(closely)
    righted = [*not_vetoed(search.picture, closely, work.is_cancelled)]
    if not righted and not work.is_cancelled():
        alone = whose_face_fills(search.picture)
        righted = [alone] if alone else []
    if righted != closely:
        closely = righted
        show(closely)
    if work.is_cancelled():
        return []
    # Only now: who is somebody, and who is looked at anew, was tuned to the median of all looks.
    return [_placed(search, one, closely) for one in sorted(closely, key=lambda one: -one.presence * extent(one))]


class _CloserLook(NamedTuple):
    """A look for people who were missed. at: those it finds, given the people known. sees_parts: whether it may find
    parts of people, or heads twice."""

    at: Callable[[Sequence[Landmarks]], Iterable[Landmarks]]
    sees_parts: bool = True


def _closer_looks(search: Search, work: CancellableWork) -> Sequence[_CloserLook]:
    """The looks after the rounds of the search, in their order: each knows whom those before it have found."""
    picture, seen, ended = search.picture, search.seen, work.is_cancelled
    return (
        _CloserLook(lambda people: confirmed_by_heavy_network(search.doubted, [*search.known, *people], ended)),
        _CloserLook(lambda people: confirmed_by_face(seen, people, ended), sees_parts=False),
        _CloserLook(lambda people: marked_and_seen_by_heavy_network(picture, search.marks, people, ended)),
        _CloserLook(lambda people: seen_by_heavy_network(picture, seen, people, ended)),
        _CloserLook(lambda people: tiny_seen_by_heavy_network(seen, picture.size, people, ended)),
        _CloserLook(lambda people: tiny_where_nobody_is_sure(picture, people, work.map, _ROUNDS[-1][1], 1.0)),
        _CloserLook(lambda people: tiny_beside_tiny(picture, people, ended)),
        _CloserLook(lambda people: hidden_partners(picture, seen, search.marks, people, ended), sees_parts=False),
    )


def _placed(search: Search, person: Landmarks, people: Sequence[Landmarks]) -> Landmarks:
    """The person where the heavy network's looks without those near them have the landmarks."""

    def further() -> Landmarks | None:
        others = partners(person, people)
        return closer_look(alone(search.picture, person, others) if others else search.picture, person)

    return placed_by_looks_alone(person, further)


def _closely(search: Search, kept: Sequence[Landmarks], work: CancellableWork) -> dict[Landmarks, Landmarks]:
    """Those of the kept who are still there after closer looks, at each without the others near them, each with whom
    they were kept as; fewer if the search was cancelled."""
    people = [(person, left) for person, left in search.people if person in kept]

    def closely(one: tuple[Landmarks, Image.Image]) -> Landmarks:
        person, left = one

        def rivals() -> list[Landmarks]:
            others = [other for other, _ in people if other is not person]
            return other_readings(person, [reading for reading, _ in search.seen if reading.looks], others)

        if others := partners(person, [other for other, _ in people]):
            seen = seen_without(search.picture, person, others, work.is_cancelled, rivals)
            if _is_there(search, seen, person) or certainty(person) < SURE:
                return seen  # nobody who was sure is lost because others were seen wrongly and painted over them
        return with_close_details(left, *surest_reading(left, person, work.is_cancelled, rivals))

    close = work.map(closely, people, _ROUNDS[-1][1], 1.0)
    return {
        person: first for person, (first, _) in zip(close, people, strict=False) if _is_there(search, person, first)
    }


def _without_late_partners(
    search: Search,
    people: Sequence[Landmarks],
    firsts: Mapping[Landmarks, Landmarks],
    left_over: Sequence[Landmarks],
    work: CancellableWork,
) -> list[Landmarks]:
    """The people in the same order. Whoever was confirmed late is looked at again without those near them, and then,
    where they were seen again, those near them without them.

    firsts: whom all others were kept as. left_over: those confirmed late by a matte, who stay where they are. Fewer
    people come back if the search was cancelled.
    """
    seen_again: list[Landmarks] = []

    def late(person: Landmarks) -> Landmarks:
        others = partners(person, people)
        if person in firsts or not others:
            return person
        once_more = with_quick_looks(alone(search.picture, person, others), person.looks[0])
        seen = seen_without(search.picture, once_more, others, work.is_cancelled)
        by_matte = person in left_over
        if by_matte and joints_apart(seen, person) > _MOVED:
            seen_again.append(person)
            return person
        if not _is_there(search, seen, person) or certainty(seen) < SURE <= certainty(person):
            seen_again.extend([person] if by_matte else [])
            return person  # as they were: somebody near them may be wrongly read, and wrongly painted over
        seen_again.append(seen)
        return seen

    def near(person: Landmarks) -> Landmarks:
        first = firsts.get(person)
        if first is None or not partners(first, seen_again):
            return person
        others = partners(first, [other for other in known if other is not person])
        seen = seen_without(search.picture, first, others, work.is_cancelled)
        return seen if _is_there(search, seen, first) else person

    if all(person in firsts for person in people):
        return [*people]
    known = [*work.map(late, people, 1.0, 1.0)]
    return [*work.map(near, known, 1.0, 1.0)]


def _read_anew(
    search: Search,
    people: Sequence[Landmarks],
    firsts: Mapping[Landmarks, Landmarks],
    left_over: Sequence[Landmarks],
    work: CancellableWork,
) -> list[Landmarks]:
    """The people in the same order. Whoever is not quite sure and touches somebody sure is looked for anew where those
    who are sure are painted over. If that makes them surer, those whom they touch are looked at again without them: a
    reading that mixes two people is unsure, and spoils that of the other. Whoever lies on others' limbs and is not seen
    without these is made of them.

    firsts: whom all others were kept as. left_over: those confirmed by a matte: not made of others' limbs. Fewer
    people come back if the search was cancelled.
    """
    known = [*people]
    for person in people:
        if person not in known:  # looked at again already, as somebody near them was read anew
            continue
        sure = [other for other in partners(person, known) if certainty(other) >= SURE]
        near = [other for other in sure if shares_limbs(person, other)]
        if certainty(person) >= _QUITE_SURE or not near or work.is_cancelled():
            continue
        seen = found_beside(search.picture, person, sure, work.is_cancelled)
        if seen is None or certainty(seen) < KEPT:
            made_of_others = is_rereading_of(person, sure) or is_part_of(person, sure)
            if made_of_others and not any(joints_apart(person, one) < _MOVED for one in left_over):
                known.remove(person)
            continue
        others = [other for other in known if other is not person]
        surer = certainty(seen) >= max(SURE, certainty(person) + _SURER)
        if not surer or any(is_same_person(seen, other) for other in others):
            continue
        known[known.index(person)] = seen
        for other in near:
            known[known.index(other)] = _without_others(search, other, known, firsts.get(other), work)
    return known


def _without_others(
    search: Search, person: Landmarks, people: Sequence[Landmarks], first: Landmarks | None, work: CancellableWork
) -> Landmarks:
    """Somebody sure, looked at again without those near them; as they were if that makes them unsure.

    first: whom they were kept as; None for somebody confirmed late.
    """
    others = partners(person, people)
    if first is None:
        first = with_quick_looks(alone(search.picture, person, others), person.looks[0])
    seen = seen_without(search.picture, first, others, work.is_cancelled)
    return seen if certainty(seen) >= SURE else person


def _is_there(search: Search, person: Landmarks, first: Landmarks) -> bool:
    """Whether somebody is a person after closer looks. first: whom they were kept as."""
    return certainty(person) > (_KEPT_CLOSER if first in search.closer else KEPT)
