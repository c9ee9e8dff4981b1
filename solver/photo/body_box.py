"""The box around a person in a photo, which holds the whole body and not just its landmarks."""

from __future__ import annotations

import numpy as np

from solver.body.body import Body, BodyShape
from solver.body.floor import posed_vertices
from solver.camera import PinholeCamera
from solver.kinematics.pose import Pose
from solver.photo.detection.blazepose import Landmarks
from solver.photo.detection.turned_looks import Box, box_of

_AIR = 0.02  # share of the body's diagonal in the picture, for hair and clothes


def box_round(person: Landmarks, body: Body, shape: BodyShape, pose: Pose, camera: PinholeCamera) -> Box:
    """Left, top, right, bottom in pixels, within the picture, around a person's seen landmarks and their posed body.

    Landmarks lie inside the body: a box around them alone would cut through a bent back or the top of the head.
    """
    left, top, right, bottom = box_of(person, camera.image_size)
    skin = camera.project(posed_vertices(body, shape, pose))
    skin = skin[np.isfinite(skin).all(axis=1)]
    if not len(skin):
        return left, top, right, bottom
    low, high = skin.min(axis=0), skin.max(axis=0)
    air = _AIR * float(np.linalg.norm(high - low))
    low, high = np.clip(low - air, 0, camera.image_size), np.clip(high + air, 0, camera.image_size)
    return (
        min(left, float(low[0])), min(top, float(low[1])), max(right, float(high[0])), max(bottom, float(high[1])),
    )  # fmt: skip
