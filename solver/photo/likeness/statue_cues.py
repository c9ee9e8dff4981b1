"""Cues that a person in a colour photo is a statue: one colour from head to foot.

Hair, skin and clothes differ in colour; the parts of a marble, bronze or terracotta figure do not, whatever the light.
What counts is the ratio of red and blue to green, which shade hardly changes. A person without clothes is of one warm
colour too, except for the hair. Of somebody in white, grey or black only the bare skin has a colour. It differs from
the clothes as skin does and is alike everywhere, unlike stains.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from solver.photo.likeness.body_pixels import BodyPixels

Array = NDArray[np.float64]
_DARK = 8.0  # of 255, added to each channel: what is nearly black has no colour
# Spread from which a picture has colours, among equally light pixels (a tint depends on lightness), and the
# percentile of them that counts.
_COLOURED, _MANY, _LIGHTNESSES, _SMALL = 0.1, 90, 16, 64
_SKIN_RED, _SKIN_BLUE = 0.05, 0.03  # skin is redder, and less blue: a person of such a colour may be undressed
_HAIR = 0.3  # of how much darker hair is than the face, in logarithms: counts as a difference of colour
_FEWEST_PARTS = 4
# In a picture without colour, the channels of this percentile of pixels differ by no more than so much, of 255; a
# colour camera's noise alone is more.
_NEARLY_ALL, _COLOURLESS = 95, 3.0
# How much further skin is from clothes, in the mean, than parts of either are from one another.
_APART = 1.5


def colour_spread(seen: BodyPixels) -> float | None:
    """How far the parts of a person differ in colour, in logarithms of ratios; 0 for a figure of a single colour.

    For pictures for which `is_colour_picture` is true. None if this says nothing: too little of the person is in the
    picture, or they are the colour of skin and it cannot be seen whether they have hair.
    """
    if len(seen.parts) < _FEWEST_PARTS:
        return None
    ratios = _ratios(seen.about)
    middle = np.median(ratios[seen.body], axis=0)
    parts = np.stack([np.median(ratios[mask], axis=0) for mask in seen.parts])
    spread = max(float(np.sqrt(((parts - middle) ** 2).sum(axis=1).mean())), _skin_beside_clothes(seen, ratios))
    if not (middle[0] > _SKIN_RED and middle[1] < _SKIN_BLUE):
        return spread
    if seen.face is None or seen.crown is None:
        return None
    hue = float(np.linalg.norm(np.median(ratios[seen.crown], axis=0) - middle))
    light = np.log(seen.about.mean(axis=2) + _DARK)
    darker = float(np.median(light[seen.face]) - np.median(light[seen.crown]))
    return max(spread, hue, _HAIR * darker)


def is_colourless(seen: BodyPixels) -> bool:
    """Whether a person and what is around them has no colour at all, as in a black-and-white photo on a page or beside
    others: then one colour does not make a statue."""
    return bool(np.percentile(np.ptp(seen.about, axis=2), _NEARLY_ALL) <= _COLOURLESS)


def _skin_beside_clothes(seen: BodyPixels, ratios: Array) -> float:
    """How far forearms, shins and face differ in colour from trunk and hips; 0 unless they are redder and less blue,
    as skin is, and that difference is far larger than those within either."""
    if len(seen.bare) < _FEWEST_PARTS or not seen.clothed:
        return 0.0
    skin, clothes = (np.stack([np.median(ratios[mask], axis=0) for mask in some]) for some in (seen.bare, seen.clothed))
    red, blue = apart = skin.mean(axis=0) - clothes.mean(axis=0)
    within = max(float(np.sqrt(each.var(axis=0).sum())) for each in (skin, clothes))
    far = float(np.linalg.norm(apart))
    return far if red > 0.0 > blue and far > _APART * within else 0.0


def is_colour_picture(small: NDArray[np.uint8]) -> bool:
    """Whether a picture, scaled down to (S, S, 3), has more colours than a single tint over black and white."""
    smaller = Image.fromarray(small).resize((_SMALL, _SMALL), Image.Resampling.BOX)
    pixels = np.asarray(smaller, np.float64).reshape(-1, 3)
    ratios, off = _ratios(pixels), np.zeros(len(pixels))
    for alike in np.array_split(np.argsort(pixels.mean(axis=1), kind="stable"), _LIGHTNESSES):
        off[alike] = np.linalg.norm(ratios[alike] - np.median(ratios[alike], axis=0), axis=1)
    return bool(np.percentile(off, _MANY) >= _COLOURED)


def _ratios(picture: Array) -> Array:
    """(..., 2): logarithms of red and blue, each by green, of (..., 3) 0..255."""
    values = np.log(picture + _DARK)
    return np.asarray(values[..., [0, 2]] - values[..., 1:2])
