"""One person looked at several times, a little differently: steadier landmarks, and how unsure they are.

The network errs in ways that change with the cut-out and with left and right exchanged; the middle of several looks
errs less than most of them, and their spread shows where the picture is ambiguous.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PIL import Image, ImageOps

from solver.estimators.blazepose import Landmarks, Region, landmarks, region_of

# The looks besides the one at hand: scale of the region, turn in radians, mirrored or not.
_LOOKS = ((0.85, 0.0, False), (1.2, 0.0, False), (0.85, 0.0, True), (1.0, 0.15, True), (1.2, -0.15, True))
_SAME = 0.15  # mean distance of landmarks, as a share of the region's side, from which a look saw somebody else
_PRESENCE = 0.5


def looked_at_again(picture: Image.Image, first: Landmarks) -> Landmarks:
    """The same person with landmarks in the middle of several looks, and their spread.

    Its presence becomes the mean over the looks, none where one saw something else: what only seems to be a person
    rarely seems so twice.
    """
    base = region_of(first.pixels[33], first.pixels[34])
    mirror = ImageOps.mirror(_around(picture, base)[0])
    seen = [first]
    for scale, turn, mirrored in _LOOKS:
        region = Region(base.centre, base.side * scale, base.angle + turn)
        look = _mirrored_look(picture, mirror, region, base) if mirrored else landmarks(picture, region)
        apart = np.linalg.norm(look.pixels[:33] - first.pixels[:33], axis=1).mean()
        if look.presence >= _PRESENCE and apart < _SAME * base.side:
            seen.append(look)
    worlds = np.stack([look.world for look in seen])
    return replace(
        first,
        presence=sum(look.presence for look in seen) / (1 + len(_LOOKS)),
        pixels=np.median([look.pixels for look in seen], axis=0),
        visibility=np.median([look.visibility for look in seen], axis=0),
        world=np.median(worlds, axis=0),
        spread=worlds.std(axis=0),
    )


def _around(picture: Image.Image, region: Region) -> tuple[Image.Image, int, int]:
    """The part of a picture that looks at a region can meet, and its left and top edge."""
    reach = region.side * 1.1
    left, top = (max(int(c - reach), 0) for c in region.centre)
    right, bottom = (min(int(c + reach) + 1, size) for c, size in zip(region.centre, picture.size, strict=True))
    return picture.crop((left, top, max(right, left + 1), max(bottom, top + 1))), left, top


def _mirrored_look(picture: Image.Image, mirror: Image.Image, region: Region, base: Region) -> Landmarks:
    _, left, top = _around(picture, base)
    x, y = region.centre
    edge = left + mirror.width  # of the original, which is at 0 in the mirror
    look = landmarks(mirror, Region((edge - x, y - top), region.side, -region.angle))
    pixels = look.pixels[[*MIRRORED, *range(33, len(look.pixels))]] * [-1.0, 1.0] + [edge, top]
    return replace(
        look, pixels=pixels, visibility=look.visibility[MIRRORED], world=look.world[MIRRORED] * [-1.0, 1.0, 1.0]
    )


def _exchanged() -> list[int]:
    order = list(range(33))
    pairs = [(1, 4), (2, 5), (3, 6), (9, 10), (7, 8), *((i, i + 1) for i in range(11, 33, 2))]
    for left, right in pairs:
        order[left], order[right] = right, left
    return order


MIRRORED = _exchanged()
