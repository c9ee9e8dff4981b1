"""How well people are read in boxes drawn round them, while the others in the picture are known.

python -m scripts.photo.box_study --renderings DIR [--half report] [--kind couple "one behind another"]

DIR is from `scripts.photo.photo_renderings`. The box is round the true person, with a little air, and the others are
known as they truly are. Printed: how many people are read, of how many; the mean and the worst of their median
distances between twelve landmarks of the limbs and the truth, in % of the extent; and the share of these landmarks more
than 5% off.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.arguments import script_parser
from solver.body.catalog import load_body
from solver.photo.accuracy import shared_landmarks
from solver.photo.detection.plausibility import extent
from solver.photo.image_file import load_image
from solver.photo.measuring.truth import HALVES, TruePicture, read_renderings
from solver.photo.person_in_box import as_landmarks, person_in_box

AIR = 0.06  # of the extent, between a person's landmarks and the box
FAR = 5.0  # % of the extent


def main(arguments: list[str] | None = None) -> None:
    """Print the figures."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--renderings", type=Path, required=True, metavar="DIR")
    parser.add_argument("--half", choices=HALVES, help="the half to measure (default: both)")
    parser.add_argument("--kind", nargs="+", help="kinds of pictures to measure on (default: all)")
    given = parser.parse_args(arguments)
    asked, off = 0, list[NDArray[np.float64]]()
    for picture in read_renderings(given.renderings, given.half):
        if given.kind is None or picture.kind in given.kind:
            asked += len(picture.people)
            off += offsets(given.renderings, picture)
    medians = [float(np.median(each)) for each in off]
    far = float((np.concatenate(off) > FAR).mean())
    print(f"{len(off)} of {asked}: {np.mean(medians):.2f}% ({max(medians):.1f}), {far:.1%} more than {FAR:g}% off")


def offsets(folder: Path, picture: TruePicture) -> list[NDArray[np.float64]]:
    """(12,) % of the extent for each person of a picture who is read."""
    rgb, found = load_image(folder / picture.name).rgb, []
    everybody = [as_landmarks(load_body(one.body), one.shape, one.pose, picture.camera) for one in picture.people]
    for true in everybody:
        low, high, size = true.pixels[:33].min(axis=0), true.pixels[:33].max(axis=0), extent(true)
        box = (*(low - AIR * size), *(high + AIR * size))
        marks = person_in_box(rgb, box, [other for other in everybody if other is not true])
        if marks is not None:
            away = (marks.pixels - true.pixels)[shared_landmarks()]
            found.append(100.0 * np.linalg.norm(away, axis=1) / size)
    return found


if __name__ == "__main__":
    main()
