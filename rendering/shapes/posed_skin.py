"""A figure's skin in its pose, for what is found out without the GPU; coarse where the mesh has coarse faces."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from rendering.scene.values import Figure, Mesh

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Skin:
    """The vertices that faces use. used: (V,) which they are of the mesh's. rest: (V, 4) homogeneous metres. weights:
    (V, J). corners: (3, F)."""

    used: NDArray[np.intp]
    rest: Floats
    weights: Floats
    corners: NDArray[np.intp]


_skins: WeakKeyDictionary[Mesh, Skin] = WeakKeyDictionary()
_posed: WeakKeyDictionary[Figure, Floats] = WeakKeyDictionary()
_heights: WeakKeyDictionary[Figure, Floats] = WeakKeyDictionary()
_low: WeakKeyDictionary[Figure, dict[float, Floats]] = WeakKeyDictionary()


def skin_of(mesh: Mesh) -> Skin:
    """The mesh's vertices and faces, made once."""
    found = _skins.get(mesh)
    if found is None:
        faces = np.asarray(mesh.faces if mesh.coarse is None else mesh.coarse)
        used, corners = np.unique(faces, return_inverse=True)
        weights = np.asarray(mesh.weights)[used].astype(np.float32)
        corners = np.ascontiguousarray(corners.reshape(faces.shape).T)
        found = _skins[mesh] = Skin(used, _homogeneous(mesh.vertices, used), weights, corners)
    return found


def posed_skin(figure: Figure) -> Floats:
    """(V, 3) metres, the vertices of its skin; of a figure without a mesh its joints."""
    found = _posed.get(figure)
    if found is None:
        found = _posed[figure] = _pose(figure, None)
    return found


def skin_below(figure: Figure, height: float) -> Floats:
    """(N, 3) metres, those of its vertices that are below a height; found by their heights alone."""
    known = _low.setdefault(figure, {})
    if height not in known:
        known[height] = _below(figure, height)
    return known[height]


def _below(figure: Figure, height: float) -> Floats:
    if figure.mesh is None:
        places = np.asarray(figure.joints, np.float32)
        return np.asarray(places[places[:, 1] < height])
    heights = _heights.get(figure)
    if heights is None:
        skin, row = skin_of(figure.mesh), np.asarray(figure.skinning, np.float32)[:, 1]
        heights = _heights[figure] = ((skin.weights @ row) * _rest(figure, skin)).sum(axis=1)
    return _pose(figure, np.flatnonzero(heights < height))


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
    rest = figure.rest
    return skin.rest if rest is None or rest is figure.mesh.vertices else _homogeneous(rest, skin.used)


def _homogeneous(vertices: NDArray[np.floating], used: NDArray[np.intp]) -> Floats:
    return np.column_stack([np.asarray(vertices)[used], np.ones(len(used))]).astype(np.float32)
