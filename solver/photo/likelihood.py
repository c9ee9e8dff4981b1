"""How likely a person who was found is there and read rightly; shown to users, and decides who is ticked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.faces import is_own_face
from solver.photo.detection.plausibility import certainty, upper_certainty
from solver.photo.likelihood_threshold import LIKELIHOOD_THRESHOLD
from solver.photo.likeness.body_pixels import BodyPixels, body_pixels
from solver.photo.likeness.drawing_cues import flat_colour_share, paper_colour, paper_share
from solver.photo.likeness.faults import is_blocky, is_clipped, is_overexposed
from solver.photo.likeness.statue_cues import colour_spread, is_colour_picture, is_colourless

# Log odds, from the half “tune” of renderings (docs/photo-people.md): even at a `certainty` of _EVEN, _STEEP more for
# each unit beyond.
_EVEN, _STEEP = 1.5, 2.5
# For a face that the face network is sure of, and as much again from this presence: in portraits, which show no legs,
# the rest is unsure.
_FACE, _CLEAR_FACE = 2.5, 0.99
# Spread of colours at which a statue is as likely as a person, and log odds for each beyond.
_STATUE, _FALLS = 0.1, 34.0
# Shares of pixels that are evenly filled, or paper, at which a drawing is as likely as a photo, and log odds below.
_FILLED, _PAPER, _CLEAR = 0.14, 0.25, 40.0
_SMALL = 128  # pixels a side, enough to find a picture's paper and whether it has colours
STATUE, DRAWING = "statue", "drawing"
# Where the photo's own faults may be why.
OVEREXPOSED, COMPRESSED = "{} or overexposed photo", "{} or very compressed photo"


@dataclass(frozen=True)
class Likely:
    """How likely somebody is there and read rightly, 0..1. like: STATUE or DRAWING, maybe with what else makes a photo
    look so, if they look so much like one that they are unsure for it, else ""."""

    score: float
    like: str = ""


def judged(people: Sequence[Landmarks], rgb: NDArray[np.uint8], focal: float = np.inf) -> tuple[Likely, ...]:
    """For each, after the closer looks; low for statues and drawings, too. rgb: (H, W, 3), the picture.

    focal: pixels, of the camera; by default people are far away. Near people are seen in strong perspective.
    The networks' own presence is no help: it is above 0.9 for most things that are not people.
    """
    picture = Image.fromarray(rgb)
    small = np.asarray(picture.resize((_SMALL, _SMALL), Image.Resampling.BOX))
    paper, coloured = paper_colour(small), is_colour_picture(small)
    return tuple(_likely(_seen(p, focal), *_made(body_pixels(picture, p), paper, coloured, rgb)) for p in people)


def _likely(seen: float, made: float, like: str) -> Likely:
    score = float(1 / (1 + np.exp(-min(seen, made))))
    return Likely(score, like if made < seen and score < LIKELIHOOD_THRESHOLD else "")


def _seen(person: Landmarks, focal: float) -> float:
    """Log odds by how the networks saw the person."""
    if person.face is None or not is_own_face(person.face, person):
        return _STEEP * (certainty(person, focal) - _EVEN)
    shows = max(certainty(person, focal), upper_certainty(person, focal))  # legs may be hidden
    return _STEEP * (shows - _EVEN) + _FACE * (2 if person.face.presence > _CLEAR_FACE else 1)


def _made(
    seen: BodyPixels | None, paper: NDArray[np.float64] | None, coloured: bool, rgb: NDArray[np.uint8]
) -> tuple[float, str]:
    """Log odds that a person is neither drawn nor a statue, infinite if nothing suggests either; and what they may
    be."""
    if seen is None:
        return np.inf, ""
    filled = _CLEAR * (_FILLED - flat_colour_share(seen))
    reasons = [(filled, COMPRESSED.format(DRAWING) if filled < 0 and is_blocky(rgb) else DRAWING)]
    if paper is not None:
        lined = OVEREXPOSED.format(DRAWING) if is_clipped(paper) else DRAWING
        reasons.append((_CLEAR * (_PAPER - paper_share(paper, seen)), lined))
    spread = colour_spread(seen) if coloured and not is_colourless(seen) else None
    if spread is not None:
        one_colour = OVEREXPOSED.format(STATUE) if is_overexposed(seen) else STATUE
        reasons.append((_FALLS * (spread - _STATUE), one_colour))
    return min(reasons)
