"""A texture of equal square tiles that are drawn into one by one: many small pictures for one change of framebuffer."""

from __future__ import annotations

from collections.abc import Iterable

from rendering.gl.api import GL, delete_names, new_names
from rendering.gl.render_targets import make_texture

ACROSS = 16  # tiles side by side
Part = tuple[float, float, float, float]  # of a texture: corner and sides, 0..1


class Tiles:
    """One channel of 8 bits. size: texels on a tile's side. count: tiles there is room for."""

    def __init__(self, size: int, count: int) -> None:
        rows = -(-count // ACROSS)
        self.size, self.count = size, rows * ACROSS
        self._width, self._height = ACROSS * size, rows * size
        self.texture = make_texture(GL.GL_R8, self._width, self._height)
        (self._fbo,) = new_names(GL.glGenFramebuffers)
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._fbo)
        GL.glFramebufferTexture2D(GL.GL_FRAMEBUFFER, GL.GL_COLOR_ATTACHMENT0, GL.GL_TEXTURE_2D, self.texture, 0)

    @property
    def texel(self) -> tuple[float, float]:
        """A texel's sides, of the whole texture's."""
        return 1.0 / self._width, 1.0 / self._height

    def place(self, number: int, size: int) -> Part:
        """The corner and sides of what is used of a tile, `size` texels on a side, of the whole texture's."""
        x, y = self._corner(number)
        across, up = self.texel
        return x * across, y * up, size * across, size * up

    def bind(self) -> None:
        """Draw into this texture from now on, within the tile chosen next: the scissor test is on. The caller restores
        framebuffer, viewport and scissor test."""
        GL.glBindFramebuffer(GL.GL_FRAMEBUFFER, self._fbo)
        GL.glEnable(GL.GL_SCISSOR_TEST)

    def clear(self, count: int) -> None:
        """Blacken at least the first tiles."""
        GL.glScissor(0, 0, self._width, -(-count // ACROSS) * self.size)
        GL.glClearColor(0.0, 0.0, 0.0, 0.0)
        GL.glClear(GL.GL_COLOR_BUFFER_BIT)

    def choose(self, number: int, size: int) -> None:
        """Draw into one tile, of which `size` texels on a side are used."""
        x, y = self._corner(number)
        GL.glViewport(x, y, size, size)
        GL.glScissor(x, y, size, size)

    def delete(self) -> None:
        """Free it."""
        delete_names(GL.glDeleteTextures, self.texture)
        delete_names(GL.glDeleteFramebuffers, self._fbo)

    def _corner(self, number: int) -> tuple[int, int]:
        row, column = divmod(number, ACROSS)
        return column * self.size, row * self.size


def larger(old: Tiles | None, size: int, count: int) -> Tiles:
    """Tiles with room for so many, in place of old ones; what those showed is lost."""
    if old is not None:
        old.delete()
    return Tiles(size, count)


def free_tile(taken: Iterable[int]) -> int:
    """The first tile that is not taken."""
    used = set(taken)
    return next(tile for tile in range(len(used) + 1) if tile not in used)
