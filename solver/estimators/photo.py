"""The door: a picture in, people posed in 3D in one common camera out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.errors import PoserError
from solver.estimators import film
from solver.estimators.blazepose import Landmarks
from solver.estimators.common_floor import place_people
from solver.estimators.evidence import Evidence, body_points, evidence
from solver.estimators.fit import fit_person, shape_of
from solver.estimators.image_file import PhotoImage
from solver.estimators.least_squares import Fit
from solver.estimators.people2d import box_of, find_people
from solver.kinematics.pose import Pose

DEFAULT_LENS_MM = 50.0  # 35 mm equivalent, where the camera noted nothing

Progress = Callable[[float, str], None]
Cancelled = Callable[[], bool]


@dataclass(frozen=True, eq=False)
class EstimatedPerson:
    """One person of a photo. score: 0..1, how sure it is that somebody is there. box: left, top, right, bottom in
    pixels. shape and pose: of our body, in the world of `PhotoResult`. fit: in the camera's frame, before a floor was
    known. on_floor: whether it stands, sits or lies on the common floor; else it is where the picture shows it."""

    score: float
    box: tuple[float, float, float, float]
    shape: BodyShape
    pose: Pose
    landmarks: Landmarks
    fit: Fit
    on_floor: bool


@dataclass(frozen=True, eq=False)
class PhotoResult:
    """People on the floor y = 0 and the camera that saw them.

    position: (3,) metres. rotation: (3, 3) R_world_camera; the camera has x right, y up and looks along -z.
    focal_px, principal_px: pixels. image_size: width, height.
    """

    position: NDArray[np.float64]
    rotation: NDArray[np.float64]
    focal_px: float
    principal_px: tuple[float, float]
    image_size: tuple[int, int]
    people: tuple[EstimatedPerson, ...]


def estimate_people(
    image: PhotoImage,
    body: Body,
    focal_px: float | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> PhotoResult:
    """Everybody on a photo, posed; `people` is empty where nobody is found, or when `cancelled` says so.

    focal_px: pixels; by default what the camera noted in the file, else that of a 50 mm lens on 35 mm film. One focal
    length serves the whole picture, so that people stand right beside one another.
    """
    width, height = image.size
    focal = focal_px or image.focal_px or film.focal_px(DEFAULT_LENS_MM, image.size)
    if not (np.isfinite(focal) and focal > 1.0):
        raise PoserError(f"A focal length of {focal_px} pixels is not possible.")
    principal = (width / 2, height / 2)

    def tell(share: float, what: str) -> None:
        if progress:
            progress(share, what)

    tell(0.0, "Looking for people")
    found = find_people(image.rgb, lambda share: tell(0.6 * share, "Looking for people"), cancelled)
    points = body_points(body)
    seen: list[Evidence] = []
    fits: list[Fit] = []
    for done, person in enumerate(found):
        if cancelled and cancelled():
            fits = []
            break
        tell(0.6 + 0.4 * done / len(found), f"Posing person {done + 1} of {len(found)}")
        seen.append(evidence(person, points, focal, principal))
        fits.append(fit_person(body, seen[-1]))
    if not fits:
        return PhotoResult(np.array([0.0, 1.6, 0.0]), np.eye(3), focal, principal, image.size, ())
    placed = place_people(body, fits, seen)
    people = tuple(
        EstimatedPerson(
            person.presence, box_of(person, image.size), shape_of(placed.fits[i]), placed.poses[i], person, fits[i],
            placed.on_floor[i],
        )
        for i, person in enumerate(found)
    )  # fmt: skip
    tell(1.0, "Done")
    return PhotoResult(placed.position, placed.rotation, focal, principal, image.size, people)
