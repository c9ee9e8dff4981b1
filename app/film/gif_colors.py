"""Images for a GIF: one palette for all of them, a fixed dither, and only what changed after the first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL import Image

Pixels = NDArray[np.uint8]

TRANSPARENT = 255  # the palette's last colour
DITHER = 4.0  # levels of 255 that the pattern adds, from its darkest pixel to its brightest
UNNOTICED = 3  # levels by which a pixel may differ from what is there already and still be left as it is


def in_one_palette(frames: Iterable[Pixels], transparent: bool) -> Iterator[Image.Image]:
    """(H, W, 4) uint8 RGBA images with the palette of the first. `TRANSPARENT` stands for what lies behind: if
    `transparent`, wherever alpha is below a half; else the previous image, wherever a pixel has not changed.

    The dither's pattern stays where it is: one that spreads errors, as Pillow's does, flickers over everything that
    stands still and makes the file more than twice as large.
    """
    from PIL import Image

    palette: Image.Image | None = None
    shown: Pixels | None = None
    for pixels in frames:
        rgb = pixels[..., :3]
        palette = palette or _palette(rgb, TRANSPARENT)
        colors = np.array(palette.getpalette()[: 3 * TRANSPARENT], np.uint8).reshape(-1, 3)  # type: ignore[index]
        dithered = np.clip(np.round(rgb + _pattern(rgb.shape[0], rgb.shape[1])), 0, 255).astype(np.uint8)
        numbers = np.asarray(Image.fromarray(dithered).quantize(palette=palette, dither=Image.Dither.NONE))
        if transparent:
            written = np.where(pixels[..., 3] < 128, np.uint8(TRANSPARENT), numbers)
        elif shown is None:
            written = shown = numbers
        else:
            same = (np.abs(colors[shown].astype(np.int16) - rgb) <= UNNOTICED).all(axis=-1) | (shown == numbers)
            written = np.where(same, np.uint8(TRANSPARENT), numbers)
            shown = np.where(same, shown, numbers)
        image = Image.fromarray(written, "P")
        image.putpalette(colors.tobytes())
        yield image


def _pattern(height: int, width: int) -> NDArray[np.float32]:
    """(H, W, 1) levels: Bayer's 8 x 8 matrix, over and over."""
    tile = np.zeros((1, 1))
    for _ in range(3):
        tile = np.block([[4 * tile, 4 * tile + 2], [4 * tile + 3, 4 * tile + 1]])
    tile = DITHER * ((tile + 0.5) / tile.size - 0.5)
    return np.tile(tile, (-(-height // 8), -(-width // 8)))[:height, :width, None].astype(np.float32)


def _palette(rgb: Pixels, colors: int) -> Image.Image:
    """An image with the palette for (H, W, 3). A colour counts by the root of how often it occurs, so that a person
    who is small before a large background gets colours, too."""
    from PIL import Image

    found, counts = np.unique(rgb.reshape(-1, 3) & 0xFC, axis=0, return_counts=True)
    shares = np.repeat(found, np.ceil(np.sqrt(counts)).astype(int), axis=0)
    return Image.fromarray(shares[None]).quantize(colors, method=Image.Quantize.MEDIANCUT)
