"""People's silhouettes, pixel by pixel, and what is left of a matte of people beside those who are known.

MediaPipe's selfie network tells people from what is around them, but not one from another. Clothes and skin mostly
have even colours: what can be reached from somebody's bones without crossing an edge is theirs. So whatever of a
partner lies beside these bones is not, however near, and a wide trunk is, though it is thicker than limbs mostly are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from solver.photo.detection.blazepose import Landmarks, Region, crop, run_network
from solver.photo.detection.inpainting import bones_drawn, limbs_drawn, painted_over, without_people
from solver.photo.detection.models import MATTE
from solver.photo.detection.plausibility import extent

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
MATTE_SIDE = 256  # pixels of the network's input and of the matte
_SIDE = 160  # pixels of a square in which silhouettes are told apart
_ABOUT = 1.5  # of a person's longer side: the square about them
_PERSON = 0.5  # of the matte
# From somebody's bones, as a share of the square: how far their silhouette reaches; what a change of colour from black
# to white, and a pixel beyond the matte, count as.
_REACH, _EDGE, _BEYOND = 0.10, 1.5, 0.2
_SHADE = 0.05  # of that change, between neighbours: a smaller one may be shading
_COVERED = 100  # of 255: pixels of an enlarged mask from which they are painted over
_SPECK = 5  # pixels: what is left over and thinner is the edge of somebody known


@dataclass(frozen=True, eq=False)
class Silhouettes:
    """In a square of a picture: where anybody is, and where somebody known is; (S, S) each."""

    square: Region
    anybody: Mask
    known: Mask

    @cached_property
    def left_over(self) -> Mask:
        """(S, S) where somebody is who is not known."""
        rest = Image.fromarray(255 * (self.anybody & ~self.known).astype(np.uint8))
        opened = rest.filter(ImageFilter.MinFilter(_SPECK)).filter(ImageFilter.MaxFilter(_SPECK))
        return np.asarray(opened) > 0

    @property
    def middle_left_over(self) -> Array:
        """(2,) the middle of what is left over, in the picture's pixels."""
        rows, columns = np.nonzero(self.left_over)
        middle = np.array([columns.mean() + 0.5, rows.mean() + 0.5])
        return self.square.to_picture(middle / len(self.left_over))

    @property
    def box_left_over(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of what is left over, in the picture's pixels."""
        rows, columns = np.nonzero(self.left_over)
        corners = np.array([[columns.min(), rows.min()], [columns.max() + 1, rows.max() + 1]]) / len(self.left_over)
        (left, top), (right, bottom) = (self.square.to_picture(corner) for corner in corners)
        return float(left), float(top), float(right), float(bottom)

    def explained_by(self, person: Landmarks) -> tuple[float, float]:
        """The share of what is left over that lies on somebody's limbs, trunk and head, and the share of these that
        lies on what is left over."""
        rest = self.left_over
        limbs = np.asarray(limbs_drawn((len(rest), len(rest)), [person], self.square)) > 0
        both = float((rest & limbs).sum())
        return both / max(float(rest.sum()), 1.0), both / max(float(limbs.sum()), 1.0)


def silhouettes(picture: Image.Image, person: Landmarks, others: Sequence[Landmarks]) -> Silhouettes:
    """The silhouettes of a person and others who are known, in a square about the person of an RGB picture."""
    low, high = person.pixels[:33].min(axis=0), person.pixels[:33].max(axis=0)
    x, y = (low + high) / 2
    square = Region((float(x), float(y)), max(_ABOUT * float((high - low).max()), 16.0), 0.0)
    alpha = Image.fromarray(matte_look(crop(picture, square, MATTE_SIDE))).resize((_SIDE, _SIDE))
    matte = np.asarray(alpha, dtype=np.float64).clip(0.0, 1.0)
    known = [person, *others]
    bones = np.asarray(bones_drawn((_SIDE, _SIDE), known, square)) > 0
    # Where the network sees nobody, limbs are as thick as they are mostly.
    limbs = (np.asarray(limbs_drawn((_SIDE, _SIDE), known, square)) > 0) & (matte < _PERSON)
    near = _from_bones(crop(picture, square, _SIDE), bones, matte) < _REACH
    return Silhouettes(square, matte > _PERSON, near | limbs)


def without_silhouettes(picture: Image.Image, seen: Silhouettes, people: Sequence[Landmarks]) -> Image.Image:
    """A copy of an RGB picture with the people painted over; within the square of the silhouettes only these are."""
    square, size = seen.square, picture.size
    scale = square.side / _SIDE
    left, top = (c - square.side / 2 for c in square.centre)
    gone = Image.fromarray(255 * seen.known.astype(np.uint8)).filter(ImageFilter.MaxFilter(3))
    to_square = (1 / scale, 0, -left / scale, 0, 1 / scale, -top / scale)
    gone = gone.transform(size, Image.Transform.AFFINE, to_square, Image.Resampling.BILINEAR)
    low = np.clip([left, top], 0, size).astype(int)
    high = np.clip([left + square.side, top + square.side], 0, size).astype(int)
    inside = painted_over(picture, gone.point(lambda value: 255 * (value > _COVERED)), max(map(extent, people)))
    painted = without_people(picture, people).copy()
    painted.paste(inside.crop((*low, *high)), (int(low[0]), int(low[1])))
    return painted


def matte_look(pixels: NDArray[np.float32]) -> NDArray[np.float32]:
    """(S, S) 0..1, how surely each of (S, S, 3) pixels, 0..255, shows a person; S is `MATTE_SIDE`."""
    (alpha,) = run_network(MATTE, pixels / 255.0).values()
    return alpha.reshape(MATTE_SIDE, MATTE_SIDE)


def _from_bones(pixels: NDArray[np.float32], bones: Mask, matte: Array) -> Array:
    """(S, S) how far each of (S, S, 3) pixels is from the bones, around edges."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import dijkstra

    side = len(pixels)
    at, colours, air = np.arange(side * side).reshape(side, side), pixels.reshape(-1, 3), 1.0 - matte.ravel()
    starts, ends, costs = [], [], []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        a = at[: side - down, max(-right, 0) : side - max(right, 0)].ravel()
        b = at[down:, max(right, 0) : side + min(right, 0)].ravel()
        change = np.linalg.norm(colours[a] - colours[b], axis=1) / 255
        edge = change * np.minimum(change / _SHADE, 1.0)
        starts.append(a)
        ends.append(b)
        costs.append(np.hypot(down, right) / side + _EDGE * edge + _BEYOND * np.maximum(air[a], air[b]))
    between = np.concatenate(costs), (np.concatenate(starts), np.concatenate(ends))
    graph = coo_matrix(between, shape=(side * side, side * side)).tocsr()
    away = dijkstra(graph, directed=False, indices=np.flatnonzero(bones), limit=_REACH, min_only=True)
    return np.asarray(away.reshape(side, side))
