"""A body's contact vertices: of the embedded body from a file, of any other chosen at first use."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body
from solver.body.catalog import DEFAULT_BODY, origin_of
from solver.contact.choose_points import FILE, chosen_vertices
from solver.errors import InputRefused
from solver.memoise import memoised

FEW_POSES, FEW_DIRECTIONS = 20, 100  # a second or two, for a body that brings no file


@memoised()
def contact_vertices(body: Body) -> NDArray[np.int32]:
    """(N,) indices of the vertices that stand for the skin where it touches something.

    Raises InputRefused if the embedded body's file cannot be read.
    """
    if origin_of(body.id) != DEFAULT_BODY:
        return chosen_vertices(body, FEW_POSES, FEW_DIRECTIONS)
    return vertices_in(FILE, body, "where the body touches the floor", "solver.contact.choose_points").astype(np.int32)


def vertices_in(file: Path, body: Body, what: str, made_by: str) -> NDArray[np.int64]:
    """(N,) indices of a body's vertices that a file lists. what: their meaning; made_by: the module that writes it.

    Raises InputRefused if it cannot be read, or lists others than the body's.
    """
    try:
        found = np.array(json.loads(file.read_text(encoding="utf-8"))["vertices"], np.int64)
        if found.ndim != 1 or not len(found) or found.min() < 0 or found.max() >= len(body.weights):
            raise ValueError("its numbers are not vertices of the body")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputRefused(
            file,
            f"{what} cannot be read ({error})",
            f"Restore the folder assets/body, or make the file again with python -m {made_by}",
        ) from error
    return found
