"""The shapes of props in their own frame, x and z within ±0.5, y from 0 to 1: surfaces, edges, and what is solid."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.document.model.prop_frame import PropFrame
from solver.contact.solids import Solid, SolidForm
from solver.values import read_only

Array = NDArray[np.float64]
Faces = NDArray[np.int32]
STEPS = 5  # of stairs, whatever their size: whatever stands on one stays on it
ROUND, RINGS = 48, 24  # corners of a circle, rings of a ball
CREASE = float(np.cos(np.radians(40.0)))  # beyond which an edge is sharp
MANY = 32  # from this many faces around a vertex, its normals are those of the faces
MOST_EDGES = 30_000
SHORT, LONG, RUN = 0.05, 0.08, 0.25  # of an own unit: edges that may be folds; ones that are none; lines that are none
GRID = 1 << 17  # grid steps to an own unit; vertices in the same place are found on it
LEG, SEAT, RAIL = 0.1, (0.44, 0.5), 0.1  # shares of a chair's width, height and depth
TABLE_LEG, TOP = (0.05, 0.09), 0.95  # shares of a table's width and depth, and of its height below the top
WALL, FILLED = 0.06, 0.92  # shares of a cup's width, and of its height up to what is in it


class Surface(NamedTuple):
    """vertices: (V, 3) own points, apart where an edge is sharp. faces: (F, 3), counter-clockwise from outside.

    normals: (V, 3). edges: (E, 2, 3), sharp ones and open ones. All are read-only.
    """

    vertices: Array
    faces: Faces
    normals: Array
    edges: Array


class Part(NamedTuple):
    """Something solid of a prop. low, high: (3,) own points, the corners of the box around it."""

    form: SolidForm
    low: tuple[float, float, float]
    high: tuple[float, float, float]


WHOLE = ((-0.5, 0.0, -0.5), (0.5, 1.0, 0.5))


@cache
def parts_of(kind: str) -> tuple[Part, ...]:
    """The solid parts of a prop of that kind; for a mesh see mesh_solid.py."""
    if kind == "cup":  # solid up to what is in it, so that hands close around its wall; the rim is thin
        return (Part(SolidForm.CYLINDER, WHOLE[0], (0.5, FILLED, 0.5)),)
    if kind in ("ball", "cylinder", "stick"):
        return (Part(SolidForm.BALL if kind == "ball" else SolidForm.CYLINDER, *WHOLE),)
    if kind == "stairs":
        depth = 1.0 / STEPS
        return tuple(
            _box((-0.5, 0.0, 0.5 - (i + 1) * depth), (0.5, (i + 1) / STEPS, 0.5 - i * depth)) for i in range(STEPS)
        )
    if kind == "chair":
        legs, back = _legs(LEG, SEAT[0], LEG), RAIL - 0.5
        return (_box((-0.5, SEAT[0], -0.5), (0.5, SEAT[1], 0.5)), _box((-0.5, SEAT[1], -0.5), (0.5, 1.0, back)), *legs)
    if kind == "table":
        return (_box((-0.5, TOP, -0.5), (0.5, 1.0, 0.5)), *_legs(TABLE_LEG[0], TOP, TABLE_LEG[1]))
    return () if kind == "mesh" else (_box(*WHOLE),)


def solids_of(kind: str, frame: PropFrame) -> tuple[Solid, ...]:
    """The solid parts of a prop in the world."""
    solids = []
    for part in parts_of(kind):
        low, high = np.array(part.low), np.array(part.high)
        size, middle = (high - low) * frame.size, frame.points((low + high) / 2)
        solids.append(Solid(part.form, size.astype(np.float32), middle.astype(np.float32), frame.turn))
    return tuple(solids)


@cache
def surface_of(kind: str) -> Surface:
    """The surface of a prop of a kind, the same object each time. ValueError for “mesh”, which has its own."""
    if kind == "ball":
        return creased(*_ball())
    if kind in ("cylinder", "stick"):
        return creased(*_turned(((0.5, 0.0), (0.5, 1.0))))
    if kind == "cup":
        return creased(*_turned(((0.5, 0.0), (0.5, 1.0), (0.5 - WALL, 1.0), (0.5 - WALL, FILLED))))
    parts = parts_of(kind)
    if not parts:
        raise ValueError("a mesh has a surface of its own")
    return creased(*_of_boxes(parts))


def creased(vertices: NDArray[np.floating], faces: Faces) -> Surface:
    """A surface of triangles with smooth normals except at sharp edges. vertices: (V, 3). faces: (F, 3)."""
    vertices, faces = merged(np.asarray(vertices, np.float64), faces)
    across = np.cross(vertices[faces[:, 1]] - vertices[faces[:, 0]], vertices[faces[:, 2]] - vertices[faces[:, 0]])
    unit = across / np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-30)
    corners = _corner_normals(faces, across, unit, len(vertices))
    # One vertex for each normal it has.
    fine = np.round((corners + 1.0) * 1023).astype(np.int64)
    keys = (faces.ravel().astype(np.int64) << 33) | (fine[:, 0] << 22) | (fine[:, 1] << 11) | fine[:, 2]
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    made = Surface(
        vertices[faces.ravel()[first]], place.reshape(-1, 3).astype(np.int32), corners[first],
        _sharp_edges(vertices, faces, unit),
    )  # fmt: skip
    read_only(*made)
    return made


def merged(vertices: Array, faces: Faces) -> tuple[Array, Faces]:
    """The surface with one vertex in each place, and without triangles of no area."""
    grid = np.round((vertices + 2.0) * GRID).astype(np.int64)
    _, first, place = np.unique(
        (grid[:, 0] << 40) | (grid[:, 1] << 20) | grid[:, 2], return_index=True, return_inverse=True
    )
    faces = place[np.asarray(faces)].astype(np.int32)
    a, b, c = faces.T
    return vertices[first], faces[(a != b) & (b != c) & (c != a)]


def is_closed(faces: Faces) -> bool:
    """Whether every edge has a triangle on both sides; vertices in the same place must be merged.

    Where two parts touch along an edge it has four.
    """
    ends = np.sort(_directed(faces), axis=1).astype(np.int64)
    _, counts = np.unique(ends[:, 0] << 32 | ends[:, 1], return_counts=True)
    return bool((counts % 2 == 0).all())


def _directed(faces: Faces) -> NDArray[np.int32]:
    """(3F, 2) the edges of all triangles, those of the first triangle's sides first."""
    return np.stack([faces, np.roll(faces, -1, axis=1)], axis=-1).reshape(-1, 2)


