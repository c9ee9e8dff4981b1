"""Finds and poses one person in a box that a user draws in the photo, under the camera that it already has.

There is no search: the landmark networks look at what is in the box. A user who draws a box knows that somebody is
there, so less certainty will do than in the search of a whole picture. Camera and floor stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from solver.body.body import SHAPE_COMPONENTS, Body, BodyShape
from solver.body.floor import lowest_point, posed_vertices
from solver.camera import PinholeCamera
from solver.errors import PoserError
from solver.ik.pose_prior import natural_pose
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.photo.body_box import box_round
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.hidden_partners import partner_in_box
from solver.photo.detection.inpainting import partners, without_people
from solver.photo.detection.plausibility import certainty, is_remnant_of
from solver.photo.detection.repeated_looks import with_close_details
from solver.photo.detection.surest_reading import seen_without
from solver.photo.detection.turned_looks import Box, readings_of
from solver.photo.fit.evidence import Evidence, body_points
from solver.photo.fit.fit import shape_of
from solver.photo.fit.least_squares import Fit
from solver.photo.fit.open_sides import fit_landmarks
from solver.photo.floor.common_floor import in_world
from solver.photo.floor.figure_on_floor import facing, figure_on_floor
from solver.photo.floor.onto_floor import set_onto_floor, skin_vertices
from solver.photo.people import EstimatedPerson
from solver.photo.runtime_log_filter import start_networks

LEAST_SIDE = 8.0  # pixels of a box
_AIR = 0.15  # of the box's longer side that the networks see beyond it, in case it was drawn too tight
_SURE, _LEAST = 3.0, 0.5  # certainty from which no turned look is needed, and from which a person is there
_INSIDE = 0.6  # share of a person's visible landmarks that must lie in the box, with its air
_FILLS = 0.35  # share of the box's longer side that a person's own box must have
_ROUNDS = 30  # in which a standing figure comes to fill its box


def clipped_box(box: Sequence[float], size: tuple[int, int]) -> Box:
    """A box, its corners in any order, within a picture of a size (width, height): left, top, right, bottom in pixels.

    PoserError if nothing of it is on the picture, or too little to see a person in.
    """
    x, y = sorted((float(box[0]), float(box[2]))), sorted((float(box[1]), float(box[3])))
    if not np.isfinite([*x, *y]).all() or x[1] <= 0 or y[1] <= 0 or x[0] >= size[0] or y[0] >= size[1]:
        raise PoserError("The box lies outside the photo. Draw it over the photo, round the whole person.")
    left, right = (min(max(value, 0.0), float(size[0])) for value in x)
    top, bottom = (min(max(value, 0.0), float(size[1])) for value in y)
    if min(right - left, bottom - top) < LEAST_SIDE:
        raise PoserError(
            f"The box is too small: {right - left:.0f} × {bottom - top:.0f} pixels of the photo. Draw it round the "
            f"whole person, at least {LEAST_SIDE:.0f} pixels wide and high."
        )
    return left, top, right, bottom


def person_in_box(rgb: NDArray[np.uint8], box: Sequence[float], others: Sequence[Landmarks] = ()) -> Landmarks | None:
    """The landmarks of the person in a box (left, top, right, bottom, pixels) of an (H, W, 3) picture; None for nobody.

    As precise as from the search of a whole picture: the median of the same looks, with their spread. Turned looks
    follow if the upright one is not sure. others: those known already; if nobody else is surely seen, they are painted
    over, and the rest of the box is looked at again, and then looks that begin at several squares tell them apart.
    Closer looks at whoever is found are without the others near them, as in the search. PoserError for a box too small
    to hold a person.
    """
    left, top, right, bottom = clipped_box(box, (rgb.shape[1], rgb.shape[0]))
    air = _AIR * max(right - left, bottom - top)
    wide = (left - air, top - air, right + air, bottom + air)
    start_networks()
    picture = Image.fromarray(rgb)
    best: Landmarks | None = None
    looked_at = picture
    for seen in (picture, without_people(picture, others)) if others else (picture,):
        person = _best(_only(seen, wide), (left, top, right, bottom), wide, others)
        if person is not None and (best is None or certainty(person) > certainty(best)):
            best, looked_at = person, seen
        if best is not None and certainty(best) >= _SURE:
            break
    if best is None:
        return partner_in_box(picture, (left, top, right, bottom), others)
    near = partners(best, others)
    closely = seen_without(picture, best, near) if near else None
    if closely is not None and certainty(closely) >= _LEAST:
        return closely
    return with_close_details(looked_at, best)


def posed_in_camera(body: Body, marks: Landmarks, camera: PinholeCamera) -> EstimatedPerson:
    """A person fitted to the landmarks, in the world of a camera that stays as it is.

    On the floor y = 0 where the picture allows it, else where the picture shows them.
    """
    focal, principal = camera.focal_px, camera.principal_px
    marks, seen, fit = fit_landmarks(body, marks, focal, principal)
    chosen, pose, on_floor = _in_world(body, seen, fit, camera)
    shape = shape_of(chosen)
    box = box_round(marks, body, shape, pose, camera)
    return EstimatedPerson(marks.presence, box, shape, pose, marks, fit, on_floor)


def standing_in_box(body: Body, box: Sequence[float], camera: PinholeCamera) -> tuple[BodyShape, Pose]:
    """A figure that stands upright and faces the camera, as high in the picture as the box, in the box's middle.

    It stands on the floor y = 0 if a body can be that large. Else it is where a body of mean size fills the box, but
    never below the floor: see `figure_on_floor`. PoserError for a box too small to hold a person.
    """
    box = clipped_box(box, camera.image_size)
    shape = BodyShape()
    pose = _filling(body, shape, box, camera)
    turn = camera.rotation.astype(np.float64)
    local = pose.rotations.astype(np.float64)
    local[0] = turn.T @ local[0]
    root = turn.T @ (pose.root_position - camera.position).astype(np.float64)
    fit = Fit(root, local, np.zeros(SHAPE_COMPONENTS))
    chosen, here, on_floor = _in_world(body, _as_it_is(body, shape, pose, camera), fit, camera)
    low = 0.0 if on_floor else lowest_point(body, shape, pose)
    if not on_floor and (on := figure_on_floor(body, box, camera, fills_below=low < 0.0)) is not None:
        return on
    if low < 0.0:  # seen from below the floor
        here = replace(here, root_position=here.root_position - np.array([0.0, low, 0.0], np.float32))
    return shape_of(chosen), here


def as_landmarks(body: Body, shape: BodyShape, pose: Pose, camera: PinholeCamera) -> Landmarks:
    """A posed body as the networks would mark it in the picture, all of it visible; the metres are left out.

    Marks 33 and 34, which give a look's square, are the mid-hip and the point as far from it up the trunk as the
    farthest mark; the four after them lie in the middle. PoserError for a skeleton that is not SMPL's.
    """
    from solver.photo.refit import marked_points

    found = marked_points(body, shape, pose, camera, by_networks=True)
    places = dict(zip(found.landmark.tolist(), found.pixels, strict=True))
    middle = found.pixels.mean(axis=0)
    pixels = np.stack([np.asarray(places.get(mark, places.get(_NEAR.get(mark, -1), middle))) for mark in range(39)])
    hips, shoulders = pixels[_HIPS].mean(axis=0), pixels[_SHOULDERS].mean(axis=0)
    trunk, reach = shoulders - hips, np.linalg.norm(pixels[:33] - hips, axis=1).max()
    pixels[33], pixels[34] = hips, hips + reach * trunk / max(np.linalg.norm(trunk), 1e-6)
    return Landmarks(1.0, pixels, np.ones(33), np.zeros((33, 3)))


# Marks for which bodies have no point go to the nearest they have: the face's to the nose, thumbs to the fingers.
_NEAR = {**dict.fromkeys(range(11), 0), 21: 19, 22: 20}
_SHOULDERS, _HIPS = [11, 12], [23, 24]


def _only(picture: Image.Image, box: Box) -> Image.Image:
    """The picture, black but for a box: people beside it are not seen."""
    whole = (
        max(int(box[0]), 0),
        max(int(box[1]), 0),
        min(int(box[2]), picture.width),
        min(int(box[3]), picture.height),
    )
    alone = Image.new("RGB", picture.size)
    alone.paste(picture.crop(whole), whole[:2])
    return alone


def _best(picture: Image.Image, box: Box, wide: Box, others: Sequence[Landmarks]) -> Landmarks | None:
    """The most certain person in a box, looked at upright first, and turned if that is not sure."""
    best: Landmarks | None = None
    for quarters in range(4):
        for person in readings_of(picture, box, quarters):
            if not _is_in(person, box, wide) or is_remnant_of(person, others):
                continue
            if best is None or certainty(person) > certainty(best):
                best = person
        if best is not None and certainty(best) >= _SURE:
            break
    return best if best is not None and certainty(best) >= _LEAST else None


def _is_in(person: Landmarks, box: Box, wide: Box) -> bool:
    """Whether this is the person in the box, and not one beside it or printed on a shirt."""
    marks = person.pixels[:33][person.visibility > 0.5]
    if len(marks) < 4:
        marks = person.pixels[:33]
    inside = ((marks >= wide[:2]) & (marks <= wide[2:])).all(axis=1)
    tall = float(np.ptp(marks, axis=0).max())
    return bool(inside.mean() >= _INSIDE and tall >= _FILLS * max(box[2] - box[0], box[3] - box[1]))


def _in_world(body: Body, seen: Evidence, fit: Fit, camera: PinholeCamera) -> tuple[Fit, Pose, bool]:
    """A fit in the camera's frame as a pose in the world, on the floor where the picture allows it."""
    turn, eye = camera.rotation.astype(np.float64), camera.position.astype(np.float64)
    on = set_onto_floor(body, seen, fit, skin_vertices(body, fit), turn[1], -float(eye[1]))
    chosen = on or fit
    return chosen, *in_world(body, chosen, on is not None, turn, eye)


