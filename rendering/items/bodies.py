"""Skinned bodies: static buffers for each mesh, joint matrices in a uniform block, four weights a vertex."""

from __future__ import annotations

import ctypes
from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

from rendering.gl.api import GL
from rendering.gl.buffers import Buffer, VertexArray
from rendering.gl.program import Program
from rendering.items.frame import Frame
from rendering.scene.mesh_data import draw_order, smooth_normals, strongest_weights
from rendering.scene.theme import linear
from rendering.scene.values import MAX_JOINTS, Figure, Mesh, Scene

PALETTE = 0  # the uniform block's binding
GHOST_OPACITY = 0.30
COARSE_FROM = 0.0018  # metres a pixel: from so far away, coarse triangles hardly show in motion
CALM_WORDS = (MAX_JOINTS + 31) // 32  # of bits, one for each joint, see shaders/skin.glsl
OUTLINE = 2.2  # logical pixels
SEE_THROUGH = 0.42  # the body when its bones are shown inside


class _Surface:
    """Triangles over a mesh's vertices, on the GPU."""

    def __init__(self, mesh: Mesh, faces: NDArray[np.integer], shape: NDArray[np.float32]) -> None:
        self.array = VertexArray()
        self.array.bind()
        self._shape, self._skin, self._faces = Buffer(), Buffer(), Buffer(GL.GL_ELEMENT_ARRAY_BUFFER)
        joints, weights = strongest_weights(np.asarray(mesh.weights))
        self._order, ordered = draw_order(np.asarray(mesh.vertices), np.asarray(faces))
        self.take(shape)
        self._skin.upload(np.column_stack([joints, weights, mesh.suit])[self._order].astype(np.float32))
        self._faces.upload(ordered)
        self.array.floats(self._shape, {0: 3, 1: 3})
        self.array.floats(self._skin, {2: 4, 3: 4, 4: 1})
        self.array.indices(self._faces)
        self._count = faces.size

    def take(self, shape: NDArray[np.float32]) -> None:
        """Take other vertices and normals, (V, 6)."""
        self._shape.upload(shape[self._order])

    def draw(self) -> None:
        """Draw all triangles with the current program."""
        self.array.bind()
        GL.glDrawElements(GL.GL_TRIANGLES, self._count, GL.GL_UNSIGNED_INT, ctypes.c_void_p(0))

    def delete(self) -> None:
        """Free the buffers."""
        for buffer in (self._shape, self._skin, self._faces):
            buffer.delete()
        self.array.delete()


class _GpuMesh:
    """One mesh on the GPU; another mesh of the same topology takes it over and uploads its vertices alone."""

    def __init__(self, mesh: Mesh) -> None:
        if mesh.weights.shape[1] > MAX_JOINTS:
            raise ValueError(f"a mesh has at most {MAX_JOINTS} joints, not {mesh.weights.shape[1]}")
        self.mesh = mesh
        self._rows = _shape_rows(mesh)
        self._fine = _Surface(mesh, mesh.faces, self._rows)
        self._coarse: _Surface | None = None  # made when it is first drawn

    def same_topology(self, mesh: Mesh) -> bool:
        """Whether only the vertices differ."""
        mine = self.mesh
        return all(
            a is b
            for a, b in (
                (mine.faces, mesh.faces),
                (mine.coarse, mesh.coarse),
                (mine.weights, mesh.weights),
                (mine.suit, mesh.suit),
            )
        )

    def take(self, mesh: Mesh) -> None:
        """Takes over another mesh of the same topology."""
        self.mesh = mesh
        self._rows = _shape_rows(mesh)
        for surface in self._surfaces():
            surface.take(self._rows)

    def draw(self, *, coarse: bool) -> None:
        """Draw the surface, the coarse one if that is wanted and there is one."""
        if coarse and self._coarse is None and self.mesh.coarse is not None:
            self._coarse = _Surface(self.mesh, self.mesh.coarse, self._rows)
        (self._coarse if coarse and self._coarse else self._fine).draw()

    def _surfaces(self) -> list[_Surface]:
        return [surface for surface in (self._fine, self._coarse) if surface]

    def delete(self) -> None:
        """Free the buffers."""
        for surface in self._surfaces():
            surface.delete()


def _shape_rows(mesh: Mesh) -> NDArray[np.float32]:
    """(V, 6) vertices and normals."""
    vertices = np.asarray(mesh.vertices)
    return np.column_stack([vertices, smooth_normals(vertices, mesh.faces)]).astype(np.float32)


class _Palette:
    """A figure's joint matrices on the GPU, uploaded when they change."""

    def __init__(self) -> None:
        self._buffer = Buffer(GL.GL_UNIFORM_BUFFER)
        self._buffer.reserve(MAX_JOINTS * 48)  # the whole block must be there, used or not
        self._of: NDArray[np.floating] | None = None

    def take(self, skinning: NDArray[np.floating]) -> None:
        """Become these matrices (J, 4, 4)."""
        if skinning is not self._of:
            self._buffer.upload(np.asarray(skinning, np.float32)[:, :3, :])
            self._of = skinning

    def bind(self) -> None:
        """Uses the matrices for what is drawn next."""
        self._buffer.feed_block(PALETTE)

    def delete(self) -> None:
        """Free the buffer."""
        self._buffer.delete()


