"""Who is found in pictures with heavy noise, or out of focus, as they are and as networks see them.

python -m scripts.photo.noise_study --renderings DIR [--half report] [--noise 60 | --blur 0.005] [--only NAME ...]

DIR is from `scripts.photo.photo_renderings`. `solver.photo.noise` takes heavy noise out, `solver.photo.blur` blur.
Blurred pictures also have a little of a camera's noise, and are compressed. Printed for each picture, and for all:
people found of those there, how many more were read, and how far off the found are, a mean of medians, in % of the
extent.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy.ndimage import gaussian_filter

from scripts.arguments import script_parser
from scripts.photo.photo_renderings import QUALITY
from solver.photo.accuracy import shared_indices, shared_landmarks
from solver.photo.blur import deblurred
from solver.photo.detection.people2d import find_people
from solver.photo.image_file import load_image
from solver.photo.measuring.measure import IS_ONE
from solver.photo.measuring.truth import HALVES, TruePicture, read_renderings
from solver.photo.noise import denoised

Seen = Callable[[NDArray[np.uint8]], NDArray[np.uint8]]
CAMERAS_NOISE = 1.5  # of 255, in blurred pictures


def main(arguments: list[str] | None = None) -> None:
    """Print the figures."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--renderings", type=Path, required=True, metavar="DIR")
    parser.add_argument("--half", choices=HALVES, help="the half to measure (default: both)")
    parser.add_argument("--noise", type=float, default=60.0, help="standard deviation, of 255 (default: 60)")
    parser.add_argument("--blur", type=float, help="in place of noise: a standard deviation, of the longest side")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="of pictures, such as 0005.jpg")
    given = parser.parse_args(arguments)
    mended: tuple[str, Seen] = ("deblurred", deblurred) if given.blur else ("denoised", denoised)
    ways: dict[str, Seen] = dict([("as is", lambda rgb: rgb), mended])
    found: dict[str, list[float]] = {way: [] for way in ways}
    there, more = 0, dict.fromkeys(ways, 0)
    for picture in read_renderings(given.renderings, given.half):
        if given.only and picture.name not in given.only:
            continue
        rgb = load_image(given.renderings / picture.name).rgb
        poor = out_of_focus(rgb, given.blur) if given.blur else with_noise(rgb, given.noise)
        there += len(picture.people)
        for way, seen_through in ways.items():
            off, others = read_in(seen_through(poor), picture)
            found[way] += off
            more[way] += others
            print(f"{picture.name} {way}: {len(off)} of {len(picture.people)} found, {others} more", flush=True)
    for way, off in found.items():
        print(f"all {way}: {len(off)} of {there} found, {more[way]} more, {100 * np.mean(off or [0.0]):.2f}% off")


def with_noise(rgb: NDArray[np.uint8] | NDArray[np.float32], level: float) -> NDArray[np.uint8]:
    """The picture with noise of that standard deviation."""
    noise = np.random.default_rng(1).normal(0.0, level, rgb.shape)
    noisy: NDArray[np.uint8] = (rgb + noise).clip(0, 255).astype(np.uint8)
    return noisy


def out_of_focus(rgb: NDArray[np.uint8], share: float) -> NDArray[np.uint8]:
    """The picture blurred by a standard deviation that is a share of its longest side, as a camera stores it."""
    width, buffer = share * max(rgb.shape[:2]), io.BytesIO()
    blurred = gaussian_filter(rgb.astype(np.float32), (width, width, 0))
    Image.fromarray(with_noise(blurred, CAMERAS_NOISE)).save(buffer, format="JPEG", quality=QUALITY)
    return np.asarray(Image.open(buffer).convert("RGB"))


def read_in(rgb: NDArray[np.uint8], picture: TruePicture) -> tuple[list[float], int]:
    """How far off those found are, shares of the extent, and how many more were read."""
    people = [person.pixels[shared_landmarks()] for person in find_people(rgb)]
    off, taken = list[float](), set[int]()
    for true in picture.people:
        places = true.pixels[shared_indices()]
        size = float(np.linalg.norm(np.ptp(places, axis=0)))
        away = [float(np.median(np.linalg.norm(one - places, axis=1))) / size for one in people]
        if away and min(away) < IS_ONE:
            off.append(min(away))
            taken.add(int(np.argmin(away)))
    return off, len(people) - len(taken)


if __name__ == "__main__":
    main()
