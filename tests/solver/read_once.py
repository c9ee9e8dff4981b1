"""Photos that tests of one process read with the real networks, the first time; the next one gets the same people."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body
from solver.photo.detection.blazepose import Landmarks
from solver.photo.estimate import Cancelled, Progress, SoFar, estimate_people
from solver.photo.image_file import PhotoImage
from solver.photo.people import PhotoResult
from solver.photo.person_in_box import person_in_box

_read: dict[tuple[object, ...], PhotoResult] = {}
_in_boxes: dict[tuple[object, ...], Landmarks | None] = {}


def people_of(
    image: PhotoImage,
    body: Body,
    focal_px: float | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
    so_far: SoFar | None = None,
) -> PhotoResult:
    """`estimate_people`, remembered where it was not cancelled."""
    key = sha256(image.rgb.tobytes()).digest(), image.size, image.focal_px, focal_px, body
    if key not in _read:
        result = estimate_people(image, body, focal_px, progress, cancelled, so_far)
        if cancelled and cancelled():
            return result
        _read[key] = result
    return _read[key]


def person_of(rgb: NDArray[np.uint8], box: Sequence[float], others: Sequence[Landmarks] = ()) -> Landmarks | None:
    """`person_in_box`, remembered where nobody else is known in the picture."""
    if others:
        return person_in_box(rgb, box, others)
    key = sha256(rgb.tobytes()).digest(), rgb.shape, tuple(box)
    if key not in _in_boxes:
        _in_boxes[key] = person_in_box(rgb, box)
    return _in_boxes[key]
