"""Framebuffers to draw into: multisampled, readable, or a texture."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rendering.gl.api import GL, delete_names, new_names


class RenderTarget:
    """A colour buffer with depth and stencil, of one size and number of samples (0 = none)."""

    def __init__(self, width: int, height: int, samples: int = 0) -> None:
        self.width, self.height, self.samples = width, height, samples
        self._pixels: NDArray[np.uint8] | None = None
        self._upright: NDArray[np.uint8] | None = None
        (self.fbo,) = new_names(GL.glGenFramebuffers)
        self._buffers = new_names(GL.glGenRenderbuffers, 2)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self.fbo)
        for buffer, storage, attachment in zip(
            self._buffers,
            (GL.GL_RGBA8, GL.GL_DEPTH24_STENCIL8),
            (GL.GL_COLOR_ATTACHMENT0, GL.GL_DEPTH_STENCIL_ATTACHMENT),
            strict=True,
        ):
            GL.glBindRenderbuffer(GL.GL_RENDERBUFFER, buffer)
            GL.glRenderbufferStorageMultisample(GL.GL_RENDERBUFFER, samples, storage, width, height)
            GL.glFramebufferRenderbuffer(GL.GL_FRAMEBUFFER, attachment, GL.GL_RENDERBUFFER, buffer)

    def complete(self) -> bool:
        """Whether the driver can draw into it."""
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self.fbo)
        return bool(GL.glCheckFramebufferStatus(GL.GL_FRAMEBUFFER) == GL.GL_FRAMEBUFFER_COMPLETE)

    def fits(self, width: int, height: int, samples: int) -> bool:
        """Whether it has this size and number of samples."""
        return (self.width, self.height, self.samples) == (width, height, samples)

    def resolve_to(self, fbo: int) -> None:
        """Copy the colours into another framebuffer of the same size, averaging the samples."""
        GL.glBindFramebuffer(GL.GL_READ_FRAMEBUFFER, self.fbo)
        GL.glBindFramebuffer(GL.GL_DRAW_FRAMEBUFFER, fbo)
        box = (0, 0, self.width, self.height)
        GL.glBlitFramebuffer(*box, *box, GL.GL_COLOR_BUFFER_BIT, GL.GL_NEAREST)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, fbo)

    def read(self, order: int = GL.GL_RGBA, *, inverts: bool = False) -> NDArray[np.uint8]:
        """(H, W, 4) colours in this order, first row on top, valid until the next call; not with samples.

        inverts: whether the driver turns pictures over by itself, as Mesa's do (GL_MESA_pack_invert).
        """
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self.fbo)
        GL.glPixelStorei(GL.GL_PACK_ALIGNMENT, 1)
        if self._pixels is None:  # kept: fresh memory of this size costs more than the copying
            self._pixels = np.empty((self.height, self.width, 4), np.uint8)
        if inverts:
            GL.glPixelStorei(GL.GL_PACK_INVERT_MESA, True)
        GL.glReadPixels(0, 0, self.width, self.height, order, GL.GL_UNSIGNED_BYTE, self._pixels)
        if inverts:
            GL.glPixelStorei(GL.GL_PACK_INVERT_MESA, False)
            return self._pixels
        if self._upright is None:
            self._upright = np.empty_like(self._pixels)
        np.copyto(self._upright, self._pixels[::-1])
        return self._upright

    def delete(self) -> None:
        """Free it."""
        delete_names(GL.glDeleteFramebuffers, self.fbo)
        delete_names(GL.glDeleteRenderbuffers, *self._buffers)


def make_texture(internal: int, width: int, height: int) -> int:
    """A texture with smooth filtering and clamped edges, content undefined."""
    (texture,) = new_names(GL.glGenTextures)
    GL.glBindTexture(GL.GL_TEXTURE_2D, texture)
    GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, internal, width, height, 0, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE, None)
    for name, value in (
        (GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR),
        (GL.GL_TEXTURE_MAG_FILTER, GL.GL_LINEAR),
        (GL.GL_TEXTURE_WRAP_S, GL.GL_CLAMP_TO_EDGE),
        (GL.GL_TEXTURE_WRAP_T, GL.GL_CLAMP_TO_EDGE),
    ):
        GL.glTexParameteri(GL.GL_TEXTURE_2D, name, value)
    return texture
