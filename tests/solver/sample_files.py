"""Files to try things on: those that the repository carries, and recordings and photographs beside a checkout.

The carried ones are always there, so no test is left out for want of a file; what lies beside the checkout only makes
for more of them.
"""

from __future__ import annotations

from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data"
BESIDE = Path(__file__).resolve().parents[3] / "shared"

CLIPS = DATA / "clips"
PHOTOS = DATA / "photos"
TWO_PEOPLE = PHOTOS / "two_people.jpg"


def recordings() -> tuple[Path, ...]:
    """Motion capture beside the checkout, by file; none in a fresh clone."""
    return tuple(sorted((BESIDE / "mocap").glob("*.bvh")))


def photographs(**limits: tuple[int, int]) -> list[tuple[Path, int, int]]:
    """The carried picture with its two people, and of these photographs those that lie beside the checkout.

    limits: the fewest and the most people to find, by the file's name without its suffix.
    """
    there = [(BESIDE / "photos" / f"{name}.jpg", *count) for name, count in limits.items()]
    return [(TWO_PEOPLE, 2, 2), *(entry for entry in there if entry[0].is_file())]
