"""Whether somebody in a photo is of one colour from head to foot, as a statue is, in a picture that has colours.

Hair, skin and clothes differ in colour; marble, granite and copper do not, whatever the light. What counts is the ratio
of red and blue to green, which shade hardly changes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.judging import extent

Array = NDArray[np.float64]
_LIMBS = ((11, 13), (12, 14), (13, 15), (14, 16), (23, 25), (24, 26), (25, 27), (26, 28))
_TRUNK, _FACE = (11, 12, 24, 23), (0, 7, 8)
_WIDTH, _RADIUS = 0.03, 0.03  # of limbs and the head, shares of the extent, well within the body
_ALONG, _WITHIN = 0.2, 0.7  # left out at each end of a limb; how much of the trunk counts
_AIR, _SIDE = 0.1, 400  # share of the extent around; pixels of the extent that are enough
_DARK = 8.0  # of 255, added to each channel: what is nearly black has no colour
_COLOURED, _MANY = 0.2, 90  # spread of a picture that has colours, and the percentile of its pixels that counts
_SKIN_RED, _SKIN_BLUE = 0.05, 0.03  # skin is redder, and less blue: somebody in such a colour may be undressed
_FEWEST_PARTS, _FEWEST_PIXELS = 4, 5


def colour_spread(rgb: NDArray[np.uint8], person: Landmarks) -> float | None:
    """How far the parts of a person differ in colour, in logarithms of ratios; 0 for a figure of a single colour.

    rgb: (H, W, 3), the whole picture. None where this says nothing: the picture has hardly any colours itself, the
    person is of a skin's colour, or too little of them is in the picture.
    """
    picture = Image.fromarray(rgb)
    every = _ratios(picture.resize((64, 64), Image.Resampling.BOX)).reshape(-1, 2)
    if np.percentile(np.linalg.norm(every - np.median(every, axis=0), axis=1), _MANY) < _COLOURED:
        return None
    size = extent(person)
    low = np.maximum(person.pixels[:33].min(axis=0) - _AIR * size, 0).astype(int)
    high = np.minimum(person.pixels[:33].max(axis=0) + _AIR * size, picture.size).astype(int)
    if (high - low).min() < 1:
        return None
    scale = min(_SIDE / size, 1.0)
    width, height = (max(round(side * scale), 1) for side in high - low)
    about = picture.resize((width, height), Image.Resampling.BOX, (*low.tolist(), *high.tolist()))
    ratios = _ratios(about)
    masks = [mask for mask in _parts((person.pixels - low) * scale, size * scale, about.size) if _seen(mask)]
    if len(masks) < _FEWEST_PARTS:
        return None
    middle = np.median(ratios[np.logical_or.reduce(masks)], axis=0)
    if middle[0] > _SKIN_RED and middle[1] < _SKIN_BLUE:
        return None
    parts = np.stack([np.median(ratios[mask], axis=0) for mask in masks])
    return float(np.sqrt(((parts - middle) ** 2).sum(axis=1).mean()))


def _ratios(picture: Image.Image) -> Array:
    """(H, W, 2): logarithms of red and blue, each by green."""
    values = np.log(np.asarray(picture, dtype=np.float64) + _DARK)
    return values[..., [0, 2]] - values[..., 1:2]


def _seen(mask: NDArray[np.bool_]) -> bool:
    return bool(mask.sum() > _FEWEST_PIXELS)


def _parts(at: Array, size: float, shape: tuple[int, int]) -> list[NDArray[np.bool_]]:
    """(H, W) each: the limbs' halves, the trunk and the head. at: landmarks in pixels of a picture of that shape."""
    line = max(int(_WIDTH * size), 1)
    drawn = [Image.new("1", shape) for _ in range(len(_LIMBS) + 2)]
    *limbs, trunk, head = map(ImageDraw.Draw, drawn)
    for draw, (start, end) in zip(limbs, _LIMBS, strict=True):
        along = at[end] - at[start]
        draw.line([*(at[start] + _ALONG * along), *(at[end] - _ALONG * along)], fill=1, width=line)
    corners = at[list(_TRUNK)]
    middle = corners.mean(axis=0)
    trunk.polygon([tuple(middle + _WITHIN * (corner - middle)) for corner in corners], fill=1)
    face, radius = at[list(_FACE)].mean(axis=0), _RADIUS * size
    head.ellipse([*(face - radius), *(face + radius)], fill=1)
    return [np.asarray(one) for one in drawn]
