"""What stays while a limb moves is drawn greyer than the rest, by the weights of its joints, in both kinds of light."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("PySide6")

from gl_palette_test import FRONT, SIZE, around, figure, wall

from rendering.camera.camera import View
from rendering.drawing.offscreen import drawing_context, read_frame
from rendering.items.frame import Frame
from rendering.scene.theme import DARK
from rendering.scene.values import MAX_JOINTS, Figure, Scene
from solver.kinematics.pose import rest_pose

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("opengl")]


def drawn(shown: Figure, quick: bool) -> np.ndarray:
    """(H, W, 4) floats of the picture."""
    from rendering.drawing.renderer import SceneRenderer

    frame = replace(Frame(View(FRONT, *SIZE), DARK, 1.0, True), quick=quick)
    with drawing_context():
        return read_frame(SceneRenderer(), Scene((shown,)), frame, 4).astype(float)


def chroma(picture: np.ndarray, where: np.ndarray) -> float:
    pixels = picture[where & (picture[..., 3] > 250)][:, :3]
    return float((pixels.max(axis=1) - pixels.min(axis=1)).mean())


@pytest.mark.sweep
@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize("joint", [0, 31, 32, 77, 104])
def test_the_part_of_a_calm_joint_alone_is_greyer(joint: int, quick: bool) -> None:
    bones, mesh = wall(MAX_JOINTS)
    plain = figure(bones, mesh, rest_pose(bones))
    before, after = drawn(plain, quick), drawn(replace(plain, calm=frozenset([joint])), quick)
    there = around(bones, joint)
    assert chroma(after, there) < 0.5 * chroma(before, there)
    assert np.array_equal(after[~there], before[~there])
