"""Repeated looks at one person with varied crops (test-time augmentation): steadier landmarks, and their spread.

A network's errors change with the crop and when left and right are swapped, and two networks err independently. The
median of several looks errs less than most of them, and their spread shows where the picture is ambiguous.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from solver.photo.detection.blazepose import MIRRORED, Landmarks, Region, landmarks, mirrored_back, region_of
from solver.photo.detection.face_and_hands import with_face_and_hands
from solver.photo.detection.models import FULL, HEAVY
from solver.photo.detection.parallel import parallel_map
from solver.photo.detection.plausibility import certainty, extent

LookVariant = tuple[float, float, bool]  # scale of the region, turn in radians, mirrored or not
Looks = dict[LookVariant, Landmarks | None]  # None: nobody was seen, or somebody else

_BEGIN = 3  # looks after which it may stop
_LOOKS: tuple[LookVariant, ...] = (
    (1.0, 0.0, False), (0.85, 0.0, False), (1.2, 0.0, False),
    (0.85, 0.0, True), (1.0, 0.15, True), (1.2, -0.15, True),
)  # fmt: skip
_CLOSE_LOOKS = (_LOOKS[0], *_LOOKS[2:5])  # two more would take half as long again and add little
_WIDE, _ENOUGH = 1, 3  # which of these is in a wider square; how many are enough to place landmarks without quick looks
# Close looks without others that disagree by this share of the extent get one more, in a square that much narrower.
_DISAGREE, _NARROW = 0.01, 0.92
_FITS_LESS = 0.5  # certainty lost by that from which a limb is likely put on another: the metres are by all looks
# How often a close look without others who are near counts: the quick looks were made with these still in the picture,
# or with what they hide painted over.
WEIGHT_ALONE = 3
_SAME = 0.15  # mean distance of landmarks, as a share of the region's side, from which a look saw somebody else
_PRESENCE = 0.5
# As a share of the extent: by how much nearer to the others a look must be with its sides exchanged to see the person
# from the other side. And where the side is open: the two differ by as much in the mean, and hardly more looks see one.
_OTHER_SIDE, _DIFFER, _OPEN = 0.05, 0.06, 0.3
_DOUBTED = 0.2  # share of the looks that see the other side, from which that is worth a fit


def with_quick_looks(
    picture: Image.Image, first: Landmarks, worth: Callable[[Landmarks], bool] | None = None
) -> Landmarks:
    """A person again, with the median landmarks of several looks by the quick network, and their spread.

    worth: asked after three looks, with their median as it would be if all others agreed: whether to look further.
    """
    look = _looks_of(picture, first, FULL)
    seen = [first, *look(_LOOKS[1:_BEGIN])]
    if worth is not None:
        agreeing = seen if len(seen) > 1 else 2 * seen  # a single look does not say how far off others would be
        if not worth(_with_presence(agreeing, len(_LOOKS) - _BEGIN + _presences(seen))):
            return _with_presence(seen, _presences(seen))
    seen += look(_LOOKS[_BEGIN:])
    # Lower where a look saw something else: what only seems to be a person rarely seems so twice.
    return _with_presence(seen, _presences(seen))


def _presences(seen: Sequence[Landmarks]) -> float:
    return sum(look.presence for look in seen)


def _with_presence(seen: Sequence[Landmarks], presences: float) -> Landmarks:
    """The median of looks. presences: the sum over all looks made or yet to be made, 0 for those that saw nobody."""
    return replace(median_of(tuple(seen)), presence=presences / len(_LOOKS))


def close_looks(picture: Image.Image, person: Landmarks) -> list[Landmarks]:
    """The heavy network's looks at a person after `with_quick_looks`; looks that saw somebody else are left out."""
    return close_looks_from(picture, person.looks[0])


def close_looks_from(picture: Image.Image, first: Landmarks) -> list[Landmarks]:
    """The heavy network's looks at the person whom a first look saw; looks that saw somebody else are left out."""
    return _looks_of(picture, first, HEAVY)(_CLOSE_LOOKS)


def heavy_looks(picture: Image.Image, first: Landmarks, variants: Sequence[LookVariant]) -> list[Landmarks]:
    """The heavy network's looks, in these ways, at the person whom a first look saw; those that saw somebody else are
    left out."""
    return _looks_of(picture, first, HEAVY)(variants)


def agreed_close_looks(picture: Image.Image, person: Landmarks) -> list[Landmarks]:
    """`close_looks` if every one of them saw the person, else none: the first one that did not is the last made."""
    return agreed_close_looks_from(picture, person.looks[0])


def agreed_close_looks_from(picture: Image.Image, first: Landmarks) -> list[Landmarks]:
    """`agreed_close_looks` at the person whom a first look saw."""
    look = _looks_of(picture, first, HEAVY)
    seen: list[Landmarks] = []
    for variant in _CLOSE_LOOKS:
        one = look((variant,))
        if not one:
            return []
        seen += one
    return seen


