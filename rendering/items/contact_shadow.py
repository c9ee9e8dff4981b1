"""Where skin is close to the floor: a dark, tight shadow under feet, hands and knees, which then stand on it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rendering.gl.api import GL
from rendering.gl.buffers import VertexArray
from rendering.gl.program import Program
from rendering.gl.tiles import Part, Tiles, free_tile, larger
from rendering.items.bodies import PALETTE
from rendering.scene.values import Figure, Scene
from rendering.shapes.posed_skin import skin_below, vertices_below

SIZE, QUICK_SIZE = 96, 64  # texels on a side
REACH = 1 / 96  # of the softening, in sides of the tile
LOW = 0.14  # metres above the floor up to which skin darkens it
FADED = 0.32  # metres from which it darkens by less than half a step of 255, see shaders/contact_bake.frag
MARGIN = 0.08  # metres around that skin


@dataclass
class ContactShadow:
    """The shadow laid on the floor under a figure. area: x and z of its corner, width and depth, metres. part: of
    the texture."""

    area: NDArray[np.float32]
    texture: int
    part: Part


@dataclass
class _Known:
    of: NDArray  # the skinning that it was baked for
    tile: int
    size: int  # texels on a side
    area: NDArray[np.float32] | None  # None if nothing is close to the floor


class ContactShadows:
    """Bakes a tile for each figure that moved. A software renderer waits at each change of framebuffer, so all figures
    are drawn into one texture, and softened into another.

    draw_skin: draws a figure's skin with the current program, at least where it has one of these vertices (V,).
    """

    def __init__(self, draw_skin: Callable[[Figure, NDArray[np.bool_]], None]) -> None:
        self._draw_skin = draw_skin
        self._empty = VertexArray()
        self._empty.bind()
        self._program, self._soften = (
            Program("contact_bake.vert", "contact_bake.frag"),
            Program("screen.vert", "soften.frag"),
        )
        self._program.bind_block("Palette", PALETTE)
        self._raw: Tiles | None = None
        self._soft: Tiles | None = None
        self._known: dict[Hashable, _Known] = {}

    def prepare(self, scene: Scene, quick: bool) -> None:
        """Bake for the figures that moved, more coarsely if it is to be quick.

        The caller restores framebuffer, viewport and scissor test.
        """
        size = QUICK_SIZE if quick else SIZE
        figures = {f.id: f for f in scene.figures if _casts_contact_shadow(f)}
        for gone in self._known.keys() - figures.keys():
            del self._known[gone]
        if figures and (self._soft is None or len(figures) > self._soft.count):
            self._raw, self._soft = (larger(old, SIZE, len(figures)) for old in (self._raw, self._soft))
            self._known.clear()
        moved = []
        for id, figure in figures.items():
            known = self._known.get(id)
            if known is None or known.of is not figure.skinning or known.size < size:
                tile = free_tile(known.tile for known in self._known.values()) if known is None else known.tile
                known = self._known[id] = _Known(figure.skinning, tile, size, _area(figure))
                if known.area is not None:
                    moved.append((figure, known.tile, known.area))
        if moved:
            self._bake(moved, size)

    def of(self, figure: Figure) -> ContactShadow | None:
        """The shadow below a figure; None if nothing is close to the floor."""
        known = self._known.get(figure.id)
        if known is None or known.area is None or self._soft is None or not _casts_contact_shadow(figure):
            return None
        return ContactShadow(known.area, self._soft.texture, self._soft.place(known.tile, known.size))

    def _bake(self, moved: Sequence[tuple[Figure, int, NDArray[np.float32]]], size: int) -> None:
        assert self._raw is not None
        assert self._soft is not None
        GL.glDisable(GL.GL_DEPTH_TEST)
        self._raw.bind()
        self._raw.clear(len(moved))
        GL.glEnable(GL.GL_BLEND)
        GL.glBlendEquation(GL.GL_MAX)
        self._program.use()
        for number, (figure, _, area) in enumerate(moved):
            self._raw.choose(number, size)
            self._program.set_vec4("u_area", area)
            self._draw_skin(figure, vertices_below(figure, FADED))
        GL.glBlendEquation(GL.GL_FUNC_ADD)
        GL.glDisable(GL.GL_BLEND)
        self._soft.bind()
        self._soften.use()
        self._soften.set_int("u_image", 0)
        self._soften.set_vec2("u_texel", self._raw.texel)
        self._soften.set_float("u_reach", REACH)
        GL.glActiveTexture(GL.GL_TEXTURE0)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._raw.texture)
        self._empty.bind()
        for number, (_, tile, _) in enumerate(moved):
            self._soft.choose(tile, size)
            self._soften.set_vec4("u_tile", self._raw.place(number, size))
            GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        GL.glDisable(GL.GL_SCISSOR_TEST)


def _area(figure: Figure) -> NDArray[np.float32] | None:
    low = skin_below(figure, LOW)
    if not len(low):
        return None
    corner, far = low[:, [0, 2]].min(axis=0) - MARGIN, low[:, [0, 2]].max(axis=0) + MARGIN
    return np.concatenate([corner, far - corner]).astype(np.float32)


def _casts_contact_shadow(figure: Figure) -> bool:
    return figure.mesh is not None and not figure.ghost and not figure.outline and figure.show != "bones"
