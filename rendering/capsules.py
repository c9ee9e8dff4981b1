"""A body as a few capsules: enough for a soft shadow, and for finding bones under the pointer."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from rendering.scene import Figure, Mesh

Array = NDArray[np.float64]
BONE_RADIUS = 0.04  # metres, where there is no mesh to measure


def posed_capsules(figure: Figure) -> tuple[Array, Array, Array]:
    """Ends a (N, 3), b (N, 3) and radii (N,) in metres of the capsules that fill a figure."""
    if figure.mesh is None:
        return bone_capsules(figure)
    joints = np.asarray(figure.joints, dtype=np.float64)
    matrices = np.asarray(figure.skinning, dtype=np.float64)
    rest = np.einsum("jki,jk->ji", matrices[:, :3, :3], joints - matrices[:, :3, 3])
    owner, a, b, radius = _rest_capsules(figure.mesh, rest, figure.parents)
    rotation, shift = matrices[owner, :3, :3], matrices[owner, :3, 3]
    return (
        np.einsum("nij,nj->ni", rotation, a) + shift,
        np.einsum("nij,nj->ni", rotation, b) + shift,
        radius,
    )


def bone_capsules(figure: Figure) -> tuple[Array, Array, Array]:
    """The same of the skeleton alone: one for every joint with a parent, from that parent to it."""
    joints = np.asarray(figure.joints, dtype=np.float64)
    end = [j for j, parent in enumerate(figure.parents) if parent >= 0]
    start = [figure.parents[j] for j in end]
    return joints[start], joints[end], np.full(len(end), BONE_RADIUS)


_RestCapsules = tuple[NDArray[np.intp], Array, Array, Array]
# For as long as a mesh lives. Its joints at rest belong to it, so they are no part of the key.
_known: WeakKeyDictionary[Mesh, _RestCapsules] = WeakKeyDictionary()


def _rest_capsules(mesh: Mesh, joints: Array, parents: tuple[int, ...]) -> _RestCapsules:
    found = _known.get(mesh)
    if found is None:
        found = _known[mesh] = _measured(mesh, joints, parents)
    return found


def _measured(mesh: Mesh, joints: Array, parents: tuple[int, ...]) -> _RestCapsules:
    vertices = np.asarray(mesh.vertices, dtype=np.float64)
    owner_of = np.argmax(mesh.weights, axis=1)
    found: list[tuple[int, Array, Array, float]] = []
    for joint in range(len(parents)):
        mine = vertices[owner_of == joint]
        if len(mine) < 3:
            continue
        start = joints[joint]
        children = [j for j, p in enumerate(parents) if p == joint]
        # A leaf (hand, foot, head) reaches as far again as the middle of its own vertices.
        ends = [joints[c] for c in children] or [start + 1.6 * (mine.mean(axis=0) - start)]
        spread = np.stack([_distance(mine, start, end) for end in ends])
        nearest = spread.argmin(axis=0)
        for i, end in enumerate(ends):
            near = spread[i][nearest == i]
            if len(near) >= 3:
                found.append((joint, start, end, float(np.clip(np.median(near), 0.015, 0.2))))
    owner = np.array([f[0] for f in found], dtype=np.intp)
    a, b = (np.array([f[i] for f in found], dtype=np.float64).reshape(-1, 3) for i in (1, 2))
    return owner, a, b, np.array([f[3] for f in found], dtype=np.float64)


def _distance(points: Array, a: Array, b: Array) -> Array:
    along = b - a
    share = np.clip((points - a) @ along / max(float(along @ along), 1e-12), 0.0, 1.0)
    return np.linalg.norm(points - a - share[:, None] * along, axis=1)
