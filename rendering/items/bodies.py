"""Skinned bodies: static buffers for each mesh, joint matrices in a uniform block, four weights a vertex."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager, nullcontext

import numpy as np
from numpy.typing import NDArray

from rendering.gl.api import GL
from rendering.gl.buffers import Buffer, VertexArray
from rendering.gl.program import Program
from rendering.items.frame import Frame
from rendering.items.gpu_mesh import GpuMesh
from rendering.items.lights import set_lights
from rendering.items.materials import material_of
from rendering.scene.theme import Rgb, linear, rgb
from rendering.scene.values import MAX_JOINTS, Figure, Mesh, Scene
from rendering.shapes.capsules import capsule_rows

PALETTE = 0  # the uniform block's binding
GHOST_OPACITY = 0.30
GHOST_BEHIND = 0.03  # metres: so far behind where it is a ghost is drawn, so that it shows only what has moved
COARSE_FROM = 0.0018  # metres per pixel: from this far away, coarse triangles hardly show in motion
STILL_JOINT_WORDS = (MAX_JOINTS + 31) // 32  # of bits, one for each joint, see shaders/skin.glsl
OUTLINE = 2.2  # logical pixels
SEE_THROUGH = 0.42  # opacity of the body when its bones are shown inside
CAPSULES = 48  # at most, as in shaders/openness.glsl
PART = 1.8  # logical pixels of the line around a part
OWN = 4  # the stencil's bit where the figure is around which a line is drawn; 1 and 2 are those selected and parts
CHOSEN = 2.2  # logical pixels of the line around a selected figure


def _farther(frame: Frame, figure: Figure, metres: float) -> NDArray[np.float32]:
    """World to clip space (4, 4), with the depths alone moved, by what that distance is where the figure stands."""
    matrix, root = frame.view_projection.copy(), np.append(np.asarray(figure.joints[0], np.float64), 1.0)
    beyond = root - np.append(frame.view.camera.rotation[:, 2] * metres, 0.0)
    (depth, scale), (depth_beyond, scale_beyond) = ((matrix @ place)[2:] for place in (root, beyond))
    if scale > 0.0 < scale_beyond:  # not behind the camera
        matrix[2, 3] += depth_beyond / scale_beyond * scale - depth
    return matrix


class _Palette:
    """A figure's joint matrices on the GPU, uploaded when they change."""

    def __init__(self) -> None:
        self._buffer = Buffer(GL.GL_UNIFORM_BUFFER)
        self._buffer.reserve(MAX_JOINTS * 48)  # the whole block must be there, used or not
        self._of: NDArray[np.floating] | None = None

    def take(self, skinning: NDArray[np.floating]) -> None:
        """Take these matrices (J, 4, 4)."""
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
    """Draws the surfaces of all figures: opaque ones in any order, translucent ones after a depth-only pass."""

    def __init__(self) -> None:
        first = VertexArray()
        first.bind()
        self._fine = Program("body.vert", "body.frag")
        self._quick = Program("body_quick.vert", "body_quick.frag")
        self._hull = Program("hull.vert", "hull.frag")
        self._program = self._fine
        for program in (self._fine, self._quick, self._hull):
            program.bind_block("Palette", PALETTE)
        first.delete()
        self._palettes: dict[Hashable, _Palette] = {}
        self._meshes: list[GpuMesh] = []
        self._by_mesh: dict[Mesh, GpuMesh] = {}

    def prepare(self, scene: Scene) -> None:
        """Upload what is new; meshes that are no longer shown give their buffers to the new ones."""
        wanted = list(dict.fromkeys(f.mesh for f in scene.figures if f.mesh is not None))
        spare = [g for g in self._meshes if g.mesh not in wanted]
        for mesh in wanted:
            if mesh in self._by_mesh:
                continue
            reused = next((g for g in spare if g.same_topology(mesh)), None)
            if reused is None:
                reused = GpuMesh(mesh)
                self._meshes.append(reused)
            else:
                spare.remove(reused)
                reused.take(mesh)
        for gone in spare:
            gone.delete()
            self._meshes.remove(gone)
        self._by_mesh = {g.mesh: g for g in self._meshes}
        skinned = {f.id: f.skinning for f in scene.figures if f.mesh is not None}
        left = self._palettes.keys() - skinned
        for id in left:
            self._palettes.pop(id).delete()
        for mesh_on_gpu in self._meshes if left else ():
            mesh_on_gpu.keep(skinned.keys())
        for id, skinning in skinned.items():
            if id not in self._palettes:
                self._palettes[id] = _Palette()
            self._palettes[id].take(skinning)

    def paint_opaque(self, scene: Scene, frame: Frame) -> None:
        """Draw the solid bodies."""
        figures = [f for f in scene.figures if f.show == "body" and not _see_through(f)]
        if not figures:
            return
        self._begin(scene, frame)
        GL.glEnable(GL.GL_CULL_FACE)
        GL.glDisable(GL.GL_BLEND)
        for figure in figures:
            with _marking(figure):
                self._draw(figure, scene, frame)
        GL.glEnable(GL.GL_BLEND)
        GL.glDisable(GL.GL_CULL_FACE)

    def paint_translucent(self, scene: Scene, frame: Frame) -> None:
        """Draw ghosts and see-through bodies, the farthest first; each shows only its nearest surface."""
        figures = [f for f in scene.figures if f.show != "bones" and _see_through(f)]
        if not figures:
            return
        back = np.asarray(frame.view.camera.rotation)[:, 2]
        figures.sort(key=lambda f: (not f.ghost, float(np.asarray(f.joints[0]) @ back)))
        self._begin(scene, frame)
        GL.glEnable(GL.GL_CULL_FACE)
        for figure in figures:
            # A ghost in nearly the figure's pose stays behind its surface instead of tinting it.
            moved = _farther(frame, figure, GHOST_BEHIND) if figure.ghost else frame.view_projection
            self._program.set_mat4("u_view_projection", moved)
            GL.glColorMask(False, False, False, False)
            with _marking(figure):
                self._draw(figure, scene, frame)
            GL.glColorMask(True, True, True, True)
            GL.glDepthMask(False)
            self._draw(figure, scene, frame)
            GL.glDepthMask(True)
        GL.glDisable(GL.GL_CULL_FACE)

    def paint_lines(self, scene: Scene, frame: Frame) -> None:
        """Draw the lines around limbs that a look has, and one around selected people; after all bodies."""
        figures = [
            f for f in scene.figures if f.show != "bones" and f.mesh is not None and not f.ghost and not f.outline
        ]
        materials = [material_of(f, scene, frame) for f in figures]
        lines = [(f, material.contour, material.around) for f, material in zip(figures, materials, strict=True)]
        chosen, parted = [f for f in figures if f.selected], [f for f in figures if f.lit]
        if not chosen and not parted and not any(line for _, line, _ in lines):
            return
        program = self._hull
        program.use()
        program.set_mat4("u_view_projection", frame.view_projection)
        program.set_vec2("u_size", frame.device_size)
        program.set_float("u_least", -1.0)
        program.set_float("u_cut", 0.0)
        GL.glEnable(GL.GL_CULL_FACE)
        GL.glCullFace(GL.GL_FRONT)
        for figure, line, around in lines:
            if line:
                with self._outside(figure, frame) if around else nullcontext():
                    self._draw_hull(figure, (*line[0], figure.opacity), line[1], frame)
        GL.glEnable(GL.GL_STENCIL_TEST)
        GL.glStencilFunc(GL.GL_NOTEQUAL, 1, 1)
        GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_KEEP)
        for figure in chosen:
            self._draw_hull(figure, (*_line_color(figure, frame), 1.0), CHOSEN, frame)
        for figure in parted:
            self._draw_part(figure, frame)
        GL.glDisable(GL.GL_STENCIL_TEST)
        GL.glCullFace(GL.GL_BACK)
        GL.glDisable(GL.GL_CULL_FACE)

    @contextmanager
    def _outside(self, figure: Figure, frame: Frame) -> Iterator[None]:
        """Draw only where a figure is not: lines then part it from others, and none is drawn within."""
        GL.glEnable(GL.GL_STENCIL_TEST)
        GL.glStencilMask(OWN)
        self._mark_own(figure, OWN, frame)
        GL.glStencilFunc(GL.GL_NOTEQUAL, OWN, OWN)
        GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_KEEP)
        yield
        self._mark_own(figure, 0, frame)
        GL.glStencilMask(0xFF)
        GL.glDisable(GL.GL_STENCIL_TEST)

    def _mark_own(self, figure: Figure, mark: int, frame: Frame) -> None:
        """Mark in the stencil where a figure is, whatever is in front of it."""
        GL.glStencilFunc(GL.GL_ALWAYS, mark, OWN)
        GL.glStencilOp(GL.GL_KEEP, GL.GL_REPLACE, GL.GL_REPLACE)
        GL.glColorMask(False, False, False, False)
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glDisable(GL.GL_CULL_FACE)
        self._draw_hull(figure, (0.0, 0.0, 0.0, 1.0), 0.0, frame)
        GL.glEnable(GL.GL_CULL_FACE)
        GL.glEnable(GL.GL_DEPTH_TEST)
        GL.glColorMask(True, True, True, True)

    def _draw_part(self, figure: Figure, frame: Frame) -> None:
        """A line around a part of a body: first where it is cut off, marking where it is seen, then around that."""
        program, theme = self._hull, frame.theme
        color = (*rgb(theme.highlight if theme.name == "dark" else theme.outline), 1.0)
        assert figure.mesh is not None
        from rendering.shapes.part_of_skin import BORDER, part_of_skin  # not before the first part is pointed at

        part = part_of_skin(figure.mesh, figure.lit)
        program.set_float("u_least", BORDER)
        program.set_float("u_cut", PART * frame.pixel_ratio)
        GL.glCullFace(GL.GL_BACK)
        GL.glStencilMask(2)
        GL.glStencilFunc(GL.GL_ALWAYS, 2, 2)
        GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_REPLACE)
        self._draw_hull(figure, color, 0.0, frame, part)
        program.set_float("u_cut", 0.0)
        GL.glCullFace(GL.GL_FRONT)
        GL.glStencilFunc(GL.GL_NOTEQUAL, 2, 2)
        GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_KEEP)
        self._draw_hull(figure, color, PART, frame, part)
        GL.glStencilMask(0xFF)
        program.set_float("u_least", -1.0)

    def draw_skin(self, figure: Figure, wanted: NDArray[np.bool_]) -> None:
        """Draw at least the triangles of a figure's skin with a wanted vertex (V,); coarse ones if it has any."""
        assert figure.mesh is not None
        self._palettes[figure.id].bind()
        self._by_mesh[figure.mesh].draw(figure.id, coarse=True, rest=figure.rest, marked=figure.warned, wanted=wanted)

    def _draw_hull(
        self,
        figure: Figure,
        color: tuple[float, ...],
        pixels: float,
        frame: Frame,
        part: NDArray[np.floating] | None = None,
    ) -> None:
        self._hull.set_vec4("u_color", color)
        self._hull.set_float("u_grown", pixels * frame.pixel_ratio)
        self._draw_mesh(figure, frame, part)

    def _begin(self, scene: Scene, frame: Frame) -> None:
        self._program = self._quick if frame.quick else self._fine
        self._program.use()
        self._program.set_mat4("u_view_projection", frame.view_projection)
        set_lights(self._program, scene.style, frame)

    def _draw(self, figure: Figure, scene: Scene, frame: Frame) -> None:
        if figure.mesh is None:
            return
        accent = linear(figure.color)
        program, material = self._program, material_of(figure, scene, frame)
        tint = 1.0 if figure.ghost else 0.5 if figure.dimmed else 0.0
        color = accent if figure.ghost or not figure.dimmed else (0.22, 0.24, 0.27)
        program.set_vec3("u_skin", material.skin)
        program.set_vec3("u_suit", material.suit)
        own = material.colored and figure.mesh.colors is not None
        program.set_float("u_colored", float(own))
        program.set_float("u_seam", material.seam)
        program.set_vec2("u_gloss", material.gloss)
        program.set_float("u_lit", 1.0 if figure.ghost else material.lit)
        program.set_float("u_ink", material.ink)
        program.set_vec4("u_tint", (*color, tint))
        program.set_float("u_opacity", _opacity(figure))
        program.set_float("u_outline", OUTLINE * frame.pixel_ratio if figure.outline else 0.0)
        program.set_bits("u_calm", figure.mesh.bones_of(figure.calm), STILL_JOINT_WORDS)
        program.set_vec3("u_warning", linear(frame.theme.warning))
        _set_capsules(program, figure)
        with _both_sides(figure.mesh):
            self._draw_mesh(figure, frame, figure.warned)

    def _draw_mesh(self, figure: Figure, frame: Frame, marked: NDArray[np.floating] | None) -> None:
        assert figure.mesh is not None
        self._palettes[figure.id].bind()
        pixel = frame.view.metres_per_pixel(figure.joints[0]) / frame.pixel_ratio
        coarse = frame.quick and pixel > COARSE_FROM
        self._by_mesh[figure.mesh].draw(figure.id, coarse=coarse, rest=figure.rest, marked=marked)


