"""The soft shadow: how much of the sky a body's capsules hide from the floor; and a tight one below close skin."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rendering.gl.api import GL, delete_names, new_names
from rendering.gl.buffers import VertexArray, uploads
from rendering.gl.program import Program
from rendering.gl.render_targets import make_texture
from rendering.items.contact_shadow import ContactShadows
from rendering.items.frame import Frame
from rendering.scene.values import Figure, Scene
from rendering.shapes.capsules import capsule_rows

SIZE, QUICK_SIZE = 80, 52  # texels on a side
MARGIN = 0.55  # metres around the body
MAX_CAPSULES = 96
CONTACT = 1.6  # strength of the tight shadow, relative to the wide one
COLOR = (0.02, 0.03, 0.05)


@dataclass
class _Baked:
    joints: NDArray
    skinning: NDArray
    texture: int
    fbo: int
    area: NDArray[np.float32]
    size: int


class SoftShadow:
    """Bakes a small texture of each figure's shadow when it moves, and lays it on the floor."""

    def __init__(self, contact: ContactShadows) -> None:
        self._contact = contact
        self._empty = VertexArray()
        self._empty.bind()
        self._bake_program = Program("screen.vert", "shadow_bake.frag")
        self._program = Program("shadow.vert", "shadow.frag")
        self._baked: dict[object, _Baked] = {}

    def prepare(self, scene: Scene, frame: Frame) -> None:
        """Bake for the figures that moved; the caller restores framebuffer and viewport."""
        self._contact.prepare(scene)
        size = QUICK_SIZE if frame.quick else SIZE
        present = {f.id for f in scene.figures if not f.ghost}
        for gone in self._baked.keys() - present:
            _delete(self._baked.pop(gone))
        for figure in scene.figures:
            if figure.ghost:
                continue
            old_bake = self._baked.get(figure.id)
            if old_bake and old_bake.size != size:
                _delete(self._baked.pop(figure.id))
                old_bake = None
            if old_bake and old_bake.joints is figure.joints and old_bake.skinning is figure.skinning:
                continue
            self._baked[figure.id] = self._bake(figure, size, old_bake)

    def _bake(self, figure: Figure, size: int, old: _Baked | None) -> _Baked:
        start, along = (part[:MAX_CAPSULES] for part in capsule_rows(figure))
        if old is None:
            texture = make_texture(GL.GL_R8, size, size)
            (fbo,) = new_names(GL.glGenFramebuffers)
            GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, fbo)
            GL.glFramebufferTexture2D(GL.GL_FRAMEBUFFER, GL.GL_COLOR_ATTACHMENT0, GL.GL_TEXTURE_2D, texture, 0)
        else:
            texture, fbo = old.texture, old.fbo
        ground = (
            np.concatenate([start, start + along])[:, [0, 2]] if len(start) else np.asarray(figure.joints)[:, [0, 2]]
        )
        low, high = ground.min(axis=0) - MARGIN, ground.max(axis=0) + MARGIN
        area = np.concatenate([low, high - low]).astype(np.float32)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, fbo)
        GL.glViewport(0, 0, size, size)
        GL.glDisable(GL.GL_BLEND)
        GL.glDisable(GL.GL_DEPTH_TEST)
        program = self._bake_program
        program.use()
        program.set_vec4("u_area", area)
        program.set_vec4("u_start", start)
        program.set_vec4("u_along", along)
        program.set_int("u_count", len(start))
        self._empty.bind()
        GL.glDrawArrays(GL.GL_TRIANGLES, 0, 3)
        uploads.add(start.nbytes + along.nbytes)
        return _Baked(figure.joints, figure.skinning, texture, fbo, area, size)

    def paint(self, scene: Scene, frame: Frame) -> None:
        """Darken the floor under every figure; nothing from below or on a transparent picture."""
        if frame.transparent or not frame.above_floor:
            return
        program = self._program
        program.use()
        program.set_mat4("u_view_projection", frame.view_projection)
        program.set_vec3("u_color", COLOR)
        program.set_int("u_shadow", 0)
        GL.glActiveTexture(GL.GL_TEXTURE0)
        GL.glDepthMask(False)
        self._empty.bind()
        for figure in scene.figures:
            baked = self._baked.get(figure.id)
            if figure.ghost or figure.outline or baked is None:
                continue
            strength = frame.theme.shadow * figure.opacity
            self._lay(baked.texture, baked.area, strength)
            contact = self._contact.of(figure)
            if contact is not None:
                self._lay(contact.texture, contact.area, CONTACT * strength)
        GL.glDepthMask(True)

    def _lay(self, texture: int, area: NDArray[np.float32], strength: float) -> None:
        self._program.set_float("u_strength", strength)
        self._program.set_vec4("u_area", area)
        GL.glBindTexture(GL.GL_TEXTURE_2D, texture)
        GL.glDrawArrays(GL.GL_TRIANGLE_STRIP, 0, 4)


def _delete(baked: _Baked) -> None:
    delete_names(GL.glDeleteTextures, baked.texture)
    delete_names(GL.glDeleteFramebuffers, baked.fbo)
