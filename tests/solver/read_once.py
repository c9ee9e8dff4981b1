"""Photos that tests of one process read with the real networks, the first time; the next one gets the same people."""

from __future__ import annotations

from hashlib import sha256

from solver.body.body import Body
from solver.photo.estimate import Cancelled, Progress, SoFar, estimate_people
from solver.photo.image_file import PhotoImage
from solver.photo.people import PhotoResult

_read: dict[tuple[object, ...], PhotoResult] = {}


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
