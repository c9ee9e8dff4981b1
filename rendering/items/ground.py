"""The studio floor: a pool of light and a grid that fade with distance, on the plane y = 0."""

from __future__ import annotations

import numpy as np

from rendering.camera.camera import OrbitCamera
from rendering.gl.api import GL
from rendering.gl.buffers import VertexArray
from rendering.gl.program import Program
from rendering.items.background import photo_view
from rendering.items.frame import Frame
from rendering.scene.theme import rgb
from rendering.scene.values import Scene

FLAT, STEEP = np.radians((0.6, 3.5))  # slopes of sight between which the floor's edge replaces its surface
FROM_ABOVE, FROM_BELOW = 0.85, 0.25  # strength of its surface


class Ground:
    """Paints the floor behind the figures, faintly from below; `FloorOccluder` hides what is below it."""

    def __init__(self) -> None:
        self._empty = VertexArray()
        self._empty.bind()
        self._program = Program("ground.vert", "ground.frag")

    def paint(self, scene: Scene, frame: Frame) -> None:
        """Draw floor and grid, without writing depth."""
        if frame.transparent or not scene.grid:
            return
        x, z, reach = self.place(scene, frame)
        on_photo = photo_view(scene.backplate, frame)
        surface = FROM_ABOVE if frame.above_floor else FROM_BELOW
        theme = frame.theme
        program = self._program
        program.use()
        program.set_mat4("u_view_projection", frame.view_projection)
        program.set_vec2("u_centre", (x, z))
        program.set_float("u_reach", reach)
        program.set_float("u_height", 0.0)
        program.set_float("u_ratio", max(frame.pixel_ratio, 1.0))
        program.set_vec3("u_floor", rgb(theme.floor))
        program.set_vec3("u_line", rgb(theme.grid))
        program.set_float("u_floor_strength", 0.0 if on_photo else surface * (1.0 - edge_strength(scene, frame)))
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


def edge_strength(scene: Scene, frame: Frame) -> float:
    """0..1: how much the floor is seen from the side, at its centre; 0 from anywhere clearly above or below."""
    camera = frame.view.camera
    if isinstance(camera, OrbitCamera) and camera.orthographic:
        slope = abs(camera.pitch)
    else:
        x, z, _ = Ground.place(scene, frame)
        slope = float(np.arctan2(abs(camera.eye[1]), np.hypot(camera.eye[0] - x, camera.eye[2] - z)))
    return float(np.clip((STEEP - slope) / (STEEP - FLAT), 0.0, 1.0))
