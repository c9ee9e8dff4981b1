"""What studies of renderings share: which pictures they are about, and who is read in one."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from solver.camera import PinholeCamera, level_camera
from solver.focal_length import guessed_px
from solver.photo.depth_ambiguity import is_doubtful
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.people2d import find_people
from solver.photo.image_file import load_image
from solver.photo.measuring.truth import HALVES, TruePicture, read_renderings
from solver.photo.second_try.tried_again import tried_again
from solver.photo.sighting import sighting_of


def add_pictures(parser: ArgumentParser) -> None:
    """Add arguments that say which pictures a study is about; see `pictures_of`."""
    parser.add_argument("--renderings", type=Path, nargs="+", required=True, metavar="DIR")
    parser.add_argument("--half", choices=HALVES, help="the half to measure (default: both)")
    parser.add_argument("--kind", nargs="+", help="kinds of pictures to measure on (default: all)")


def pictures_of(given: Namespace) -> Iterator[tuple[Path, TruePicture]]:
    """The pictures that the arguments name, each with its folder. Raises InputRefused."""
    for folder in given.renderings:
        for picture in read_renderings(folder, given.half):
            if given.kind is None or picture.kind in given.kind:
                yield folder, picture


def read_at_first_and_again(path: Path) -> tuple[PinholeCamera, list[Landmarks], list[Landmarks]]:
    """A picture's camera, assumed to be level, and everybody found in it: as read at first, and after a second try.
    Raises InputRefused."""
    image = load_image(path)
    camera = level_camera(image.focal_px or guessed_px(image.size), image.size)
    found, whole = find_people(image.rgb), Image.fromarray(image.rgb)
    known = [*found]
    for number, person in enumerate(found):
        if is_doubtful(sighting_of(person, "")):
            known[number] = tried_again(whole, person, known)
    return camera, found, known
