"""The halves of a view that shows a photo beside its copy: the photo keeps to its own, however it is magnified."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rendering.camera.camera import PhotoView, View

GAP = 0.02  # of the photo's width or height, between it and its copy
SEAM = 3.0  # pixels that stay free between the halves


def to_copy(camera: PhotoView, width: float, height: float) -> NDArray[np.float64]:
    """(2,) pixels right and down from anything in the photo to the same in its copy, whatever the zoom is."""
    fit = camera.fitted(width, height)[0]
    w, h = camera.lens.image_size
    away = -(1.0 + GAP) * fit
    return np.array([0.0, away * h] if camera.is_stacked(width, height) else [away * w, 0.0])


def photo_half(camera: PhotoView, width: float, height: float) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the part of the view that is the photo's, pixels; all of it without a copy."""
    if not camera.halved:
        return 0.0, 0.0, width, height
    if camera.is_stacked(width, height):
        return 0.0, (height + SEAM) / 2, width, height
    return (width + SEAM) / 2, 0.0, width, height


def copy_half(camera: PhotoView, width: float, height: float) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the part of the view that is the copy's, pixels. camera: one that is halved."""
    if camera.is_stacked(width, height):
        return 0.0, 0.0, width, (height - SEAM) / 2
    return 0.0, 0.0, (width - SEAM) / 2, height


def is_in_copy(view: View, pixel: ArrayLike) -> bool:
    """Whether a pixel (2,) of the view is in the half of the photo's copy."""
    if not isinstance(view.camera, PhotoView) or not view.camera.halved:
        return False
    left, top, _, _ = photo_half(view.camera, view.width, view.height)
    x, y = np.asarray(pixel, np.float64)
    return bool(x < left or y < top)


def in_photo(view: View, pixel: ArrayLike) -> NDArray[np.float64]:
    """(2,) the pixel of the view at which the photo itself shows what its copy shows at `pixel`, if that is there."""
    at = np.asarray(pixel, np.float64)
    if isinstance(view.camera, PhotoView) and is_in_copy(view, at):
        at = at - to_copy(view.camera, view.width, view.height)
    return at
