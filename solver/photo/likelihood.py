"""How likely a person who was found is there and read rightly; shown to users, and decides who is ticked."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from solver.photo.body_pixels import BodyPixels, body_pixels
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.faces import is_own_face
from solver.photo.detection.plausibility import certainty, upper_certainty
from solver.photo.drawing_cues import flat_colour_share, paper_colour, paper_share
from solver.photo.statue_cues import colour_spread, is_colour_picture

# Log odds, from the half “tune” of renderings (docs/photo.md): even at a `certainty` of _EVEN, _STEEP more for each
# unit beyond.
_EVEN, _STEEP = 1.5, 2.5
# For a face that the face network is sure of, and as much again from this presence: in portraits, which show no legs,
# the rest is unsure.
_FACE, _CLEAR_FACE = 2.5, 0.99
# Spread of colours at which a statue is as likely as a person, and log odds for each beyond.
_STATUE, _FALLS = 0.1, 34.0
# Shares of pixels that are evenly filled, or paper, at which a drawing is as likely as a photo, and log odds below.
_FILLED, _PAPER, _CLEAR = 0.14, 0.25, 40.0
_SMALL = 128  # pixels a side, enough to find a picture's paper and whether it has colours


def likelihoods(people: Sequence[Landmarks], rgb: NDArray[np.uint8], focal: float = np.inf) -> tuple[float, ...]:
    """0..1 for each, after the closer looks; low for statues and drawings, too. rgb: (H, W, 3), the picture.

    focal: pixels, of the camera; by default people are far away. Near people are seen in strong perspective.
    The networks' own presence is no help: it is above 0.9 for most things that are not people.
    """
    picture = Image.fromarray(rgb)
    small = np.asarray(picture.resize((_SMALL, _SMALL), Image.Resampling.BOX))
    paper, coloured = paper_colour(small), is_colour_picture(small)
    odds = [min(_seen(person, focal), _made(body_pixels(picture, person), paper, coloured)) for person in people]
    return tuple(float(1 / (1 + np.exp(-value))) for value in odds)


def _seen(person: Landmarks, focal: float) -> float:
    """Log odds by how the networks saw the person."""
    if person.face is None or not is_own_face(person.face, person):
        return _STEEP * (certainty(person, focal) - _EVEN)
    shows = max(certainty(person, focal), upper_certainty(person, focal))  # legs may be hidden
    return _STEEP * (shows - _EVEN) + _FACE * (2 if person.face.presence > _CLEAR_FACE else 1)


def _made(seen: BodyPixels | None, paper: NDArray[np.float64] | None, coloured: bool) -> float:
    """Log odds that a person is neither drawn nor a statue; infinite if nothing suggests either."""
    if seen is None:
        return np.inf
    odds = _CLEAR * (_FILLED - flat_colour_share(seen))
    if paper is not None:
        odds = min(odds, _CLEAR * (_PAPER - paper_share(paper, seen)))
    spread = colour_spread(seen) if coloured else None
    return odds if spread is None else min(odds, _FALLS * (spread - _STATUE))
