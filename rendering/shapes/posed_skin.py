"""A figure's skin in its pose, for what is computed without the GPU; coarse if the mesh has coarse faces."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from rendering.scene.values import Figure, Mesh

Floats = NDArray[np.float32]
Topology = tuple[NDArray[np.intp], Floats, NDArray[np.intp]]


@dataclass(frozen=True, eq=False)
class Skin:
    """The vertices that faces use. used: (V,) their indices in the mesh. rest: (V, 4) homogeneous metres. weights:
    (V, J). corners: (3, F)."""

    used: NDArray[np.intp]
    rest: Floats
    weights: Floats
    corners: NDArray[np.intp]


_skins: WeakKeyDictionary[Mesh, Skin] = WeakKeyDictionary()
_posed: WeakKeyDictionary[Figure, Floats] = WeakKeyDictionary()
_rests: WeakKeyDictionary[Figure, Floats] = WeakKeyDictionary()
_heights: WeakKeyDictionary[Figure, Floats] = WeakKeyDictionary()
_low: WeakKeyDictionary[Figure, dict[float, Floats]] = WeakKeyDictionary()


def skin_of(mesh: Mesh) -> Skin:
    """The mesh's vertices and faces, made once."""
    found = _skins.get(mesh)
    if found is None:
        used, weights, corners = _topology(mesh.faces if mesh.coarse is None else mesh.coarse, mesh.weights)
        found = _skins[mesh] = Skin(used, _homogeneous(mesh.vertices, used), weights, corners)
    return found


# Of the latest meshes: a person who moves their fingers has another mesh at every frame, with the same faces.
_latest: deque[tuple[NDArray[np.integer], NDArray[np.floating], Topology]] = deque(maxlen=4)


def _topology(faces: NDArray[np.integer], weights: NDArray[np.floating]) -> Topology:
    """The vertices that faces use (V,), their weights (V, J), and the corners of each face among them (3, F)."""
    for known, borne, found in _latest:
        if known is faces and borne is weights:
            return found
    used, corners = np.unique(np.asarray(faces), return_inverse=True)
    by_corner = np.ascontiguousarray(corners.reshape(np.asarray(faces).shape).T)
    made = used, np.asarray(weights)[used].astype(np.float32), by_corner
    _latest.append((faces, weights, made))
    return made


def posed_skin(figure: Figure) -> Floats:
    """(V, 3) metres, the vertices of its skin; for a figure without a mesh its joints."""
    found = _posed.get(figure)
    if found is None:
        found = _posed[figure] = _pose(figure, None)
    return found


def skin_below(figure: Figure, height: float) -> Floats:
    """(N, 3) metres, those of its vertices that are below a height; found from their heights alone."""
    known = _low.setdefault(figure, {})
    if height not in known:
        known[height] = _below(figure, height)
    return known[height]


def vertices_below(figure: Figure, height: float) -> NDArray[np.bool_]:
    """(V,) which vertices of its mesh, among those of `posed_skin`, are below a height."""
    assert figure.mesh is not None
    below = np.zeros(len(figure.mesh.vertices), np.bool_)
    below[skin_of(figure.mesh).used] = _heights_of(figure, figure.mesh) < height
    return below


def _below(figure: Figure, height: float) -> Floats:
    if figure.mesh is None:
        places = np.asarray(figure.joints, np.float32)
        return np.asarray(places[places[:, 1] < height])
    return _pose(figure, np.flatnonzero(_heights_of(figure, figure.mesh) < height))


def _heights_of(figure: Figure, mesh: Mesh) -> Floats:
    """(V,) metres, of the vertices that faces use."""
    heights = _heights.get(figure)
    if heights is None:
        skin, row = skin_of(mesh), np.asarray(figure.skinning, np.float32)[:, 1]
        heights = _heights[figure] = np.asarray(np.einsum("va,va->v", skin.weights @ row, _rest(figure, skin)))
    return heights


def _pose(figure: Figure, chosen: NDArray[np.intp] | None) -> Floats:
    if figure.mesh is None:
        return np.asarray(figure.joints, np.float32)
    skin = skin_of(figure.mesh)
    rest, weights = _rest(figure, skin), skin.weights
    if chosen is not None:
        rest, weights = rest[chosen], weights[chosen]
    rows = np.asarray(figure.skinning, np.float32)[:, :3, :]
    blended = (weights @ rows.reshape(len(rows), 12)).reshape(-1, 3, 4)
    return np.asarray((blended * rest[:, None]).sum(axis=-1))


def _rest(figure: Figure, skin: Skin) -> Floats:
    assert figure.mesh is not None
    if figure.rest is None or figure.rest is figure.mesh.vertices:
        return skin.rest
    found = _rests.get(figure)
    if found is None:
        found = _rests[figure] = _homogeneous(figure.rest, skin.used)
    return found


def _homogeneous(vertices: NDArray[np.floating], used: NDArray[np.intp]) -> Floats:
    rows = np.empty((len(used), 4), np.float32)
    rows[:, :3], rows[:, 3] = np.take(np.asarray(vertices), used, axis=0), 1.0
    return rows
