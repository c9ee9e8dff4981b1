"""The soft shadows of props on the floor: how much of the sky each hides, remade when it is turned or scaled."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rendering.gl.api import GL, delete_names
from rendering.gl.buffers import VertexArray, uploads
from rendering.gl.program import Program
from rendering.gl.render_targets import make_texture
from rendering.items.frame import Frame
from rendering.items.soft_shadow import WHOLE, begin_darkening
from rendering.scene.props import DrawnProp
from rendering.scene.values import Scene
from rendering.shapes.occlusion import hidden_sky

SIZE, QUICK_SIZE = 72, 52  # texels on a side
MARGIN = 0.45  # metres around it, plus this share of its height
PER_HEIGHT, WIDEST = 0.6, 3.0
BORDER = 0.12  # of the picture, where it fades


@dataclass
class _Made:
    of: tuple[object, ...]
    texture: int
    size: int
    area: NDArray[np.float32]  # x and z beside the prop's place, width and depth


class PropShadows:
    """A small texture for each prop; one that only moves over the floor keeps it."""

    def __init__(self) -> None:
        self._empty = VertexArray()
        self._empty.bind()
        self._program = Program("shadow.vert", "shadow.frag")
        self._made: dict[Hashable, _Made] = {}

    def prepare(self, scene: Scene, frame: Frame) -> None:
        """Remake those whose prop has changed."""
        size = QUICK_SIZE if frame.quick else SIZE
        for gone in self._made.keys() - {prop.id for prop in scene.props}:
            delete_names(GL.glDeleteTextures, self._made.pop(gone).texture)
        for prop in scene.props:
            of = (prop.surface, np.asarray(prop.matrix)[:3, :3].tobytes(), float(prop.matrix[1, 3]))
            old = self._made.get(prop.id)
            if old is None or old.of != of or old.size < size:
                self._made[prop.id] = _made(prop, of, size, old)

    def paint(self, scene: Scene, frame: Frame) -> None:
        """Darken the floor below; nothing from below or on a transparent picture."""
        if frame.transparent or not frame.above_floor:
            return
        program = self._program
        begin_darkening(program, frame)
        program.set_float("u_strength", frame.theme.shadow)
        program.set_vec4("u_part", WHOLE)
        self._empty.bind()
        for prop in scene.props:
            made = self._made[prop.id]
            place = np.asarray(prop.matrix, np.float32)[[0, 2], 3]
            program.set_vec4("u_area", np.concatenate([made.area[:2] + place, made.area[2:]]))
            GL.glBindTexture(GL.GL_TEXTURE_2D, made.texture)
            GL.glDrawArrays(GL.GL_TRIANGLE_STRIP, 0, 4)
        GL.glDepthMask(True)


def shadow_of(prop: DrawnProp, size: int) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """(size, size) uint8, how much sky is hidden, x along a row; and its area: corner relative to the prop, extent."""
    place = np.asarray(prop.matrix, np.float64)[:3, 3] * [1.0, 0.0, 1.0]
    around = (prop.corners - place)[:, [0, 2]]
    margin = min(MARGIN + PER_HEIGHT * max(float(prop.corners[:, 1].max()), 0.0), WIDEST)
    low, high = around.min(axis=0) - margin, around.max(axis=0) + margin
    share = (np.arange(size) + 0.5) / size
    x, z = low[:, None] + share * (high - low)[:, None]
    hulls = [hull._replace(corners=prop.placed(hull.corners) - place) for hull in prop.surface.hulls]
    balls = None
    if prop.surface.balls is not None:
        radius = prop.surface.balls[:, 3] * np.cbrt(np.prod(prop.scale))
        balls = np.column_stack([prop.placed(prop.surface.balls[:, :3]) - place, radius])
    edge = np.clip(np.minimum(share, 1.0 - share) / BORDER, 0.0, 1.0)
    edge = edge * edge * (3.0 - 2.0 * edge)
    hidden = hidden_sky(x, z, hulls, balls) * np.minimum(edge[:, None], edge[None])
    return np.ascontiguousarray(np.round(255 * hidden).astype(np.uint8)), np.concatenate([low, high - low]).astype(
        np.float32
    )


def _made(prop: DrawnProp, of: tuple[object, ...], size: int, old: _Made | None) -> _Made:
    pixels, area = shadow_of(prop, size)
    if old is not None:
        delete_names(GL.glDeleteTextures, old.texture)
    texture = make_texture(GL.GL_R8, size, size)
    GL.glBindTexture(GL.GL_TEXTURE_2D, texture)
    GL.glPixelStorei(GL.GL_UNPACK_ALIGNMENT, 1)
    GL.glTexSubImage2D(GL.GL_TEXTURE_2D, 0, 0, 0, size, size, GL.GL_RED, GL.GL_UNSIGNED_BYTE, pixels)
    uploads.add(pixels.nbytes)
    return _Made(of, texture, size, area)
