"""Key points as shares of a picture's width and height, which become pixels once its size is known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from solver.errors import InputRefused
from solver.estimates.estimate import Estimate, KeyPoints, Person
from solver.estimates.point_layouts import LARGEST_SHARE

_SIDE = 1000  # pixels of the longer side of a picture of which only the proportions are known
_PROPORTIONS = (9 / 16, 3 / 4, 1.0, 4 / 3, 16 / 9)  # of films and cameras
_FURTHEST = 1.25  # by what factor a picture may seem to differ from the nearest of these
_GUESSED = "the picture's proportions were guessed from the people in it"
_WAY_OUT = "Put the picture beside it under the same name, name it by “convert --picture”, or save pixels"


def are_shares(people: Iterable[Person]) -> bool:
    """Whether key points in 2D are shares of the picture: nobody is only two pixels large."""
    largest = [np.nanmax(np.abs(told.pixels)) for one in people if isinstance(told := one.content, KeyPoints)]
    return bool(largest) and max(largest) <= LARGEST_SHARE


def in_pixels(estimate: Estimate, size: tuple[int, int] | None) -> Estimate:
    """The estimate with pixels of a picture of this size (width, height), if it has shares; None: as the file says.

    Without either, landmarks in metres tell the picture's proportions; InputRefused where there are none.
    """
    if not estimate.shares:
        return estimate
    size, notes = size or estimate.image_size, estimate.notes
    if size is None:
        size, notes = _size_by_proportions(estimate), (*notes, _GUESSED)

    def scaled(person: Person) -> Person:
        told = person.content
        assert isinstance(told, KeyPoints), "only points are shares of a picture"
        depths = None if told.depths is None else told.depths * size[0]
        return replace(person, content=replace(told, pixels=told.pixels * np.array(size, float), depths=depths))

    return replace(estimate, people=tuple(map(scaled, estimate.people)), image_size=size, shares=False, notes=notes)


def _size_by_proportions(estimate: Estimate) -> tuple[int, int]:
    """A picture in which people are as wide and as high as they are in metres."""
    across = np.zeros(2)
    for person in estimate.people:
        told = person.content
        if isinstance(told, KeyPoints) and told.world is not None:
            seen = ~np.isnan(told.pixels[:, 0]) & ~np.isnan(told.world[:, 0])
            shares, metres = told.pixels[seen], told.world[seen, :2]
            about = shares - shares.mean(axis=0), metres - metres.mean(axis=0)
            across += (about[0] * about[1]).sum(axis=0) / np.maximum((about[1] ** 2).sum(axis=0), 1e-6)
    wide = across[1] / across[0] if (across > 1e-6).all() else 0.0
    nearest = min(_PROPORTIONS, key=lambda one: abs(np.log(one / max(wide, 1e-6))))
    if not nearest / _FURTHEST < wide < nearest * _FURTHEST:
        raise InputRefused(estimate.source, "holds shares of a picture, but not its size", _WAY_OUT)
    return (_SIDE, round(_SIDE / nearest)) if nearest > 1 else (round(_SIDE * nearest), _SIDE)
