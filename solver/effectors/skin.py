"""A body's skin as targets on it need it: one point of it at a time, with its normal, wherever the joints are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.fk import WorldJoints
from solver.memoise import memoised
from solver.values import read_only

Array = NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Skin:
    """The skin of a body of one shape at rest.

    vertices, normals: (V, 3) metres and unit. faces: (F, 3). weights: (V, J). joints: (J, 3) metres, at rest.
    in_pose: gives the vertices at rest that plain skinning starts from for joints in the world, if bends change them.
    """

    vertices: Array
    normals: Array
    faces: NDArray[np.integer]
    weights: Array
    joints: Array
    in_pose: Callable[[WorldJoints], Array] | None = None

    def at_rest(self, world: WorldJoints) -> Array:
        """(V, 3) metres, the vertices at rest for these joints."""
        return self.vertices if self.in_pose is None else self.in_pose(world)

    def has_triangle(self, triangle: int) -> bool:
        """Whether there is a triangle of that number."""
        return 0 <= triangle < len(self.faces)

    def carrier(self, triangle: int, shares: Array) -> int:
        """The index of the joint that carries most of a point."""
        return int((shares @ self.weights[self.faces[triangle]]).argmax())

    def point_at(self, triangle: int, shares: Array, world: WorldJoints) -> tuple[Array, Array]:
        """Where a point of a triangle is, (3,) metres, and the skin's outward normal there, by linear blend skinning.

        shares: (3,) of the triangle's corners. Read-only, and the same arrays for the same objects.
        """
        return _point_of(self, triangle, shares, world)


@memoised(64, by_identity=True)  # what ties ask for is looked up several times for each pose
def _point_of(skin: Skin, triangle: int, shares: Array, world: WorldJoints) -> tuple[Array, Array]:
    place, normal, rest = np.zeros(3), np.zeros(3), skin.at_rest(world)
    for vertex, share in zip(skin.faces[triangle], shares, strict=True):
        for j in np.flatnonzero(skin.weights[vertex]):
            part = float(share) * float(skin.weights[vertex, j])
            turn = world.rotations[j].astype(np.float64)
            place += part * (world.positions[j] + turn @ (rest[vertex] - skin.joints[j]))
            normal += part * (turn @ skin.normals[vertex])
    normal /= max(float(np.linalg.norm(normal)), 1e-9)
    read_only(place, normal)
    return place, normal


def vertex_normals(vertices: Array, faces: NDArray[np.integer]) -> NDArray[np.float64]:
    """(V, 3) unit normals, each the mean of the faces around it by their areas."""
    corners = vertices.astype(np.float64)[faces]
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sums = np.zeros((len(vertices), 3))
    for corner in range(3):
        for axis in range(3):
            sums[:, axis] += np.bincount(faces[:, corner], areas[:, axis], len(vertices))
    return np.asarray(sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12))
