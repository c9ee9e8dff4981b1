"""How well a posed body fills the outline of the person in the photo: it needs no joints that anyone marked."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from solver.body.body import Body, BodyShape
from solver.body.floor import posed_vertices
from solver.camera import PinholeCamera
from solver.kinematics.pose import Pose
from solver.photo.detection.blazepose import Region
from solver.photo.matte import SIDE, Matte

_FINER = 2  # times as many pixels as the matte has
_THERE = 0.5  # of a pixel


def outline_overlap(matte: Matte, body: Body, shape: BodyShape, pose: Pose, camera: PinholeCamera) -> float:
    """0..1, what a posed body and the matte of its person have in common in the picture, as a share of what either
    covers (intersection over union). 0 for a body that is partly behind the camera."""
    drawn, seen = body_mask(matte.square, body, shape, pose, camera), matte.alpha > _THERE
    return float((drawn & seen).sum() / max(int((drawn | seen).sum()), 1))


def body_mask(square: Region, body: Body, shape: BodyShape, pose: Pose, camera: PinholeCamera) -> NDArray[np.bool_]:
    """(SIDE, SIDE) the pixels of an upright square of the picture that a posed body covers."""
    pixels = camera.project(posed_vertices(body, shape, pose))
    side = _FINER * SIDE
    places = ((pixels - np.asarray(square.centre)) / square.side + 0.5) * side
    picture = Image.new("L", (side, side))
    if np.isfinite(places).all():
        draw = ImageDraw.Draw(picture)
        for triangle in places[body.faces]:
            draw.polygon(triangle.ravel().tolist(), fill=255)
    small = picture.resize((SIDE, SIDE), Image.Resampling.BOX)
    return np.asarray(small) > 255 * _THERE
