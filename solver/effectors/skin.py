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
        return _carrier_of(self, triangle, shares)

    def point_at(self, triangle: int, shares: Array, world: WorldJoints) -> tuple[Array, Array]:
        """Where a point of a triangle is, (3,) metres, and the skin's outward normal there, by linear blend skinning.

        shares: (3,) of the triangle's corners. Read-only, and the same arrays for the same objects.
        """
        return _point_of(self, triangle, shares, world)


@memoised(64, by_identity=True)
def _carrier_of(skin: Skin, triangle: int, shares: Array) -> int:
    return int((shares @ skin.weights[skin.faces[triangle]]).argmax())


@memoised(64, by_identity=True)  # what ties ask for is looked up several times for each pose
def _point_of(skin: Skin, triangle: int, shares: Array, world: WorldJoints) -> tuple[Array, Array]:
    vertices, carriers, parts, normals = _carried(skin, triangle, shares)
    turns = world.rotations[carriers].astype(np.float64)
    arms = (skin.at_rest(world)[vertices] - skin.joints[carriers]).astype(np.float64)
    place = (parts * (world.positions[carriers] + (turns @ arms[..., None])[..., 0])).sum(axis=0)
    normal = (parts * (turns @ normals)[..., 0]).sum(axis=0)
    normal /= max(float(np.linalg.norm(normal)), 1e-9)
    read_only(place, normal)
    return place, normal


@memoised(64, by_identity=True)
def _carried(skin: Skin, triangle: int, shares: Array) -> tuple[NDArray[np.intp], NDArray[np.intp], Array, Array]:
    """Of a point, for each vertex and joint that carries it: both indices, (N,); its share, (N, 1); normals,
    (N, 3, 1)."""
    corners = skin.faces[triangle]
    at, carriers = np.nonzero(skin.weights[corners])
    parts = np.asarray(shares, np.float64)[at] * skin.weights[corners][at, carriers].astype(np.float64)
    return corners[at], carriers, parts[:, None], skin.normals[corners[at]].astype(np.float64)[..., None]


def vertex_normals(vertices: Array, faces: NDArray[np.integer]) -> NDArray[np.float64]:
    """(V, 3) unit normals, each the mean of the faces around it by their areas."""
    corners = vertices.astype(np.float64)[faces]
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    sums = np.zeros((len(vertices), 3))
    for corner in range(3):
        for axis in range(3):
            sums[:, axis] += np.bincount(faces[:, corner], areas[:, axis], len(vertices))
    return np.asarray(sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12))
