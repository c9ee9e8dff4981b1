"""Coarse triangles are drawn in motion, from afar, and there alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from app.viewport.coarse_body import coarse_of
from rendering.camera.camera import OrbitCamera, View
from rendering.items.frame import Frame
from rendering.scene.theme import DARK
from rendering.scene.values import Figure, Mesh, Scene
from solver.body.body import BodyShape
from solver.body.embedded_body import EmbeddedBody
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.pose import rest_pose

pytestmark = pytest.mark.gl

FAR, NEAR = 4.0, 1.0  # metres


@pytest.fixture
def drawn(qapp: object) -> Iterator[object]:
    """The difference of each colour that coarse triangles make: (distance, quick) -> (H, W, 3)."""
    from rendering.drawing.offscreen import hidden_context, read_frame
    from rendering.drawing.renderer import SceneRenderer
    from rendering.drawing.surfaceless import NoOpenGL

    try:
        context, surface = hidden_context()
    except NoOpenGL as error:
        pytest.skip(str(error))
    renderer = SceneRenderer()
    body, shape = EmbeddedBody(), BodyShape()
    bones, coarse = body.skeleton(shape), coarse_of(body.faces)
    pose = rest_pose(bones)
    mesh = Mesh(body.vertices(shape), body.faces, body.weights, body.suit_mask, coarse)
    figure = Figure(
        "one", mesh, skinning_matrices(bones, pose), forward_kinematics(bones, pose).positions, bones.parents
    )

    def difference(distance: float, quick: bool) -> NDArray[np.int16]:
        camera = OrbitCamera(target=(0.0, 0.9, 0.0), distance=distance)
        frame = Frame(View(camera, 480, 480), DARK, quick=quick)
        pictures = [
            read_frame(renderer, Scene((replace(figure, mesh=m),)), frame, samples=0)[..., :3].astype(np.int16)
            for m in (mesh, replace(mesh, coarse=None))
        ]
        assert np.ptp(pictures[1]) > 100, "there is somebody to see"
        return np.abs(pictures[0] - pictures[1])

    yield difference
    context.doneCurrent()
    surface.destroy()


def test_from_afar_and_in_motion_the_coarse_body_looks_much_like_the_fine_one(drawn) -> None:  # type: ignore[no-untyped-def]
    difference = drawn(FAR, quick=True)
    assert difference.max() > 0, "other triangles are drawn"
    assert (difference.max(axis=-1) > 24).mean() < 0.01


def test_close_by_the_fine_body_is_drawn(drawn) -> None:  # type: ignore[no-untyped-def]
    assert drawn(NEAR, quick=True).max() == 0


def test_at_rest_the_fine_body_is_drawn(drawn) -> None:  # type: ignore[no-untyped-def]
    assert drawn(FAR, quick=False).max() == 0
