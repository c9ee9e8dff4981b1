"""The surface of a prop from a file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solver.size_limits import MAX_PROP_TRIANGLES
from solver.values import ArrayValue, FloatArray, frozen_array, read_only

if TYPE_CHECKING:
    from app.document.model.prop_shapes import Surface

SLOW_FACES = 10_000  # triangles whose surface takes a tenth of a second or two to make


@dataclass(frozen=True, eq=False)
class PropMesh(ArrayValue):
    """The surface of a prop from a file, in the prop's own frame: see `PropFrame`. vertices: (V, 3). faces: (F, 3)."""

    vertices: FloatArray
    faces: NDArray[np.int32]

    def __post_init__(self) -> None:
        object.__setattr__(self, "vertices", frozen_array(self.vertices, (None, 3), "vertices"))
        faces = np.array(self.faces, np.int32)
        if faces.ndim != 2 or faces.shape[1] != 3 or not len(faces):
            raise ValueError("a mesh has triangles of three vertices each")
        if len(faces) > MAX_PROP_TRIANGLES:
            raise ValueError(f"a mesh has up to {MAX_PROP_TRIANGLES:,} triangles, not {len(faces):,}")
        if faces.min() < 0 or faces.max() >= len(self.vertices):
            raise ValueError("a triangle names a vertex that is not there")
        if float(np.abs(self.vertices).max()) > 1.001:
            raise ValueError("vertices lie within -0.5 and 0.5, and upwards within 0 and 1")
        read_only(faces)
        object.__setattr__(self, "faces", faces)

    @property
    def is_slow(self) -> bool:
        """Whether its surface is not made yet, and takes so long that no window should wait for it."""
        return "surface" not in self.__dict__ and len(self.faces) > SLOW_FACES

    @cached_property
    def surface(self) -> Surface:
        """The surface to draw and export, made once."""
        from app.document.model.prop_shapes import creased

        return creased(self.vertices, self.faces)
