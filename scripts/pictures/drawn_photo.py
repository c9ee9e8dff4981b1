"""Pictures of our own bodies that stand in for photos in the documents: people in a room, drawn by the renderer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from app.document.posing.create import standing
from rendering.camera.camera import PhotoView
from rendering.drawing.offscreen import render_image
from rendering.scene.values import Figure, Mesh, Scene
from scripts.photo.rendered_places import Ground, background
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.camera import PinholeCamera
from solver.focal_length import focal_px
from solver.ik.multi_solve.postures import LOWER, UPPER, postures
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector


@dataclass(frozen=True)
class Posed:
    """A person in the room. lower, upper: of the program's own postures. facing: radians, 0 towards the camera.
    place: (x, z) metres. tall, heavy: standard deviations."""

    lower: int
    upper: int
    facing: float
    place: tuple[float, float]
    suit: str
    skin: str
    tall: float = 0.0
    heavy: float = 0.0


@dataclass(frozen=True)
class Room:
    """The room and the camera in it. size: pixels. eye: metres above the floor. pitch: radians, down is below 0.
    depth: metres to the furthest person. seed: for the room's look. grey: how much of its colour is taken out."""

    size: tuple[int, int]
    eye: float
    pitch: float
    lens_mm: float
    depth: float
    seed: int
    grey: float = 0.0


HALL = Room((1200, 900), 1.45, -0.07, 35.0, 6.5, 3, 0.55)
FOUR = (
    Posed(1, 11, 0.61, (-1.2, -4.5), "#39566e", "#d9a383", 0.6),
    Posed(5, 2, -0.35, (-0.45, -5.6), "#b0623f", "#9a6a48", -0.4, 0.3),
    Posed(3, 7, 0.17, (0.55, -4.6), "#5c6b3f", "#f1c9ac", 0.2, -0.4),
    Posed(0, 5, -0.87, (1.55, -5.2), "#8a7f6b", "#6f4a33", 0.9, 0.4),
)


def draw_photo(path: Path, people: Sequence[Posed] = FOUR, room: Room = HALL) -> None:
    """Write the picture as a JPEG file that says nothing about its lens, like most photos."""
    body = load_body(DEFAULT_BODY)
    tilt = from_rotation_vector([room.pitch, 0.0, 0.0]).astype(np.float32)
    middle = (room.size[0] / 2, room.size[1] / 2)
    eye = np.array([0.0, room.eye, 0.0], np.float32)
    camera = PinholeCamera(eye, tilt, focal_px(room.lens_mm, room.size), middle, room.size)
    figures, joints = [], []
    for number, each in enumerate(people):
        shape = BodyShape(np.array([each.tall, each.heavy, *[0.0] * 8], np.float32))
        skeleton = body.skeleton(shape)
        pose = postures(skeleton)[((each.upper - each.lower) % len(UPPER)) * len(LOWER) + each.lower]
        rotations = pose.rotations.copy()
        rotations[0] = (from_rotation_vector([0.0, each.facing, 0.0]) @ rotations[0]).astype(np.float32)
        pose = standing(body, shape, Pose(pose.root_position, rotations), each.place)
        places = forward_kinematics(skeleton, pose).positions.astype(np.float64)
        joints.append(places)
        mesh = Mesh(body.vertices(shape), body.faces, body.weights, body.suit_mask)
        matrices = skinning_matrices(skeleton, pose)
        figures.append(Figure(number, mesh, matrices, places, skeleton.parents, skin=each.skin, suit=each.suit))
    drawn = render_image(Scene(tuple(figures), grid=False), PhotoView(camera), room.size, transparent=True).astype(
        float
    )
    alpha = drawn[..., 3:] / 255
    behind = background(camera, Ground(), joints, room.depth, False, np.random.default_rng(room.seed))
    behind += room.grey * (behind.mean(axis=2, keepdims=True) - behind)
    whole = drawn[..., :3] * alpha + behind * (1 - alpha)
    Image.fromarray(whole.clip(0, 255).astype(np.uint8)).save(path, format="JPEG", quality=92)
