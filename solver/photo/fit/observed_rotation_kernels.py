"""Compiled costs of observed rotations: of a head by its face, of a wrist by its hand."""

from __future__ import annotations

from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel
from solver.photo.fit.system_kernels import Bones, Work, add_block

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

TURN_TAIL = 9.0  # squared standard deviations from which a turn that is far off loses its grip


class ObservedRotations(NamedTuple):
    """T rotations that a picture shows. joints (T,). rotations (T, 3, 3): of these joints in the camera's frame.
    spread (T,): radians, one standard deviation."""

    joints: Indices
    rotations: Array
    spread: Array


@kernel
def add_observed_rotations(bones: Bones, turns: ObservedRotations, work: Work) -> float:
    """Joints turned as the picture shows, heavy-tailed; the cost. Of a turn by x, s = 2 - 2 cos x, about x squared."""
    cost = 0.0
    m, force = np.zeros((3, 3)), np.empty(3)
    for t in range(turns.joints.shape[0]):
        joint, wanted = turns.joints[t], turns.rotations[t]
        w = work.world[joint]
        trace = 0.0
        for i in range(3):
            for k in range(3):
                trace += w[i, k] * wanted[i, k]
        s = (3.0 - trace) / (turns.spread[t] ** 2 * TURN_TAIL)
        cost += TURN_TAIL * log(1.0 + s)
        k = 1.0 / (turns.spread[t] ** 2 * (1.0 + s))
        force[:] = 0.0
        for c in range(3):  # half of the sum of the columns' cross products: sin x about the axis
            force[0] += 0.5 * k * (wanted[1, c] * w[2, c] - wanted[2, c] * w[1, c])
            force[1] += 0.5 * k * (wanted[2, c] * w[0, c] - wanted[0, c] * w[2, c])
            force[2] += 0.5 * k * (wanted[0, c] * w[1, c] - wanted[1, c] * w[0, c])
        m[0, 0], m[1, 1], m[2, 2] = k, k, k
        n = 0
        for d in range(bones.depths[joint]):
            j = bones.paths[joint, d]
            for c in range(3):
                for i in range(3):
                    work.block[i, n] = work.world[j, i, c]
                work.columns[n] = 3 * j + c
                n += 1
        add_block(work.block, n, m, force, work)
    return cost
