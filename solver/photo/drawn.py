"""Whether somebody in a picture is drawn: filled with even colours, or lines on paper that shows through.

Whoever was in front of a camera is round and lit from somewhere, and cameras have noise: hardly any of their pixels are
like all around them. Paintings in oil or pastel have all that too; they are not told apart from photos.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy.ndimage import maximum_filter, minimum_filter

from solver.photo.on_body import OnBody

_EVEN, _GREY_EVEN = (
    2,
    1,
)  # of 255: pixels that differ by no more from those around are filled; where there are no colours
_GREY = 4.0  # of 255, between a pixel's channels: less is no colour
_DARK, _LIGHT = 60.0, 240.0  # between which a mean of the channels is neither black clothes nor overexposed
_FEWEST, _FEWEST_OF_PART = 80, 15  # pixels
_PAPER_LIGHT, _PAPER_SHARE = 150.0, 0.4  # paper is light, and such a share of the picture at the least
_PAPER_LIKE, _STEP = 12, 12  # of 255: how far paper differs from itself


def filled_share(seen: OnBody) -> float:
    """Of somebody's pixels that are neither black nor white, how many have no shading, noise or cloth: 0..1.

    The geometric mean of the share of all, and of what most parts of the body have: one even garment is no drawing.
    """
    light = seen.about.mean(axis=2)
    there = (light > _DARK) & (light < _LIGHT)
    parts = [part & there for part in seen.parts if (part & there).sum() >= _FEWEST_OF_PART]
    if not parts or (seen.body & there).sum() < _FEWEST:
        return 0.0
    window = (3, 3, 1)
    differs = (maximum_filter(seen.about, window) - minimum_filter(seen.about, window)).max(axis=2)
    coloured = np.median(np.ptp(seen.about, axis=2)[seen.body & there]) > _GREY
    even = differs <= (_EVEN if coloured else _GREY_EVEN)
    return float(np.sqrt(even[seen.body & there].mean() * np.median([even[part].mean() for part in parts])))


def paper_share(rgb: NDArray[np.uint8], seen: OnBody) -> float:
    """Of somebody's pixels the share that looks like the paper around, 0..1; 0 where a picture (H, W, 3) has none."""
    small = np.asarray(Image.fromarray(rgb).resize((128, 128), Image.Resampling.BOX), np.int64).reshape(-1, 3)
    cells = small // _STEP @ np.array([1024, 32, 1])
    kinds, counts = np.unique(cells, return_counts=True)
    paper = np.median(small[cells == kinds[counts.argmax()]], axis=0)
    if paper.mean() < _PAPER_LIGHT or _like(small, paper).mean() < _PAPER_SHARE or seen.body.sum() < _FEWEST:
        return 0.0
    return float(_like(seen.about, paper)[seen.body].mean())


def _like(colours: NDArray[np.int64] | NDArray[np.float64], paper: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray((np.abs(colours - paper) <= _PAPER_LIKE).all(axis=-1))