def _corner_normals(faces: Faces, across: Array, unit: Array, count: int) -> Array:
    """(3F, 3) unit normals of the triangles' corners, from those around the vertex not beyond a sharp edge."""
    corners = faces.ravel()
    order = np.argsort(corners, kind="stable")
    degree = np.bincount(corners, minlength=count)
    start = np.concatenate([[0], np.cumsum(degree)[:-1]])
    around = np.where(degree[corners] <= MANY, degree[corners], 0)
    mine = np.repeat(np.arange(len(corners)), around)
    nth = np.arange(len(mine)) - np.repeat(np.cumsum(around) - around, around)
    other = order[start[corners[mine]] + nth] // 3
    near = np.einsum("ij,ij->i", unit[mine // 3], unit[other]) > CREASE
    mine, other = mine[near], other[near]
    total = np.stack([np.bincount(mine, across[other, i], len(corners)) for i in range(3)], axis=1)
    total = np.where(around[:, None] > 0, total, unit[np.arange(len(corners)) // 3])
    length = np.linalg.norm(total, axis=1, keepdims=True)
    return np.asarray(np.where(length > 1e-30, total / np.maximum(length, 1e-30), [0.0, 1.0, 0.0]))


def _sharp_edges(vertices: Array, faces: Faces, unit: Array) -> Array:
    """(E, 2, 3) edges with a bend, or with nothing on one side; none where there are too many to be read."""
    ends = np.sort(_directed(faces), axis=1).astype(np.int64)
    keys, first, place, counts = np.unique(
        ends[:, 0] << 32 | ends[:, 1], return_index=True, return_inverse=True, return_counts=True
    )
    owner = np.arange(len(ends)) // 3
    total = np.stack([np.bincount(place.ravel(), unit[owner, i], len(keys)) for i in range(3)], axis=1)
    bend = (total**2).sum(axis=1) / 2.0 - 1.0  # of two unit normals, the cosine between them
    sharp = (counts != 2) | (bend < CREASE)
    chosen = ends[first[sharp]]
    chosen = chosen if len(chosen) <= MOST_EDGES else chosen[:0]
    return vertices[chosen[_is_form(vertices[chosen], chosen)]]


def _is_form(lines: Array, ends: Array) -> NDArray[np.bool_]:
    """(E,) which sharp edges (E, 2, 3), (E, 2) vertices, belong to the form: those that are long, or run on for long.

    The others are folds of a finely meshed skin, as between fingers: drawn as lines they would be blots.
    """
    length = np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1)
    if not (length < SHORT).any():
        return np.ones(len(lines), bool)
    from scipy.sparse import coo_array  # only for meshes
    from scipy.sparse.csgraph import connected_components

    count = int(ends.max()) + 1
    joined = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(count, count))
    run = connected_components(joined, directed=False)[1][ends[:, 0]]
    low, high = np.full((run.max() + 1, 3), np.inf), np.full((run.max() + 1, 3), -np.inf)
    np.minimum.at(low, run, lines.min(axis=1))
    np.maximum.at(high, run, lines.max(axis=1))
    return np.asarray((length >= LONG) | ((high - low).max(axis=1) >= RUN)[run])


def _box(low: tuple[float, float, float], high: tuple[float, float, float]) -> Part:
    return Part(SolidForm.BOX, low, high)


def _legs(wide: float, height: float, deep: float) -> tuple[Part, ...]:
    """Four legs at the corners."""
    left, front = (-0.5, 0.5 - wide), (-0.5, 0.5 - deep)
    return tuple(_box((x, 0.0, z), (x + wide, height, z + deep)) for x in left for z in front)


def _of_boxes(parts: tuple[Part, ...]) -> tuple[Array, Faces]:
    """The outer surface of boxes that touch each other: nothing is drawn where two of them meet."""
    cuts = [np.unique([value for part in parts for value in (part.low[i], part.high[i])]) for i in range(3)]
    middles = np.stack(np.meshgrid(*[(c[1:] + c[:-1]) / 2 for c in cuts], indexing="ij"), axis=-1)
    filled = np.zeros(middles.shape[:3], bool)
    for part in parts:
        filled |= ((middles > part.low) & (middles < part.high)).all(axis=-1)
    around = np.pad(filled, 1)
    quads = []
    for axis in range(3):
        one, other = (axis + 1) % 3, (axis + 2) % 3
        for side in (0, 1):
            bare = filled & ~np.roll(around, 1 - 2 * side, axis=axis)[1:-1, 1:-1, 1:-1]
            for cell in np.argwhere(bare):
                corner = np.empty((4, 3))
                corner[:, axis] = cuts[axis][cell[axis] + side]
                corner[:, one] = cuts[one][cell[one] + np.array([0, 1, 1, 0])]
                corner[:, other] = cuts[other][cell[other] + np.array([0, 0, 1, 1])]
                quads.append(corner if side else corner[::-1])
    vertices = np.concatenate(quads)
    first = 4 * np.arange(len(quads))[:, None, None]
    return vertices, (first + np.array([[0, 1, 2], [0, 2, 3]])).reshape(-1, 3).astype(np.int32)


def _turned(profile: tuple[tuple[float, float], ...]) -> tuple[Array, Faces]:
    """What a line turned about the upright axis goes over, closed by flat ends. profile: from the base on, each point's
    distance to the axis and height."""
    angle = np.linspace(0.0, 2.0 * np.pi, ROUND, endpoint=False)
    x, z = np.sin(angle), np.cos(angle)
    rings = [np.column_stack([radius * x, np.full(ROUND, y), radius * z]) for radius, y in profile]
    i, j, last = np.arange(ROUND), (np.arange(ROUND) + 1) % ROUND, (len(profile) - 1) * ROUND
    sides = [
        three
        for low in range(0, last, ROUND)
        for three in ((low + i, low + j, low + ROUND + j), (low + i, low + ROUND + j, low + ROUND + i))
    ]
    middle = last + ROUND
    ends = [(np.full(ROUND, middle), j, i), (np.full(ROUND, middle + 1), last + i, last + j)]
    faces = np.concatenate([np.column_stack(three) for three in (*sides, *ends)])
    middles = [[0.0, profile[0][1], 0.0], [0.0, profile[-1][1], 0.0]]
    return np.concatenate([*rings, middles]), faces.astype(np.int32)


def _ball() -> tuple[Array, Faces]:
    """Rings from the lowest point to the highest."""
    up, angle = np.linspace(0.0, np.pi, RINGS + 1), np.linspace(0.0, 2.0 * np.pi, ROUND, endpoint=False)
    ring = np.stack([np.sin(angle), np.zeros(ROUND), np.cos(angle)], axis=1)
    rows = 0.5 * np.sin(up)[:, None, None] * ring + np.array([0.0, 0.5, 0.0])
    rows[..., 1] -= 0.5 * np.cos(up)[:, None]
    i, j = np.arange(ROUND), (np.arange(ROUND) + 1) % ROUND
    faces = []
    for row in range(RINGS):
        low, high = row * ROUND, (row + 1) * ROUND
        faces += [np.column_stack([low + i, low + j, high + j]), np.column_stack([low + i, high + j, high + i])]
    return rows.reshape(-1, 3), np.concatenate(faces).astype(np.int32)
