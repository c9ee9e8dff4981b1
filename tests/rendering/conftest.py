"""What tests of drawn pictures need."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module")
def opengl(qapp: object) -> None:
    """Skips a module's tests where nothing can be drawn."""
    from rendering.camera.camera import OrbitCamera
    from rendering.drawing.offscreen import render_image
    from rendering.drawing.surfaceless import NoOpenGL
    from rendering.scene.values import Scene

    try:
        render_image(Scene(), OrbitCamera(), (16, 16))
    except NoOpenGL as error:
        pytest.skip(str(error))


@pytest.fixture
def context(opengl: None) -> Iterator[None]:
    """A hidden context, current during the test."""
    from rendering.drawing.offscreen import hidden_context, keeping_context

    with keeping_context():
        made, surface = hidden_context()
        yield
        made.doneCurrent()
        surface.destroy()
