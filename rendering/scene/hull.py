"""Convex solids as corners and edges, and what of them is above the floor."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Numbers = NDArray[np.intp]


class Hull(NamedTuple):
    """A convex solid. corners: (V, 3). planes: (Q, 3), three corners of each face, counter-clockwise from outside.

    edges: (E, 2) corners. sides: (E, 2), the face round which an edge runs that way, and the one round which it runs
    back.
    """

    corners: Array
    planes: Numbers
    edges: Numbers
    sides: Numbers

    def above(self, height: float) -> Cut:
        """What of it is above that height."""
        a, b, c = self.corners[self.planes].transpose(1, 0, 2)
        outwards = np.concatenate([np.cross(b - a, c - a), [[0.0, -1.0, 0.0]]])
        offsets = np.append(np.einsum("qi,qi->q", outwards[:-1], a), -height)
        corners, edges, sides = self.corners, self.edges, self.sides
        is_above = corners[:, 1] >= height
        if is_above.all():
            return Cut(corners, edges, sides, outwards, offsets)
        first_above, second_above = is_above[edges].T
        crossing = np.flatnonzero(first_above != second_above)
        falls = first_above[crossing]
        a, b = corners[edges[crossing]].transpose(1, 0, 2)
        share = (height - a[:, 1]) / (b[:, 1] - a[:, 1])
        number = len(corners) + np.arange(len(crossing))
        ends = edges.copy()
        ends[crossing, np.where(falls, 1, 0)] = number
        # Round a face that is cut, one edge falls below the height and one comes up again; a new edge links them.
        along, back = sides[crossing].T
        fallen, risen = np.full((2, len(self.planes)), -1)
        fallen[np.where(falls, along, back)] = number
        risen[np.where(falls, back, along)] = number
        cut = np.flatnonzero(fallen >= 0)
        kept = first_above | second_above
        return Cut(
            np.concatenate([corners, a + share[:, None] * (b - a)]),
            np.concatenate([ends[kept], np.stack([fallen[cut], risen[cut]], axis=1)]),
            np.concatenate([sides[kept], np.stack([cut, np.full_like(cut, len(self.planes))], axis=1)]),
            outwards,
            offsets,
        )


class Cut(NamedTuple):
    """A convex solid that may be cut off level from below; the cut is its last face.

    corners: (V, 3). edges, sides: (E, 2), as those of Hull. outwards: (Q, 3), the faces' normals, of any length.
    offsets: (Q,), their products with points of the faces.
    """

    corners: Array
    edges: Numbers
    sides: Numbers
    outwards: Array
    offsets: Array


def hull_of(faces: Array) -> Hull:
    """The solid with these flat faces (Q, 4, 3), counter-clockwise from outside, which must close it."""
    corners, number = np.unique(np.round(faces.reshape(-1, 3), 9), axis=0, return_inverse=True)
    rings = number.reshape(-1, 4).astype(np.intp)
    face_of = {(ring[i - 1], ring[i]): face for face, ring in enumerate(rings.tolist()) for i in range(4)}
    edges = [edge for edge in face_of if edge[0] < edge[1]]
    sides = [(face_of[a, b], face_of[b, a]) for a, b in edges]
    return Hull(corners, rings[:, :3], np.array(edges, np.intp), np.array(sides, np.intp))
