"""The part of a window's memory that OpenGL in software takes, in megabytes; `bench` runs it as a process of its own.

python -m app.benchmark.opengl_memory     0 where a graphics card draws
"""

from __future__ import annotations

from app.benchmark.memory import held_mb

SIZE = (1280, 800)
SAMPLES = 4  # as the window draws at rest


def main() -> float:
    """Draw the scene of a new document off screen, with everything else loaded, and return what that added.

    That is the driver's libraries, the shaders it compiles, and its buffers.
    """
    from app.document.posing.create import new_document
    from app.services.settings import Settings
    from app.services.view_state import ViewState
    from app.viewport.picture import camera_of
    from app.viewport.scene_builder import Look, SceneBuilder
    from app.window.start import make_application
    from rendering.camera.camera import View
    from rendering.drawing.offscreen import hidden_context, keeping_context, read_frame
    from rendering.drawing.renderer import SceneRenderer, device_name, is_software
    from rendering.items.frame import Frame
    from rendering.scene.theme import DARK

    application = make_application()
    document, defaults = new_document(), Settings()
    scene = SceneBuilder().build(document, ViewState(), Look(defaults.skin_tone, defaults.suit_color), None)
    view = View(camera_of(document, "angle", SIZE[0] / SIZE[1]), *SIZE)
    before = held_mb()
    with keeping_context():
        context, surface = hidden_context()
        software, renderer = is_software(device_name()), SceneRenderer()
        for quick in (True, False):
            read_frame(renderer, scene, Frame(view, DARK, 1.0, quick=quick), SAMPLES)
        taken = held_mb() - before
        context.doneCurrent()
        surface.destroy()
    application.processEvents()
    return taken if software else 0.0


if __name__ == "__main__":
    print(main())
