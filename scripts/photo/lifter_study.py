"""What the lifter is worth on pictures: by posture class, against the landmarks and the fit that tries readings.

python -m scripts.photo.lifter_study --renderings DIR [--half report] [--weights FOLDER]

DIR is from `scripts.photo.photo_renderings --split test`, so that no pose in it was learned. PA-MPJPE (mm) of the
people whom the networks see, of how many there are: landmarks; the lifter alone; the fit to the landmarks; the fit to
the lifter.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from scripts.arguments import script_parser
from scripts.photo.landmark_errors import people_of
from solver.body.body import SHAPE_COMPONENTS
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.evaluation.metrics import pa_mpjpe_mm
from solver.photo.accuracy import shared_indices, shared_landmarks
from solver.photo.fit.fit import fit_person
from solver.photo.fit.least_squares import Fit, posed_joints
from solver.photo.fit.lifting import lifted, shipped_lifter, with_lifted_depths, with_marks_on_points
from solver.photo.measuring.truth import HALVES, TruePerson, TruePicture, read_renderings
from solver.solvers.learned.weights import load_weights


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--renderings", type=Path, required=True, metavar="DIR")
    parser.add_argument("--half", choices=HALVES, help="the half to measure (default: both)")
    parser.add_argument("--weights", type=Path, metavar="FOLDER", help="of a lifter (default: the one that ships)")
    given = parser.parse_args(arguments)
    weights = load_weights(given.weights, "lifter", DEFAULT_BODY) if given.weights else shipped_lifter()
    body, shared = load_body(DEFAULT_BODY), shared_indices()
    rows: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    seen_people: set[tuple[str, int]] = set()  # a second reading of somebody counts among the errors alone
    found = Counter[str]()
    for picture, person, marks, seen in people_of(given.renderings, given.half):
        told = lifted(body, seen, weights)
        alone = Fit(np.zeros(3), told.rotations, np.zeros(SHAPE_COMPONENTS))
        ships = with_lifted_depths(with_marks_on_points(seen, told), told, marks)
        fits = alone, fit_person(body, seen), fit_person(body, ships)
        places = (
            marks.world[shared_landmarks()] * [1.0, -1.0, -1.0],
            *(posed_joints(body, fit)[0][shared].copy() for fit in fits),
        )
        row = tuple(float(pa_mpjpe_mm(each, person.joints[shared])) for each in places)
        one = picture.name, picture.people.index(person)
        for name in groups_of(picture, person):
            rows[name].append(row)
            found[name] += one not in seen_people
        seen_people.add(one)
    pictures = read_renderings(given.renderings, given.half)
    there = Counter(name for each in pictures for person in each.people for name in groups_of(each, person))
    print("| mm | found | landmarks | lifter alone | fit to landmarks | fit to lifter |\n|--|--|--:|--:|--:|--:|")
    for name, each in rows.items():
        means = " | ".join(f"{mean:.1f}" for mean in np.mean(each, axis=0))
        print(f"| {name} | {found[name]} of {there[name]} | {means} |")


def groups_of(picture: TruePicture, person: TruePerson) -> tuple[str, str, str]:
    """The rows of the table that somebody counts in; a kind of picture may be called as a posture is."""
    return "all", person.posture, f"in pictures of “{picture.kind}”"


if __name__ == "__main__":
    main()
