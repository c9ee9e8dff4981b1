"""A surface with bones and colours of its own is drawn with them, also from behind if it is to be seen from there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("PySide6")

from rendering_capsule_man import mesh as capsule_mesh

from rendering.camera.camera import OrbitCamera, View
from rendering.drawing.offscreen import drawing_context, read_frame
from rendering.items.frame import Frame
from rendering.scene.prepared_mesh import prepared
from rendering.scene.style import Style
from rendering.scene.theme import DARK
from rendering.scene.values import Figure, Mesh, Scene
from rendering.shapes.capsules import posed_capsules

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("opengl")]

SIZE = (96, 96)
FRONT = OrbitCamera((0.0, 1.0, 0.0), distance=3.0)
BEHIND = replace(FRONT, yaw=np.pi)
JOINTS = np.array([[0.0, 0.9, 0.0], [0.0, 1.4, 0.0]], np.float32)
RED, GREEN = (0.8, 0.05, 0.05), (0.05, 0.6, 0.05)


def sheet(**changes: object) -> Mesh:
    """A metre of cloth that faces +Z, its left half red, its right half green, on three bones: two of one joint."""
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, 9), np.linspace(0.5, 1.5, 9))
    vertices = np.stack([x, y, np.zeros_like(x)], axis=-1).reshape(-1, 3).astype(np.float32)
    first = (np.arange(8)[:, None] * 9 + np.arange(8)).ravel()
    faces = np.concatenate([np.stack([first, first + 1, first + 10], 1), np.stack([first, first + 10, first + 9], 1)])
    weights = np.zeros((81, 3), np.float32)
    weights[np.arange(81), np.where(vertices[:, 1] > 1.0, 2, np.where(vertices[:, 0] > 0, 1, 0))] = 1.0
    colors = np.where(vertices[:, :1] < 0, RED, GREEN).astype(np.float32)
    carried = np.array([[1, 0], [1, 0], [0, 1]], np.float32)
    suit = np.zeros(81, np.float32)
    return replace(
        Mesh(vertices, faces, weights, suit, plain=vertices, carried=carried, colors=colors),
        **changes,  # type: ignore[arg-type]
    )


def cloth(mesh: Mesh, **how: object) -> Figure:
    return replace(
        Figure("cloth", mesh, np.tile(np.eye(4, dtype=np.float32), (3, 1, 1)), JOINTS, (-1, 0)),
        frames=np.tile(np.eye(4, dtype=np.float32), (2, 1, 1)),
        **how,  # type: ignore[arg-type]
    )


def drawn(figure: Figure, camera: OrbitCamera = FRONT, quick: bool = False, look: str = "suit") -> np.ndarray:
    """(H, W, 4) floats, 0..1."""
    from rendering.drawing.renderer import SceneRenderer

    frame = Frame(View(camera, *SIZE), DARK, 1.0, True, quick)
    with drawing_context():
        return read_frame(SceneRenderer(), Scene((figure,), style=Style(look)), frame, 4) / 255.0


def middle(picture: np.ndarray, left: bool) -> np.ndarray:
    """(4,) the mean of a patch in that half."""
    part = picture[40:56, 30:40] if left else picture[40:56, 56:66]
    return np.asarray(part.reshape(-1, 4).mean(axis=0))


@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize("look", ["suit", "flat"])
def test_its_colours_show_in_looks_that_have_colours(look: str, quick: bool) -> None:
    picture = drawn(cloth(sheet()), quick=quick, look=look)
    red, green = middle(picture, left=True), middle(picture, left=False)
    assert red[0] > 2 * red[1]
    assert green[1] > 2 * green[0]


def test_clay_has_no_colours() -> None:
    picture = drawn(cloth(sheet()), look="clay")
    assert middle(picture, left=True) == pytest.approx(middle(picture, left=False), abs=0.03)


def test_a_surface_of_two_sides_is_seen_from_behind_and_one_of_a_single_side_is_not() -> None:
    assert drawn(cloth(sheet()), BEHIND)[48, 48, 3] == 0.0
    picture = drawn(cloth(sheet(two_sided=True)), BEHIND)
    assert picture[48, 48, 3] == 1.0
    seen, before = (middle(p, True)[:3].max() for p in (picture, drawn(cloth(sheet(two_sided=True)))))
    assert seen > 0.5 * before, "its back is lit as a back"


def test_the_bones_of_a_calm_joint_are_greyer() -> None:
    plain, calm = drawn(cloth(sheet())), drawn(cloth(sheet(), calm=frozenset([0])))
    below, above = np.s_[60:70, 30:40], np.s_[30:36, 30:40]
    assert np.ptp(calm[below][..., :3], axis=-1).mean() < 0.6 * np.ptp(plain[below][..., :3], axis=-1).mean()
    assert np.array_equal(calm[above], plain[above])


def test_its_limbs_cast_shadows_by_their_thickness_in_the_rest_pose() -> None:
    mesh = sheet()
    shape = np.array(mesh.plain)
    shape[:, 0] *= 0.2
    thin = posed_capsules(cloth(replace(mesh, plain=shape)))[2]
    assert (thin < posed_capsules(cloth(mesh))[2]).all()


def test_a_seam_makes_no_hollow() -> None:
    """A surface has two vertices at each place of a seam, which would look like a border."""
    mesh = capsule_mesh()
    whole = replace(mesh, carried=np.eye(mesh.weights.shape[1], dtype=np.float32))
    corners = np.asarray(mesh.faces).reshape(-1)
    split = replace(
        whole,
        vertices=np.asarray(mesh.vertices)[corners],
        weights=np.asarray(mesh.weights)[corners],
        suit=np.asarray(mesh.suit)[corners],
        faces=np.arange(len(corners)).reshape(-1, 3),
    )
    made, torn = prepared(whole, whole.faces), prepared(split, split.faces)
    hollow = np.empty((len(mesh.vertices), 2))
    hollow[made.order] = made.skin[:, 9:]
    apart = np.empty((len(corners), 2))
    apart[torn.order] = torn.skin[:, 9:]
    assert np.abs(apart - hollow[corners]).max() < 1e-3
