"""A mesh on the GPU: buffers for its vertices, fine and coarse triangles over them."""

from __future__ import annotations

import ctypes
from collections.abc import Hashable, Iterable, Set

import numpy as np
from numpy.typing import NDArray

from rendering.gl.api import GL
from rendering.gl.buffers import Buffer, VertexArray
from rendering.scene.mesh_data import moved_normals, same_places, smooth_normals
from rendering.scene.prepared_mesh import prepared
from rendering.scene.values import MAX_JOINTS, Mesh

MARKED, COLORED = 5, 6  # where shaders/skin.glsl has a_marked and a_color
BLOCK = 64  # triangles that are drawn or left out together
APART = 2  # blocks: runs no farther apart than this are drawn as one


class _Places:
    """The vertices at rest of one figure. of: the array that was uploaded."""

    def __init__(self) -> None:
        self.buffer = Buffer()
        self.of: NDArray[np.floating] | None = None


class _Surface:
    """Triangles over a mesh's vertices, on the GPU. Each owner, a figure's id, has its own vertices at rest, in which
    figures of one mesh may differ."""

    def __init__(self, mesh: Mesh, faces: NDArray[np.integer], normals: NDArray[np.float32]) -> None:
        self.array = VertexArray()
        self.array.bind()
        self._normals, self._skin = Buffer(), Buffer()
        self._colors: Buffer | None = None
        self._faces = Buffer(GL.GL_ELEMENT_ARRAY_BUFFER)
        made = prepared(mesh, faces)
        self._order, self._triangles = made.order, made.faces
        self._places: dict[Hashable, _Places] = {}
        self._fed: _Places | None = None  # which of them feeds the array
        self.take(normals)
        self._skin.upload(made.skin)
        self._faces.upload(made.faces)
        self.array.floats(self._normals, {1: 3})
        self.array.floats(self._skin, {2: 4, 3: 4, 4: 3})
        if mesh.colors is not None:
            self._colors = Buffer()
            self._colors.upload(np.asarray(mesh.colors, np.float32)[self._order])
            self.array.floats(self._colors, {COLORED: 3})
        self.array.indices(self._faces)
        self._blocks: tuple[NDArray[np.intp], NDArray[np.intp]] | None = None
        self._marks: Buffer | None = None  # made when there is something to mark
        self._uploaded: NDArray[np.floating] | None = None
        self._marked: NDArray[np.floating] | None = None

    def take(self, normals: NDArray[np.float32]) -> None:
        """Take the normals, (V, 3), of another mesh of the same topology."""
        self._normals.upload(normals[self._order])

    def draw(
        self,
        owner: Hashable,
        rest: NDArray[np.floating],
        marked: NDArray[np.floating] | None,
        wanted: NDArray[np.bool_] | None,
    ) -> None:
        """Draw triangles with the current program. rest: (V, 3) metres. marked: (V,), 0 everywhere for None.

        wanted: (V,); triangles without any of these vertices may be left out.
        """
        self.array.bind()
        self._feed(owner, rest)
        if marked is not self._marked:
            self._mark(marked)
        for first, end in self._runs(wanted):
            start = ctypes.c_void_p(first * self._triangles[0].nbytes)
            GL.glDrawElements(GL.GL_TRIANGLES, 3 * (end - first), GL.GL_UNSIGNED_INT, start)

    def _feed(self, owner: Hashable, rest: NDArray[np.floating]) -> None:
        places = self._places.get(owner)
        if places is None:
            places = self._places[owner] = _Places()
        if rest is not places.of:
            places.buffer.upload(np.asarray(rest, np.float32).take(self._order, axis=0))
            places.of = rest
        if places is not self._fed:
            self.array.floats(places.buffer, {0: 3})
            self._fed = places

    def keep(self, owners: Set[Hashable]) -> None:
        """Free the vertices of all other owners."""
        for gone in self._places.keys() - owners:
            places = self._places.pop(gone)
            self._fed = None if places is self._fed else self._fed
            places.buffer.delete()

    def _runs(self, wanted: NDArray[np.bool_] | None) -> Iterable[tuple[int, int]]:
        """The first triangle of each run to draw, and the one after its last. Neighbours follow each other, so what is
        wanted lies in few runs, and nothing is uploaded for them."""
        if wanted is None:
            return [(0, len(self._triangles))]
        if self._blocks is None:
            self._blocks = blocks(self._order, self._triangles)
        vertices, starts = self._blocks
        at = np.flatnonzero(np.logical_or.reduceat(wanted.take(vertices), starts))
        if not len(at):
            return []
        breaks = np.flatnonzero(np.diff(at) > APART)
        firsts, ends = BLOCK * at[[0, *(breaks + 1)]], BLOCK * (at[[*breaks, -1]] + 1)
        return zip(firsts.tolist(), np.minimum(ends, len(self._triangles)).tolist(), strict=True)

    def _mark(self, marked: NDArray[np.floating] | None) -> None:
        """Feed other marks; without any the attribute is off and reads as 0 everywhere."""
        self._marked = marked
        if marked is None:
            GL.glDisableVertexAttribArray(MARKED)
            return
        if self._marks is None:
            self._marks = Buffer()
        if marked is not self._uploaded:
            self._marks.upload(np.asarray(marked, np.float32)[self._order])
            self._uploaded = marked
        self.array.floats(self._marks, {MARKED: 1})

    def delete(self) -> None:
        """Free the buffers."""
        self.keep(frozenset())
        for buffer in (self._normals, self._skin, self._faces, self._marks, self._colors):
            if buffer is not None:
                buffer.delete()
        self.array.delete()


