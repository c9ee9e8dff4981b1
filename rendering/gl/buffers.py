"""Vertex buffers and vertex arrays, and a count of what was uploaded."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rendering.gl.api import GL, delete_names, new_names


@dataclass
class UploadCount:
    """How often geometry or textures went to the GPU since the program's start; tests and statistics read it."""

    calls: int = 0
    bytes: int = 0

    def add(self, size: int) -> None:
        """Count one upload of that many bytes."""
        self.calls += 1
        self.bytes += size


uploads = UploadCount()


class Buffer:
    """A buffer on the GPU that grows as needed."""

    def __init__(self, target: int = GL.GL_ARRAY_BUFFER) -> None:
        self.target = target
        (self.id,) = new_names(GL.glGenBuffers)
        self._capacity = 0

    def upload(self, array: NDArray) -> None:
        """Replace the content."""
        data = np.ascontiguousarray(array)
        GL.glBindBuffer(self.target, self.id)
        if data.nbytes > self._capacity:
            GL.glBufferData(self.target, data.nbytes, data, GL.GL_DYNAMIC_DRAW)
            self._capacity = data.nbytes
        else:
            GL.glBufferSubData(self.target, 0, data.nbytes, data)
        uploads.add(data.nbytes)

    def reserve(self, size: int) -> None:
        """Make it hold at least that many bytes, content undefined."""
        if size > self._capacity:
            GL.glBindBuffer(self.target, self.id)
            GL.glBufferData(self.target, size, None, GL.GL_DYNAMIC_DRAW)
            self._capacity = size

    def feed_block(self, binding: int) -> None:
        """Feed the uniform block of that binding; for a buffer of GL_UNIFORM_BUFFER."""
        GL.glBindBufferBase(self.target, binding, self.id)

    def delete(self) -> None:
        """Free it."""
        delete_names(GL.glDeleteBuffers, self.id)


class VertexArray:
    """Which buffer feeds which attribute."""

    def __init__(self) -> None:
        (self.id,) = new_names(GL.glGenVertexArrays)

    def bind(self) -> None:
        """Make it current."""
        GL.glBindVertexArray(self.id)

    def floats(self, buffer: Buffer, sizes: dict[int, int], divisor: int = 0, first: int = 0) -> None:
        """Feed consecutive float attributes {location: components} from an interleaved buffer; bind this first.

        divisor: 1 steps once for each instance. first: the row to start at.
        """
        GL.glBindBuffer(GL.GL_ARRAY_BUFFER, buffer.id)
        stride = 4 * sum(sizes.values())
        offset = first * stride
        for location, size in sizes.items():
            GL.glEnableVertexAttribArray(location)
            GL.glVertexAttribPointer(location, size, GL.GL_FLOAT, False, stride, ctypes.c_void_p(offset))
            GL.glVertexAttribDivisor(location, divisor)
            offset += 4 * size

    def indices(self, buffer: Buffer) -> None:
        """Draw from an index buffer; bind this first."""
        GL.glBindBuffer(GL.GL_ELEMENT_ARRAY_BUFFER, buffer.id)

    def delete(self) -> None:
        """Free it."""
        delete_names(GL.glDeleteVertexArrays, self.id)
