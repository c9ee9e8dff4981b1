"""Mirroring across the body's middle plane (x -> -x)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.values import FloatArray

_FLIP = np.diag([-1.0, 1.0, 1.0]).astype(np.float32)
_SIGNS = _FLIP.diagonal()[:, None] * _FLIP.diagonal()  # its effect, from both sides, on a matrix's entries


class MirrorPlane(NamedTuple):
    """A mirror in the world, vertical or not. matrix: (3, 3), symmetric. centre: (3,) metres, a point of it.

    Every body has its own middle plane x = 0, in which `own` mirrors vectors of the joints' frames.
    """

    matrix: NDArray[np.floating]
    centre: NDArray[np.floating]

    @classmethod
    def across(cls, normal: NDArray[np.floating], centre: NDArray[np.floating]) -> MirrorPlane:
        """The mirror through `centre` whose unit normal is `normal`, (3,) each."""
        return cls(np.eye(3) - 2.0 * np.outer(normal, normal), centre)

    def points(self, points: NDArray[np.floating]) -> NDArray[np.floating]:
        """(..., 3) points of the world seen in the mirror."""
        return self.centre + (points - self.centre) @ self.matrix

    def world_rotations(self, rotations: NDArray[np.floating]) -> NDArray[np.floating]:
        """(..., 3, 3) R_world_joint of one side as that of the joint on the other side."""
        return self.matrix @ rotations @ _FLIP

    def local_rotations(self, rotations: NDArray[np.floating], order: Sequence[int]) -> NDArray[np.floating]:
        """(..., J, 3, 3) local rotations of a whole pose seen in the mirror; the root's are in the world.

        order: (J,) for each joint, the one on the other side.
        """
        seen = rotations[..., list(order), :, :] * _SIGNS
        seen[..., 0, :, :] = self.world_rotations(rotations[..., 0, :, :])
        return seen

    def joint_vectors(self, vectors: NDArray[np.floating]) -> NDArray[np.floating]:
        """(..., 3) vectors of a joint's frame in that of the joint on the other side."""
        return vectors * np.array([-1, 1, 1], dtype=np.float32)


BODY_PLANE = MirrorPlane(_FLIP, np.zeros(3, np.float32))


def mirror_rotation(rotations: FloatArray) -> FloatArray:
    """(..., 3, 3) rotations seen in the mirror."""
    return np.asarray(_FLIP @ rotations @ _FLIP, dtype=np.float32)
