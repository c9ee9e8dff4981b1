"""How far off the landmark networks are on renderings, person by person, for the lifter to learn from.

.venv/bin/python -m scripts.landmark_errors --renderings DIR [-o assets/lifter/landmark_errors.npz]

DIR is from `scripts.photo_renderings --split train`, which leaves pictures of other clips to measure on.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.arguments import script_parser
from solver import focal_length
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.rotations import rotation_between
from solver.photo.accuracy import shared_indices, shared_landmarks
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.people2d import find_people
from solver.photo.fit.evidence import Evidence, body_points, evidence
from solver.photo.fit.lifting import centred_view
from solver.photo.image_file import load_image
from solver.photo.measuring.measure import IS_ONE
from solver.photo.measuring.truth import TruePerson, TruePicture, read_renderings
from solver.training.data.landmark_errors import SHIPPED, LandmarkErrors, save_landmark_errors

Array = NDArray[np.float64]
AHEAD = np.array([0.0, 0.0, -1.0])
HOPELESS_M, HOPELESS_PX = 0.35, 0.1  # mean metres and median extents off, from which somebody else was read


def people_of(folder: Path, half: str | None = None) -> Iterator[tuple[TruePicture, TruePerson, Landmarks, Evidence]]:
    """Everybody in the renderings, or in a half of them, whom the networks see, and what they saw."""
    shared, marks, body = shared_indices(), shared_landmarks(), load_body(DEFAULT_BODY)
    for picture in read_renderings(folder):
        if half is not None and picture.half != half:
            continue
        image = load_image(folder / picture.name)
        focal = image.focal_px or focal_length.focal_px(50.0, image.size)
        for read in find_people(image.rgb):
            off = [np.median(np.linalg.norm(read.pixels[marks] - p.pixels[shared], axis=1)) for p in picture.people]
            person = picture.people[int(np.argmin(off))]
            if min(off) < IS_ONE * np.linalg.norm(np.ptp(person.pixels[shared], axis=0)):
                middle = (image.size[0] / 2, image.size[1] / 2)
                yield picture, person, read, evidence(read, body_points(body), focal, middle)


def errors_of(picture: TruePicture, person: TruePerson, seen: Evidence) -> tuple[Array, Array]:
    """(P, 3) metres and (P, 2) extents, as `LandmarkErrors` has them."""
    body = load_body(DEFAULT_BODY)
    posed = forward_kinematics(body.skeleton(person.shape), person.pose)
    places = seen.points.places(posed.positions, posed.rotations)
    pixels = (picture.camera.project(places) - picture.camera.principal_px) * [1.0, -1.0]
    places = picture.camera.in_frame(places)
    middle = places[seen.points.hips].mean(axis=0)
    true = (places - middle) @ rotation_between(AHEAD, middle)
    space = centred_view(seen).space
    off = space * np.linalg.norm(true) / np.linalg.norm(space) - true
    return off, (seen.pixels - pixels) / seen.size_px


def main() -> None:
    """Measure and write."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--renderings", type=Path, required=True, metavar="DIR")
    parser.add_argument("-o", "--out", type=Path, default=SHIPPED, metavar="FILE")
    given = parser.parse_args()
    spaces, pictures = [], []
    for picture, person, _, seen in people_of(given.renderings):
        off, beside = errors_of(picture, person, seen)
        if np.linalg.norm(off, axis=1).mean() < HOPELESS_M and np.median(np.linalg.norm(beside, axis=1)) < HOPELESS_PX:
            spaces.append(off)
            pictures.append(beside)
    errors = LandmarkErrors(np.array(spaces, np.float16), np.array(pictures, np.float16))
    save_landmark_errors(errors, given.out)
    print(f"Wrote the errors of {len(spaces)} people to {given.out}.")


if __name__ == "__main__":
    main()
