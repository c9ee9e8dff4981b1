"""New looks by the heavy network in squares about landmarks, and how well they agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PIL import Image

from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.plausibility import QUICK_LOOKS, certainty, joints_apart, limbs_apart
from solver.photo.detection.repeated_looks import (
    WEIGHT_ALONE,
    LookVariant,
    heavy_looks,
    median_of,
    sides_are_open,
    sides_united,
)

_AGREE = 0.02  # share of the extent by which looks may disagree in what counts
_LOOKS: tuple[LookVariant, ...] = (
    (1.0, 0.0, False), (1.2, 0.0, False), (0.85, 0.0, True),
    (1.0, 0.15, True), (0.92, 0.0, False), (1.1, -0.15, False),
)  # fmt: skip
_ENOUGH = 4  # of these, that must see the person
_BEGIN = 3  # looks after which a reading may be given up
_MORE = 1.05  # by how much the first few looks may disagree more than all may: all mostly disagree as much as these
# Share of how far the former looks disagree, up to which new ones agree clearly better.
_CLEARLY = 0.85
# Certainty below which no new reading counts, and how much of it may be lost by one whose looks agree little better:
# the metres, which are those of the quick network's looks too, do not fit it.
_EVEN, _FITS_LESS = 0.0, 0.5
_MOVED = 0.12  # of the extent, between the joints: what lies further away may be a partner, or upside down


@dataclass(frozen=True)
class NewLooks:
    """New looks at a person, and their median as if all were from the side that most see. apart: how far they then
    disagree, a share of the extent."""

    looks: tuple[Landmarks, ...]
    median: Landmarks
    apart: float


def looked_about(picture: Image.Image, seen: Landmarks, person: Landmarks, most: float) -> NewLooks | None:
    """New looks at the person in squares about landmarks; None if too few of them see anybody there, or if the first
    few disagree so much that all would by more than `most`, a share of the extent."""
    few = heavy_looks(picture, seen, _LOOKS[:_BEGIN])
    if (limbs_apart(_as_seen(person, few)) or 0.0) > _MORE * most:
        return None
    looks = heavy_looks(picture, seen, _LOOKS)
    if len(looks) < _ENOUGH:
        return None
    united = _as_seen(person, looks)
    return NewLooks(tuple(looks), median_of(united), limbs_apart(united) or 0.0)


def counts(new: NewLooks, person: Landmarks) -> bool:
    """Whether new looks agree, and see the person about where they were."""
    return new.apart < _AGREE and is_near(new, person)


def is_near(new: NewLooks, person: Landmarks) -> bool:
    """Whether new looks see the person about where they were."""
    return joints_apart(new.median, person) < _MOVED


def sees_better(again: Landmarks, person: Landmarks) -> bool:
    """Whether somebody `with_new_looks`, which agree better than the former ones, is also read better.

    Where these agree clearly better, that is enough. Else the metres must fit hardly less well, and the looks must not
    decide between front and back where that was open: there the fit takes the side that a body can take better.
    """
    if certainty(again) < min(certainty(person), _EVEN):
        return False
    if _disagreement(again) <= _CLEARLY * _disagreement(person):
        return True
    decides = sides_are_open(person) and not sides_are_open(again)
    return certainty(again) > certainty(person) - _FITS_LESS and not decides


def _disagreement(person: Landmarks) -> float:
    return limbs_apart(sides_united(person.looks)) or 0.0


def with_new_looks(person: Landmarks, new: NewLooks) -> Landmarks:
    """The person where new looks have the landmarks in the picture, with the metres of these and the quick ones."""
    quick = person.looks[:QUICK_LOOKS]
    both = median_of(sides_united((*quick, *WEIGHT_ALONE * new.looks)))
    looks = (*quick, *new.looks)
    spread = median_of(looks).spread
    return replace(both, presence=person.presence, pixels=new.median.pixels, spread=spread, looks=looks)


def _as_seen(person: Landmarks, looks: Sequence[Landmarks]) -> tuple[Landmarks, ...]:
    """New looks from the side that most looks at the person see, the quick ones among them."""
    quick = person.looks[:QUICK_LOOKS]
    return sides_united((*quick, *WEIGHT_ALONE * [*looks]))[len(quick) :][: len(looks)]
