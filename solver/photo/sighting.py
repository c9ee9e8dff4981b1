"""What networks saw of one person in a photo, small enough to be kept with the person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from solver.rig.roles import SIDES

if TYPE_CHECKING:
    from solver.photo.detection.blazepose import Landmarks

_PAIRS = {
    7: "ear", 11: "shoulder", 13: "elbow", 15: "wrist", 19: "fingers", 23: "hip", 25: "knee", 27: "ankle", 29: "heel",
    31: "toes",
}  # fmt: skip
# By BlazePose's number: the left one of a pair, the right one follows at +1.
NAMES: Mapping[int, str] = MappingProxyType(
    {0: "nose"} | {first + at: f"{side}_{part}" for first, part in _PAIRS.items() for at, side in enumerate(SIDES)}
)
LANDMARK_NUMBERS: Mapping[str, int] = MappingProxyType({name: mark for mark, name in NAMES.items()})
# The joints of arms and legs.
LIMB_MARKS = (*range(11, 17), *range(23, 29))
# Confidence below which networks did not see a point but only supposed it, and how many times as unsure it then is as
# looks disagree: they agree in what they suppose, too.
SEEN, SUPPOSED = 0.5, 2.0
_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class SeenPoint:
    """One landmark. name: see `NAMES`. pixel: x and y in the photo. confidence: 0..1.

    depth: metres beyond the middle of the hips, along the line of sight. pixel_spread, depth_spread: standard
    deviation between several looks, pixels and metres; None where there was a single one.
    """

    name: str
    pixel: tuple[float, float]
    confidence: float = 1.0
    depth: float = 0.0
    pixel_spread: float | None = None
    depth_spread: float | None = None
    extra: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)


@dataclass(frozen=True)
class Sighting:
    """The landmarks of one person. photo: the SHA-256 of the photo's file that they were seen in.

    decided: elbows and knees, by role, whose limb's direction in depth the user chose; what was seen no longer counts.
    facing_unsure: whether some looks took the person's front for the back. The points' spreads in the picture are those
    of all looks as if from one side. looked_over: whether the user has corrected the pose since, or found it right.
    """

    photo: str
    points: tuple[SeenPoint, ...] = ()
    decided: tuple[str, ...] = ()
    facing_unsure: bool = False
    limbs_apart: float | None = None
    looked_over: bool = False
    extra: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)

    @cached_property
    def by_mark(self) -> Mapping[int, SeenPoint]:
        """The points by BlazePose's numbers; those of other names are left out."""
        return {LANDMARK_NUMBERS[point.name]: point for point in self.points if point.name in LANDMARK_NUMBERS}


def turned_round(sighting: Sighting) -> Sighting:
    """The sighting of a person turned front to back: left is right, and what was nearer is farther. Who turns somebody
    round has decided where they face."""
    points = tuple(replace(one, name=_across(one.name), depth=-one.depth) for one in sighting.points)
    return replace(sighting, points=points, decided=tuple(map(_across, sighting.decided)), facing_unsure=False)


def sighting_of(person: Landmarks, photo: str) -> Sighting:
    """The part of a person's landmarks that is kept. photo: the SHA-256 of the photo's file."""
    # These load what only reading a photo needs.
    from solver.photo.detection.plausibility import limbs_apart, spread_in_picture
    from solver.photo.detection.repeated_looks import sides_united

    marks = list(NAMES)
    pixels, depth, sure = person.pixels[marks], person.world[marks, 2], person.visibility[marks]
    looks = sides_united(person.looks) if len(person.looks) > 1 else person.looks
    across = spread_in_picture(looks)
    along = person.spread[:, 2] if person.spread is not None else None
    return Sighting(
        photo,
        tuple(
            SeenPoint(
                NAMES[mark],
                (round(float(pixels[i, 0]), 2), round(float(pixels[i, 1]), 2)),
                round(min(max(float(sure[i]), 0.0), 1.0), 3),
                round(float(depth[i]), 4),
                None if across is None else round(float(across[mark]), 2),
                None if along is None else round(float(along[mark]), 4),
            )
            for i, mark in enumerate(marks)
        ),
        facing_unsure=any(look is not seen for look, seen in zip(looks, person.looks, strict=True)),
        limbs_apart=limbs_apart(looks),
    )


def _across(name: str) -> str:
    """The name with left and right exchanged."""
    for side, other in (SIDES, SIDES[::-1]):
        if name.startswith(f"{side}_"):
            return other + name.removeprefix(side)
    return name
