"""How likely it is that somebody who was found is there, and read rightly: shown to users, it decides who is ticked."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.judging import certainty
from solver.photo.drawn import filled_share, paper_share
from solver.photo.fit.turns_seen import sure_face
from solver.photo.on_body import on_body
from solver.photo.one_colour import colour_spread

# Log odds, from half “tune” of renderings (docs/photo.md): even at _EVEN of `certainty`, _STEEP more for each beyond.
_EVEN, _STEEP = 1.5, 2.5
_FACE = 2.5  # for a face that a network of its own is sure of: of portraits, whose legs nobody sees, the rest is unsure
# Spread of colours at which a statue is as likely as a person, and log odds for each beyond.
_STATUE, _FALLS = 0.1, 34.0
# Shares of pixels that are evenly filled, or paper, at which a drawing is as likely as a photo, and log odds below.
_FILLED, _PAPER, _CLEAR = 0.14, 0.25, 40.0


def likelihood(person: Landmarks, rgb: NDArray[np.uint8]) -> float:
    """0..1, after the closer looks; low for a statue or a drawing, too. rgb: (H, W, 3), the picture.

    The presence that networks tell is above 0.9 for most things that are nobody.
    """
    odds = _STEEP * (certainty(person) - _EVEN)
    if person.face is not None and sure_face(person.face):
        odds += _FACE
    seen = on_body(rgb, person)
    if seen is not None:
        odds = min(odds, _CLEAR * (_FILLED - filled_share(seen)), _CLEAR * (_PAPER - paper_share(rgb, seen)))
        spread = colour_spread(rgb, seen)
        if spread is not None:
            odds = min(odds, _FALLS * (spread - _STATUE))
    return float(1 / (1 + np.exp(-odds)))
