"""Smooth lines of constant width on the screen: from a joint to its target, the gizmo's shafts and rings."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rendering.gl.api import GL
from rendering.gl.buffers import Buffer, VertexArray
from rendering.gl.program import Program
from rendering.items.frame import Frame
from rendering.scene.theme import Rgb

COLUMNS = 13


def line_rows(
    start: ArrayLike, end: ArrayLike, color: Rgb, alpha: ArrayLike = 1.0, *, width: float = 1.5, dash: float = 0.0
) -> NDArray[np.float32]:
    """(N, 13) rows for Lines: ends (N, 3) metres, one colour, alpha for each or for all, width and dash in pixels."""
    a, b = (np.atleast_2d(np.asarray(p, dtype=np.float32)) for p in (start, end))
    rows = np.empty((len(a), COLUMNS), dtype=np.float32)
    rows[:, 0:3], rows[:, 3] = a, width
    rows[:, 4:7], rows[:, 7] = b, width
    rows[:, 8:11], rows[:, 11], rows[:, 12] = color, alpha, dash
    return rows


def use_for_marks(program: Program, frame: Frame, alpha: float, lift: float) -> None:
    """Use the program for marks whose size is in pixels; lift: metres towards the viewer for the depth test."""
    program.use()
    program.set_mat4("u_view_projection", frame.view_projection)
    program.set_vec3("u_eye", frame.eye)
    program.set_vec2("u_size", frame.device_size)
    program.set_float("u_ratio", frame.pixel_ratio)
    program.set_float("u_lift", lift)
    program.set_float("u_alpha", alpha)


class Lines:
    """A batch of lines."""

    def __init__(self) -> None:
        self._array, self._buffer = VertexArray(), Buffer()
        self._array.bind()
        self._array.floats(self._buffer, {0: 4, 1: 4, 2: 4, 3: 1}, divisor=1)
        self._program = Program("lines.vert", "lines.frag")
        self._count = 0

    def upload(self, rows: NDArray[np.float32]) -> None:
        """Replace all lines by (N, 13) rows of line_rows."""
        self._count = len(rows)
        if self._count:
            self._buffer.upload(rows)

    def paint(self, frame: Frame, alpha: float = 1.0, lift: float = 0.0) -> None:
        """Draw with the current depth function. lift: metres towards the viewer for the depth test."""
        if not self._count:
            return
        use_for_marks(self._program, frame, alpha, lift)
        self._array.bind()
        GL.glDrawArraysInstanced(GL.GL_TRIANGLE_STRIP, 0, 4, self._count)
