"""The studio floor: a pool of light and a grid that fade with distance, on the plane y = 0."""

from __future__ import annotations

import numpy as np
from OpenGL import GL

from rendering.camera import OrbitCamera
from rendering.frame import Frame
from rendering.gl.buffers import VertexArray
from rendering.gl.program import Program
from rendering.items.background import shows_backplate
from rendering.scene import Scene
from rendering.theme import rgb


class Ground:
    """Draws the floor; it hides nothing, so that one may look from below."""

    def __init__(self) -> None:
        self._empty = VertexArray()
        self._empty.bind()
        self._program = Program("ground.vert", "ground.frag")

    def paint(self, scene: Scene, frame: Frame) -> None:
        """Draw floor and grid, without writing depth."""
        if frame.transparent or not scene.grid:
            return
        x, z, reach = self.place(scene, frame)
        on_photo = shows_backplate(scene.backplate, frame)
        above = frame.view.camera.eye[1] > 0
        theme = frame.theme
        program = self._program
        program.use()
        program.set_mat4("u_view_projection", frame.view_projection)
        program.set_vec2("u_centre", (x, z))
        program.set_float("u_reach", reach)
        program.set_vec3("u_floor", rgb(theme.floor))
        program.set_vec3("u_line", rgb(theme.grid))
        program.set_float("u_floor_strength", 0.0 if on_photo or not above else 0.85)
        program.set_float("u_line_strength", theme.grid_strength * (0.7 if on_photo else 1.0))
        GL.glDepthMask(False)
        self._empty.bind()
        GL.glDrawArrays(GL.GL_TRIANGLE_STRIP, 0, 4)
        GL.glDepthMask(True)

    @staticmethod
    def place(scene: Scene, frame: Frame) -> tuple[float, float, float]:
        """Where the floor is drawn: x and z of its centre and its radius, in metres."""
        camera = frame.view.camera
        if isinstance(camera, OrbitCamera):
            return camera.target[0], camera.target[2], float(np.clip(camera.distance * 2.4, 4.0, 60.0))
        roots = [f.joints[0] for f in scene.figures] or [camera.eye - 4 * np.asarray(camera.rotation)[:, 2]]
        x, _, z = np.mean(roots, axis=0)
        return float(x), float(z), 8.0
