"""The entry point: a picture in, people posed in 3D in one common camera out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from PIL import Image

from solver import focal_length
from solver.body.body import Body
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.camera import PinholeCamera, level_camera
from solver.errors import PoserError
from solver.photo.blur import deblurred
from solver.photo.body_box import box_round
from solver.photo.depth_ambiguity import is_doubtful
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.parallel import parallel_map
from solver.photo.detection.people2d import find_people
from solver.photo.exposure import well_lit
from solver.photo.fit.evidence import Evidence
from solver.photo.fit.fit import shape_of
from solver.photo.fit.least_squares import Fit
from solver.photo.fit.open_sides import fit_landmarks
from solver.photo.floor.children import CHILD, MayBeChildren, child_odds
from solver.photo.floor.common_floor import place_people
from solver.photo.image_file import PhotoImage
from solver.photo.likelihood import judged
from solver.photo.noise import denoised
from solver.photo.people import EstimatedPerson, PhotoResult
from solver.photo.progressive_fits import ProgressiveFits
from solver.photo.runtime_log_filter import start_networks
from solver.photo.second_try.tried_again import tried_again
from solver.photo.sighting import sighting_of

Progress = Callable[[float, str], None]
Cancelled = Callable[[], bool]
SoFar = Callable[[PhotoResult], None]


def estimate_people(
    image: PhotoImage,
    body: Body,
    focal_px: float | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
    so_far: SoFar | None = None,
) -> PhotoResult:
    """Everybody in a photo, posed; `people` is empty if nobody is found, or if `cancelled` returns true.

    so_far: called with those found by then, roughly posed in front of a level camera, and again as they are refined;
    closer looks may drop some.

    focal_px: pixels; by default what the camera wrote into the file, else a guess: see `focal_length.guessed_px`. One
    focal length serves the whole picture, so that people stand right beside one another.
    """
    width, height = image.size
    focal = focal_px or image.focal_px or focal_length.guessed_px(image.size)
    if not (np.isfinite(focal) and focal > 1.0):
        raise PoserError(f"A focal length of {focal_px} pixels is not possible.")
    principal = (width / 2, height / 2)

    def tell(share: float, what: str) -> None:
        if progress:
            progress(share, what)

    level = level_camera(focal, image.size)
    start_networks()
    first = ProgressiveFits(body, level, so_far) if so_far else None
    tell(0.0, "Looking for people")
    known = first.found if first else None
    lit = well_lit(deblurred(denoised(image.rgb)))
    found = find_people(lit, lambda share: tell(0.6 * share, "Looking for people"), cancelled, known)

    def fitted(person: Landmarks) -> tuple[Landmarks, Evidence, Fit]:
        return fit_landmarks(body, person, focal, principal)

    posed, fits = parallel_map(fitted, found), list[tuple[Landmarks, Evidence, Fit]]()
    for done in range(len(found)):
        if cancelled and cancelled():
            return PhotoResult(level, ())
        tell(0.6 + 0.4 * done / len(found), f"Posing person {done + 1} of {len(found)}")
        fits.append(next(posed))
    if not fits:
        return PhotoResult(level, ())
    if first:
        first.refined(found, [(marks, fit) for marks, _, fit in fits])
    # As the looks' numbers have them, to which likelihood was tuned.
    judging = [replace(person, face=fit[0].face) for person, fit in zip(found, fits, strict=True)]
    for number, again in _tried_again(Image.fromarray(lit), found, tell, cancelled or (lambda: False)):
        before, fits[number] = found[number], fitted(again)
        if first:
            first.seen_otherwise(before, fits[number][0], fits[number][2])
    if cancelled and cancelled():
        return PhotoResult(level, ())
    result = _in_world(image, body, fits, judging)
    tell(1.0, "Done")
    return result


def _tried_again(
    picture: Image.Image, people: Sequence[Landmarks], tell: Progress, ended: Cancelled
) -> Iterator[tuple[int, Landmarks]]:
    """Those whose poses are mostly off and whom a second try sees better, each with their number. It comes when
    everybody is posed: most photos show nobody so."""
    doubted = [number for number, person in enumerate(people) if is_doubtful(sighting_of(person, ""))]
    if not doubted:
        return
    known = [*people]
    for number in doubted:
        tell(0.99, f"Looking again at person {number + 1} of {len(people)}")
        again = tried_again(picture, known[number], known, ended)
        if ended():
            return
        if again is not known[number]:
            known[number] = again
            yield number, again


def _in_world(
    image: PhotoImage, body: Body, fits: Sequence[tuple[Landmarks, Evidence, Fit]], found: Sequence[Landmarks]
) -> PhotoResult:
    """The people on their common floor, under the camera that saw them. fits: one for each person found. found: as
    they were first read."""
    people, seen, bodies = zip(*fits, strict=True)
    principal = image.size[0] / 2, image.size[1] / 2
    placed = place_people(body, bodies, seen, may_be_children(body, fits, principal))
    position, rotation = placed.position.astype(np.float32), placed.rotation.astype(np.float32)
    camera = PinholeCamera(position, rotation, seen[0].focal_px, principal, image.size)
    people_posed = []
    for i, (person, likely) in enumerate(zip(people, judged(found, image.rgb, seen[0].focal_px), strict=True)):
        shape, pose = shape_of(placed.fits[i]), placed.poses[i]
        smaller, fit = placed.children.get(i, (None, bodies[i]))
        box = box_round(person, smaller or body, shape, pose, camera)
        people_posed.append(
            EstimatedPerson(
                likely.score, box, shape, pose, person, fit, placed.on_floor[i], likely.like, smaller=smaller
            )
        )
    return PhotoResult(camera, tuple(people_posed))


def may_be_children(
    body: Body, fits: Sequence[tuple[Landmarks, Evidence, Fit]], principal: tuple[float, float]
) -> MayBeChildren | None:
    """Who may be a child; None for bodies of which there is no child."""
    if body.id != DEFAULT_BODY or len(fits) < 2:
        return None

    def fitted(number: int) -> tuple[Body, Evidence, Fit]:
        (marks, seen, _), smaller = fits[number], load_body(CHILD)
        return smaller, *fit_landmarks(smaller, marks, seen.focal_px, principal)[1:]

    return MayBeChildren([child_odds(body, *fit) for fit in fits], fitted)
