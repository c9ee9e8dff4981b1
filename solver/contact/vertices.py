"""A body's contact vertices, of the embedded body from a file, of any other chosen at first use; and which vertices can
be touched from outside."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, mean_shape
from solver.body.catalog import DEFAULT_BODY, load_body, origin_of
from solver.contact.choose_points import FILE, chosen_vertices
from solver.effectors.skin import vertex_normals
from solver.errors import InputRefused
from solver.memoise import memoised

CROWDED = 2000  # a part of more vertices has some that lie within, like a mouth's
TIP = 0.006  # metres, radius of a fingertip that feels for the skin
FEW_POSES, FEW_DIRECTIONS = 20, 100  # a second or two, for a body that brings no file


@memoised()
def contact_vertices(body: Body) -> NDArray[np.int32]:
    """(N,) indices of the vertices that stand for the skin where it touches something.

    Raises InputRefused if the embedded body's file cannot be read.
    """
    if origin_of(body.id) != DEFAULT_BODY:
        return chosen_vertices(body, FEW_POSES, FEW_DIRECTIONS)
    return vertices_in(FILE, body, "where the body touches the floor", "solver.contact.choose_points").astype(np.int32)


@memoised()
def touchable_vertices(body: Body) -> NDArray[np.bool_]:
    """(V,) whether a vertex can be touched from outside: none that no face uses, and in a part of many vertices only
    those that a fingertip gets to over the skin, from one that sticks out. A closed mouth's inside is beyond its lips.
    """
    if body.id != DEFAULT_BODY and origin_of(body.id) == DEFAULT_BODY:
        return touchable_vertices(load_body(DEFAULT_BODY))
    carrier, met = body.weights.argmax(axis=1), np.zeros(len(body.weights), bool)
    met[np.unique(body.faces)] = True
    crowded = met & np.isin(carrier, np.flatnonzero(np.bincount(carrier[met]) > CROWDED))
    if not crowded.any():
        return met
    from scipy.spatial import cKDTree  # few problems ask for it

    skin = body.vertices(mean_shape(body)).astype(np.float64)
    free = cKDTree(skin).query(skin + TIP * vertex_normals(skin, body.faces))[0] > 0.97 * TIP
    reached = np.zeros(len(met), bool)
    reached[contact_vertices(body)] = True
    free |= reached
    faces, before = body.faces[free[body.faces].all(axis=1)], 0
    while (now := int(reached.sum())) > before:
        reached[faces[reached[faces].any(axis=1)]] = True
        before = now
    return np.asarray(met & (reached | ~crowded))


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
