"""A body as a few capsules: enough for a soft shadow, and for finding bones under the pointer."""

from __future__ import annotations

from collections import deque
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from rendering.scene.values import Figure, Mesh

Array = NDArray[np.float64]
BONE_RADIUS = 0.04  # metres, where there is no mesh to measure
FINE_RADIUS = 0.015  # of a finger's bone


def posed_capsules(figure: Figure) -> tuple[Array, Array, Array]:
    """Ends a (N, 3), b (N, 3) and radii (N,) in metres of the capsules that fill a figure."""
    if figure.mesh is None:
        return bone_capsules(figure)
    joints = np.asarray(figure.joints, dtype=np.float64)
    matrices = np.asarray(figure.skinning if figure.frames is None else figure.frames, dtype=np.float64)
    rest = np.einsum("jki,jk->ji", matrices[:, :3, :3], joints - matrices[:, :3, 3])
    owner, a, b, radius = _rest_capsules(figure.mesh, rest, figure.parents)
    rotation, shift = matrices[owner, :3, :3], matrices[owner, :3, 3]
    return (
        np.einsum("nij,nj->ni", rotation, a) + shift,
        np.einsum("nij,nj->ni", rotation, b) + shift,
        radius,
    )


_rows: WeakKeyDictionary[Figure, tuple[NDArray[np.float32], NDArray[np.float32]]] = WeakKeyDictionary()


def capsule_rows(figure: Figure) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Its capsules as shaders take them: (N, 4) ends and radii; (N, 4) the vectors to the other ends, and one over
    the squares of their lengths. Made once for a figure.
    """
    found = _rows.get(figure)
    if found is None:
        start, end, radius = posed_capsules(figure)
        along = end - start
        found = _rows[figure] = (
            np.column_stack([start, radius]).astype(np.float32),
            np.column_stack([along, 1.0 / np.maximum((along**2).sum(axis=1), 1e-8)]).astype(np.float32),
        )
    return found


def drawn_bones(figure: Figure) -> tuple[Array, NDArray[np.intp]]:
    """(J + R, 3) metres, all joints that are drawn, the rigid ones last; and (B, 2) the joints at each bone's ends.

    Between a rigid joint and a posed one there is no bone: a thumb does not grow from the middle knuckle, which moves
    all fingers, nor an eye from the neck.
    """
    joints, parents = np.asarray(figure.joints, dtype=np.float64), figure.parents
    if figure.rigid is not None:
        joints, parents = np.concatenate([joints, figure.rigid]), (*parents, *figure.rigid_parents)
    posed = len(figure.joints)
    bones = [(p, j) for j, p in enumerate(parents) if p >= 0 and (j < posed or p >= posed)]
    return joints, np.array(bones, dtype=np.intp).reshape(-1, 2)


def bone_owners(figure: Figure) -> list[int]:
    """For each bone that is drawn, the joint that moves it: for a finger's, the hand."""
    owners = drawn_bones(figure)[1][:, 0].tolist()
    posed = len(figure.joints)
    while max(owners, default=-1) >= posed:
        owners = [figure.rigid_parents[o - posed] if o >= posed else o for o in owners]
    return owners


def bone_capsules(figure: Figure) -> tuple[Array, Array, Array]:
    """Capsules of the skeleton alone: one for every bone that is drawn."""
    joints, bones = drawn_bones(figure)
    radius = np.where(bones[:, 1] < len(figure.joints), BONE_RADIUS, FINE_RADIUS)
    return joints[bones[:, 0]], joints[bones[:, 1]], radius


_RestCapsules = tuple[NDArray[np.intp], Array, Array, Array]
# Kept as long as a mesh lives. Its joints at rest belong to it, so they are not part of the key.
_known: WeakKeyDictionary[Mesh, _RestCapsules] = WeakKeyDictionary()
# Those measured last, by plain skin: a person who moves their fingers has another mesh at every frame, of one skin.
_recent: deque[tuple[object, object, _RestCapsules]] = deque(maxlen=8)


def _rest_capsules(mesh: Mesh, joints: Array, parents: tuple[int, ...]) -> _RestCapsules:
    """The capsules at rest, whatever the fingers do, so that no picture depends on who was drawn before."""
    found = _known.get(mesh)
    if found is None:
        plain = mesh.vertices if mesh.plain is None else mesh.plain
        for weights, skin, capsules in _recent:
            if weights is mesh.weights and skin is plain:
                found = capsules
        if found is None:
            found = _measured(plain, mesh.by_joint, joints, parents)
            _recent.append((mesh.weights, plain, found))
        _known[mesh] = found
    return found


def _measured(
    skin: NDArray[np.floating], weights: NDArray[np.floating], joints: Array, parents: tuple[int, ...]
) -> _RestCapsules:
    vertices = np.asarray(skin, dtype=np.float64)
    owner_of = np.argmax(weights, axis=1)
    found: list[tuple[int, Array, Array, float]] = []
    for joint in range(len(parents)):
        mine = vertices[owner_of == joint]
        if len(mine) < 3:
            continue
        start = joints[joint]
        children = [j for j, p in enumerate(parents) if p == joint]
        # A leaf (hand, foot, head) reaches twice as far as the middle of its own vertices.
        ends = [joints[c] for c in children] or [start + 1.6 * (mine.mean(axis=0) - start)]
        spread = np.stack([_distance(mine, start, end) for end in ends])
        nearest = spread.argmin(axis=0)
        for i, end in enumerate(ends):
            near = spread[i][nearest == i]
            if len(near) >= 3:
                found.append((joint, start, end, float(np.clip(_median(near), 0.015, 0.2))))
    owner = np.array([f[0] for f in found], dtype=np.intp)
    a, b = (np.array([f[i] for f in found], dtype=np.float64).reshape(-1, 3) for i in (1, 2))
    return owner, a, b, np.array([f[3] for f in found], dtype=np.float64)


def _distance(points: Array, a: Array, b: Array) -> Array:
    along = b - a
    share = np.clip((points - a) @ along / max(float(along @ along), 1e-12), 0.0, 1.0)
    return np.linalg.norm(points - a - share[:, None] * along, axis=1)


def _median(values: Array) -> float:
    """The median; numpy's own would load its masked arrays, which costs 40 ms before the first picture."""
    ordered, middle = np.sort(values), len(values) // 2
    return float(ordered[middle] if len(values) % 2 else 0.5 * (ordered[middle - 1] + ordered[middle]))
