"""The viewport: an unchanged scene uploads nothing, and a moved figure uploads no mesh."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from rendering_capsule_man import mesh, skeleton

from rendering.camera.camera import OrbitCamera, View
from rendering.drawing.offscreen import read_frame
from rendering.gl import buffers
from rendering.items.frame import Frame
from rendering.scene.theme import DARK
from rendering.scene.values import Figure, Scene
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.pose import rest_pose

pytestmark = pytest.mark.gl


def test_an_unchanged_mesh_is_uploaded_once(qtbot: object, monkeypatch: pytest.MonkeyPatch) -> None:
    from rendering.view.viewport import Viewport, prepare_opengl

    prepare_opengl()
    uploads: list[int] = []
    for name in dir(buffers):
        kind = getattr(buffers, name)
        if isinstance(kind, type) and "upload" in vars(kind):
            original = kind.upload

            def counted(self, data, *rest, _original=original, **how):  # type: ignore[no-untyped-def]
                uploads.append(np.asarray(data).nbytes)
                return _original(self, data, *rest, **how)

            monkeypatch.setattr(kind, "upload", counted)
    viewport = Viewport()
    qtbot.addWidget(viewport)  # type: ignore[attr-defined]
    viewport.resize(320, 240)
    with qtbot.waitExposed(viewport, timeout=60_000):  # type: ignore[attr-defined]
        viewport.show()
    bones = skeleton()
    pose = rest_pose(bones)
    figure = Figure(
        "man", mesh(bones), skinning_matrices(bones, pose), forward_kinematics(bones, pose).positions, bones.parents
    )
    viewport.set_scene(Scene((figure,)))
    viewport.grab_image()
    assert sum(uploads) > 10_000, "the mesh went to the GPU"
    uploads.clear()
    viewport.set_scene(Scene((replace(figure, skinning=figure.skinning.copy()),)))
    viewport.grab_image()
    assert sum(uploads) < 10_000, "a new pose uploads matrices, no mesh"


def test_the_gpu_forgets_figures_that_are_gone(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    from OpenGL import GL

    from rendering.drawing.offscreen import hidden_context, keeping_context
    from rendering.drawing.renderer import SceneRenderer

    made: list[int] = []
    original = buffers.Buffer.__init__

    def noted(self, *rest, **how):  # type: ignore[no-untyped-def]
        original(self, *rest, **how)
        made.append(self.id)

    monkeypatch.setattr(buffers.Buffer, "__init__", noted)
    bones = skeleton()
    pose = rest_pose(bones)
    joints, skinning = forward_kinematics(bones, pose).positions, skinning_matrices(bones, pose)
    figures = [Figure(f"man {i}", mesh(bones), skinning, joints, bones.parents) for i in range(3)]
    with keeping_context():
        context, surface = hidden_context()
        renderer = SceneRenderer()
        own = set(made)

        def kept(*shown: Figure) -> int:
            frame = Frame(View(OrbitCamera(), 64, 48), DARK)
            read_frame(renderer, Scene(shown), frame, samples=0)
            return sum(bool(GL.glIsBuffer(id)) for id in set(made) - own)

        one, three = kept(figures[0]), kept(*figures)
        assert three == 3 * one > 0
        assert kept(figures[2]) == one
        assert kept() == 0
        context.doneCurrent()
        surface.destroy()
