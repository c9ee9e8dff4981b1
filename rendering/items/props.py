"""Props: lit surfaces with their edges, each uploaded once and moved by a matrix."""

from __future__ import annotations

import ctypes

import numpy as np

from rendering.gl.api import GL
from rendering.gl.buffers import Buffer, VertexArray
from rendering.gl.program import Program
from rendering.items.frame import Frame
from rendering.items.lights import set_lights
from rendering.items.lines import Lines, line_rows
from rendering.items.materials import CONTOUR, INK, THIN, prop_material_of
from rendering.items.prop_shadow import PropShadows
from rendering.scene.props import DrawnProp, PropSurface
from rendering.scene.theme import Rgb, Theme, rgb
from rendering.scene.values import Scene

EDGE_SHADE = 0.42  # of its own colour
LIFT = 0.004  # metres towards the viewer, so that edges lie in front of their faces


class _Gpu:
    """A surface on the GPU."""

    def __init__(self, surface: PropSurface) -> None:
        self.array = VertexArray()
        self.array.bind()
        self._rows, self._faces = Buffer(), Buffer(GL.GL_ELEMENT_ARRAY_BUFFER)
        self._rows.upload(np.column_stack([surface.vertices, surface.normals]).astype(np.float32))
        self._faces.upload(np.asarray(surface.faces).astype(np.uint32))
        self.array.floats(self._rows, {0: 3, 1: 3})
        self.array.indices(self._faces)
        self._count = surface.faces.size

    def draw(self) -> None:
        """Draw all triangles with the current program."""
        self.array.bind()
        GL.glDrawElements(GL.GL_TRIANGLES, self._count, GL.GL_UNSIGNED_INT, ctypes.c_void_p(0))

    def delete(self) -> None:
        """Free the buffers."""
        self._rows.delete()
        self._faces.delete()
        self.array.delete()


class Props:
    """Draws all props of a scene."""

    def __init__(self) -> None:
        first = VertexArray()
        first.bind()
        self._program = Program("prop.vert", "prop.frag")
        first.delete()
        self._surfaces: dict[PropSurface, _Gpu] = {}
        self._lines = Lines()
        self._lines_of: tuple[object, ...] = ()
        self._shadows = PropShadows()

    def prepare(self, scene: Scene, frame: Frame) -> None:
        """Upload what is new."""
        wanted = {prop.surface for prop in scene.props}
        for gone in self._surfaces.keys() - wanted:
            self._surfaces.pop(gone).delete()
        for surface in wanted - self._surfaces.keys():
            self._surfaces[surface] = _Gpu(surface)
        of = (scene.props, frame.theme, scene.style.look)
        if of != self._lines_of:
            self._lines_of = of
            rows = [_edge_rows(prop, frame.theme, scene.style.look) for prop in scene.props]
            self._lines.upload(np.concatenate(rows) if rows else np.empty((0, 13), np.float32))
        self._shadows.prepare(scene, frame)

    def paint_shadows(self, scene: Scene, frame: Frame) -> None:
        """Draw the shadows, before all that stands on the floor."""
        self._shadows.paint(scene, frame)

    def paint(self, scene: Scene, frame: Frame) -> None:
        """Draw surfaces and edges; both sides of each face, since a mesh may be open."""
        if not scene.props:
            return
        program = self._program
        program.use()
        program.set_mat4("u_view_projection", frame.view_projection)
        set_lights(program, scene.style, frame)
        program.set_vec3("u_mark", rgb(frame.theme.selected))
        program.set_vec2("u_size", frame.device_size)
        GL.glDisable(GL.GL_BLEND)
        for prop in scene.props:
            material = prop_material_of(prop.color, scene, frame)
            program.set_vec3("u_color", material.skin)
            program.set_float("u_lit", material.lit)
            program.set_float("u_glow", 0.5 if prop.selected else 0.22 if prop.hovered else 0.0)
            self._draw(prop, 0.0)
            if material.contour:
                self._draw_contour(prop, *material.contour, frame.pixel_ratio)
        GL.glEnable(GL.GL_BLEND)
        GL.glDepthMask(False)
        self._lines.paint(frame, lift=LIFT)
        GL.glDepthMask(True)

    def _draw(self, prop: DrawnProp, grown: float) -> None:
        normals = np.array(prop.matrix, np.float64)
        normals[:3, :3] /= prop.scale**2
        self._program.set_mat4("u_model", prop.matrix)
        self._program.set_mat4("u_normals", normals)
        self._program.set_float("u_grown", grown)
        self._surfaces[prop.surface].draw()

    def _draw_contour(self, prop: DrawnProp, color: Rgb, pixels: float, ratio: float) -> None:
        """Draw its far side, grown: what shows beyond the prop is a line around it."""
        self._program.set_vec3("u_color", tuple(part**2 for part in color))
        self._program.set_float("u_lit", 0.0)
        self._program.set_float("u_glow", 0.0)
        GL.glEnable(GL.GL_CULL_FACE)
        GL.glCullFace(GL.GL_FRONT)
        GL.glEnable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glPolygonOffset(1.0, 8.0)  # behind the near side of a mesh that faces inwards
        self._draw(prop, pixels * ratio)
        GL.glDisable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glCullFace(GL.GL_BACK)
        GL.glDisable(GL.GL_CULL_FACE)


def _edge_rows(prop: DrawnProp, theme: Theme, look: str) -> np.ndarray:
    """Rows of Lines: edges in a darker tone of the prop's colour, in ink if people have lines around them, none beside
    silhouettes; bright ones for a prop that is selected or hovered."""
    ends = prop.placed(prop.surface.edges)
    marked = prop.selected or prop.hovered
    ink = {"line": (rgb(INK), CONTOUR, 1.0), "flat": (rgb(INK), THIN, 1.0), "silhouette": (rgb(INK), THIN, 0.0)}
    own = tuple(EDGE_SHADE * part for part in rgb(prop.color)), 1.2, 0.75
    color, width, alpha = ink.get(look, own)
    if marked:
        color, (width, alpha) = rgb(theme.selected), (2.2, 1.0) if prop.selected else (1.6, 0.8)
    return line_rows(ends[:, 0], ends[:, 1], color, alpha, width=width)  # type: ignore[arg-type]
