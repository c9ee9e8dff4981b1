"""The soft shadow: how much of the sky a body's capsules hide from the floor; and a tight one below close skin."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rendering.gl.api import GL
from rendering.gl.buffers import VertexArray, uploads
from rendering.gl.program import Program
from rendering.gl.tiles import Part, Tiles, free_tile, larger
from rendering.items.contact_shadow import ContactShadows
from rendering.items.frame import Frame
from rendering.scene.values import Figure, Scene
from rendering.shapes.capsules import capsule_rows

SIZE, QUICK_SIZE = 80, 52  # texels on a side
MARGIN = 0.55  # metres around the body
MAX_CAPSULES = 96
CONTACT = 1.6  # strength of the tight shadow, relative to the wide one
COLOR = (0.02, 0.03, 0.05)
WHOLE = (0.0, 0.0, 1.0, 1.0)  # of a texture


@dataclass
class _Baked:
    joints: NDArray
    skinning: NDArray
    tile: int
    size: int  # texels on a side
    area: NDArray[np.float32]


class SoftShadow:
    """Bakes a tile of each figure's shadow when it moves, and lays it on the floor."""

    def __init__(self, contact: ContactShadows) -> None:
        self._contact = contact
        self._empty = VertexArray()
        self._empty.bind()
        self._bake_program = Program("screen.vert", "shadow_bake.frag")
        self._program = Program("shadow.vert", "shadow.frag")
        self._tiles: Tiles | None = None
        self._baked: dict[Hashable, _Baked] = {}

    def prepare(self, scene: Scene, frame: Frame) -> None:
        """Bake for the figures that moved, or were baked more coarsely; the caller restores framebuffer, viewport and
        scissor test."""
        self._contact.prepare(scene, frame.quick)
        size = QUICK_SIZE if frame.quick else SIZE
        figures = {f.id: f for f in scene.figures if not f.ghost}
        for gone in self._baked.keys() - figures.keys():
            del self._baked[gone]
        if figures and (self._tiles is None or len(figures) > self._tiles.count):
            self._tiles = larger(self._tiles, SIZE, len(figures))
            self._baked.clear()
        moved = []
        for id, figure in figures.items():
            old = self._baked.get(id)
            if old and old.joints is figure.joints and old.skinning is figure.skinning and old.size >= size:
                continue
            tile = free_tile(baked.tile for baked in self._baked.values()) if old is None else old.tile
            self._baked[id] = _Baked(figure.joints, figure.skinning, tile, size, _area(figure))
            moved.append(figure)
        if moved and self._tiles is not None:
            self._bake(moved, self._tiles)

    def _bake(self, moved: Sequence[Figure], tiles: Tiles) -> None:
        GL.glDisable(GL.GL_BLEND)
        GL.glDisable(GL.GL_DEPTH_TEST)
        tiles.bind()
        program = self._bake_program
        program.use()
        self._empty.bind()
        for figure in moved:
            baked, (start, along) = self._baked[figure.id], _capsules(figure)
            tiles.choose(baked.tile, baked.size)
            program.set_vec4("u_area", baked.area)
            program.set_vec4("u_start", start)
            program.set_vec4("u_along", along)
            program.set_int("u_count", len(start))
            GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
            uploads.add(start.nbytes + along.nbytes)
        GL.glDisable(GL.GL_SCISSOR_TEST)

    def paint(self, scene: Scene, frame: Frame) -> None:
        """Darken the floor under every figure; nothing from below or on a transparent picture."""
        if frame.transparent or not frame.above_floor:
            return
        begin_darkening(self._program, frame)
        self._empty.bind()
        for figure in scene.figures:
            baked = self._baked.get(figure.id)
            if figure.ghost or figure.outline or baked is None or self._tiles is None:
                continue
            strength = frame.theme.shadow * figure.opacity
            self._lay(self._tiles.texture, baked.area, strength, self._tiles.place(baked.tile, baked.size))
            contact = self._contact.of(figure)
            if contact is not None:
                self._lay(contact.texture, contact.area, CONTACT * strength, contact.part)
        GL.glDepthMask(True)

    def _lay(self, texture: int, area: NDArray[np.float32], strength: float, part: Part) -> None:
        self._program.set_float("u_strength", strength)
        self._program.set_vec4("u_area", area)
        self._program.set_vec4("u_part", part)
        GL.glBindTexture(GL.GL_TEXTURE_2D, texture)
        GL.glDrawArrays(GL.GL_TRIANGLE_STRIP, 0, 4)


def begin_darkening(program: Program, frame: Frame) -> None:
    """Use the program that lays shadows on the floor, for textures of the first unit, which leave the depth alone."""
    program.use()
    program.set_mat4("u_view_projection", frame.view_projection)
    program.set_vec3("u_color", COLOR)
    program.set_int("u_shadow", 0)
    GL.glActiveTexture(GL.GL_TEXTURE0)
    GL.glDepthMask(False)


def _capsules(figure: Figure) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    start, along = capsule_rows(figure)
    return start[:MAX_CAPSULES], along[:MAX_CAPSULES]


def _area(figure: Figure) -> NDArray[np.float32]:
    start, along = _capsules(figure)
    places = np.concatenate([start, start + along]) if len(start) else np.asarray(figure.joints)
    low, high = places[:, [0, 2]].min(axis=0) - MARGIN, places[:, [0, 2]].max(axis=0) + MARGIN
    return np.concatenate([low, high - low]).astype(np.float32)
