"""Who is found in pictures with heavy noise, as they are and as networks see them since `solver.photo.noise`.

python -m scripts.photo.noise_study --renderings DIR [--half report] [--noise 60] [--only NAME ...]

DIR is from `scripts.photo.photo_renderings`. Printed for each picture, and for all: people found of those there, how
many more were read, and how far off the found are, a mean of medians, in % of the extent.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.arguments import script_parser
from solver.photo.accuracy import shared_indices, shared_landmarks
from solver.photo.detection.people2d import find_people
from solver.photo.image_file import load_image
from solver.photo.measuring.measure import IS_ONE
from solver.photo.measuring.truth import HALVES, TruePicture, read_renderings
from solver.photo.noise import denoised

Seen = Callable[[NDArray[np.uint8]], NDArray[np.uint8]]


def main(arguments: list[str] | None = None) -> None:
    """Print the figures."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--renderings", type=Path, required=True, metavar="DIR")
    parser.add_argument("--half", choices=HALVES, help="the half to measure (default: both)")
    parser.add_argument("--noise", type=float, default=60.0, help="standard deviation, of 255 (default: 60)")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="of pictures, such as 0005.jpg")
    given = parser.parse_args(arguments)
    ways: dict[str, Seen] = {"as is": lambda rgb: rgb, "denoised": denoised}
    found: dict[str, list[float]] = {way: [] for way in ways}
    there, more = 0, dict.fromkeys(ways, 0)
    for picture in read_renderings(given.renderings, given.half):
        if given.only and picture.name not in given.only:
            continue
        noisy = with_noise(load_image(given.renderings / picture.name).rgb, given.noise)
        there += len(picture.people)
        for way, seen_through in ways.items():
            off, others = read_in(seen_through(noisy), picture)
            found[way] += off
            more[way] += others
            print(f"{picture.name} {way}: {len(off)} of {len(picture.people)} found, {others} more", flush=True)
    for way, off in found.items():
        print(f"all {way}: {len(off)} of {there} found, {more[way]} more, {100 * np.mean(off or [0.0]):.2f}% off")


def with_noise(rgb: NDArray[np.uint8], level: float) -> NDArray[np.uint8]:
    """The picture with noise of that standard deviation."""
    noise = np.random.default_rng(1).normal(0.0, level, rgb.shape)
    noisy: NDArray[np.uint8] = (rgb + noise).clip(0, 255).astype(np.uint8)
    return noisy


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
