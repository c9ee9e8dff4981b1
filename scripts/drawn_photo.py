"""A picture of our own bodies that stands for a photo in the pictures of the manual: four people in a hall."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from rendering.camera.camera import PhotoView
from rendering.drawing.offscreen import render_image
from rendering.scene.values import Figure, Mesh, Scene
from scripts.rendered_places import Ground, background
from solver.body.body import BodyShape
from solver.body.catalog import DEFAULT_BODY, load_body
from solver.camera import PinholeCamera
from solver.film import focal_px
from solver.ik.beyond.postures import LOWER, UPPER, postures
from solver.body.floor import posed_vertices
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector

SIZE = (1200, 900)
LENS_MM = 35.0
EYE = (0.0, 1.45, 0.0)
SEED = 8  # of the hall
# Each: legs and arms of the program's own postures, place (x, z) in metres, where they face in degrees, height and
# weight in standard deviations, gender, skin, suit.
PEOPLE = (
    (1, 11, (-1.35, -4.3), 35, 0.6, 0.0, "male", "#d9a383", "#39566e"),
    (5, 2, (-0.45, -5.6), -20, -0.4, 0.3, "female", "#9a6a48", "#b0623f"),
    (3, 7, (0.55, -4.6), 10, 0.2, -0.4, "neutral", "#f1c9ac", "#5c6b3f"),
    (0, 5, (1.55, -5.2), -50, 0.9, 0.4, "male", "#6f4a33", "#8a7f6b"),
)


def draw_photo(path: Path) -> None:
    """Write the picture as a JPEG file without a word on its lens, as most photos are."""
    body = load_body(DEFAULT_BODY)
    eye = np.float32(EYE)
    camera = PinholeCamera(
        eye, from_rotation_vector([-0.07, 0.0, 0.0]).astype(np.float32), focal_px(LENS_MM, SIZE),
        (SIZE[0] / 2, SIZE[1] / 2), SIZE,
    )  # fmt: skip
    figures, places = [], []
    for number, (legs, arms, at, facing, tall, heavy, gender, skin, suit) in enumerate(PEOPLE):
        shape = BodyShape(np.float32([tall, heavy, *[0.0] * 8]), gender)
        skeleton = body.skeleton(shape)
        pose = postures(skeleton)[(arms - legs) % len(UPPER) * len(LOWER) + legs]
        turns = pose.rotations.copy()
        turns[0] = from_rotation_vector([0.0, np.radians(facing), 0.0]).astype(np.float32) @ turns[0]
        pose = Pose(np.float32([at[0], 0.0, at[1]]), turns)
        sunk = posed_vertices(body, shape, pose)[:, 1].min()
        pose = Pose(pose.root_position - np.float32([0.0, sunk, 0.0]), turns)
        joints = forward_kinematics(skeleton, pose).positions
        mesh = Mesh(body.vertices(shape), body.faces, body.weights, body.suit_mask)
        places.append(joints.astype(np.float64))
        figures.append(
            Figure(number, mesh, skinning_matrices(skeleton, pose), joints, skeleton.parents, skin=skin, suit=suit)
        )
    drawn = render_image(Scene(tuple(figures), grid=False), PhotoView(camera), SIZE, transparent=True)
    alpha = drawn[..., 3:] / 255
    rng = np.random.default_rng(SEED)
    behind = background(camera, Ground(), places, 6.5, False, rng)
    whole = drawn[..., :3] * alpha + behind * (1 - alpha) + rng.normal(0, 2, drawn[..., :3].shape)
    Image.fromarray(whole.clip(0, 255).astype(np.uint8)).save(path, format="JPEG", quality=92)
