"""The search of a picture in rounds: everyone found is painted over, and the rest is searched more closely."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from PIL import Image

from solver.photo.detection.blazepose import Answers, Detections, Landmarks, Region
from solver.photo.detection.closer_search import place_beside, salient_places
from solver.photo.detection.duplicates import SURE, newly_found
from solver.photo.detection.inpainting import without_people
from solver.photo.detection.parallel import parallel_map
from solver.photo.detection.plausibility import certainty, extent, is_worth_more_looks
from solver.photo.detection.regions import distinct_looks, distinct_regions, looks_at, weighted_nms
from solver.photo.detection.repeated_looks import with_quick_looks
from solver.photo.detection.second_opinion import needs_second_opinion
from solver.photo.detection.tiles import SearchPattern, downscaled_for_search, tile_searches

T = TypeVar("T")
R = TypeVar("R")

LIKELY = 0.5  # certainty from which a person is there once the sure ones are out of the way
_WORTH = 1.0  # a first look that could not become this certain is not repeated; for people found it is above 1.6
_HOPELESS = 0.0  # certainty, if all other looks agreed, below which three looks are enough
_QUICK = (SearchPattern(0),)
_THOROUGH = (*(SearchPattern(quarters) for quarters in range(4)), SearchPattern(0, (5,)))
_CROWD = (*_THOROUGH, SearchPattern(0, (8,)))
_CROWDED = 4  # this many who are sure are shown before everybody has been looked at
_TINY = 0.08  # of the picture's longest side: a smaller person is often one of many
_MANY = 8  # people known: others are often smaller
_MOST_REGIONS, _MOST_CLOSER = 40, 8  # looked at in a round, and among those of a closer search


class CancellableWork:
    """Work that reports how much of it is done, and ends when it is cancelled.

    report: called with the share done, 0..1.
    """

    def __init__(self, report: Callable[[float], None] | None, cancelled: Callable[[], bool] | None) -> None:
        self._report, self._cancelled = report, cancelled

    def is_cancelled(self) -> bool:
        """Whether somebody has cancelled it."""
        return bool(self._cancelled and self._cancelled())

    def map(self, work: Callable[[T], R], items: Sequence[T], begin: float, end: float) -> Iterator[R]:
        """The result for each item, in order; fewer if it was cancelled. begin, end: the share done."""
        if self.is_cancelled():
            return
        for done, made in enumerate(parallel_map(work, items)):
            yield made
            if self._report:
                self._report(begin + (end - begin) * (done + 1) / len(items))
            if self.is_cancelled():
                return


class Search:
    """A picture and the people known in it by now. people: each with the picture without those found before them.

    seen: everything seen, by several looks where they were worth it, with the picture it was seen in. closer: those
    only seen by a closer search, in which much looks like a person. doubted: all who may be people after several
    looks, including those known, each with the picture they were seen in. marks: by the detector, in tiles of the last
    round. show: called with the sure ones of a crowd
    while others are still being looked at in the first round.
    """

    def __init__(
        self, picture: Image.Image, work: CancellableWork, show: Callable[[Sequence[Landmarks]], None]
    ) -> None:
        self.people: list[tuple[Landmarks, Image.Image]] = []
        self.closer: list[Landmarks] = []
        self.seen: list[tuple[Landmarks, Image.Image]] = []
        self.doubted: list[tuple[Landmarks, Image.Image]] = []
        self.marks: list[Detections] = []
        self.picture, self._work, self._show = picture, work, show
        self._likely: list[Landmarks] = []  # at first sight, but not sure: they count in the next round too
        self._answers: Answers = {}  # where nobody new was painted over, tiles are the same as in the round before
        self._beside = 0  # around how many of those known the search has looked

    @property
    def known(self) -> list[Landmarks]:
        """Those found so far."""
        return [person for person, _ in self.people]

    def round(self, number: int, begin: float, end: float) -> list[Landmarks]:
        """The people new in a round, 0 for the first. begin, end: the share of all work done."""
        known, middle = self.known, (begin + end) / 2
        left = without_people(self.picture, known)
        usual, closer = self._detected(left, number, begin, middle)
        # Each search by itself: where two people are close, the marks of one search would be merged with the other's.
        self.marks = usual
        looks = self._looks(left, regions_of(usual), known, _WORTH, middle)
        more = self._looks(left, regions_of(closer)[:_MOST_CLOSER], known, SURE, middle)
        look_again = partial(with_quick_looks, left, worth=lambda person: certainty(person) >= _HOPELESS)
        candidates = self._work.map(look_again, [*looks, *more], middle, end)
        again = [*(candidates if number else self._shown(candidates))]
        self.seen += [(person, left) for person in again if person.looks]
        self.doubted += [(person, left) for person in again if needs_second_opinion(person, left.size)]
        by_closer = again[len(looks) :]
        self.closer += by_closer
        seen = [*self._likely, *again[: len(looks)], *(person for person in by_closer if certainty(person) >= SURE)]
        new = newly_found(seen, known, SURE if number == 0 else LIKELY)
        self.people += [(person, left) for person in new]
        self._likely = [person for person in seen if certainty(person) >= LIKELY] if number == 0 else []
        return new

    def _shown(self, candidates: Iterator[Landmarks]) -> Iterator[Landmarks]:
        """The candidates as they come. In a crowd, those found so far are shown each time the number of sure ones has
        doubled: sorting them out after each one would take longer."""
        sure: list[Landmarks] = []
        due = _CROWDED
        for person in candidates:
            yield person
            if certainty(person) >= SURE:
                sure.append(person)
                if len(sure) == due:
                    self._show(newly_found(sure, (), SURE))
                    due *= 2

    def _detected(
        self, left: Image.Image, number: int, begin: float, end: float
    ) -> tuple[list[Detections], list[Detections]]:
        """Detections in the whole picture and in tiles, and by the closer search, in the picture's pixels."""
        known = self.known
        small, factor = downscaled_for_search(left) if number else (left, 1)
        ways = search_patterns(number, known, self.picture.size)
        places = [place for way in ways for place in tile_searches(small, way, factor, self._answers)]
        usual = len(places)
        if number:
            places += [place_beside(left, person) for person in known[self._beside :]]
        if number == 1:
            places += salient_places(small, factor)
        self._beside = len(known)
        # Not in batches: a user may cancel, and cores would idle while they wait for the last of a batch.
        found = [*self._work.map(lambda place: place(), places, begin, end)]
        return [d for some in found[:usual] for d in some], [d for some in found[usual:] for d in some]

    def _looks(
        self, left: Image.Image, regions: Sequence[Region], known: Sequence[Landmarks], least: float, share: float
    ) -> list[Landmarks]:
        """First looks at regions, those that are worth further looks. least: the certainty that they could reach."""
        looks = [look for some in self._work.map(partial(looks_at, left), regions, share, share) for look in some]
        worth = [is_worth_more_looks(look, known, least) for look in looks]
        # Head and shoulders alone do not make a person certain, but there may be a face.
        self.seen += [(look, left) for look, more in zip(looks, worth, strict=True) if not more]
        return distinct_looks([look for look, more in zip(looks, worth, strict=True) if more])


def regions_of(found: list[Detections]) -> list[Region]:
    """The squares around detections that are worth a look, the most certain first."""
    return distinct_regions(weighted_nms(found))[:_MOST_REGIONS]


def search_patterns(number: int, known: Sequence[Landmarks], size: tuple[int, int]) -> tuple[SearchPattern, ...]:
    """How a picture of that size is searched in a round; more closely once many people, or a tiny one, were found."""
    if number == 0:
        return _QUICK
    crowded = len(known) >= _MANY or any(extent(person) < _TINY * max(size) for person in known)
    return _CROWD if crowded else _THOROUGH
