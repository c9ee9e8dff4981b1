"""Takes heavy noise out of a picture for the networks, which see fewer people in it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]
# Of 255: photos measure up to 5, and 12 with added noise of 20. From this on networks see more without it.
_HEAVY = 15.0
_LARGEST = 2048  # pixels of the longest side: larger pictures are made smaller for networks, which averages noise
_MIDDLE = 512  # pixels a side of the part of a picture in which noise is measured
_REACH, _SMOOTH = 4, 0.7  # pixels: of the filter, and how far what guides it is blurred
# Of second differences in both directions: what noise of 1 makes of them, and their median part of that.
_GAIN, _MEDIAN = 6.0, 0.6745


def denoised(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """An (H, W, 3) picture that networks can read: one with heavy noise without most of it, any other the same array.

    A guided filter (He et al. 2010): where the picture's lightness varies more than noise does, it stays.
    """
    if max(rgb.shape[:2]) > _LARGEST or (noise := noise_of(rgb)) < _HEAVY:
        return rgb
    from scipy.ndimage import gaussian_filter, uniform_filter

    def mean(values: Array) -> Array:
        return np.asarray(uniform_filter(values, 2 * _REACH + 1))

    light = np.asarray(gaussian_filter(rgb.mean(axis=2, dtype=np.float32), _SMOOTH), np.float32)
    middle = mean(light)
    varies = mean(light * light) - middle * middle
    clean = np.empty_like(rgb)
    for channel in range(3):
        values = rgb[..., channel].astype(np.float32)
        usual = mean(values)
        slope = (mean(light * values) - middle * usual) / (varies + noise * noise)
        clean[..., channel] = (mean(slope) * light + mean(usual - slope * middle)).clip(0, 255)
    return clean


def noise_of(rgb: NDArray[np.uint8]) -> float:
    """The noise in the middle of an (H, W, 3) picture, of 255; too little where it is clipped."""
    top, left = (max((side - _MIDDLE) // 2, 0) for side in rgb.shape[:2])
    light = rgb[top : top + _MIDDLE, left : left + _MIDDLE].mean(axis=2, dtype=np.float32)
    if min(light.shape) < 3:
        return 0.0
    return float(np.median(np.abs(np.diff(np.diff(light, 2, axis=0), 2, axis=1)))) / (_MEDIAN * _GAIN)
