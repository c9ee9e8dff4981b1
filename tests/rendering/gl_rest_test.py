"""A figure is drawn by the skin at rest that its pose wants, and shaded by that of its mesh."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from rendering_capsule_man import figure as man

pytest.importorskip("PySide6")

from rendering.camera.camera import OrbitCamera
from rendering.camera.moving import standard_view
from rendering.drawing.offscreen import render_image
from rendering.scene.values import Figure, Scene
from rendering.shapes.posed_skin import posed_skin, skin_below

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("opengl")]
SIZE = (240, 200)
FRONT = standard_view(OrbitCamera(distance=9.0, target=(0.8, 1.0, 0.0)), "front", orthographic=True)
UP = np.float32([0.0, 0.2, 0.0])


def drawn(*figures: Figure) -> np.ndarray:
    return render_image(Scene(figures, grid=False), FRONT, SIZE, transparent=True).astype(int)


def grown(figure: Figure) -> np.ndarray:
    """The skin at rest a little larger, which leaves its normals nearly as they are."""
    assert figure.mesh is not None
    return np.asarray(figure.mesh.vertices * np.float32([1.0, 1.04, 1.0]))


def test_the_skin_at_rest_of_a_figure_is_drawn_in_place_of_its_mesh_s() -> None:
    figure = man()
    assert figure.mesh is not None
    plain = figure.mesh.vertices  # by which both are shaded
    other = replace(figure, mesh=replace(figure.mesh, vertices=figure.mesh.vertices + UP, plain=plain))
    assert np.array_equal(drawn(replace(figure, rest=figure.mesh.vertices + UP)), drawn(other))
    assert not np.array_equal(drawn(figure), drawn(other))


def test_its_normals_are_the_mesh_s() -> None:
    figure = man()
    assert figure.mesh is not None
    flat = figure.mesh.vertices * np.float32([1.0, 1.0, 0.01])  # seen from the front it covers the same
    by_rest, by_mesh = (
        drawn(replace(figure, rest=flat)),
        drawn(replace(figure, mesh=replace(figure.mesh, vertices=flat))),
    )
    seen = (by_rest[..., 3] == 255) & (by_mesh[..., 3] == 255)
    plain = drawn(figure)
    assert np.abs(by_rest - plain)[seen][:, :3].mean() < np.abs(by_mesh - plain)[seen][:, :3].mean() / 3


@pytest.mark.slow
def test_figures_that_share_a_mesh_have_each_their_own() -> None:
    figure = man()
    assert figure.mesh is not None
    beside = np.array(figure.skinning)
    beside[:, 0, 3] += 1.8
    first = replace(figure, id="a", rest=grown(figure))
    second = replace(figure, id="b", skinning=beside)
    both = drawn(first, second)
    assert (both[..., 3] > 0).sum() == pytest.approx(
        (drawn(first)[..., 3] > 0).sum() + (drawn(second)[..., 3] > 0).sum()
    )
    assert np.array_equal(drawn(second, first)[..., 3], both[..., 3])


def test_what_is_found_without_the_gpu_goes_by_it_too() -> None:
    figure = man()
    assert figure.mesh is not None
    moved = replace(figure, rest=figure.mesh.vertices + UP)
    assert posed_skin(moved) == pytest.approx(posed_skin(figure) + UP, abs=1e-6)
    assert len(skin_below(moved, 0.2)) < len(skin_below(figure, 0.2))
    assert posed_skin(replace(figure, rest=figure.mesh.vertices)) == pytest.approx(posed_skin(figure))
