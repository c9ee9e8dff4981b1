"""Reprojection errors: how far fitted bodies are from the landmarks that the networks saw: `accuracy --on-picture`.

In per cent of a person's extent in the picture, the median offset between landmarks and the points of the body that
they mark: for the `fit`, which does not know the floor; for the pose on the common `floor`; `shown`, once that pose is
solved from its effectors, as the window does when the first of them is touched; and for what the effectors `alone`
give, without the pose to start from. `effectors`: how many there are, 8 at most, or 10 if 8 leave the pose far off.
`moved`: between fit and shown. `grounded`: 1 for people on the common floor, else 0. `outline`: per cent of what the
shown body or the person's matte covers that both cover.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body
from solver.errors import InputRefused
from solver.ik.memory import AtPose
from solver.ik.problem import IKProblem
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.photo.detection.plausibility import extent
from solver.photo.estimate import estimate_people
from solver.photo.fit.evidence import BodyPoints, body_points
from solver.photo.fit.least_squares import posed_joints
from solver.photo.image_file import PhotoImage
from solver.photo.matte import Matte, matte_of
from solver.photo.outline_overlap import outline_overlap
from solver.photo.people import EstimatedPerson, PhotoResult
from solver.solvers.catalog import DEFAULT_SOLVER, usable_on
from solver.solvers.recovery import MORE_IF_FAR, recover_effectors

Array = NDArray[np.float64]
EFFECTORS = 8
ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp")


def reprojection_errors(image: PhotoImage, body: Body) -> list[dict[str, float]]:
    """Per cent by column, for each person of a photo."""
    result = estimate_people(image, body)
    marks = [person.landmarks.pixels for person in result.people]
    mattes = [matte_of(image.rgb, own, marks[:i] + marks[i + 1 :]) for i, own in enumerate(marks)]
    return [_row(body, result, person, matte) for person, matte in zip(result.people, mattes, strict=True)]


def fitted_points(body: Body, result: PhotoResult, person: EstimatedPerson) -> Array:
    """(P, 2) pixels of the body's points where the fit has them, before a floor was known."""
    points = body_points(person.own(body))
    return result.camera.pixels(points.places(*posed_joints(person.own(body), person.fit)))


def posed_points(body: Body, result: PhotoResult, person: EstimatedPerson, pose: Pose) -> Array:
    """(P, 2) pixels at which the photo's camera sees the points of a person's body in a pose."""
    body = person.own(body)
    points, posed = body_points(body), forward_kinematics(body.skeleton(person.shape), pose)
    places = points.places(posed.positions, posed.rotations)
    return result.camera.project(places)


def middle_offset(person: EstimatedPerson, points: BodyPoints, pixels: Array) -> float:
    """The median offset of the body's points (P, 2) from their landmarks, as a share of the person's extent."""
    return middle_between(person, pixels, person.landmarks.pixels[points.landmark])


def middle_between(person: EstimatedPerson, one: Array, other: Array) -> float:
    """The median distance between points (P, 2), as a share of the person's extent."""
    return float(np.median(np.linalg.norm(one - other, axis=1))) / extent(person.landmarks)


def pictures_in(folder: Path) -> list[Path]:
    """The pictures of a folder by name. Raises InputRefused if there are none."""
    found = sorted(path for path in folder.glob("*") if path.suffix.lower() in ENDINGS)
    if not found:
        raise InputRefused(folder, "there is no picture in it", "Name a folder with pictures")
    return found


def _row(body: Body, result: PhotoResult, person: EstimatedPerson, matte: Matte) -> dict[str, float]:
    body = person.own(body)
    skeleton, points = body.skeleton(person.shape), body_points(body)
    solver = usable_on(DEFAULT_SOLVER, body).solver
    found = recover_effectors(
        skeleton, person.shape, person.pose, solver.spec.id, max_effectors=EFFECTORS, more=MORE_IF_FAR
    )
    problem = IKProblem.without_masks(skeleton, found.effectors, person.pose, person.shape)
    pose = solver.solve(problem, AtPose(person.pose)).pose
    shown = posed_points(body, result, person, pose)
    fitted = fitted_points(body, result, person)
    by_column = {
        "fit": fitted,
        "floor": posed_points(body, result, person, person.pose),
        "shown": shown,
        "alone": posed_points(body, result, person, found.pose),
    }
    row = {name: 100 * middle_offset(person, points, pixels) for name, pixels in by_column.items()}
    return row | {
        "moved": 100 * middle_between(person, fitted, shown),
        "grounded": float(person.on_floor),
        "effectors": float(len(found.effectors)),
        "outline": 100 * outline_overlap(matte, body, person.shape, pose, result.camera),
    }
