"""A mesh on the GPU: static buffers for its vertices, fine and coarse triangles over them."""

from __future__ import annotations

import ctypes
from collections import deque
from hashlib import sha1

import numpy as np
from numpy.typing import NDArray

from rendering.gl.api import GL
from rendering.gl.buffers import Buffer, VertexArray
from rendering.scene.hollows import hollows
from rendering.scene.mesh_data import draw_order, smooth_normals, strongest_weights
from rendering.scene.values import MAX_JOINTS, Mesh

WARNED = 5  # where shaders/skin.glsl has a_warned


class _Surface:
    """Triangles over a mesh's vertices, on the GPU."""

    def __init__(self, mesh: Mesh, faces: NDArray[np.integer], shape: NDArray[np.float32]) -> None:
        self.array = VertexArray()
        self.array.bind()
        self._shape, self._skin, self._faces = Buffer(), Buffer(), Buffer(GL.GL_ELEMENT_ARRAY_BUFFER)
        joints, weights = strongest_weights(np.asarray(mesh.weights))
        self._order, ordered = draw_order(np.asarray(mesh.vertices), np.asarray(faces))
        self.take(shape)
        rows = np.column_stack([joints, weights, mesh.suit, _hollows_of(mesh)])
        self._skin.upload(rows[self._order].astype(np.float32))
        self._faces.upload(ordered)
        self.array.floats(self._shape, {0: 3, 1: 3})
        self.array.floats(self._skin, {2: 4, 3: 4, 4: 3})
        self.array.indices(self._faces)
        self._count = faces.size
        self._warnings: Buffer | None = None  # made when there is something to warn of
        self._warned: NDArray[np.floating] | None = None

    def take(self, shape: NDArray[np.float32]) -> None:
        """Take other vertices and normals, (V, 6)."""
        self._shape.upload(shape[self._order])

    def draw(self, warned: NDArray[np.floating] | None) -> None:
        """Draw all triangles with the current program. warned: (V,), see `Figure`."""
        self.array.bind()
        if warned is not self._warned:
            self._warn(warned)
        GL.glDrawElements(GL.GL_TRIANGLES, self._count, GL.GL_UNSIGNED_INT, ctypes.c_void_p(0))

    def _warn(self, warned: NDArray[np.floating] | None) -> None:
        """Feed other warnings; without any the attribute is off, and reads as 0 everywhere."""
        self._warned = warned
        if warned is None:
            GL.glDisableVertexAttribArray(WARNED)
            return
        if self._warnings is None:
            self._warnings = Buffer()
        self._warnings.upload(np.asarray(warned, np.float32)[self._order])
        self.array.floats(self._warnings, {WARNED: 1})

    def delete(self) -> None:
        """Free the buffers."""
        for buffer in (self._shape, self._skin, self._faces, self._warnings):
            if buffer is not None:
                buffer.delete()
        self.array.delete()


class GpuMesh:
    """One mesh on the GPU; another mesh of the same topology takes it over and uploads its vertices alone."""

    def __init__(self, mesh: Mesh) -> None:
        if mesh.weights.shape[1] > MAX_JOINTS:
            raise ValueError(f"a mesh has at most {MAX_JOINTS} joints, not {mesh.weights.shape[1]}")
        self.mesh = mesh
        self._rows = _shape_rows(mesh)
        self._fine = _Surface(mesh, mesh.faces, self._rows)
        self._coarse: _Surface | None = None  # made when it is first drawn

    def same_topology(self, mesh: Mesh) -> bool:
        """Whether only the vertices differ."""
        mine = self.mesh
        return all(
            a is b
            for a, b in (
                (mine.faces, mesh.faces),
                (mine.coarse, mesh.coarse),
                (mine.weights, mesh.weights),
                (mine.suit, mesh.suit),
            )
        )

    def take(self, mesh: Mesh) -> None:
        """Takes over another mesh of the same topology."""
        self.mesh = mesh
        self._rows = _shape_rows(mesh)
        for surface in self._surfaces():
            surface.take(self._rows)

    def draw(self, *, coarse: bool, warned: NDArray[np.floating] | None = None) -> None:
        """Draw the surface, the coarse one if that is wanted and there is one. warned: (V,), see `Figure`."""
        if coarse and self._coarse is None and self.mesh.coarse is not None:
            self._coarse = _Surface(self.mesh, self.mesh.coarse, self._rows)
        (self._coarse if coarse and self._coarse else self._fine).draw(warned)

    def _surfaces(self) -> list[_Surface]:
        return [surface for surface in (self._fine, self._coarse) if surface]

    def delete(self) -> None:
        """Free the buffers."""
        for surface in self._surfaces():
            surface.delete()


def _shape_rows(mesh: Mesh) -> NDArray[np.float32]:
    """(V, 6) vertices and normals."""
    vertices = np.asarray(mesh.vertices)
    return np.column_stack([vertices, smooth_normals(vertices, mesh.faces)]).astype(np.float32)


# Measured last, of which shape, told by its digest: a picture must not depend on whose body was drawn before it, and a
# body that is gone must not stay for it.
_recent: deque[tuple[bytes, NDArray[np.integer], NDArray[np.float32]]] = deque(maxlen=4)


def _hollows_of(mesh: Mesh) -> NDArray[np.float32]:
    vertices = np.ascontiguousarray(mesh.vertices)
    shape = sha1(vertices.tobytes(), usedforsecurity=False).digest()
    for known, faces, found in _recent:
        if faces is mesh.faces and known == shape:
            return found
    found = hollows(vertices, mesh.faces, smooth_normals(vertices, mesh.faces))
    _recent.append((shape, mesh.faces, found))
    return found
