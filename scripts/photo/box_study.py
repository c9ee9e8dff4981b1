"""How well people are read in boxes drawn round them, while the others in the picture are known.

python -m scripts.photo.box_study --renderings DIR [DIR ...] [--half report] [--kind couple "one behind another"]
    [--missed | --known]

DIR is from `scripts.photo.photo_renderings` or `scripts.photo.situations.renderings`. The box is round the true person,
with a little air, and the others are known as they truly are; with --missed only those are in a box whom the search of
the picture misses, and the others are known as the search found them; with --known only those whom it finds, who are
known too, so that nobody should be read. Printed: how many people are read, of how many,
and how many of them within 15% of the extent; the mean and the worst of their median distances between twelve landmarks
of the limbs and the truth, in % of the extent; the share of these landmarks more than 5% off; and how long a box takes.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from scripts.arguments import script_parser
from scripts.photo.face_and_hand_study import paired
from scripts.photo.read_pictures import add_pictures, pictures_of
from solver.body.catalog import load_body
from solver.photo.accuracy import shared_landmarks
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.people2d import find_people
from solver.photo.detection.plausibility import extent
from solver.photo.image_file import load_image
from solver.photo.measuring.measure import IS_ONE
from solver.photo.measuring.truth import TruePicture
from solver.photo.person_in_box import as_landmarks, person_in_box

AIR = 0.06  # of the extent, between a person's landmarks and the box
FAR = 5.0  # % of the extent


def main(arguments: list[str] | None = None) -> None:
    """Print the figures."""
    parser = script_parser(__file__, __doc__)
    add_pictures(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--missed", action="store_true", help="boxes round those alone whom the search misses")
    which.add_argument("--known", action="store_true", help="boxes round those whom it finds, and who are known")
    given = parser.parse_args(arguments)
    asked, took, off = 0, 0.0, list[NDArray[np.float64]]()
    for folder, picture in pictures_of(given):
        rgb = load_image(folder / picture.name).rgb
        people = true_marks(picture)
        searched = given.missed or given.known
        found = find_people(rgb) if searched else []
        read = [true for true, _ in paired(picture, found)]
        for person, true in zip(picture.people, people, strict=True):
            if (person in read) != given.known:
                continue
            others = found if searched else [other for other in people if other is not true]
            asked, began = asked + 1, time.process_time()
            away = offsets(rgb, true, others)
            took += time.process_time() - began
            off += [] if away is None else [away]
    medians = np.array([float(np.median(each)) for each in off] or [np.nan])
    far = float((np.concatenate(off or [medians]) > FAR).mean())
    print(
        f"{len(off)} of {asked}, {(medians < 100 * IS_ONE).sum()} within {100 * IS_ONE:g}%: {medians.mean():.2f}% "
        f"({medians.max():.1f}), {far:.1%} more than {FAR:g}% off; {took / max(asked, 1):.1f} s a box"
    )


def true_marks(picture: TruePicture) -> list[Landmarks]:
    """Everybody in a picture as the networks would mark their true bodies."""
    return [as_landmarks(load_body(one.body), one.shape, one.pose, picture.camera) for one in picture.people]


def offsets(rgb: NDArray[np.uint8], true: Landmarks, others: Sequence[Landmarks]) -> NDArray[np.float64] | None:
    """(12,) % of the extent by which a person in a box is read off; None for nobody. others: those known."""
    low, high, size = true.pixels[:33].min(axis=0), true.pixels[:33].max(axis=0), extent(true)
    marks = person_in_box(rgb, (*(low - AIR * size), *(high + AIR * size)), others)
    if marks is None:
        return None
    return np.asarray(100.0 * np.linalg.norm((marks.pixels - true.pixels)[shared_landmarks()], axis=1) / size)


if __name__ == "__main__":
    main()
