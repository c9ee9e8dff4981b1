"""What a second try at people whose poses are mostly off brings, by posture class.

python -m scripts.photo.second_try_study --renderings DIR [DIR ...] [--half report]

DIR is from `scripts.photo.photo_renderings`. Printed, before and after: of everybody who was read, and of those who are
named as doubtful, how many figures are more than 2.5% of the extent off in the picture, how far off they are in the
mean, and PA-MPJPE, mean, median and the tenth worst; how many of those off, and of the others, are named; and how many
are better, and worse, by 0.5% in the picture, and by 10 mm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from scripts.arguments import script_parser
from solver.body.body import Body
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.camera import PinholeCamera, level_camera
from solver.evaluation.metrics import pa_mpjpe_mm
from solver.focal_length import guessed_px
from solver.photo.accuracy import shared_indices, shared_landmarks
from solver.photo.depth_ambiguity import is_doubtful
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.people2d import find_people
from solver.photo.fit.least_squares import posed_joints
from solver.photo.fit.open_sides import fit_landmarks
from solver.photo.image_file import load_image
from solver.photo.measuring.measure import IS_ONE
from solver.photo.measuring.misreadings import AIM
from solver.photo.measuring.truth import HALVES, TruePerson, TruePicture, read_renderings
from solver.photo.second_try.tried_again import tried_again
from solver.photo.sighting import sighting_of

CLEARLY, CLEARLY_MM = 0.005, 10.0  # from which somebody is better or worse, a share of the extent and PA-MPJPE


@dataclass(frozen=True)
class Row:
    """Somebody read, before and after the second try. off: of the extent. mm: PA-MPJPE. named: as doubtful."""

    posture: str
    off: tuple[float, float]
    mm: tuple[float, float]
    named: tuple[bool, bool]


def main(arguments: list[str] | None = None) -> None:
    """Print the figures."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--renderings", type=Path, nargs="+", required=True, metavar="DIR")
    parser.add_argument("--half", choices=HALVES, help="the half to measure (default: both)")
    given = parser.parse_args(arguments)
    body = load_body(DEFAULT_BODY)
    rows = [
        row
        for folder in given.renderings
        for picture in read_renderings(folder, given.half)
        for row in rows_of(folder, picture, body)
    ]
    groups = {"everybody": rows, "named": [row for row in rows if row.named[0]]}
    groups |= {kind: [row for row in rows if row.posture == kind] for kind in sorted({row.posture for row in rows})}
    print("| | people | off | % | mm | median | tenth worst | off and named | others named | better, worse | in mm |")
    print("|--|--:|--|--|--|--|--|--|--|--|--|")
    for name, group in groups.items():
        print(line(name, group))


def line(name: str, rows: list[Row]) -> str:
    """A row of the table, each figure before → after."""
    off, mm, named = (np.array([getattr(row, what) for row in rows]) for what in ("off", "mm", "named"))
    beyond = off > AIM
    figures = [
        beyond.sum(axis=0), *(np.round(each, 2) for each in (100 * off.mean(axis=0), mm.mean(axis=0))),
        np.round(np.median(mm, axis=0)), np.round(np.quantile(mm, 0.9, axis=0)),
        (beyond & named).sum(axis=0), (~beyond & named).sum(axis=0),
    ]  # fmt: skip
    moved = [
        f"{np.sum(gain >= least)}, {np.sum(-gain >= least)}"
        for gain, least in ((off[:, 0] - off[:, 1], CLEARLY), (mm[:, 0] - mm[:, 1], CLEARLY_MM))
    ]
    return " | ".join([f"| {name} | {len(rows)}", *(f"{old:g} → {new:g}" for old, new in figures), *moved]) + " |"


def rows_of(folder: Path, picture: TruePicture, body: Body) -> Iterator[Row]:
    """Everybody in a rendering who was read."""
    image, shared = load_image(folder / picture.name), shared_indices()
    camera = level_camera(image.focal_px or guessed_px(image.size), image.size)
    found, whole = find_people(image.rgb), Image.fromarray(image.rgb)
    known = [*found]
    for number, person in enumerate(found):
        if is_doubtful(sighting_of(person, "")):
            known[number] = tried_again(whole, person, known)
    for true in picture.people:
        pixels = true.pixels[shared]
        size = float(np.linalg.norm(np.ptp(pixels, axis=0)))
        away = [float(np.median(np.linalg.norm(one.pixels[shared_landmarks()] - pixels, axis=1))) for one in found]
        if away and min(away) < IS_ONE * size:
            number = int(np.argmin(away))
            yield row_of(body, camera, true, found[number], known[number])


def row_of(body: Body, camera: PinholeCamera, true: TruePerson, before: Landmarks, after: Landmarks) -> Row:
    """One of them, the figure fitted without a floor."""
    shared, both = shared_indices(), [before, after] if after is not before else [before]
    pixels = true.pixels[shared]
    off, mm, named = list[float](), list[float](), list[bool]()
    for marks in both:
        _, _, fit = fit_landmarks(body, marks, camera.focal_px, camera.principal_px)
        places = posed_joints(body, fit)[0][shared]
        across = camera.focal_px * places[:, :2] * [1, -1] / -places[:, 2:] + camera.principal_px
        away = np.median(np.linalg.norm(across - pixels, axis=1))
        off.append(float(away / np.linalg.norm(np.ptp(pixels, axis=0))))
        mm.append(float(pa_mpjpe_mm(places, true.joints[shared])))
        named.append(is_doubtful(sighting_of(marks, "")))
    return Row(str(true.posture), (off[0], off[-1]), (mm[0], mm[-1]), (named[0], named[-1]))


if __name__ == "__main__":
    main()
