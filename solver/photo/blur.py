"""Takes blur out of a picture for the networks, which see fewer people in it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Array = NDArray[np.float32]
# Of the longest side: sharp pictures measure up to 0.0022, and 0.0033 with heavy noise taken out. From the first on
# networks see more without the blur; from the second on too little is left.
_BLURRED, _LOST = 0.004, 0.012
_MEASURED, _SHARPENED = 480, 1280  # pixels of the longest side at which blur is measured, and taken out
_FIRST, _SECOND = 1.0, 2.0  # pixels of a blur against noise, and of one that says how steep edges were
_STEEP = 0.999  # share of the pixels that are less steep than the edges at which blur is measured
_NOISE = 0.03  # of the signal's power: what noise has, so that it is not raised with the signal


def deblurred(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """An (H, W, 3) picture that networks can read: a blurred one without most of its blur, any other the same array.

    Wiener's filter for a Gaussian: what a picture out of focus has lost is mostly told by the width of its blur.
    """
    if not _BLURRED <= (blur := blur_of(rgb)) <= _LOST:
        return rgb
    from scipy import fft

    picture = Image.fromarray(rgb)
    small = np.asarray(_at_most(picture, _SHARPENED), np.float32)
    width = blur * max(small.shape[:2])
    edge = int(4 * width) + 1
    padded = np.pad(small, ((edge, edge), (edge, edge), (0, 0)), mode="symmetric")
    rows, columns = padded.shape[:2]
    squares = fft.fftfreq(rows)[:, None] ** 2 + fft.rfftfreq(columns) ** 2
    passed = np.exp(-2 * (np.pi * width) ** 2 * squares)
    gain = (passed * (1 + _NOISE) / (passed**2 + _NOISE)).astype(np.float32)
    sharp = fft.irfft2(fft.rfft2(padded, axes=(0, 1)) * gain[..., None], s=(rows, columns), axes=(0, 1))
    inside = sharp[edge : rows - edge, edge : columns - edge].clip(0, 255).astype(np.uint8)
    return np.asarray(Image.fromarray(inside).resize(picture.size, Image.Resampling.BICUBIC))


def blur_of(rgb: NDArray[np.uint8]) -> float:
    """The standard deviation of a picture's blur, as a share of its longest side, by how far a second blur lowers its
    steepest edges; 0 without any."""
    from scipy.ndimage import gaussian_filter

    small = _at_most(Image.fromarray(rgb).convert("L"), _MEASURED)
    if min(small.size) < 3:
        return 0.0
    light = np.asarray(gaussian_filter(np.asarray(small, np.float32), _FIRST))
    before, after = _steepest(light), _steepest(np.asarray(gaussian_filter(light, _SECOND)))
    if not 0.0 < after < before:
        return 0.0
    kept = (after / before) ** 2  # for an edge, its square is the blur's share of both blurs' variance
    variance = _SECOND**2 * kept / (1 - kept) - _FIRST**2
    return float(np.sqrt(max(variance, 0.0))) / max(small.size)


def _steepest(light: Array) -> float:
    down, across = np.gradient(light)
    return float(np.quantile(np.hypot(down, across), _STEEP))


def _at_most(picture: Image.Image, longest: int) -> Image.Image:
    scale = longest / max(picture.size)
    if scale >= 1:
        return picture
    size = (max(round(picture.width * scale), 1), max(round(picture.height * scale), 1))
    return picture.resize(size, Image.Resampling.BOX, reducing_gap=2.0)
