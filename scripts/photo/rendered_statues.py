"""What the statues of `scripts.photo.photo_renderings --statues` are made of: one colour with its stains."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Array = NDArray[np.float64]
# How materials look in plain daylight, red, green and blue; and how far stains change their hue, in logarithms.
MATERIALS: dict[str, tuple[tuple[int, int, int], float]] = {
    "marble": ((226, 220, 208), 0.02),
    "bronze": ((104, 78, 50), 0.06),
    "limestone": ((196, 184, 156), 0.03),
    "terracotta": ((178, 98, 68), 0.03),
    "granite": ((128, 124, 124), 0.02),
    "sandstone": ((188, 152, 110), 0.03),
    "green copper": ((98, 142, 124), 0.08),
    "plaster": ((236, 232, 226), 0.01),
    "cast iron": ((62, 60, 60), 0.03),
    "gilding": ((200, 158, 72), 0.04),
    "red sandstone": ((168, 104, 82), 0.03),
    "dark bronze": ((58, 50, 40), 0.06),
}
_SHADE = 0.1  # one standard deviation of how light and dark stains are, in logarithms
_VARIES = 0.08  # of a material's colour from one statue to another, in logarithms
_STAIN = 0.03  # of the picture's longest side: how large stains are


def material(index: int) -> str:
    """What the statues of the index-th picture are made of: all materials in turn."""
    return tuple(MATERIALS)[index % len(MATERIALS)]


def colour_of(made_of: str, rng: np.random.Generator) -> str:
    """A colour of a material, as #rrggbb."""
    shade = np.exp(rng.normal(0.0, 0.12) + rng.normal(0.0, _VARIES / 2, 3))
    return "#" + "".join(f"{int(v):02x}" for v in (np.array(MATERIALS[made_of][0]) * shade).clip(0, 255))


def stained(surface: Array, made_of: str, rng: np.random.Generator) -> Array:
    """(H, W, 3) 0..255 of statues with stains: lighter and darker, and a little of another hue, from place to place."""
    hue = MATERIALS[made_of][1]
    size = (surface.shape[1], surface.shape[0])
    shade, red, blue = (_clouds(size, rng) for _ in range(3))
    change = _SHADE * shade[..., None] + hue * np.stack([red, np.zeros_like(red), blue], axis=-1)
    return np.asarray((surface * np.exp(change)).clip(0, 255))


def _clouds(size: tuple[int, int], rng: np.random.Generator) -> Array:
    """(H, W) with a standard deviation of about 1: smooth noise at two scales."""
    out = np.zeros(size[::-1])
    for scale, share in ((_STAIN, 0.8), (_STAIN / 4, 0.6)):
        cells = [max(round(side / (scale * max(size))), 2) for side in size]
        noise = rng.normal(0.0, 1.0, cells[::-1]).astype(np.float32)
        out += share * np.asarray(Image.fromarray(noise).resize(size, Image.Resampling.BICUBIC))
    return out
