"""Reading a surface from OBJ, STL, PLY, GLB or .gltf, through trimesh: only triangles, in metres with Y up."""

from __future__ import annotations

import contextlib
import io
import logging
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import InputRefused, one_line
from solver.files.reading import MEBIBYTE, read_bytes
from solver.formats.gltf.compression import COMPRESSED, refuse_compressed
from solver.formats.gltf.gltf_to_glb import as_glb
from solver.size_limits import FARTHEST_M, MAX_MESH_BYTES, MAX_PROP_TRIANGLES
from solver.values import ArrayValue, FloatArray, frozen_array

READ_FORMATS = ("obj", "stl", "ply", "glb", "gltf")
AGAIN = "Export it again as OBJ, STL, PLY or GLB"
REDUCE = f"Reduce it to {MAX_PROP_TRIANGLES:,} or fewer, in Blender with the Decimate modifier, and export it again"


@dataclass(frozen=True, eq=False)
class MeshFile(ArrayValue):
    """What a mesh file holds. vertices: (V, 3), in the file's own unit. faces: (F, 3), all of them with an area."""

    vertices: FloatArray
    faces: NDArray[np.int32]

    def __post_init__(self) -> None:
        object.__setattr__(self, "vertices", frozen_array(self.vertices, (None, 3), "vertices"))


def read_mesh(path: str | os.PathLike[str]) -> MeshFile:
    """All triangles of a file, with its parts in their places. InputRefused for one that is damaged, that holds no
    surface, or more than a prop may have."""
    kind = Path(path).suffix.lower().removeprefix(".")
    data = read_bytes(path, MAX_MESH_BYTES)
    if data.startswith(b"glTF"):
        kind = "glb"
    elif kind not in READ_FORMATS:
        raise InputRefused(path, "is not a mesh file that this program reads", AGAIN)
    squeezed = COMPRESSED.search(data[:MEBIBYTE].decode("latin-1")) if kind in ("glb", "gltf") else None
    if squeezed:
        raise refuse_compressed(Path(path), squeezed.group())
    try:
        if kind == "gltf":
            vertices, faces = _triangles(as_glb(Path(path), MAX_MESH_BYTES), "glb", path)
        else:
            vertices, faces = _triangles(data, kind, path)
    except InputRefused:
        raise
    except Exception as error:  # a file may say anything at any place
        reason = f"cannot be read: it is not a valid {kind.upper()} file ({one_line(error)})"
        raise InputRefused(path, reason, AGAIN) from None
    if not len(faces):
        raise InputRefused(path, "holds no triangles", "Export the surface, not only points or lines")
    if not np.isfinite(vertices).all():
        raise InputRefused(path, "holds a vertex whose place is not a number", AGAIN)
    if np.abs(vertices).max(initial=0.0) > FARTHEST_M * 1e3:
        raise InputRefused(
            path, "holds a vertex that is absurdly far away", "Move it to the origin and export it again"
        )
    if faces.min() < 0 or faces.max() >= len(vertices):
        raise InputRefused(path, "holds a triangle with a vertex that is not there", AGAIN)
    faces = faces[_have_area(vertices, faces)]
    if not len(faces):
        raise InputRefused(path, "holds triangles without any area", "Export the surface, not only points or lines")
    used, place = np.unique(faces, return_inverse=True)
    return MeshFile(vertices[used].astype(np.float32), place.reshape(-1, 3).astype(np.int32))


def _too_many(path: object, count: int) -> InputRefused:
    return InputRefused(path, f"holds {count:,} triangles, and a prop has up to {MAX_PROP_TRIANGLES:,}", REDUCE)


def _triangles(data: bytes, kind: str, path: object) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    import trimesh  # takes a second that nothing else has to wait for

    logging.getLogger("trimesh").setLevel(logging.CRITICAL)  # what it finds odd is said by us
    how: dict[str, Any] = {"skip_materials": True} if kind == "obj" else {}
    with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
        # Without a resolver, so that no other file that a file names is read.
        scene = trimesh.load_scene(io.BytesIO(data), file_type=kind, process=False, **how)
        parts = [scene.geometry[scene.graph[node][1]] for node in scene.graph.nodes_geometry]
        count = sum(len(part.faces) for part in parts if hasattr(part, "faces"))
        if count > MAX_PROP_TRIANGLES:  # before they are put together: a small file may show one part a million times
            raise _too_many(path, count)
        if count > 0:
            mesh = scene.to_mesh()
            return np.asarray(mesh.vertices, np.float64), np.asarray(mesh.faces, np.int64)
    return np.empty((0, 3)), np.empty((0, 3), np.int64)


def _have_area(vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> NDArray[np.bool_]:
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    longest = np.max([np.linalg.norm(b - a, axis=1), np.linalg.norm(c - a, axis=1)], axis=0)
    return np.asarray(area > 1e-9 * np.maximum(longest, 1e-30) ** 2)
