"""Lays a figure on the floor of a photo for a box much wider than high: whoever is in it lies, and does not stand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.body.body import SHAPE_COMPONENTS, Body, BodyShape
from solver.body.floor import posed_vertices
from solver.camera import PinholeCamera
from solver.ik.pose_prior import natural_pose
from solver.kinematics.pose import Pose
from solver.photo.detection.turned_looks import Box
from solver.photo.floor.figure_on_floor import outline
from solver.photo.floor.onto_floor import STATURE, TALLEST

Array = NDArray[np.float64]
WIDE = 1.6  # times as wide as high: from there a box is round somebody who lies
_ROUNDS, _HALVINGS = 20, 12
_STEEPEST = np.radians(75)  # by which whoever lies may be turned away from across the sight
_EXACT = 0.05  # pixels
_UP = np.array([0.0, 1.0, 0.0])


def lying_in_box(body: Body, box: Box, camera: PinholeCamera) -> tuple[BodyShape, Pose] | None:
    """A figure that lies on its back on the floor y = 0, the head to the left, as wide in the picture as the box, with
    its lower edge at the box's. None for a box less than `WIDE`, or one that does not reach down to the floor.

    It is as tall as the box asks for. Where nobody is as small as that, it is of mean size, the head farther away than
    the feet; where nobody is as tall, of mean size, nearer than the floor, as on a bed.
    """
    wanted = box[2] - box[0]
    if wanted < WIDE * (box[3] - box[1]):
        return None

    def wide(shape: BodyShape, turn: float) -> tuple[Pose | None, float]:
        pose = _on_floor(body, shape, box, camera, turn)
        return pose, np.inf if pose is None else float(np.subtract(*outline(body, shape, pose, camera)[::-1])[0])

    shape, (pose, width) = BodyShape(), wide(BodyShape(), 0.0)
    if pose is None:
        return None
    if wide(_tall(-TALLEST), 0.0)[1] > wanted:
        low, high = 0.0, _STEEPEST
        for _ in range(_HALVINGS):
            turn = (low + high) / 2
            tried, width = wide(shape, turn)
            pose, low, high = (tried or pose, turn, high) if width > wanted else (tried or pose, low, turn)
        return shape, pose
    if wide(_tall(TALLEST), 0.0)[1] < wanted:
        eye = camera.position.astype(np.float64)
        nearer = eye + (pose.root_position - eye) * width / wanted
        return shape, replace(pose, root_position=nearer.astype(np.float32))
    low, high = -TALLEST, TALLEST
    for _ in range(_HALVINGS):
        stature = (low + high) / 2
        tried, width = wide(_tall(stature), 0.0)
        low, high = (stature, high) if width < wanted else (low, stature)
        shape, pose = _tall(stature), tried or pose
    return shape, pose


def _tall(stature: float) -> BodyShape:
    return BodyShape(np.eye(SHAPE_COMPONENTS, dtype=np.float32)[STATURE] * np.float32(stature))


def _on_floor(body: Body, shape: BodyShape, box: Box, camera: PinholeCamera, turn: float) -> Pose | None:
    """Lying in the middle of the box, the outline's lower edge at the box's; None where the camera sees no floor there.

    turn: radians, by which the head is farther away than across the sight.
    """
    natural = natural_pose(body.skeleton(shape))
    wanted = np.array([(box[0] + box[2]) / 2, box[3]])
    aim, found = wanted, None
    for _ in range(_ROUNDS):
        eye, along = camera.ray((float(aim[0]), float(aim[1])))
        if along[1] >= 0.0 or eye[1] <= 0.0:
            break
        at = eye - along * eye[1] / along[1]
        ahead = along * [1.0, 0.0, 1.0] / max(float(np.hypot(along[0], along[2])), 1e-9)
        pose = _laid(body, shape, natural, at, np.sin(turn) * ahead - np.cos(turn) * np.cross(ahead, _UP))
        low, high = outline(body, shape, pose, camera)
        if not (np.isfinite(low).all() and np.isfinite(high).all()):
            break
        found = pose
        off = wanted - [(low[0] + high[0]) / 2, high[1]]
        if np.abs(off).max() < _EXACT:
            break
        aim = aim + off
    return found


def _laid(body: Body, shape: BodyShape, natural: Pose, at: Array, head: Array) -> Pose:
    """On the back, the lowest point of the skin at y = 0, the middle of the skin over `at`. head: (3,) unit, level."""
    local = natural.rotations.astype(np.float64)
    local[0] = np.stack([np.cross(head, _UP), head, _UP], axis=1) @ local[0]
    pose = Pose(np.zeros(3, np.float32), local.astype(np.float32))
    skin = posed_vertices(body, shape, pose).astype(np.float64)
    low, high = skin.min(axis=0), skin.max(axis=0)
    middle = (low + high) / 2
    root = np.array([at[0] - middle[0], -low[1], at[2] - middle[2]])
    return replace(pose, root_position=root.astype(np.float32))
