"""The pixels of a picture that are well within a person's body, part by part, to judge their material."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.plausibility import extent

Array = NDArray[np.float64]
_LIMBS = ((11, 13), (12, 14), (13, 15), (14, 16), (23, 25), (24, 26), (25, 27), (26, 28))
_OFTEN_BARE = (2, 3, 6, 7)  # of these, forearms and shins
_TRUNK, _FACE, _HIPS = (11, 12, 24, 23), (0, 7, 8), (23, 24)
_EYES, _MOUTH = slice(1, 7), slice(9, 11)
_CROWN, _CROWN_RADIUS = 0.9, 0.35  # where hair is: above the eyes, in units of their distance from the mouth
_WIDTH, _RADIUS = 0.03, 0.03  # of limbs and the head, shares of the extent, well within the body
_ALONG, _WITHIN = 0.2, 0.7  # share left out at each end of a limb; share of the trunk that counts
_AIR, _SIDE = 0.1, 400  # margin as a share of the extent; pixels of the extent that are enough
_FEWEST_PIXELS = 5

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class BodyPixels:
    """The picture around a person. about: (H, W, 3) 0..255. parts: (H, W) each, the limbs' halves, the trunk,
    the hips and the face, as far as they are in the picture. face, crown: (H, W), the face again, and where hair is;
    None if that is too small. bare, clothed: (H, W) each, those of the parts that often show skin, which are forearms,
    shins and face, and those that seldom do, which are trunk and hips."""

    about: Array
    parts: tuple[Mask, ...]
    face: Mask | None
    crown: Mask | None
    bare: tuple[Mask, ...] = ()
    clothed: tuple[Mask, ...] = ()

    @cached_property
    def body(self) -> Mask:
        """(H, W): all parts."""
        return np.asarray(np.logical_or.reduce([np.zeros(self.about.shape[:2], bool), *self.parts]))


def body_pixels(picture: Image.Image, person: Landmarks) -> BodyPixels | None:
    """The part of an RGB picture around a person, no larger than needed; None if nothing of them is in it."""
    size = extent(person)
    low = np.maximum(person.pixels[:33].min(axis=0) - _AIR * size, 0).astype(int)
    high = np.minimum(person.pixels[:33].max(axis=0) + _AIR * size, picture.size).astype(int)
    if (high - low).min() < 1:
        return None
    scale = min(_SIDE / size, 1.0)
    width, height = (max(round(side * scale), 1) for side in high - low)
    about = picture.resize((width, height), Image.Resampling.BOX, (*low.tolist(), *high.tolist()))
    masks = _masks((person.pixels - low) * scale, size * scale, about.size)
    *limbs, trunk, hips, face, crown = (mask if mask.sum() > _FEWEST_PIXELS else None for mask in masks)
    there, bare, clothed = (
        tuple(mask for mask in some if mask is not None)
        for some in ((*limbs, trunk, hips, face), (*(limbs[i] for i in _OFTEN_BARE), face), (trunk, hips))
    )
    return BodyPixels(np.asarray(about, np.float64), there, face, crown, bare, clothed)


def _masks(at: Array, size: float, shape: tuple[int, int]) -> list[Mask]:
    """(H, W) each: the limbs' halves, the trunk, the hips, the face, the crown. at: landmarks in pixels of a picture
    of that shape."""
    line = max(int(_WIDTH * size), 1)
    drawn = [Image.new("1", shape) for _ in range(len(_LIMBS) + 4)]
    *limbs, trunk, hips, face, crown = map(ImageDraw.Draw, drawn)
    for draw, (start, end) in zip(limbs, _LIMBS, strict=True):
        along = at[end] - at[start]
        draw.line([*(at[start] + _ALONG * along), *(at[end] - _ALONG * along)], fill=1, width=line)
    corners = at[list(_TRUNK)]
    middle = corners.mean(axis=0)
    trunk.polygon([tuple(middle + _WITHIN * (corner - middle)) for corner in corners], fill=1)
    eyes, mouth = at[_EYES].mean(axis=0), at[_MOUTH].mean(axis=0)
    _disc(hips, at[list(_HIPS)].mean(axis=0), _RADIUS * size)
    _disc(face, at[list(_FACE)].mean(axis=0), _RADIUS * size)
    _disc(crown, eyes + _CROWN * (eyes - mouth), _CROWN_RADIUS * float(np.linalg.norm(eyes - mouth)))
    return [np.asarray(one) for one in drawn]


def _disc(draw: ImageDraw.ImageDraw, middle: Array, radius: float) -> None:
    draw.ellipse([*(middle - radius), *(middle + radius)], fill=1)
