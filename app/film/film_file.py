"""Moving pictures as files: GIF by Pillow, and MP4 (H.264) by PyAV where that is installed."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from fractions import Fraction
from importlib.util import find_spec
from itertools import chain, pairwise
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.film.gif_colors import TRANSPARENT, in_one_palette
from solver.errors import InputRefused, PoserError
from solver.files.atomic import check_writable, write_bytes

Pixels = NDArray[np.uint8]

MOVING = ("gif", "mp4")
LARGEST_SIDE = 4096
FPS = {"gif": (1.0, 50.0), "mp4": (1.0, 120.0)}  # frames a second; viewers slow down a GIF beyond
MOST_FPS = int(FPS["gif"][1])
MOST_GIF_PIXELS = 600_000_000  # of all images together, a byte each while the file is made
QUALITY = "18"  # x264's constant rate factor: no visible loss
NO_MP4 = "MP4 files need the library “av”, which is not installed. Run “pip install av”, or choose GIF."


def mp4_works() -> bool:
    """Whether MP4 files can be written here."""
    return find_spec("av") is not None


def check_film(path: str | os.PathLike[str], count: int, fps: float, size: tuple[int, int], transparent: bool) -> None:
    """Raise what would keep a film from being written, before anything is drawn. size: (width, height) pixels."""
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in MOVING:
        raise InputRefused(path, "the suffix names no moving picture (.gif, .mp4)", "Change it")
    if kind == "mp4" and not mp4_works():
        raise PoserError(NO_MP4)
    if kind == "mp4" and transparent:
        raise InputRefused(path, "an MP4 film cannot be transparent", "Choose GIF, or a background")
    low, high = FPS[kind]
    if not low <= fps <= high:
        raise InputRefused(path, f"{fps:g} frames a second is not between {low:g} and {high:g}", "Choose others")
    if max(size) > LARGEST_SIDE or min(size) < 2:
        raise InputRefused(path, f"a film has sides of 2 to {LARGEST_SIDE:,} pixels", "Choose another size")
    if kind == "gif" and count * size[0] * size[1] > MOST_GIF_PIXELS:
        reason = f"{count:,} images of {size[0]} x {size[1]} pixels are too much for a GIF"
        raise InputRefused(path, reason, "Make it smaller or shorter, with fewer frames a second, or an MP4 file")
    check_writable(path)


def write_film(
    path: str | os.PathLike[str], frames: Iterable[Pixels], count: int, fps: float, transparent: bool = False
) -> Path:
    """Write (H, W, 4) uint8 RGBA images as a film that the suffix names, all or nothing, and return its path.

    Images are taken one at a time. transparent: of a GIF, where alpha is below a half. Call `check_film` before.
    """
    target = Path(path)
    write_bytes(target, film_bytes(target, frames, count, fps, transparent))
    return target


def film_bytes(
    path: str | os.PathLike[str], frames: Iterable[Pixels], count: int, fps: float, transparent: bool = False
) -> bytes:
    """What `write_film` would write under that path."""
    gif = Path(path).suffix.lower() == ".gif"
    return gif_bytes(frames, count, fps, transparent) if gif else mp4_bytes(frames, fps)


def film_rate(rate: float) -> int:
    """The motion's own rate or, if a film cannot have that many, the rate of every second frame, every third and so on:
    with any other, some frames would show twice or not at all."""
    return max(1, round(rate / max(1, ceil(rate / MOST_FPS))))


def gif_bytes(frames: Iterable[Pixels], count: int, fps: float, transparent: bool = False) -> bytes:
    """A GIF that plays over and over. All images share the palette of the first."""
    images, stream = in_one_palette(frames, transparent), io.BytesIO()
    # hundredths of a second, spread so that the film as a whole lasts as long as it should
    ends = [round(100 * number / fps) for number in range(count + 1)]
    disposal = 2 if transparent else 1  # what an image leaves for the next one: nothing, or itself
    next(images).save(
        stream,
        format="GIF",
        save_all=True,
        append_images=images,
        duration=[10 * (after - before) for before, after in pairwise(ends)],
        loop=0,
        optimize=False,
        transparency=TRANSPARENT,
        disposal=disposal,
    )
    return stream.getvalue()


def mp4_bytes(frames: Iterable[Pixels], fps: float) -> bytes:
    """An MP4 film. An odd last row or column is left out: H.264 halves its colours."""
    import av

    taken, stream = iter(frames), io.BytesIO()
    first = next(taken)
    height, width = (side - side % 2 for side in first.shape[:2])
    with av.open(stream, "w", format="mp4") as container:
        video = container.add_stream("libx264", rate=Fraction(fps).limit_denominator(1001))
        video.width, video.height, video.pix_fmt = width, height, "yuv420p"
        video.options = {"crf": QUALITY}
        context = video.codec_context  # HD's colours, declared so that players show them unchanged
        context.color_range = context.colorspace = context.color_primaries = context.color_trc = 1
        for pixels in chain((first,), taken):
            rgb = np.ascontiguousarray(pixels[:height, :width, :3])
            image = av.VideoFrame.from_ndarray(rgb, format="rgb24")
            container.mux(video.encode(image.reformat(format="yuv420p", dst_colorspace="ITU709")))
        container.mux(video.encode())
    return stream.getvalue()
