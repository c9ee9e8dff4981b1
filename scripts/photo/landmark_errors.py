"""How far off the landmark networks are on renderings, person by person, for the lifter to learn from.

python -m scripts.photo.landmark_errors --renderings DIR [--at-truth] [--add FILE] [-o FILE]

DIR is from `scripts.photo.photo_renderings --split train`, which leaves pictures of other clips to measure on. With
--at-truth nobody is searched for: the networks look where the truth says that somebody is, in a tenth of the time.
--add puts the people of an earlier file before these.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from scripts.arguments import script_parser
from solver import focal_length
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.rotations import rotation_between
from solver.kinematics.skeleton import SMPL_JOINTS
from solver.photo.accuracy import shared_indices, shared_landmarks
from solver.photo.detection.blazepose import Landmarks, Region, landmarks, region_of
from solver.photo.detection.people2d import find_people
from solver.photo.detection.repeated_looks import close_looks, with_close_looks, with_quick_looks
from solver.photo.fit.evidence import Evidence, body_points, evidence
from solver.photo.fit.lifting import centred_view
from solver.photo.image_file import load_image
from solver.photo.measuring.measure import IS_ONE
from solver.photo.measuring.truth import TruePerson, TruePicture, read_renderings
from solver.rig.roles import ARMS, LEGS
from solver.training.data.landmark_errors import SHIPPED, LandmarkErrors, load_landmark_errors, save_landmark_errors

Array = NDArray[np.float64]
TIMES = 2  # that a person is looked at again in the square that the last look suggests
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


def searched(folder: Path) -> Iterator[tuple[TruePicture, TruePerson, Evidence]]:
    """Everybody in the renderings whom the search finds, and what the networks saw."""
    return ((picture, person, seen) for picture, person, _, seen in people_of(folder))


def looked_at(folder: Path) -> Iterator[tuple[TruePicture, TruePerson, Evidence]]:
    """Everybody in the renderings whom the networks see where they are, and what they saw."""
    body = load_body(DEFAULT_BODY)
    for picture in read_renderings(folder):
        image = load_image(folder / picture.name)
        focal = image.focal_px or focal_length.focal_px(50.0, image.size)
        middle = (image.size[0] / 2, image.size[1] / 2)
        rgb = Image.fromarray(image.rgb)
        for person in picture.people:
            seen = landmarks(rgb, _region_about(person))
            for _ in range(TIMES):
                seen = landmarks(rgb, region_of(seen.pixels[33], seen.pixels[34]))
            read = with_quick_looks(rgb, seen)
            if seen.presence > 0.5 and read.presence > 0.5:
                read = with_close_looks(read, close_looks(rgb, read))
                yield picture, person, evidence(read, body_points(body), focal, middle)


def _region_about(person: TruePerson) -> Region:
    """The square that a detector would give for somebody who is where the truth says."""
    hips, shoulders = (
        np.mean([person.pixels[SMPL_JOINTS.index(limb.root)] for limb in limbs], axis=0) for limbs in (LEGS, ARMS)
    )
    reach = np.linalg.norm(person.pixels - hips, axis=1).max()
    up = shoulders - hips
    return region_of(hips, hips + up * reach / max(float(np.linalg.norm(up)), 1e-6))


def errors_of(picture: TruePicture, person: TruePerson, seen: Evidence) -> tuple[Array, Array, Array]:
    """(P, 3) metres, (P, 2) extents and (P, 3) metres, as `LandmarkErrors` has them."""
    posed = forward_kinematics(load_body(person.body).skeleton(person.shape), person.pose)
    places = seen.points.places(posed.positions, posed.rotations)
    pixels = (picture.camera.project(places) - picture.camera.principal_px) * [1.0, -1.0]
    places = picture.camera.in_frame(places)
    middle = places[seen.points.hips].mean(axis=0)
    true = (places - middle) @ rotation_between(AHEAD, middle)
    space = centred_view(seen).space
    off = space * np.linalg.norm(true) / np.linalg.norm(space) - true
    return off, (seen.pixels - pixels) / seen.size_px, true


def joined(before: LandmarkErrors, errors: LandmarkErrors) -> LandmarkErrors:
    """Both; where the last people of the first were is known, and where all of the second were."""
    return LandmarkErrors(
        np.concatenate([before.space, errors.space]),
        np.concatenate([before.picture, errors.picture]),
        np.concatenate([before.places, errors.places]),
    )


def main() -> None:
    """Measure and write."""
    parser = script_parser(__file__, __doc__)
    parser.add_argument("--renderings", type=Path, required=True, metavar="DIR")
    parser.add_argument("--at-truth", action="store_true", help="look where people are instead of searching")
    parser.add_argument("--add", type=Path, metavar="FILE", help="of an earlier run, whose people are kept")
    parser.add_argument("-o", "--out", type=Path, default=SHIPPED, metavar="FILE")
    given = parser.parse_args()
    seen_people = looked_at(given.renderings) if given.at_truth else searched(given.renderings)
    kept = []
    for picture, person, seen in seen_people:
        off, beside, true = errors_of(picture, person, seen)
        near = np.median(np.linalg.norm(beside, axis=1)) < HOPELESS_PX
        if near and np.linalg.norm(off, axis=1).mean() < HOPELESS_M:
            kept.append((off, beside, true))
    if not kept:
        parser.error(f"{given.renderings}: nobody in its pictures is seen well enough")
    errors = LandmarkErrors(*(np.array(part, np.float16) for part in zip(*kept, strict=True)))
    if given.add:
        errors = joined(load_landmark_errors(given.add), errors)
    save_landmark_errors(errors, given.out)
    print(f"Wrote the errors of {len(errors.space)} people to {given.out}.")


if __name__ == "__main__":
    main()
