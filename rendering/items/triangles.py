"""Plainly coloured triangles without light: arrowheads, planes, wedges, and strips such as the floor from its side."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rendering.gl.api import GL
from rendering.gl.buffers import Buffer, VertexArray
from rendering.gl.program import Program
from rendering.items.frame import Frame


class Triangles:
    """A batch of triangles; strip: each corner forms one with the two before it, else every three do."""

    def __init__(self, strip: bool = False) -> None:
        self._kind = GL.GL_TRIANGLE_STRIP if strip else GL.GL_TRIANGLES
        self._array, self._buffer = VertexArray(), Buffer()
        self._array.bind()
        self._array.floats(self._buffer, {0: 3, 1: 4})
        self._program = Program("flat.vert", "flat.frag")
        self._count = 0

    def upload(self, rows: NDArray[np.float32]) -> None:
        """Replace all corners by (N, 7) rows: place in metres, then red, green, blue, alpha."""
        self._count = len(rows)
        if self._count:
            self._buffer.upload(rows)

    def paint(self, frame: Frame) -> None:
        """Draw with the current depth function."""
        if not self._count:
            return
        self._program.use()
        self._program.set_mat4("u_view_projection", frame.view_projection)
        self._array.bind()
        GL.glDrawArrays(self._kind, 0, self._count)