def _as_it_is(body: Body, shape: BodyShape, pose: Pose, camera: PinholeCamera) -> Evidence:
    """A body's own points as evidence."""
    points = body_points(body)
    found = forward_kinematics(body.skeleton(shape), pose)
    places = camera.in_frame(points.places(found.positions, found.rotations))
    pixels = (camera.pixels(places) - camera.principal_px) * [1.0, -1.0]
    size = max(float(np.linalg.norm(np.ptp(pixels, axis=0))), 1.0)
    ones = np.ones(len(pixels))
    return Evidence(points, pixels, places - places.mean(axis=0), ones, ones, size, camera.focal_px)


def _filling(body: Body, shape: BodyShape, box: Box, camera: PinholeCamera) -> Pose:
    """A standing pose whose skin reaches from the box's top to its bottom, in its middle.

    A camera that looks straight down sees nobody from head to feet; then the figure fills the box as nearly as it can.
    """
    left, top, right, bottom = box
    middle, wanted = np.array([(left + right) / 2, (top + bottom) / 2]), bottom - top
    natural = natural_pose(body.skeleton(shape))
    tall = float(np.ptp(posed_vertices(body, shape, natural)[:, 1]))
    eye, along = camera.ray((float(middle[0]), float(middle[1])))
    away, least, found = camera.focal_px * tall / wanted, tall, None
    for _ in range(_ROUNDS):
        away = max(away, least)
        at = eye + away * along
        here = facing(natural, at, along)
        seen = camera.project(posed_vertices(body, shape, here))
        if not np.isfinite(seen).all():
            away = least = 1.5 * away
            continue
        found, low, high = here, seen.min(axis=0), seen.max(axis=0)
        share, off = float(high[1] - low[1]) / wanted, middle - (low + high) / 2
        if abs(share - 1.0) < 1e-4 and np.abs(off).max() < 0.05:
            break
        away *= float(np.clip(share, 0.5, 2.0))
        eye, along = camera.ray(tuple(camera.project(at) + off))
    assert found is not None, "so far away everybody is before the camera"
    return found
