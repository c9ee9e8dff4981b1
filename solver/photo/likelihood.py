"""How likely it is that somebody who was found is there, and read rightly: shown to users, it decides who is ticked."""

from __future__ import annotations

import numpy as np

from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.judging import certainty
from solver.photo.fit.turns_seen import sure_face

# Log odds, from half “tune” of renderings (docs/photo.md): even at _EVEN of `certainty`, _STEEP more for each beyond.
_EVEN, _STEEP = 1.5, 2.5
_FACE = 2.5  # for a face that a network of its own is sure of: of portraits, whose legs nobody sees, the rest is unsure


def likelihood(person: Landmarks) -> float:
    """0..1, after the closer looks. The presence that networks tell is above 0.9 for most things that are nobody."""
    odds = _STEEP * (certainty(person) - _EVEN)
    if person.face is not None and sure_face(person.face):
        odds += _FACE
    return float(1 / (1 + np.exp(-odds)))
