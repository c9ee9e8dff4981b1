"""The floor as an occluder: it is drawn into the depth buffer only, and hides what sinks below it."""

from __future__ import annotations

import numpy as np

from rendering.gl.api import GL
from rendering.gl.buffers import VertexArray
from rendering.gl.program import Program
from rendering.items.background import photo_view
from rendering.items.floor_edge import edge
from rendering.items.frame import Frame
from rendering.items.ground import Ground, edge_strength
from rendering.items.triangles import Triangles
from rendering.scene.values import Scene
from rendering.shapes.posed_skin import skin_below

BELOW = -0.003  # metres: soles that touch the floor stay whole
FLESH = 0.01  # metres that drawn skin or bones may reach beyond the vertices that are checked
CURTAIN = 10.0  # metres, taller than any view from the side


class FloorOccluder:
    """Hides what is below the floor in a view from above or along it; nothing from below or in front of a photo.

    Only the part of the picture with something below is touched: on a software renderer all of it takes milliseconds.
    """

    def __init__(self) -> None:
        self._empty = VertexArray()
        self._empty.bind()
        self._plane = Program("ground.vert", "depth.frag")
        self._curtain = Triangles(strip=True)

    def paint(self, scene: Scene, frame: Frame) -> None:
        """Write the depth behind which figures are hidden; before they are drawn."""
        along = edge_strength(scene, frame) >= 1.0
        if not scene.grid or frame.transparent or not (along or frame.above_floor):
            return
        box = None if photo_view(scene.backplate, frame) else _sunk_box(scene, frame)
        if box is None:
            return
        GL.glEnable(GL.GL_SCISSOR_TEST)
        left, bottom, width, height = box
        GL.glScissor(left, bottom - frame.below, width, height)
        GL.glColorMask(False, False, False, False)
        if along:
            self._draw_curtain(scene, frame)
        else:
            self._draw_plane(scene, frame)
        GL.glColorMask(True, True, True, True)
        GL.glDisable(GL.GL_SCISSOR_TEST)

    def _draw_plane(self, scene: Scene, frame: Frame) -> None:
        x, z, reach = Ground.place(scene, frame)
        self._plane.use()
        self._plane.set_mat4("u_view_projection", frame.view_projection)
        self._plane.set_vec2("u_centre", (x, z))
        self._plane.set_float("u_reach", reach)
        self._plane.set_float("u_height", BELOW)
        self._empty.bind()
        GL.glDrawArrays(GL.GL_TRIANGLE_STRIP, 0, 4)

    def _draw_curtain(self, scene: Scene, frame: Frame) -> None:
        """A plane seen edge-on covers no pixel, so the ground in front of it is drawn instead."""
        left, right, _ = edge(scene, frame)
        rows = np.zeros((4, 7), np.float32)
        rows[:, :3] = [end + [0.0, y, 0.0] for y in (BELOW, -CURTAIN) for end in (left, right)]
        self._curtain.upload(rows)
        GL.glDepthRange(0.0, 0.0)  # in front of everything
        self._curtain.paint(frame)
        GL.glDepthRange(0.0, 1.0)


def _sunk_box(scene: Scene, frame: Frame) -> tuple[int, int, int, int] | None:
    """The part of the picture that shows what is below the floor: left, bottom, width and height in device pixels."""
    sunk = [skin_below(figure, BELOW - FLESH) for figure in scene.figures]
    sunk += [prop.corners.astype(np.float32) for prop in scene.props if prop.corners[:, 1].min() < BELOW]
    places = np.concatenate(sunk) if sunk else np.empty((0, 3))
    if not len(places):
        return None
    pixels = frame.view.project(places) * frame.pixel_ratio
    pixels[:, 1] = frame.device_size[1] - pixels[:, 1]
    if not np.isfinite(pixels).all():  # partly behind the camera
        return (0, 0, *frame.device_size)
    margin = FLESH / frame.view.metres_per_pixel(places.mean(axis=0)) * frame.pixel_ratio + 2.0
    low, high = pixels.min(axis=0) - margin, pixels.max(axis=0) + margin
    left, bottom = np.clip(np.floor(low), 0, frame.device_size).astype(int)
    right, top = np.clip(np.ceil(high), 0, frame.device_size).astype(int)
    return int(left), int(bottom), int(right - left), int(top - bottom)
