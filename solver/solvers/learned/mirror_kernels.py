"""The mean of a network's answers to problems and to their mirror images, compiled."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel_in_place
from solver.kinematics.rotation_kernels import exponential, logarithm, multiply, multiply_transposed

Array = NDArray[np.float32]


@kernel_in_place
def _from_6d(columns: Array, signs: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    """out (3, 3) = the rotation whose first two columns are like these six numbers, each times its sign."""
    square, along, rest = 0.0, 0.0, 0.0
    for i in range(3):
        out[i, 0], out[i, 1] = columns[i] * signs[i], columns[3 + i] * signs[3 + i]
        square += out[i, 0] * out[i, 0]
    length = sqrt(square)
    for i in range(3):
        out[i, 0] /= length
        along += out[i, 0] * out[i, 1]
    for i in range(3):
        out[i, 1] -= along * out[i, 0]
        rest += out[i, 1] * out[i, 1]
    length = sqrt(rest)
    for i in range(3):
        out[i, 1] /= length
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        out[i, 2] = out[j, 0] * out[k, 1] - out[k, 0] * out[j, 1]


@kernel_in_place
def means(
    draft: Array,
    rotations_6d: Array,
    other_side: NDArray[np.int64],
    signs: NDArray[np.float64],
    work: NDArray[np.float64],
    roots: Array,
    turns: Array,
) -> None:
    """Fill roots (B, 3) and turns (B, J, 3, 3), see `mirror_image.mean_of`.

    signs: (2, 6), one of what is taken as it is, the other of what is seen in the mirror. work: (4, 3, 3).
    """
    one, other, way, vector = work[0], work[1], work[2], work[3, 0]
    for b in range(roots.shape[0]):
        for i in range(3):
            across = -draft[2 * b + 1, 0, i] if i == 0 else draft[2 * b + 1, 0, i]
            roots[b, i] = np.float32(0.5) * (draft[2 * b, 0, i] + across)
        for j in range(other_side.shape[0]):
            _from_6d(rotations_6d[2 * b, j], signs[0], one)
            _from_6d(rotations_6d[2 * b + 1, other_side[j]], signs[1], other)
            multiply_transposed(one, other, way)
            logarithm(way, vector)
            for i in range(3):
                vector[i] *= 0.5
            exponential(vector, way)
            multiply(one, way, other)
            for i in range(3):
                for k in range(3):
                    turns[b, j, i, k] = other[i, k]
