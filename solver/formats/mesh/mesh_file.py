"""Writing a posed body's surface as OBJ, STL or GLB, through trimesh: metres, Y up, smooth normals (except STL)."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.errors import UnknownName
from solver.files.atomic import write_bytes
from solver.formats.mesh.material import ROUGHNESS, linear
from solver.values import ArrayValue, FloatArray, frozen_array

MESH_FORMATS = ("glb", "obj", "stl")
HEADER = "Contrapposto: metres, Y up"


@dataclass(frozen=True, eq=False)
class PosedMesh(ArrayValue):
    """A surface in the world. vertices: (V, 3) metres. faces: (F, 3). color: "#rrggbb", for formats that have one."""

    name: str
    vertices: FloatArray
    faces: NDArray[np.int32]
    color: str = "#b0b0b0"

    def __post_init__(self) -> None:
        object.__setattr__(self, "vertices", frozen_array(self.vertices, (None, 3), "vertices"))


def write_mesh(path: str | os.PathLike[str], mesh: PosedMesh, kind: str) -> None:
    """Write the mesh, all or nothing. kind: "glb", "obj" or "stl". The order of the vertices is kept except in STL,
    which repeats them for each face. InputRefused says why if it cannot be written.
    """
    write_bytes(path, mesh_bytes(mesh, kind))


def mesh_bytes(mesh: PosedMesh, kind: str) -> bytes:
    """The file's content."""
    if kind not in MESH_FORMATS:
        raise UnknownName("mesh format", kind, MESH_FORMATS)
    # Here, for it takes a second that nobody else has to wait for.
    import trimesh
    from trimesh.exchange.gltf import export_glb
    from trimesh.exchange.obj import export_obj
    from trimesh.exchange.stl import export_stl

    surface = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    if kind == "stl":
        return bytes(export_stl(surface))
    if kind == "obj":
        text = str(export_obj(surface, include_normals=True, include_color=False, digits=6, header=HEADER))
        return f"{text}\n".encode()
    material = trimesh.visual.material.PBRMaterial(
        name=mesh.name,
        baseColorFactor=[*linear(mesh.color), 1.0],
        metallicFactor=0.0,
        roughnessFactor=ROUGHNESS,
    )
    surface.visual = trimesh.visual.TextureVisuals(material=material)
    scene = trimesh.Scene()
    scene.add_geometry(surface, node_name=mesh.name, geom_name=mesh.name)
    return bytes(export_glb(scene, include_normals=True))