def median_of_close_looks(close: Sequence[Landmarks]) -> Landmarks | None:
    """The median of `close_looks` alone; presence is the share of looks that saw the person. None without any."""
    return replace(median_of(tuple(close)), presence=len(close) / len(_CLOSE_LOOKS)) if close else None


def with_close_looks(person: Landmarks, close: Sequence[Landmarks], weight: int = 1) -> Landmarks:
    """A person after `with_quick_looks`, with `close_looks` among those of the median. weight: how often each of these
    counts in it; how far looks disagree does not depend on that.

    The presence stays as it was: the thresholds are tuned to the quick network's.
    """
    both, where = median_of((*person.looks, *close)), median_of(sides_united((*person.looks, *weight * [*close])))
    alone = len(close) if weight == WEIGHT_ALONE else 0
    return replace(where, presence=person.presence, spread=both.spread, looks=both.looks, alone=alone)


def placed_by_looks_alone(person: Landmarks, further: Callable[[], Landmarks | None] = lambda: None) -> Landmarks:
    """The person with the landmarks where the close looks without others have them in the picture, if there are enough
    of these, the sides are not open, and the metres fit them hardly less well: the quick network is further off, and so
    is the heavy one in a wider square, which counts half. further: asked for one more look, see `closer_look`, where
    these disagree."""
    count = person.alone
    if count < _ENOUGH or sides_are_open(person):
        return person
    quick, close = person.looks[:-count], person.looks[-count:]
    more = further() if _disagreement(sides_united((*quick, *close))[-count:]) > _DISAGREE else None
    seen = sides_united((*quick, *WEIGHT_ALONE * close, *((more,) if more else ())))[len(quick) + 2 * count :]
    wide = (_WIDE,) if count == len(_CLOSE_LOOKS) else ()
    again = (look for number, look in enumerate(seen) if number not in wide)
    placed = replace(person, pixels=median_of((*seen, *again)).pixels)
    return placed if certainty(placed) > certainty(person) - _FITS_LESS else person


def closer_look(picture: Image.Image, person: Landmarks) -> Landmarks | None:
    """One more look by the heavy network, in a narrower square about the landmarks; None if it saw somebody else. It is
    for placing landmarks: how certain people are was tuned without it."""
    base = region_of(person.pixels[33], person.pixels[34])
    look = landmarks(picture, Region(base.centre, _NARROW * base.side, base.angle), HEAVY)
    return look if look.presence >= _PRESENCE and _apart(look, person) < _SAME * base.side else None


def _disagreement(seen: Sequence[Landmarks]) -> float:
    """How far looks are from their median, in the mean of the limbs' joints, as a share of the extent."""
    marks = np.stack([look.pixels[_LIMB_JOINTS] for look in seen])
    off = np.linalg.norm(marks - np.median(marks, axis=0), axis=2).mean()
    return float(off) / max(extent(seen[0]), 1.0)


def with_close_details(
    picture: Image.Image, person: Landmarks, close: Sequence[Landmarks] | None = None, weight: int = 1
) -> Landmarks:
    """A person `with_close_looks`, and with face and hands. close: the `close_looks` at them, where they were made.
    weight: as in `with_close_looks`."""
    if close is None:
        close = close_looks(picture, person)
    return with_face_and_hands(picture, with_close_looks(person, close, weight))


def sides_are_open(person: Landmarks) -> bool:
    """Whether hardly more of the looks at a person see them from one side than from the other."""
    if len(person.looks) < 2:
        return False
    nearer = _nearer_as_seen(person.looks)
    differ = float(np.abs(nearer).mean())
    return differ > _DIFFER and abs(float(nearer.mean())) < _OPEN * differ


def sides_are_doubted(person: Landmarks) -> bool:
    """Whether some of the looks at a person see them from the other side than most do."""
    if len(person.looks) < 2:
        return False
    nearer = _nearer_as_seen(person.looks)
    other = float((nearer < -_OTHER_SIDE).mean())
    return _DOUBTED <= other <= 1 - _DOUBTED


def with_sides_exchanged(person: Landmarks) -> Landmarks:
    """The person as read from the other side: left and right exchanged, near and far too, with an unchanged outline.

    Their hands, seen as those of the other sides, are left out.
    """
    return replace(
        person,
        pixels=person.pixels[[*MIRRORED, *range(33, len(person.pixels))]],
        visibility=person.visibility[MIRRORED],
        world=person.world[MIRRORED] * [1.0, 1.0, -1.0],
        spread=person.spread[MIRRORED] if person.spread is not None else None,
        hands=(None, None),
    )


def sides_united(seen: tuple[Landmarks, ...]) -> tuple[Landmarks, ...]:
    """The looks, with left and right exchanged in those that see the person from the other side than most do.

    A bald head, or one against the light, hardly tells front from back. Both readings of an outline put limbs in the
    same places, but the median of both is a body without width.
    """
    nearer = _nearer_as_seen(seen)
    if (nearer > -_OTHER_SIDE).all():
        return seen
    turned = nearer < 0 if nearer.sum() >= 0 else nearer > 0
    return tuple(with_sides_exchanged(look) if turn else look for look, turn in zip(seen, turned, strict=True))


