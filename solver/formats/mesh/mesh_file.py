"""Writing a posed body's surface as OBJ, STL or GLB, through trimesh: metres, Y up, smooth normals (except STL)."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
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


@dataclass(frozen=True, eq=False)
class Path(ArrayValue):
    """Where something is at each frame. places: (N, 3) metres. turns: (N, 3, 3). fps: frames a second."""

    places: FloatArray
    turns: FloatArray
    fps: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", frozen_array(self.places, (None, 3), "places"))
        object.__setattr__(self, "turns", frozen_array(self.turns, (len(self.places), 3, 3), "turns"))


@dataclass(frozen=True, eq=False)
class PlacedMesh(ArrayValue):
    """A thing beside the figure. vertices: (V, 3) metres about its own origin, separate ones where an edge is sharp.

    faces: (F, 3). normals: (V, 3). place: (3,) metres and turn: (3, 3) of its origin in the world. path: where its
    origin is over time, for one that moves; for files with a skeleton, others have it as it stands.
    """

    name: str
    vertices: FloatArray
    faces: NDArray[np.int32]
    normals: FloatArray
    place: FloatArray
    turn: FloatArray
    color: str = "#b0b0b0"
    path: Path | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "vertices", frozen_array(self.vertices, (None, 3), "vertices"))
        object.__setattr__(self, "normals", frozen_array(self.normals, self.vertices.shape, "normals"))
        for name, shape in (("place", (3,)), ("turn", (3, 3))):
            object.__setattr__(self, name, frozen_array(getattr(self, name), shape, name))


def write_mesh(
    path: str | os.PathLike[str], mesh: PosedMesh | None, kind: str, things: Sequence[PlacedMesh] = ()
) -> None:
    """Write the mesh and what stands beside it, all or nothing. kind: "glb", "obj" or "stl".

    The order of the vertices is kept except in STL, which repeats them for each face. InputRefused says why if it
    cannot be written.
    """
    write_bytes(path, mesh_bytes(mesh, kind, things))


def mesh_bytes(mesh: PosedMesh | None, kind: str, things: Sequence[PlacedMesh] = ()) -> bytes:
    """The file's content; in GLB and OBJ every part has its name, in GLB also its place and turn as a node."""
    if kind not in MESH_FORMATS:
        raise UnknownName("mesh format", kind, MESH_FORMATS)
    # Here, because it takes a second that nothing else has to wait for.
    import trimesh
    from trimesh.exchange.gltf import export_glb
    from trimesh.exchange.obj import export_obj
    from trimesh.exchange.stl import export_stl

    scene = trimesh.Scene()
    parts = [] if mesh is None else [(mesh.name, trimesh.Trimesh(mesh.vertices, mesh.faces, process=False), mesh.color)]
    where = [np.eye(4) for _ in parts]
    for thing in things:
        surface = trimesh.Trimesh(thing.vertices, thing.faces, vertex_normals=thing.normals, process=False)
        parts.append((thing.name, surface, thing.color))
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = thing.turn, thing.place
        where.append(matrix)
    if kind == "stl":
        placed = [surface.copy().apply_transform(matrix) for (_, surface, _), matrix in zip(parts, where, strict=True)]
        return bytes(export_stl(placed[0] if len(placed) == 1 else trimesh.util.concatenate(placed)))
    own_name = names_once()
    for (name, surface, color), matrix in zip(parts, where, strict=True):
        if kind == "glb":
            material = trimesh.visual.material.PBRMaterial(
                name=name, baseColorFactor=[*linear(color), 1.0], metallicFactor=0.0, roughnessFactor=ROUGHNESS
            )
            surface.visual = trimesh.visual.TextureVisuals(material=material)
        own = own_name(name)
        scene.add_geometry(surface, node_name=own, geom_name=own, transform=matrix)
    if kind == "obj":
        whole = scene if things else parts[0][1]
        text = str(export_obj(whole, include_normals=True, include_color=False, digits=6, header=HEADER))
        return f"{text}\n".encode()
    return bytes(export_glb(scene, include_normals=True))


def names_once(taken: Collection[str] = ()) -> Callable[[str], str]:
    """A function that gives each name as it is, or with a number if it was given before or is one of those taken: a
    node of the same name would take the other's place."""
    given = set(taken)

    def own(name: str) -> str:
        names = (name, *(f"{name} {number}" for number in range(2, len(given) + 3)))
        found = next(each for each in names if each not in given)
        given.add(found)
        return found

    return own