class Bodies:
    """Draws the surfaces of all figures: opaque ones in any order, translucent ones after a pass for depth alone."""

    def __init__(self) -> None:
        first = VertexArray()
        first.bind()
        self._fine = Program("body.vert", "body.frag")
        self._quick = Program("body_quick.vert", "body_quick.frag")
        self._program = self._fine
        for program in (self._fine, self._quick):
            program.bind_block("Palette", PALETTE)
        first.delete()
        self._palettes: dict[Hashable, _Palette] = {}
        self._meshes: list[_GpuMesh] = []
        self._by_mesh: dict[Mesh, _GpuMesh] = {}

    def prepare(self, scene: Scene) -> None:
        """Upload what is new; meshes that are no longer shown give their buffers to the new ones."""
        wanted = list(dict.fromkeys(f.mesh for f in scene.figures if f.mesh is not None))
        spare = [g for g in self._meshes if g.mesh not in wanted]
        for mesh in wanted:
            if mesh in self._by_mesh:
                continue
            reused = next((g for g in spare if g.same_topology(mesh)), None)
            if reused is None:
                reused = _GpuMesh(mesh)
                self._meshes.append(reused)
            else:
                spare.remove(reused)
                reused.take(mesh)
        for gone in spare:
            gone.delete()
            self._meshes.remove(gone)
        self._by_mesh = {g.mesh: g for g in self._meshes}
        skinned = {f.id: f.skinning for f in scene.figures if f.mesh is not None}
        for id in self._palettes.keys() - skinned:
            self._palettes.pop(id).delete()
        for id, skinning in skinned.items():
            if id not in self._palettes:
                self._palettes[id] = _Palette()
            self._palettes[id].take(skinning)

    def paint_opaque(self, scene: Scene, frame: Frame) -> None:
        """Draw the solid bodies."""
        figures = [f for f in scene.figures if f.show == "body" and not _see_through(f)]
        if not figures:
            return
        self._begin(frame)
        GL.glEnable(GL.GL_CULL_FACE)
        GL.glDisable(GL.GL_BLEND)
        for figure in figures:
            self._draw(figure, frame)
        GL.glEnable(GL.GL_BLEND)
        GL.glDisable(GL.GL_CULL_FACE)

    def paint_translucent(self, scene: Scene, frame: Frame) -> None:
        """Draw ghosts and see-through bodies, the farthest first; each shows only its nearest surface."""
        figures = [f for f in scene.figures if f.show != "bones" and _see_through(f)]
        if not figures:
            return
        back = np.asarray(frame.view.camera.rotation)[:, 2]
        figures.sort(key=lambda f: (not f.ghost, float(np.asarray(f.joints[0]) @ back)))
        self._begin(frame)
        GL.glEnable(GL.GL_CULL_FACE)
        for figure in figures:
            # A ghost in the very pose of the figure stays behind its surface instead of flickering through it.
            if figure.ghost:
                GL.glEnable(GL.GL_POLYGON_OFFSET_FILL)
                GL.glPolygonOffset(1.0, 4.0)
            GL.glColorMask(False, False, False, False)
            self._draw(figure, frame)
            GL.glColorMask(True, True, True, True)
            GL.glDepthMask(False)
            self._draw(figure, frame)
            GL.glDepthMask(True)
            GL.glDisable(GL.GL_POLYGON_OFFSET_FILL)
        GL.glDisable(GL.GL_CULL_FACE)

    def _begin(self, frame: Frame) -> None:
        key, rim = frame.lights
        self._program = self._quick if frame.quick else self._fine
        self._program.use()
        self._program.set_mat4("u_view_projection", frame.view_projection)
        self._program.set_vec3("u_eye", frame.eye)
        self._program.set_vec3("u_key", key)
        self._program.set_vec3("u_rim", rim)

    def _draw(self, figure: Figure, frame: Frame) -> None:
        if figure.mesh is None:
            return
        accent = linear(figure.color)
        program = self._program
        tint = 1.0 if figure.ghost else 0.5 if figure.dimmed else 0.0
        color = accent if figure.ghost or not figure.dimmed else (0.22, 0.24, 0.27)
        program.set_vec3("u_skin", linear(figure.skin))
        program.set_vec3("u_suit", linear(figure.suit))
        program.set_vec4("u_tint", (*color, tint))
        program.set_float("u_glow", 0.42 if figure.selected and not figure.ghost else 0.0)
        program.set_float("u_opacity", _opacity(figure))
        program.set_float("u_outline", OUTLINE * frame.pixel_ratio if figure.outline else 0.0)
        program.set_bits("u_calm", figure.calm, CALM_WORDS)
        self._palettes[figure.id].bind()
        pixel = frame.view.metres_per_pixel(figure.joints[0]) / frame.pixel_ratio
        self._by_mesh[figure.mesh].draw(coarse=frame.quick and pixel > COARSE_FROM)


def _see_through(figure: Figure) -> bool:
    return figure.outline or _opacity(figure) < 1.0


def _opacity(figure: Figure) -> float:
    see_through = GHOST_OPACITY if figure.ghost else SEE_THROUGH if figure.show == "both" else 1.0
    return float(np.clip(figure.opacity, 0.0, 1.0)) * see_through
