"""Faults of a photo that make it look drawn, or of one colour: strong compression, and overexposure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.photo.likeness.body_pixels import BodyPixels

_BLOCK = 8  # pixels a side, within which JPEG rounds
_ENOUGH = 1024  # pixels a side of the picture's middle from which its compression is told
# How much more neighbours differ across the edges of blocks than within them: photos of quality 8 and less from 2.0,
# drawings that were not compressed up to 1.3.
_BLOCKY = 1.8
_FAINT = 0.1  # of 255: a difference that says nothing
_CLIPPED = 250  # of 255: what is brighter may be any colour
_OVEREXPOSED = 0.25  # share of a person's pixels, a channel of which is clipped


def is_blocky(rgb: NDArray[np.uint8]) -> bool:
    """Whether an (H, W, 3) picture is so strongly compressed that it falls into evenly filled blocks."""
    top, left = (max((side - _ENOUGH) // 2, 0) for side in rgb.shape[:2])
    grey = rgb[top : top + _ENOUGH, left : left + _ENOUGH].astype(np.float32).mean(axis=2)
    return float(np.mean([_edges_stand_out(grey), _edges_stand_out(grey.T)])) > _BLOCKY


def is_overexposed(seen: BodyPixels) -> bool:
    """Whether so much of a person is clipped that their colours are lost."""
    return float((seen.about[seen.body].max(axis=1) >= _CLIPPED).mean()) >= _OVEREXPOSED


def is_clipped(colour: NDArray[np.float64]) -> bool:
    """Whether a colour, (3,) 0..255, is what overexposed things have."""
    return bool(colour.min() >= _CLIPPED)


def _edges_stand_out(grey: NDArray[np.float32]) -> float:
    """How much more columns differ across the edges of blocks, wherever these begin, than elsewhere; 1 for no more."""
    differ = np.abs(np.diff(grey, axis=1)).mean(axis=0)
    whole = len(differ) // _BLOCK * _BLOCK
    if not whole:
        return 1.0
    usual = np.sort(np.median(differ[:whole].reshape(-1, _BLOCK), axis=0))  # whatever a few lines in a drawing do
    return float((usual[-1] + _FAINT) / (usual[:-1].mean() + _FAINT))
