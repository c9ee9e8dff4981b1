"""Cues that a person in a picture is drawn: flat colours, or lines on paper that shows through.

A person in front of a camera is round and lit from somewhere, and cameras have noise: hardly any of the pixels equal
all those around them. Paintings in oil or pastel have all that too; they are not told apart from photos.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.photo.likeness.body_pixels import BodyPixels

Array = NDArray[np.float64]

# Of 255: pixels that differ by no more than this from those around are filled; the second for pictures without colour.
_EVEN, _GREY_EVEN = 2, 1
_GREY = 4.0  # of 255, between a pixel's channels: a smaller difference counts as grey
_DARK, _LIGHT = 60.0, 240.0  # between which a mean of the channels is neither black clothes nor overexposed
_FEWEST, _FEWEST_OF_PART = 80, 15  # pixels
_PAPER_LIGHT, _PAPER_SHARE = 150.0, 0.4  # paper is light, and at least this share of the picture
_PAPER_LIKE, _STEP = 12, 12  # of 255: how far paper differs from itself


def flat_colour_share(seen: BodyPixels) -> float:
    """The share of a person's pixels, black and white ones aside, without shading, noise or cloth: 0..1.

    The geometric mean of the overall share and that of most parts of the body: one even garment is no drawing.
    """
    light = seen.about.mean(axis=2)
    there = (light > _DARK) & (light < _LIGHT)
    body, parts = seen.body & there, [part & there for part in seen.parts if (part & there).sum() >= _FEWEST_OF_PART]
    if not parts or body.sum() < _FEWEST:
        return 0.0
    coloured = np.median(np.ptp(seen.about[body], axis=1)) > _GREY
    even = _differences(seen.about.astype(np.uint8)) <= (_EVEN if coloured else _GREY_EVEN)
    return float(np.sqrt(even[body].mean() * np.median([even[part].mean() for part in parts])))


def _differences(about: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(H, W): how far the channels of a pixel and the eight around it (as many as there are) are apart."""
    padded = np.pad(about, ((1, 1), (1, 1), (0, 0)), mode="edge")
    highest = np.maximum(np.maximum(padded[:-2], padded[1:-1]), padded[2:])
    lowest = np.minimum(np.minimum(padded[:-2], padded[1:-1]), padded[2:])
    highest = np.maximum(np.maximum(highest[:, :-2], highest[:, 1:-1]), highest[:, 2:])
    lowest = np.minimum(np.minimum(lowest[:, :-2], lowest[:, 1:-1]), lowest[:, 2:])
    return np.asarray((highest - lowest).max(axis=2))


def paper_colour(small: NDArray[np.uint8]) -> Array | None:
    """(3,) 0..255: the colour of the paper that makes up most of a picture, scaled to (S, S, 3); None without any."""
    pixels = small.reshape(-1, 3).astype(np.int64)
    cells = pixels // _STEP @ np.array([1024, 32, 1])
    kinds, counts = np.unique(cells, return_counts=True)
    paper = np.median(pixels[cells == kinds[counts.argmax()]], axis=0)
    if paper.mean() < _PAPER_LIGHT or _like(pixels, paper).mean() < _PAPER_SHARE:
        return None
    return np.asarray(paper)


def paper_share(paper: Array, seen: BodyPixels) -> float:
    """The share of a person's pixels that looks like the paper around, 0..1. paper: (3,) 0..255."""
    if seen.body.sum() < _FEWEST:
        return 0.0
    return float(_like(seen.about[seen.body], paper).mean())


def _like(colours: NDArray[np.int64] | Array, paper: Array) -> NDArray[np.bool_]:
    return np.asarray((np.abs(colours - paper) <= _PAPER_LIKE).all(axis=-1))