def _set_capsules(program: Program, figure: Figure) -> None:
    """Let it darken where its own limbs are close, see shaders/openness.glsl; without a surface it stays light."""
    if figure.ghost or figure.outline:
        program.set_int("u_count", 0)
        return
    start, along = (rows[:CAPSULES] for rows in capsule_rows(figure))
    program.set_vec4("u_start", start)
    program.set_vec4("u_along", along)
    program.set_int("u_count", len(start))


@contextmanager
def _both_sides(mesh: Mesh) -> Iterator[None]:
    """Draw the backs of a surface that is seen from both sides."""
    if mesh.two_sided:
        GL.glDisable(GL.GL_CULL_FACE)
    yield
    if mesh.two_sided:
        GL.glEnable(GL.GL_CULL_FACE)


@contextmanager
def _marking(figure: Figure) -> Iterator[None]:
    """Mark in the stencil where a selected figure is seen, so that the line around it stays outside."""
    if not figure.selected:
        yield
        return
    GL.glEnable(GL.GL_STENCIL_TEST)
    GL.glStencilFunc(GL.GL_ALWAYS, 1, 1)
    GL.glStencilOp(GL.GL_KEEP, GL.GL_KEEP, GL.GL_REPLACE)
    yield
    GL.glDisable(GL.GL_STENCIL_TEST)


def _line_color(figure: Figure, frame: Frame) -> Rgb:
    """A person's colour as a line: darker against a light room, to be seen there too."""
    red, green, blue = rgb(figure.color)
    strength = 0.72 if frame.theme.name == "light" else 1.0
    return red * strength, green * strength, blue * strength


def _see_through(figure: Figure) -> bool:
    return figure.outline or _opacity(figure) < 1.0


def _opacity(figure: Figure) -> float:
    see_through = GHOST_OPACITY if figure.ghost else SEE_THROUGH if figure.show == "both" else 1.0
    return float(np.clip(figure.opacity, 0.0, 1.0)) * see_through
