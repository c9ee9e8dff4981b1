"""What a picture is spared - skin far from the floor, values a program holds, a room drawn before - does not show."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("PySide6")
from gl_calls import Counted
from rendering_capsule_man import figure

from rendering.camera.camera import OrbitCamera, View
from rendering.drawing.offscreen import read_frame
from rendering.drawing.renderer import SceneRenderer
from rendering.gl.buffers import VertexArray
from rendering.gl.program import Program
from rendering.gl.render_targets import RenderTarget
from rendering.items import contact_shadow, gpu_mesh
from rendering.items.frame import Frame
from rendering.scene.style import Style
from rendering.scene.theme import DARK, LIGHT
from rendering.scene.values import Mesh, Scene

pytestmark = [pytest.mark.gl, pytest.mark.usefixtures("opengl")]
SIZE = (240, 200)
ABOVE = OrbitCamera(yaw=0.4, pitch=0.5, distance=3.0, target=(0.0, 0.3, 0.0))
QUICK = Frame(View(ABOVE, *SIZE), DARK, quick=True)


def leaning_strip(rows: int = 100) -> Mesh:
    """Skin of 2 x `rows` vertices from the floor to a metre above it, that leans by a fifth of its height."""
    heights = np.linspace(0.0, 1.0, rows)
    low, high = np.arange(rows - 1), np.arange(1, rows)
    points = np.concatenate([np.stack([np.full(rows, x), heights, 0.2 * heights], axis=1) for x in (-0.4, 0.4)])
    faces = np.concatenate([np.stack([low, high, low + rows], 1), np.stack([high, high + rows, low + rows], 1)])
    weights = np.zeros((2 * rows, 24), np.float32)
    weights[:, 0] = 1.0
    return Mesh(points.astype(np.float32), faces.astype(np.int32), weights, np.zeros(2 * rows, np.float32))


@pytest.mark.usefixtures("context")
def test_skin_far_above_the_floor_is_left_out_of_the_tight_shadow_and_does_not_show(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gpu_mesh, "BLOCK", 1)
    monkeypatch.setattr(gpu_mesh, "APART", 1)
    scene, bright = Scene((figure(body=leaning_strip()),)), replace(QUICK, theme=LIGHT)
    drawn = Counted(monkeypatch, "glDrawElements")
    pictures, triangles = [], []
    for height in (contact_shadow.FADED, 100.0):
        monkeypatch.setattr(contact_shadow, "FADED", height)
        drawn.calls.clear()
        pictures.append(read_frame(SceneRenderer(), scene, bright, samples=0))
        triangles.append(sum(int(call[1]) for call in drawn.calls))  # type: ignore[call-overload]
    assert (pictures[0] == pictures[1]).all()
    assert triangles[0] < 0.8 * triangles[1]
    monkeypatch.setattr(contact_shadow, "FADED", 0.16)
    assert (read_frame(SceneRenderer(), scene, bright, samples=0) != pictures[0]).any(), "lower skin shows"


@pytest.mark.usefixtures("context")
def test_long_triangles_that_only_begin_near_the_floor_darken_it(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, bright = Scene((figure(body=leaning_strip(3)),)), replace(QUICK, theme=LIGHT)
    near = read_frame(SceneRenderer(), scene, bright, samples=0)
    monkeypatch.setattr(contact_shadow, "FADED", 100.0)
    assert (near == read_frame(SceneRenderer(), scene, bright, samples=0)).all()


@pytest.mark.usefixtures("context")
def test_a_program_is_sent_what_it_does_not_hold_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    VertexArray().bind()
    program, sent = Program("screen.vert", "shadow_bake.frag"), Counted(monkeypatch, "glUniform4fv")
    program.use()
    for value in (np.ones((3, 4)), np.ones((3, 4)), np.ones((2, 4)), np.zeros((3, 4)), np.zeros((3, 4))):
        program.set_vec4("u_start", value)
    assert [call[1] for call in sent.calls] == [3, 2, 3]


@pytest.mark.slow
@pytest.mark.usefixtures("context")
def test_a_picture_that_others_were_drawn_before_looks_as_one_that_is_drawn_first() -> None:
    renderer = SceneRenderer()
    scenes = [
        Scene((figure(color="#cc4422"),), style=Style("suit", "warm", turn=70.0)),
        Scene((figure(),), grid=False, style=Style("clay", "rim", turn=-120.0, height=10.0)),
        Scene((), style=Style("line")),
    ]
    frames = [QUICK, replace(QUICK, view=View(replace(ABOVE, yaw=2.0), *SIZE)), replace(QUICK, transparent=True)]
    for scene in scenes:
        for frame in frames:
            for samples in (0, 4):
                first = read_frame(SceneRenderer(), scene, frame, samples)
                for _ in range(3):  # at the second time the room is kept, at the third it is there
                    assert (read_frame(renderer, scene, frame, samples) == first).all()


@pytest.mark.usefixtures("context")
def test_a_driver_that_turns_pictures_over_gives_the_same_ones() -> None:
    from PySide6.QtGui import QOpenGLContext

    current = QOpenGLContext.currentContext()
    if current is None or not current.hasExtension(b"GL_MESA_pack_invert"):
        pytest.skip("this driver does not turn pictures over")
    target = RenderTarget(*SIZE)
    SceneRenderer().draw(Scene((figure(),)), QUICK, target.fbo)
    plain = target.read().copy()
    turned = target.read(inverts=True)
    assert (plain == turned).all()
    assert (plain != plain[::-1]).any()
    assert (target.read() == plain).all(), "the next reader gets what it asks for"
