"""Figures of many joints are skinned: each part of the picture moves with its own joint, up to what a palette holds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("PySide6")

from rendering.camera.camera import OrbitCamera, View
from rendering.camera.moving import standard_view
from rendering.drawing.offscreen import render_image
from rendering.scene.values import MAX_JOINTS, Figure, Mesh, Scene
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.rig.rig import Rig

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("opengl")]
SIZE = (400, 200)
FRONT = standard_view(OrbitCamera(distance=4.0, target=(0.0, 1.0, 0.0)), "front", orthographic=True)
COLUMNS = 13


def places(joints: int) -> np.ndarray:
    """(J, 3) metres: a wall of tiles, `COLUMNS` wide."""
    row, column = np.divmod(np.arange(joints), COLUMNS)
    return np.stack([(column - COLUMNS // 2) * 0.14, 0.4 + row * 0.12, np.zeros(joints)], axis=1)


def wall(joints: int) -> tuple[Skeleton, Mesh]:
    """One square tile on each joint; every joint hangs at the first one, so that each moves its own tile alone."""
    rest = places(joints)
    offsets = rest - rest[0]
    offsets[0] = rest[0]
    bones = Skeleton(tuple(f"tile{j}" for j in range(joints)), (-1, *[0] * (joints - 1)), offsets)
    corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * 0.045
    vertices = (rest[:, None] + corners).reshape(-1, 3)
    faces = (np.array([[0, 1, 2], [0, 2, 3]]) + 4 * np.arange(joints)[:, None, None]).reshape(-1, 3)
    weights = np.repeat(np.eye(joints), 4, axis=0)
    return bones, Mesh(vertices, faces, weights, np.zeros(len(vertices)))


def figure(bones: Skeleton, mesh: Mesh, pose: Pose) -> Figure:
    joints = forward_kinematics(bones, pose).positions
    return Figure("wall", mesh, skinning_matrices(bones, pose), joints, bones.parents)


def covered(shown: Figure) -> np.ndarray:
    """(H, W) where something is drawn."""
    return render_image(Scene((shown,)), FRONT, SIZE, transparent=True)[..., 3] > 127


def around(bones: Skeleton, joint: int) -> np.ndarray:
    """(H, W) the pixels of one tile and the gap around it."""
    x, y = View(FRONT, *SIZE).project(bones.rest_positions[joint])
    reach = 1.1 * (View(FRONT, *SIZE).project(bones.rest_positions[joint] + [0.07, 0, 0])[0] - x)
    rows, columns = np.mgrid[0 : SIZE[1], 0 : SIZE[0]]
    return (np.abs(columns + 0.5 - x) <= reach) & (np.abs(rows + 0.5 - y) <= reach)


def turned_away(bones: Skeleton, joint: int) -> Pose:
    """A pose in which one tile alone is turned onto its edge, so that it is seen no longer."""
    rest = rest_pose(bones)
    rotations = np.array(rest.rotations)
    rotations[joint] = from_rotation_vector([np.pi / 2, 0, 0])
    return Pose(rest.root_position, rotations)


@pytest.mark.sweep
@pytest.mark.parametrize("joint", [1, 59, 60, 61, 100, 127, 128, 129])
def test_each_of_130_joints_moves_its_own_pixels_and_no_others(joint: int) -> None:
    bones, mesh = wall(130)
    before, after = (
        covered(figure(bones, mesh, rest_pose(bones))),
        covered(figure(bones, mesh, turned_away(bones, joint))),
    )
    gone = before & ~after
    assert gone.sum() > 20
    assert not (gone & ~around(bones, joint)).any()
    assert not (after & ~before).any()


def test_all_of_130_joints_are_drawn() -> None:
    bones, mesh = wall(130)
    before = covered(figure(bones, mesh, rest_pose(bones)))
    assert all((before & around(bones, joint)).sum() > 20 for joint in range(130))


def test_joints_whose_frames_at_rest_are_turned_draw_the_very_same_picture() -> None:
    bones, mesh = wall(130)
    frames = from_rotation_vector(np.random.default_rng(2).normal(size=(130, 3)))
    above = frames[list(bones.parents)]
    above[0] = np.eye(3)
    turned = Rig(
        bones.names,
        bones.parents,
        np.einsum("jki,jk->ji", above, bones.offsets),
        (None,) * 130,
        frames,
    )
    plain = turned_away(bones, 99)
    pose = Pose(plain.root_position, np.swapaxes(above, -1, -2) @ plain.rotations @ frames)
    assert turned.rest_frames is not None
    assert (covered(figure(turned, mesh, pose)) == covered(figure(bones, mesh, plain))).all()


def test_two_figures_keep_to_their_own_matrices_also_when_one_of_them_moves() -> None:
    bones, mesh = wall(130)
    still = figure(bones, mesh, rest_pose(bones))
    away = replace(figure(bones, mesh, turned_away(bones, 77)), id="away")
    far = np.broadcast_to(np.eye(4, dtype=np.float32), (130, 4, 4)).copy()
    far[:, 0, 3] = 50.0  # out of the picture
    hidden = replace(still, id="hidden", skinning=far @ np.asarray(still.skinning))
    alone = covered(away)
    together = render_image(Scene((hidden, away)), FRONT, SIZE, transparent=True)[..., 3] > 127
    assert (alone == together).all()


def test_the_palette_holds_what_it_says_and_refuses_more() -> None:
    bones, mesh = wall(MAX_JOINTS)
    last = MAX_JOINTS - 1
    high = replace(FRONT, target=tuple(bones.rest_positions[last]))
    shown = [
        render_image(Scene((figure(bones, mesh, pose),)), high, SIZE, transparent=True)[..., 3] > 127
        for pose in (rest_pose(bones), turned_away(bones, last))
    ]
    assert (shown[0] & ~shown[1]).sum() > 20
    bones, mesh = wall(MAX_JOINTS + 1)
    with pytest.raises(ValueError, match=f"at most {MAX_JOINTS} joints, not {MAX_JOINTS + 1}"):
        covered(figure(bones, mesh, rest_pose(bones)))
