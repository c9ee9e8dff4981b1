"""Another horizon or floor for a photo: its camera tilts or rises, and people stay where they are in the picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.document.in_photo.with_camera import carried_whole
from app.document.model.document import Document
from app.document.model.history import Edit
from app.document.posing.placing import lowest_skin, moved
from solver.camera import PinholeCamera
from solver.errors import PoserError
from solver.kinematics.rigid_motion import RigidMotion
from solver.kinematics.rotations import rotation_between

LOWEST_EYE, HIGHEST_EYE = 0.1, 50.0  # metres that the camera stays above the floor
LEAST_UPRIGHT = 0.25  # least cosine between the camera's up and the world's: about 75 degrees


def horizon_of(camera: PinholeCamera) -> tuple[float, float] | None:
    """How high the horizon is at the left and right edges of the picture, pixels from its top; None where it is too
    steep to say."""
    up = np.asarray(camera.rotation, np.float64).T[:, 1]
    if up[1] < LEAST_UPRIGHT:
        return None
    left, right = (float((up[2] - up[0] * x) / up[1]) for x in _edges(camera))
    return tuple(camera.principal_px[1] - camera.focal_px * y for y in (left, right))  # type: ignore[return-value]


def set_horizon(start: Document, left: float, right: float) -> Edit:
    """Tilt the photo's camera, from the document as it was at the start, so that the horizon is there; pixels.

    Everybody turns with the camera about it, and so stays exactly in place in the picture; people with a motion go
    along but stay upright. All are raised or lowered together, so that on the whole soles keep to the floor. People of
    other photos stay.
    """

    def edit(document: Document) -> Document:
        from app.document.in_photo.photo_membership import belongs_to_photo  # the start does without it

        before = start.at(document.frames)
        photo = before.photo
        if photo is None:
            raise PoserError("The scene has no photo. Open one first.")
        camera = photo.camera
        ends = zip(_edges(camera), (left, right), strict=True)
        a, b = (np.array([x, (camera.principal_px[1] - y) / camera.focal_px, -1.0]) for x, y in ends)
        up = np.cross(b, a)
        up /= np.linalg.norm(up) * (1.0 if up[1] > 0 else -1.0)
        if up[1] < LEAST_UPRIGHT:
            return document
        rotation = np.asarray(camera.rotation, np.float64)
        after = rotation @ rotation_between(up, rotation.T[:, 1])
        turn = RigidMotion.about(after @ rotation.T, np.asarray(camera.position, np.float64))
        turned = {c.id: carried_whole(c, turn) for c in before.characters if belongs_to_photo(c, before)}
        sunk = [lowest_skin(c) - lowest_skin(turned[c.id]) for c in before.characters if c.id in turned]
        lift = np.array([0.0, float(np.median(sunk)) if sunk else 0.0, 0.0])
        seen = replace(
            camera,
            position=(np.asarray(camera.position) + lift).astype(np.float32),
            rotation=after.astype(np.float32),
        )
        people = before.with_characters(moved(turned[c.id], lift) if c.id in turned else c for c in before.characters)
        return replace(people, photos=(replace(photo, camera=seen), *before.photos[1:]))

    return edit


def set_floor(start: Document, height: float) -> Edit:
    """Put the floor of the photo's people this much higher, metres, than it was in the document at the start.

    Everybody and the camera keep their places in the picture; those of other photos stay. The camera stays above the
    floor.
    """

    def edit(document: Document) -> Document:
        from app.document.in_photo.photo_membership import belongs_to_photo  # the start does without it

        before = start.at(document.frames)
        photo = before.photo
        if photo is None:
            raise PoserError("The scene has no photo. Open one first.")
        eye = float(photo.camera.position[1])
        by = min(max(height, min(eye - HIGHEST_EYE, 0.0)), max(eye - LOWEST_EYE, 0.0))
        if by == 0.0:
            return before
        shift = np.array([0.0, -by, 0.0])
        camera = replace(photo.camera, position=(photo.camera.position + shift).astype(np.float32))
        now = (moved(c, shift) if belongs_to_photo(c, before) else c for c in before.characters)
        people = before.with_characters(now)
        return replace(people, photos=(replace(photo, camera=camera), *before.photos[1:]))

    return edit


def _edges(camera: PinholeCamera) -> tuple[float, float]:
    """The picture's left and right edges on the plane one metre before the camera."""
    at = camera.principal_px[0]
    return -at / camera.focal_px, (camera.image_size[0] - at) / camera.focal_px
