"""Stands a figure on the floor of a photo where a box shows its feet or, if the picture cuts those off, its head.

A box that a person of no size fills from head to feet on the floor shows somebody who sits, crouches or is hidden in
part. The picture then does not tell how far away they are, but the floor does: feet stand where they show.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.body.body import SHAPE_COMPONENTS, Body, BodyShape
from solver.body.floor import posed_vertices
from solver.camera import PinholeCamera
from solver.ik.pose_prior import natural_pose
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector
from solver.photo.detection.turned_looks import Box
from solver.photo.floor.onto_floor import STATURE, TALLEST

Array = NDArray[np.float64]
_CUT = 0.02  # of the picture's height; a box that ends this near to its lower edge may be cut off by it
_LARGEST = 3.0  # how many times as high as the box a figure may be that the picture cuts off: head and shoulders show
_NEARLY = 1.15  # how many times as high as the box the smallest figure may be that still fills it
_ROUNDS, _HALVINGS = 20, 10
_EXACT = 0.05  # pixels


def figure_on_floor(body: Body, box: Box, camera: PinholeCamera, fills_below: bool) -> tuple[BodyShape, Pose] | None:
    """A standing figure on the floor y = 0 that faces the camera, for a box that no figure on the floor fills.

    Where the box reaches the picture's lower edge, a body of mean size whose head is at the box's top and whose feet
    are out of the picture. Else, with `fills_below`, so for a figure that would fill the box only below the floor: its
    feet are at the box's bottom. It is as small as the box asks for or, where nobody is as small as that, of mean size:
    such a box says nothing about their stature. None where neither can be.
    """
    if box[3] >= (1.0 - _CUT) * camera.image_size[1]:
        pose = _standing(body, BodyShape(), box, camera, by_head=True)
        if pose is not None:
            low, high = outline(body, BodyShape(), pose, camera)
            if box[3] <= high[1] + _EXACT and high[1] - low[1] <= _LARGEST * (box[3] - box[1]):
                return BodyShape(), pose
    return _with_feet_in(body, box, camera) if fills_below else None


def facing(natural: Pose, at: Array, along: Array) -> Pose:
    """A natural pose with its root at (3,), turned about the vertical to face against a line of sight (3,)."""
    local = natural.rotations.astype(np.float64)
    local[0] = from_rotation_vector([0.0, float(np.arctan2(-along[0], -along[2])), 0.0]) @ local[0]
    return Pose(at.astype(np.float32), local.astype(np.float32))


def _with_feet_in(body: Body, box: Box, camera: PinholeCamera) -> tuple[BodyShape, Pose] | None:
    """The tallest figure that does not reach over the box; the smallest there is, or a mean one, where all do."""

    def figure(stature: float) -> tuple[tuple[BodyShape, Pose] | None, float]:
        """With that STATURE; and how many times as high as the box it is."""
        shape = BodyShape(np.eye(SHAPE_COMPONENTS, dtype=np.float32)[STATURE] * np.float32(stature))
        pose = _standing(body, shape, box, camera, by_head=False)
        if pose is None:
            return None, np.inf
        return (shape, pose), (box[3] - float(outline(body, shape, pose, camera)[0][1])) / (box[3] - box[1])

    found, share = figure(-TALLEST)
    if share > 1.0:
        return found if share <= _NEARLY else figure(0.0)[0]
    shortest, tallest = -TALLEST, TALLEST
    for _ in range(_HALVINGS):
        middle = 0.5 * (shortest + tallest)
        tried, share = figure(middle)
        found, shortest, tallest = (tried, middle, tallest) if share <= 1.0 else (found, shortest, middle)
    return found


def _standing(body: Body, shape: BodyShape, box: Box, camera: PinholeCamera, by_head: bool) -> Pose | None:
    """On the floor, in the middle of the box, with the outline's upper (`by_head`) or lower edge at the box's.

    None where the camera sees no such place on the floor.
    """
    natural = natural_pose(body.skeleton(shape))
    skin = posed_vertices(body, shape, natural)[:, 1]
    lowest, edge = float(skin.min()), float(skin.max() if by_head else skin.min())
    wanted = np.array([(box[0] + box[2]) / 2, box[1] if by_head else box[3]])
    aim, found = wanted, None
    for _ in range(_ROUNDS):
        eye, along = camera.ray((float(aim[0]), float(aim[1])))
        share = (edge - lowest - eye[1]) / along[1] if along[1] else -1.0
        if share <= 0.0:
            break
        at = eye + share * along
        pose = facing(natural, np.array([at[0], natural.root_position[1] - lowest, at[2]]), along)
        low, high = outline(body, shape, pose, camera)
        if not (np.isfinite(low).all() and np.isfinite(high).all()):
            break
        found = pose
        off = wanted - [(low[0] + high[0]) / 2, low[1] if by_head else high[1]]
        if np.abs(off).max() < _EXACT:
            break
        aim = aim + off
    return found


def outline(body: Body, shape: BodyShape, pose: Pose, camera: PinholeCamera) -> tuple[Array, Array]:
    """(2,) pixels of the upper left and the lower right corner of a figure in the picture."""
    pixels = camera.project(posed_vertices(body, shape, pose)).astype(np.float64)
    return pixels.min(axis=0), pixels.max(axis=0)
