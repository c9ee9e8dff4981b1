"""The viewport's two canvases: OpenGL in the window, and in memory for a software renderer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest
from gl_calls import Counted
from numpy.typing import NDArray
from rendering_capsule_man import mesh, skeleton

from rendering.camera.camera import OrbitCamera
from rendering.gl.api import GL
from rendering.scene.values import Figure, Scene
from solver.kinematics.fk import forward_kinematics, skinning_matrices
from solver.kinematics.pose import rest_pose

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from rendering.view.viewport import Viewport

pytestmark = pytest.mark.gl

Show = Callable[[str], "Viewport"]


@pytest.fixture
def show(qtbot: QtBot) -> Show:
    """A viewport of 320 x 240 with a man in it, on the canvas of that name."""
    from rendering.view import canvas
    from rendering.view.viewport import Viewport, prepare_opengl

    prepare_opengl()
    bones = skeleton()
    pose = rest_pose(bones)
    man = Figure(
        "man", mesh(bones), skinning_matrices(bones, pose), forward_kinematics(bones, pose).positions, bones.parents
    )

    def shown(name: str) -> Viewport:
        viewport = Viewport(make=getattr(canvas, name))
        qtbot.addWidget(viewport)
        viewport.resize(320, 240)
        viewport.set_scene(Scene((man,)))
        viewport.set_camera(OrbitCamera(target=(0.0, 0.9, 0.0), distance=4.0))
        with qtbot.waitExposed(viewport, timeout=60_000):
            viewport.show()
        qtbot.waitUntil(lambda: viewport.at_rest, timeout=60_000)
        return viewport

    return shown


def on_screen(viewport: Viewport) -> NDArray[np.float64]:
    from PySide6.QtGui import QImage

    image = viewport.grab().toImage().convertToFormat(QImage.Format.Format_RGBA8888)
    return np.array(image.constBits()).reshape(image.height(), image.width(), 4)[..., :3].astype(float)


@pytest.mark.parametrize("inverts", [True, False])
def test_both_canvases_show_the_same_picture(show: Show, monkeypatch: pytest.MonkeyPatch, inverts: bool) -> None:
    from PySide6.QtGui import QOpenGLContext

    if not inverts:
        told = Counted(monkeypatch, "glPixelStorei")
        monkeypatch.setattr(QOpenGLContext, "hasExtension", lambda _self, _name: False)
    window, memory = (on_screen(show(name)) for name in ("WindowCanvas", "MemoryCanvas"))
    assert np.ptp(window) > 100, "there is something to see"
    assert np.abs(window - memory).max() <= 2
    assert inverts or all(name != GL.GL_PACK_INVERT_MESA for name, _ in told.calls), "no driver knows it unasked"


def test_a_software_renderer_leaves_the_window_to_qts_own_painter(show: Show) -> None:
    from PySide6.QtOpenGLWidgets import QOpenGLWidget

    viewport = show("make_canvas")
    software = any(word in viewport.device.lower() for word in ("llvmpipe", "softpipe"))
    assert bool(viewport.findChildren(QOpenGLWidget)) is not software


def test_what_moves_over_the_view_costs_no_new_picture_of_the_scene(show: Show) -> None:
    from PySide6.QtWidgets import QApplication, QLabel

    viewport = show("MemoryCanvas")
    plain = on_screen(viewport)
    drawn: list[float] = []
    viewport.painted.connect(drawn.append)
    label = QLabel("over it", viewport)
    label.show()
    for x in range(0, 100, 20):
        label.move(x, 40)
        QApplication.processEvents()
    assert np.abs(on_screen(viewport) - plain).max() > 50
    label.hide()
    assert np.abs(on_screen(viewport) - plain).max() == 0
    assert not drawn
    viewport.set_camera(OrbitCamera(target=(0.0, 0.9, 0.0), distance=6.0))
    assert np.abs(on_screen(viewport) - plain).max() > 50
    assert drawn


@pytest.mark.parametrize("canvas", ["WindowCanvas", "MemoryCanvas"])
def test_the_pointer_reaches_the_viewport_through_its_canvas(show: Show, canvas: str) -> None:
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtTest import QTest

    viewport = show(canvas)
    before, window = viewport.camera, viewport.windowHandle()
    middle = Qt.MouseButton.MiddleButton
    for button in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):  # that another test may have left down
        QTest.mouseRelease(window, button, Qt.KeyboardModifier.NoModifier, QPoint(160, 120))
    QTest.mousePress(window, middle, Qt.KeyboardModifier.NoModifier, QPoint(160, 120))
    QTest.mouseMove(window, QPoint(200, 120))
    QTest.mouseRelease(window, middle, Qt.KeyboardModifier.NoModifier, QPoint(200, 120))
    assert viewport.camera != before


@pytest.mark.parametrize("canvas", ["WindowCanvas", "MemoryCanvas"])
def test_a_viewport_that_was_never_shown_gives_a_picture(qtbot: QtBot, canvas: str) -> None:
    from rendering.view import canvas as kinds
    from rendering.view.viewport import Viewport, prepare_opengl

    prepare_opengl()
    viewport = Viewport(make=getattr(kinds, canvas))
    qtbot.addWidget(viewport)
    picture = viewport.grab_image((64, 48), transparent=False)
    assert picture.shape == (48, 64, 4)
    assert np.ptp(picture[..., :3]) > 0


@pytest.mark.parametrize("closed", ["WindowCanvas", "MemoryCanvas"])
def test_a_closed_view_that_becomes_garbage_does_not_take_the_context_of_a_new_one(
    show: Show, closed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import gc

    from rendering.view import canvas

    def made_with_garbage_about() -> object:
        made = real()
        if gc.isenabled():  # so that it might be collected at any time
            gc.collect()
        return made

    old = show(closed)
    old.itself = old  # type: ignore[attr-defined]  # a cycle, as closed windows leave them
    old.close()
    del old
    real = canvas.hidden_context
    monkeypatch.setattr(canvas, "hidden_context", made_with_garbage_about)
    assert show("MemoryCanvas").device
