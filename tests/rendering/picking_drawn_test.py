"""What is drawn at a pixel is what is picked there, for skins, bones, several people and the photo's own camera."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("PySide6")
from rendering_capsule_man import figure, skeleton

from rendering.camera.camera import Camera, OrbitCamera, PhotoView, View
from rendering.camera.moving import standard_view
from rendering.drawing.offscreen import render_image
from rendering.picking.picking import pick, pick_figure
from rendering.scene.values import Figure, Handle, JointDots, RootHandle, Scene
from rendering.shapes.posed_skin import posed_skin, skin_below
from solver.camera import PinholeCamera
from solver.kinematics.pose import Pose, rest_pose
from solver.kinematics.rotations import from_rotation_vector

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("opengl")]
LENS = PinholeCamera([0.4, 1.2, 4.2], from_rotation_vector([0.02, 0.1, 0.05]), 700.0, (300.0, 260.0), (640, 480))
CAMERAS: dict[str, Camera] = {
    "perspective": OrbitCamera(yaw=0.7, pitch=0.3, distance=4.5),
    "orthographic": standard_view(OrbitCamera(distance=4.5), "right", orthographic=True),
    "top": standard_view(OrbitCamera(distance=4.5), "top"),
    "photo": PhotoView(LENS),
    "photo zoomed": PhotoView(LENS, zoom=1.6, shift=(0.1, -0.1)),
}


def posed(seed: int = 3, place: tuple[float, float, float] = (0, 0.95, 0), **settings: object) -> Figure:
    turns = from_rotation_vector(0.35 * np.random.default_rng(seed).normal(size=(24, 3)))
    return figure(Pose(place, turns), **settings)


def alpha(scene: Scene, camera: Camera, size: tuple[int, int]) -> np.ndarray:
    return render_image(scene, camera, size, transparent=True)[..., 3]


def sure_pixels(alpha: np.ndarray, count: int = 150) -> list[tuple[int, int, bool]]:
    """(x, y, whether something is drawn) for pixels that no outline cuts, around what is drawn."""
    rows, columns = np.nonzero(alpha)
    inner = np.zeros_like(alpha, dtype=bool)
    same = [np.roll(alpha, shift, axis) == alpha for shift in (-1, 1) for axis in (0, 1)]
    inner[1:-1, 1:-1] = np.logical_and.reduce([np.isin(alpha, (0, 255)), *same])[1:-1, 1:-1]
    inner[: max(rows.min() - 9, 0)] = inner[rows.max() + 9 :] = False
    inner[:, : max(columns.min() - 9, 0)] = inner[:, columns.max() + 9 :] = False
    places = np.argwhere(inner)
    chosen = np.random.default_rng(0).choice(len(places), min(count, len(places)), replace=False)
    return [(int(x), int(y), bool(alpha[y, x])) for y, x in places[chosen]]


@pytest.mark.sweep
@pytest.mark.parametrize("size", [(320, 240), (150, 260)], ids=["wide", "tall"])
@pytest.mark.parametrize("camera", CAMERAS.values(), ids=CAMERAS)
def test_a_body_is_picked_where_it_is_drawn_by_every_camera(camera: Camera, size: tuple[int, int]) -> None:
    man = posed()
    view, pixels = View(camera, *size), sure_pixels(alpha(Scene((man,)), camera, size))
    assert {drawn for *_, drawn in pixels} == {True, False}
    for x, y, drawn in pixels:
        assert (pick_figure(view, [man], (x + 0.5, y + 0.5)) is not None) == drawn, (x, y)


def test_of_two_bodies_at_a_pixel_the_one_that_is_drawn_is_picked() -> None:
    camera, size = CAMERAS["perspective"], (320, 240)
    near, far = posed(3, (0.2, 0.95, 0.6), id="near"), posed(5, (0, 0.95, -0.6), id="far")
    coloured = Scene((replace(near, skin="#ff0000", suit="#ff0000"), replace(far, skin="#0000ff", suit="#0000ff")))
    picture = render_image(coloured, camera, size, transparent=True).astype(int)
    seen = set()
    for x, y, drawn in sure_pixels(picture[..., 3], 300):
        red, _, blue = picture[y, x, :3]
        if not drawn or abs(red - blue) < 40:
            continue
        hit = pick_figure(View(camera, *size), coloured.figures, (x + 0.5, y + 0.5))
        assert hit is not None
        assert hit.id == ("near" if red > blue else "far"), (x, y)
        seen.add(hit.id)
    assert seen == {"near", "far"}


def test_the_place_that_is_picked_is_on_the_skin_and_at_the_pixel() -> None:
    man, view = posed(), View(CAMERAS["perspective"], 320, 240)
    skin = posed_skin(man)
    for joint in (3, 6, 9, 1, 2):
        pixel = view.project(man.joints[joint])
        hit = pick_figure(view, [man], pixel)
        assert hit is not None
        assert hit.place is not None
        assert view.project(hit.place) == pytest.approx(pixel, abs=1e-3)
        assert np.linalg.norm(hit.place - view.camera.eye) == pytest.approx(hit.depth)
        assert np.linalg.norm(skin - hit.place, axis=1).min() < 0.06
        assert hit.depth < np.linalg.norm(man.joints[joint] - view.camera.eye), "the skin is before the joint"


def test_what_is_behind_the_camera_is_not_picked() -> None:
    camera = OrbitCamera(yaw=0, pitch=0, distance=3.0, target=(0, 1, 6))  # the man stands behind its back
    turned = replace(camera, yaw=float(np.pi), target=(0, 1, 12))
    for each in (camera, turned):
        man = figure(Pose((0, 0.95, each.eye[2] + 3 * each.rotation[2, 2]), rest_pose(skeleton()).rotations))
        view = View(each, 200, 200)
        assert pick(view, Scene((man,)), (100, 100)) is None
        assert not alpha(Scene((man,)), each, (200, 200)).any()


def test_a_skeleton_is_picked_where_its_bones_are_drawn_and_not_between_them() -> None:
    man = figure(show="bones")
    view = View(standard_view(OrbitCamera(distance=4.0), "front"), 400, 400)
    for a, b in ((1, 4), (16, 18), (3, 6)):
        hit = pick_figure(view, [man], view.project((man.joints[a] + man.joints[b]) / 2))
        assert hit is not None
        assert hit.joint == a
    assert pick_figure(view, [man], view.project((man.joints[4] + man.joints[5]) / 2)) is None  # between the knees


def test_nothing_is_picked_by_a_scene_without_anything_at_the_pixel() -> None:
    view = View(OrbitCamera(), 320, 240)
    away = Handle("h", "ball", np.array([0.0, 1.0, 9.0]), np.zeros(3))  # behind the camera
    scene = Scene(
        (), (away,), JointDots(("j",), np.array([[0.0, 1.0, 9.0]])), None, RootHandle(np.array([5.0, 0, 0]), 0.0)
    )
    for pixel in ((0, 0), (160, 120), (319, 239)):
        assert pick(view, scene, pixel) is None


@pytest.mark.parametrize("height", [-1.0, 0.2, 0.95, 3.0])
def test_the_skin_below_a_height_is_that_part_of_the_posed_skin(height: float) -> None:
    man = posed()
    whole = posed_skin(man)
    below = whole[whole[:, 1] < height]
    found = skin_below(man, height)
    assert np.sort(found, axis=0) == pytest.approx(np.sort(below, axis=0), abs=1e-5)
    assert skin_below(man, height) is found, "asked for again it is not worked out again"


def test_of_a_figure_without_a_mesh_the_joints_are_its_skin() -> None:
    bones = replace(figure(), mesh=None)
    assert posed_skin(bones) == pytest.approx(bones.joints)
    assert skin_below(bones, 0.2) == pytest.approx(bones.joints[bones.joints[:, 1] < 0.2])


def test_the_posed_skin_is_moved_by_each_vertex_own_joints() -> None:
    body = figure().mesh
    assert body is not None
    shift = np.tile(np.eye(4), (24, 1, 1))
    shift[20, :3, 3] = [0, 0, 0.5]  # the left wrist alone
    man = replace(figure(), skinning=shift)
    moved = posed_skin(man) - posed_skin(replace(man, skinning=np.tile(np.eye(4), (24, 1, 1))))
    used = np.unique(body.faces)
    expected = np.outer(body.weights[used, 20], [0, 0, 0.5])
    assert moved == pytest.approx(expected, abs=1e-6)
    assert moved.any()
