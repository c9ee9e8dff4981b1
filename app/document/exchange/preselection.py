"""Which of the people found in a photo are meant, as far as one can tell: those surely there, and not small."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from solver.photo.likelihood_threshold import LIKELIHOOD_THRESHOLD

Box = tuple[float, float, float, float]

LARGE_FROM = 0.08  # of the picture: the root of the box's area by the root of the picture's
LARGE_BESIDE = 0.4  # of the largest person, measured the same way


def reasons_to_leave_out(scores: Sequence[float], boxes: Sequence[Box], image_size: tuple[int, int]) -> tuple[str, ...]:
    """For each person "" if they are likely meant, else why not: "unsure" or "small".

    scores: 0..1. boxes: left, top, right, bottom in pixels. image_size: width and height in pixels.
    """
    sides = [sqrt(max(right - left, 0.0) * max(bottom - top, 0.0)) for left, top, right, bottom in boxes]
    sure = [side for score, side in zip(scores, sides, strict=True) if score >= LIKELIHOOD_THRESHOLD]
    least = max(LARGE_FROM * sqrt(image_size[0] * image_size[1]), LARGE_BESIDE * max(sure, default=0.0))
    return tuple(
        "unsure" if score < LIKELIHOOD_THRESHOLD else "small" if side < least else ""
        for score, side in zip(scores, sides, strict=True)
    )
