"""Where one person is in a picture, pixel by pixel: a matte, and the person's visible outline.

MediaPipe's selfie network looks at a square around one person. It does not tell people apart: whatever is nearer to
somebody else's joints is theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter
from scipy.ndimage import label
from scipy.spatial import KDTree

from solver.photo.detection.blazepose import Region, crop
from solver.photo.detection.silhouettes import MATTE_SIDE, matte_look

Array = NDArray[np.float64]
SIDE = MATTE_SIDE  # pixels of the matte
_AIR = 1.5  # side of the square relative to the joints': hair is above all of them, and toes are below
_WIDER = 1.3  # how much larger the square of the additional look is
_SMOOTH = 1.2  # pixels of the matte
_LINE = 1.6  # pixels from the middle of the outline to its edge
_SPUR = 7  # pixels: things half as thin, such as chair legs, are taken off the matte, and such holes are closed
_LEAST_PART = 0.05  # of the largest part of the matte: smaller ones are objects
_AT_JOINT = 0.03  # of the square: a part further from all joints is something else


@dataclass(frozen=True, eq=False)
class Matte:
    """How surely each pixel of a square of the picture shows the person. alpha: (SIDE, SIDE) 0..1."""

    square: Region
    alpha: Array

    def outline(self, side: int, *wider: float) -> tuple[Array, ...]:
        """(side, side) 0..1 for the person's outline, how strongly it covers each pixel of the square, drawn at that
        size; then the same for wider lines.

        wider: for each of these, pixels by which its edges lie further out.
        """
        small = Image.fromarray((255 * self.alpha).astype(np.uint8)).filter(ImageFilter.GaussianBlur(_SMOOTH))
        large = np.asarray(small.resize((side, side), Image.Resampling.BICUBIC), np.float32) / np.float32(255.0)
        away = np.abs(large - 0.5) / np.maximum(np.hypot(*np.gradient(large)), 0.02)
        return tuple(np.clip(_LINE + out - away, 0.0, 1.0) for out in (0.0, *wider))


def matte_of(rgb: NDArray[np.uint8], joints: Array, others: Sequence[Array] = ()) -> Matte:
    """The matte of the person with these joints in an (H, W, 3) picture. joints, others: (N, 2) pixels each."""
    low, high = joints.min(axis=0), joints.max(axis=0)
    x, y = (low + high) / 2
    square = Region((float(x), float(y)), max(_AIR * float((high - low).max()), 16.0), 0.0)
    alpha = _median_look(Image.fromarray(rgb), square)
    line = (np.arange(SIDE) + 0.5) / SIDE
    places = square.to_picture(np.stack(np.meshgrid(line, line), axis=-1))
    inside = ((places >= 0) & (places < [rgb.shape[1], rgb.shape[0]])).all(axis=-1)
    own = _nearest(places, joints)
    for other in others:
        inside &= own <= _nearest(places, other)
    return Matte(square, _without_things(np.where(inside, alpha, 0.0), own / square.side))


def _median_look(picture: Image.Image, square: Region) -> Array:
    """(SIDE, SIDE) the median of three looks: one plain, one mirrored, and one from further away."""
    near = crop(picture, square, SIDE)
    wide = matte_look(crop(picture, Region(square.centre, _WIDER * square.side, 0.0), SIDE))
    edge, opposite = SIDE * (1 - 1 / _WIDER) / 2, SIDE * (1 + 1 / _WIDER) / 2
    part = Image.fromarray(wide).resize((SIDE, SIDE), Image.Resampling.BICUBIC, (edge, edge, opposite, opposite))
    looks = matte_look(near), matte_look(np.ascontiguousarray(near[:, ::-1]))[:, ::-1], np.asarray(part)
    return np.median(looks, axis=0).clip(0.0, 1.0).astype(np.float64)


def _without_things(alpha: Array, off: Array) -> Array:
    """The matte without spurs and parts that are small or at no joint. off: to the nearest joint, in squares."""
    smooth = Image.fromarray(np.round(255 * alpha).astype(np.uint8)).filter(ImageFilter.MedianFilter(_SPUR))
    alpha = np.asarray(smooth, np.float64) / 255.0
    parts, _ = label(alpha > 0.5)
    sizes = np.bincount(parts.ravel())
    sizes[0] = 0
    there = sizes >= max(_LEAST_PART * sizes.max(), 1)
    there &= np.isin(np.arange(len(sizes)), parts[off < _AT_JOINT])
    kept = Image.fromarray(255 * there[parts].astype(np.uint8)).filter(ImageFilter.MaxFilter(_SPUR))
    return np.where(np.asarray(kept) > 0, alpha, 0.0)


def _nearest(places: Array, joints: Array) -> Array:
    """(H, W) pixels from places (H, W, 2) to the nearest of joints (N, 2)."""
    return np.asarray(KDTree(joints).query(places)[0])