def _nearer_as_seen(seen: Sequence[Landmarks]) -> NDArray[np.float64]:
    """(L,) by how much nearer each look is to the one that all are nearest to than with left and right exchanged, in
    the mean of the limbs' joints, as a share of the extent; negative if it sees the person from the other side."""
    marks, other = (np.stack([look.pixels[joints] for look in seen]) for joints in (_LIMB_JOINTS, _OTHER_JOINTS))
    as_seen, exchanged = (np.linalg.norm(one[:, None] - marks, axis=3).mean(axis=2) for one in (marks, other))
    middle = int(np.minimum(as_seen, exchanged).sum(axis=0).argmin())
    extent = max(float(np.linalg.norm(np.ptp(marks[middle], axis=0))), 1.0)
    return np.asarray((exchanged - as_seen)[:, middle] / extent)


def _looks_of(
    picture: Image.Image, first: Landmarks, network: str
) -> Callable[[Sequence[LookVariant]], list[Landmarks]]:
    """How one network sees a person, looking in several ways; looks that saw nobody or somebody else are left out."""
    base, made = region_of(first.pixels[33], first.pixels[34]), _cached_looks(picture, first, network)

    @cache
    def mirror() -> tuple[Image.Image, int, int]:
        around, left, top = _around(picture, base)
        return ImageOps.mirror(around), left + around.width, top

    def looked_again(variant: LookVariant) -> Landmarks | None:
        scale, turn, mirrored = variant
        region = Region(base.centre, base.side * scale, base.angle + turn)
        look = _mirrored_look(*mirror(), region, network) if mirrored else landmarks(picture, region, network)
        return look if look.presence >= _PRESENCE and _apart(look, first) < _SAME * base.side else None

    def looked(variants: Sequence[LookVariant]) -> list[Landmarks]:
        new = [variant for variant in variants if variant not in made]
        made.update(zip(new, parallel_map(looked_again, new), strict=True))
        return [look for variant in variants if (look := made[variant]) is not None]

    return looked


def _apart(look: Landmarks, other: Landmarks) -> float:
    return float(np.linalg.norm(look.pixels[:33] - other.pixels[:33], axis=1).mean())


def median_of(seen: tuple[Landmarks, ...]) -> Landmarks:
    """The median of looks, and how far they disagree."""
    worlds = np.stack([look.world for look in seen])
    return Landmarks(
        presence=float(np.median([look.presence for look in seen])),
        pixels=np.median([look.pixels for look in seen], axis=0),
        visibility=np.median([look.visibility for look in seen], axis=0),
        world=np.median(worlds, axis=0),
        spread=worlds.std(axis=0),
        looks=seen,
    )


def _around(picture: Image.Image, region: Region) -> tuple[Image.Image, int, int]:
    """The part of a picture that looks at a region can reach, and its left and top edge."""
    reach = region.side * 1.1
    left, top = (max(int(c - reach), 0) for c in region.centre)
    right, bottom = (min(int(c + reach) + 1, size) for c, size in zip(region.centre, picture.size, strict=True))
    return picture.crop((left, top, max(right, left + 1), max(bottom, top + 1))), left, top


def _mirrored_look(mirror: Image.Image, edge: int, top: int, region: Region, network: str) -> Landmarks:
    """A look at the mirrored picture, in the picture's own pixels. edge, top: the mirrored part's left and top."""
    x, y = region.centre
    look = landmarks(mirror, Region((edge - x, y - top), region.side, -region.angle), network)
    pixels = look.pixels[[*MIRRORED, *range(33, len(look.pixels))]] * [-1.0, 1.0] + [edge, top]
    return replace(
        look, pixels=pixels, visibility=look.visibility[MIRRORED], world=look.world[MIRRORED] * [-1.0, 1.0, 1.0],
        heat=mirrored_back(look.heat, region) if look.heat else None,
    )  # fmt: skip


# Some people are looked at in several stages of a search, and a network would only repeat itself.
_asking = threading.Lock()
_made: weakref.WeakKeyDictionary[Landmarks, tuple[weakref.ref[Image.Image], dict[str, Looks]]]
_made = weakref.WeakKeyDictionary()


def _cached_looks(picture: Image.Image, first: Landmarks, network: str) -> Looks:
    """The looks a network has made so far at the person a first look saw in a picture; the caller adds to them.

    They are kept for one picture, as long as the first look is.
    """
    with _asking:
        known = _made.get(first)
        if known is None or known[0]() is not picture:
            known = weakref.ref(picture), {}
            _made[first] = known
        return known[1].setdefault(network, {})


_LIMB_JOINTS = [11, 12, 13, 14, 15, 16, 23, 24, 25, 26, 27, 28]
_OTHER_JOINTS = [MIRRORED[joint] for joint in _LIMB_JOINTS]
