"""Bodies as meshes, the embedded one with coarse triangles for pictures in motion, from a file that
scripts/rigs/coarse_body.py makes."""

from __future__ import annotations

import zlib
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from rendering.scene.values import Mesh
from solver.body.body import Body, BodyShape
from solver.body.hands import Hands, skin_with
from solver.memoise import memoised
from solver.resources import resource_folder

FILE = resource_folder("assets", "body") / "coarse.npz"


def mesh_of(body: Body, shape: BodyShape, hands: Hands | None) -> Mesh:
    """The mesh of a body with its fingers held like this."""
    skin, plain = skin_with(body, shape, hands), body.vertices(shape)
    return Mesh(skin, body.faces, body.weights, body.suit_mask, coarse_of(body.faces), plain)


def coarse_of(faces: NDArray[np.int32]) -> NDArray[np.int32] | None:
    """(F', 3) coarse triangles over the vertices of a body with these faces; None for a body without any.

    The same object for the same body. Without the file, bodies are merely drawn more slowly in motion.
    """
    known = _file()
    return known[1] if known is not None and known[0] == signature(faces) else None


def signature(faces: NDArray[np.integer]) -> int:
    """What tells one body's triangles from another's."""
    return zlib.crc32(np.ascontiguousarray(faces, dtype=np.int32).tobytes())


@memoised()
def _file() -> tuple[int, NDArray[np.int32]] | None:
    try:
        with np.load(FILE, allow_pickle=False) as file:
            return int(file["of"]), file["faces"].astype(np.int32)
    except (OSError, KeyError, ValueError, EOFError, BadZipFile):
        return None
