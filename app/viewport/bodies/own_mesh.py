"""The user's own character as the renderer takes it."""

from __future__ import annotations

from collections import deque
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from app.document.exchange.own.own_pose import at_rest_matrices, own_matrices
from app.document.model.character import Character
from app.document.model.own_skin import OwnSkin
from rendering.scene.clustered import clustered_faces
from rendering.scene.values import Mesh
from solver.formats.mesh.rig_skin import RigSkin
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton

LAST = 16  # meshes that are kept for each skin, one for each body that poses it
COARSE = 7_000  # triangles
_meshes: WeakKeyDictionary[RigSkin, deque[tuple[Skeleton, Mesh]]] = WeakKeyDictionary()


def own_parts(character: Character, own: OwnSkin, skeleton: Skeleton, pose: Pose) -> dict[str, Any]:
    """The parts of a figure that are the own skin's: its mesh, and how its bones are in a pose."""
    skinning = own_matrices(character, own, pose).astype(np.float32)
    return {"mesh": own_mesh(own.rig(), skeleton), "skinning": skinning}


def own_mesh(rig: RigSkin, skeleton: Skeleton) -> Mesh:
    """The mesh of a skin that a body of that skeleton poses; the same object again for the same two."""
    known = _meshes.setdefault(rig, deque(maxlen=LAST))
    for body, mesh in tuple(known):
        if body is skeleton:
            return mesh
    made = _made(rig, skeleton)
    known.append((skeleton, made))
    return made


def _made(rig: RigSkin, skeleton: Skeleton) -> Mesh:
    count = len(skeleton)
    carried = np.zeros((len(rig.bones), count), np.float32)
    carried[np.arange(len(rig.bones)), rig.joints] = 1.0
    return Mesh(
        rig.vertices,
        rig.faces,
        rig.weights,
        np.zeros(len(rig.vertices), np.float32),
        _coarse(rig),
        plain=_at_rest(rig, skeleton),
        carried=carried,
        colors=_shown(rig.colors),
        normals=rig.normals,
        two_sided=rig.two_sided,
    )


def _coarse(rig: RigSkin) -> NDArray[np.int32] | None:
    """As many triangles as our body has in motion where the processor draws; None for a skin that has hardly more."""
    if len(rig.faces) < 1.3 * COARSE:
        return None
    return clustered_faces(rig.vertices, rig.faces, rig.weights, rig.colors, COARSE)


def _shown(colors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Linear colours as the renderer has them, whose display gamma is 2."""
    srgb = np.where(colors <= 0.0031308, 12.92 * colors, 1.055 * np.maximum(colors, 1e-9) ** (1 / 2.4) - 0.055)
    return np.asarray(srgb**2, np.float32)


def _at_rest(rig: RigSkin, skeleton: Skeleton) -> NDArray[np.float32]:
    """(V, 3) metres, its vertices in the body's T-pose."""
    matrices = at_rest_matrices(rig, skeleton).astype(np.float32)
    blended = (rig.weights @ matrices[:, :3].reshape(-1, 12)).reshape(-1, 3, 4)
    return np.asarray(np.einsum("vij,vj->vi", blended[..., :3], rig.vertices) + blended[..., 3])
