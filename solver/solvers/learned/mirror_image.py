"""A problem and its mirror image, and the mean of a network's answers to both.

Networks learn from mirrored poses, but not that the answer is mirrored with the question: they err a little differently
for each side. The mean is nearer to the truth than either, and mirrored effectors get the mirrored pose.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.effectors.form_ids import AIM, TURN
from solver.kinematics.mirror import BODY_PLANE
from solver.kinematics.rotations import to_6d
from solver.solvers.learned.mirror_kernels import means

# What a local rotation's six numbers are multiplied by where it is seen in the mirror.
_SIGNS = to_6d(BODY_PLANE.world_rotations(np.ones((3, 3), np.float32)))
_BOTH_SIGNS = np.array([np.ones(6), _SIGNS])


def with_mirror_image(arrays: dict[str, NDArray], rows: Sequence[int], other_side: NDArray) -> dict[str, NDArray]:
    """A network's inputs for one problem, (1, ...) each, and for its mirror image: (2, ...).

    rows: of each effector, which of the three errors it is. other_side: of each joint, the one across the middle.
    """
    both = {name: np.concatenate((array, array)) for name, array in arrays.items()}
    data, joint = both["data"][1], both["joint"][1]
    data[:, :3] = BODY_PLANE.points(data[:, :3])
    if TURN in rows:
        turns = np.array(rows) == TURN
        data[turns, 3:] = BODY_PLANE.points(data[turns, 3:])
        data[turns, :3] *= -1.0  # a rotation's first column is the axis that is reversed in the mirrored frame
    if AIM in rows:
        aims = np.array(rows) == AIM
        data[aims, 3:] = BODY_PLANE.joint_vectors(data[aims, 3:])
    joint[:] = other_side[joint]
    return both


def mean_of(draft: NDArray, rotations_6d: NDArray, other_side: NDArray) -> tuple[NDArray, NDArray]:
    """Roots (B, 3) and local rotations (B, J, 3, 3), the mean of a network's answers to B problems and to the mirror
    image of each.

    draft: (2 B, J, 3), rotations_6d: (2 B, J, 6), each problem before its mirror image. other_side: (J,) of each of the
    network's joints, the one across the middle.
    """
    count = len(draft) // 2
    roots, turns = np.empty((count, 3), np.float32), np.empty((count, len(other_side), 3, 3), np.float32)
    # Compiled for arrays that may be written, and no others.
    order, work = np.array(other_side, np.int64), np.empty((4, 3, 3))
    means(np.array(draft, np.float32), np.array(rotations_6d, np.float32), order, _BOTH_SIGNS, work, roots, turns)
    return roots, turns
