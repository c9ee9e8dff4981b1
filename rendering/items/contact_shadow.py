"""Where skin is close to the floor: a dark, tight shadow under feet, hands and knees, which then stand on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rendering.gl.api import GL, delete_names, new_names
from rendering.gl.buffers import VertexArray
from rendering.gl.program import Program
from rendering.gl.render_targets import make_texture
from rendering.items.bodies import PALETTE
from rendering.scene.values import Figure, Scene
from rendering.shapes.posed_skin import skin_below, vertices_below

SIZE = 96  # texels on a side
LOW = 0.14  # metres above the floor up to which skin darkens it
FADED = 0.32  # metres from which it darkens by less than half a step of 255, see shaders/contact_bake.frag
MARGIN = 0.08  # metres around that skin


@dataclass
class _Texture:
    id: int
    fbo: int


@dataclass
class ContactShadow:
    """The shadow laid on the floor under a figure. area: x and z of its corner, width and depth, metres."""

    area: NDArray[np.float32]
    texture: int


class ContactShadows:
    """Bakes a small texture for each figure that moved.

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
        self._raw: _Texture | None = None
        self._known: dict[object, tuple[NDArray, _Texture, ContactShadow | None]] = {}

    def prepare(self, scene: Scene) -> None:
        """Bake for the figures that moved; the caller restores framebuffer and viewport."""
        present = {f.id for f in scene.figures if _casts_contact_shadow(f)}
        for gone in self._known.keys() - present:
            _delete(self._known.pop(gone)[1])
        for figure in scene.figures:
            if not _casts_contact_shadow(figure):
                continue
            known = self._known.get(figure.id)
            if known is None or known[0] is not figure.skinning:
                texture = known[1] if known else _texture()
                self._known[figure.id] = figure.skinning, texture, self._bake(figure, texture)

    def of(self, figure: Figure) -> ContactShadow | None:
        """The shadow below a figure; None if nothing is close to the floor."""
        known = self._known.get(figure.id)
        return known[2] if known and _casts_contact_shadow(figure) else None

    def _bake(self, figure: Figure, texture: _Texture) -> ContactShadow | None:
        low = skin_below(figure, LOW)
        if not len(low):
            return None
        corner, far = low[:, [0, 2]].min(axis=0) - MARGIN, low[:, [0, 2]].max(axis=0) + MARGIN
        area = np.concatenate([corner, far - corner]).astype(np.float32)
        self._raw = self._raw or _texture()
        GL.glViewport(0, 0, SIZE, SIZE)
        GL.glDisable(GL.GL_DEPTH_TEST)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._raw.fbo)
        GL.glClearColor(0.0, 0.0, 0.0, 0.0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)
        GL.glEnable(GL.GL_BLEND)
        GL.glBlendEquation(GL.GL_MAX)
        self._program.use()
        self._program.set_vec4("u_area", area)
        self._draw_skin(figure, vertices_below(figure, FADED))
        GL.glBlendEquation(GL.GL_FUNC_ADD)
        GL.glDisable(GL.GL_BLEND)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, texture.fbo)
        self._soften.use()
        self._soften.set_int("u_image", 0)
        self._soften.set_vec2("u_step", (1 / SIZE, 1 / SIZE))
        GL.glActiveTexture(GL.GL_TEXTURE0)
        GL.glBindTexture(GL.GL_TEXTURE_2D, self._raw.id)
        self._empty.bind()
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        return ContactShadow(area, texture.id)


def _casts_contact_shadow(figure: Figure) -> bool:
    return figure.mesh is not None and not figure.ghost and not figure.outline and figure.show != "bones"


def _texture() -> _Texture:
    texture = make_texture(GL.GL_R8, SIZE, SIZE)
    (fbo,) = new_names(GL.glGenFramebuffers)
    GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, fbo)
    GL.glFramebufferTexture2D(GL.GL_FRAMEBUFFER, GL.GL_COLOR_ATTACHMENT0, GL.GL_TEXTURE_2D, texture, 0)
    return _Texture(texture, fbo)


def _delete(texture: _Texture) -> None:
    delete_names(GL.glDeleteTextures, texture.id)
    delete_names(GL.glDeleteFramebuffers, texture.fbo)
