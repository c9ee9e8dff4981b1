"""What the people of `scripts.photo.photo_renderings` wear: suits of one colour, any, dark, or white and light grey."""

from __future__ import annotations

import numpy as np

_DARK, _ANY = (8.0, 45.0), (20.0, 235.0)  # of 255, each channel
_WHITE, _TINT = (165.0, 245.0), 5.0  # how light white suits are, and how far a channel is from that


def suit_colour(dark: bool, white: bool, rng: np.random.Generator) -> str:
    """A suit's colour as #rrggbb. The same draws are made for all, so that all else in the picture is alike."""
    drawn = rng.uniform(*(_DARK if dark else _ANY), 3)
    if white:
        share = (drawn - _ANY[0]) / (_ANY[1] - _ANY[0])
        light = _WHITE[0] + share[0].clip(0, 1) * (_WHITE[1] - _WHITE[0])
        drawn = light + _TINT * (2 * share - 1) * [0.0, 1.0, 1.0]
    return "#" + "".join(f"{int(v):02x}" for v in drawn.clip(0, 255))