def _normals_of(mesh: Mesh) -> NDArray[np.float32]:
    if mesh.normals is not None:
        return np.asarray(mesh.normals, np.float32)
    vertices, faces = np.asarray(mesh.vertices), np.asarray(mesh.faces)
    if mesh.carried is None:
        return smooth_normals(vertices, faces)
    first, place = same_places(vertices)
    return smooth_normals(vertices[first], place[faces])[place]


def blocks(order: NDArray[np.intp], triangles: NDArray[np.uint32]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The mesh's vertices in each block of triangles, block after block, and where each block's begin."""
    corners, size = order[triangles.reshape(-1)], 3 * BLOCK
    blocks = np.sort(np.pad(corners, (0, -len(corners) % size), "edge").reshape(-1, size), axis=1)
    once = np.diff(blocks, axis=1, prepend=-1) > 0
    lengths = np.count_nonzero(once, axis=1)
    return blocks[once], np.cumsum(lengths) - lengths


class GpuMesh:
    """One mesh on the GPU; another mesh of the same topology takes it over and uploads only its vertices."""

    def __init__(self, mesh: Mesh) -> None:
        if mesh.weights.shape[1] > MAX_JOINTS:
            raise ValueError(f"a mesh has at most {MAX_JOINTS} joints, not {mesh.weights.shape[1]}")
        self.mesh = mesh
        self._normals = _normals_of(mesh)
        self._fine = _Surface(mesh, mesh.faces, self._normals)
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
                (mine.normals, mesh.normals),
                (mine.colors, mesh.colors),
            )
        )

    def take(self, mesh: Mesh) -> None:
        """Takes over another mesh of the same topology."""
        before, after = np.asarray(self.mesh.vertices), np.asarray(mesh.vertices)
        self.mesh, self._normals = mesh, moved_normals(self._normals, before, after, mesh.faces)
        for surface in self._surfaces():
            surface.take(self._normals)

    def draw(
        self,
        owner: Hashable,
        *,
        coarse: bool,
        rest: NDArray[np.floating] | None = None,
        marked: NDArray[np.floating] | None = None,
        wanted: NDArray[np.bool_] | None = None,
    ) -> None:
        """Draw the surface, the coarse one if that is wanted and there is one. rest: see `Figure`. marked: (V,).

        owner: the figure's id, as figures of one mesh may differ at rest; what each had is not uploaded again.
        wanted: (V,) vertices; triangles without any of them may be left out; None for all.
        """
        if coarse and self._coarse is None and self.mesh.coarse is not None:
            self._coarse = _Surface(self.mesh, self.mesh.coarse, self._normals)
        surface = self._coarse if coarse and self._coarse else self._fine
        surface.draw(owner, self.mesh.vertices if rest is None else rest, marked, wanted)

    def keep(self, owners: Set[Hashable]) -> None:
        """Free what only other figures needed."""
        for surface in self._surfaces():
            surface.keep(owners)

    def _surfaces(self) -> list[_Surface]:
        return [surface for surface in (self._fine, self._coarse) if surface]

    def delete(self) -> None:
        """Free the buffers."""
        for surface in self._surfaces():
            surface.delete()
