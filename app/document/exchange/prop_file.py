"""A prop from a mesh file, brought into a prop's own frame and to a size that fits beside people."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from app.document.edits.props import next_prop_id, put_down
from app.document.model.document import Document
from app.document.model.identity import free_prop_name, typed_name
from app.document.model.mesh_solid import Filling, filling, grid_of
from app.document.model.prop import MESH, SMALLEST_M, Prop
from app.document.model.prop_mesh import PropMesh
from app.document.model.prop_shapes import merged
from solver.formats.mesh.read_mesh import read_mesh

LARGEST_M, LEAST_M = 20.0, 0.01  # beyond these, a file is taken to be in another unit than metres
UNITS = ((0.01, "centimetres"), (0.001, "millimetres"), (0.0254, "inches"))
NOT_SOLID = {
    Filling.SOLID: "", Filling.OPEN: "Its surface is open, so it is not solid.",
    Filling.ROOM: "Its surface faces inwards, as that of a room, so it is not solid.",
    Filling.SHEET: "It is a sheet, so it is not solid.",
}  # fmt: skip
USUAL_M = 1.0  # the size of what fits in no unit


class PropFile(NamedTuple):
    """What a mesh file becomes. prop: without a place in a scene. notes: what the user should know, as sentences."""

    prop: Prop
    notes: str

    def placed(self, document: Document, wish: ArrayLike = (0.0, 0.0, 0.0)) -> Prop:
        """The prop as one of the document, put down at (3,) metres; add it by add_prop."""
        name = free_prop_name(document, self.prop.name)
        return put_down(document, replace(self.prop, id=next_prop_id(document), name=name), wish)


def read_prop(path: str | os.PathLike[str]) -> PropFile:
    """The prop that a mesh file holds: OBJ, STL, PLY, GLB, .gltf; metres, Y up. InputRefused names file and reason.

    A file that would be larger than 20 m or smaller than 1 cm is taken to be in another unit; the notes say so.
    """
    file = read_mesh(path)
    vertices = file.vertices.astype(np.float64)
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    extent = np.maximum(high - low, 1e-30)
    scale, unit_note = _unit_of(float((high - low).max()), Path(path).name)
    size = np.maximum((high - low) * scale, SMALLEST_M)
    own = (vertices - (low + high) / 2) / extent
    own[:, 1] += 0.5
    flat = high - low <= 0.0
    own[:, flat] = np.where(np.arange(3) == 1, 0.5, 0.0)[flat]
    own, faces = merged(np.clip(own, [-0.5, 0.0, -0.5], [0.5, 1.0, 0.5]), file.faces)
    name = typed_name(Path(path).stem) or "Mesh"
    prop = Prop("p1", name, MESH, size, mesh=PropMesh(own.astype(np.float32), faces))
    assert prop.mesh is not None
    prop.surface, grid_of(prop.mesh)  # made here, where nobody is waiting: they take a second or two
    count = "1 triangle" if len(faces) == 1 else f"{len(faces):,} triangles"
    notes = [f"{count}.", unit_note, NOT_SOLID[filling(prop.mesh)]]
    return PropFile(prop, " ".join(note for note in notes if note))


def _unit_of(largest: float, name: str) -> tuple[float, str]:
    """Metres per unit of the file, and what to say of it."""
    if LEAST_M <= largest <= LARGEST_M:
        return 1.0, ""
    measured = f"In metres {name} would be {_length(largest)} large"
    if largest > LARGEST_M:
        for scale, unit in UNITS[:2]:
            if largest * scale <= LARGEST_M:
                return scale, f"{measured}, so it was taken to be in {unit}: {_length(largest * scale)}."
    return USUAL_M / largest, f"{measured}, so it was scaled to {USUAL_M:g} m. Set its size in the Prop panel."


def _length(metres: float) -> str:
    if metres >= 1000.0:
        return f"{metres / 1000:,.4g} km"
    return f"{metres:.3g} m" if metres >= 0.1 else f"{metres * 1000:.2g} mm"
