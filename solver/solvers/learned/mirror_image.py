"""A problem and its mirror image, and the mean of what a network says to both.

Networks learn from mirrored poses, but not that the answer is mirrored with the question: about either side they err a
little differently. The mean is nearer to the truth than both, and mirrored effectors get the mirrored pose.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.effectors.rows import AIM, TURN
from solver.kinematics.mirror import BODY_PLANE
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import interpolate


def with_mirror_image(arrays: dict[str, NDArray], rows: Sequence[int], other_side: Sequence[int]) -> dict[str, NDArray]:
    """A network's inputs for one problem, (1, ...) each, and for its mirror image: (2, ...).

    rows: of each effector, which of the three errors it is. other_side: of each joint, the one across the middle.
    """
    both = {name: np.repeat(array, 2, axis=0) for name, array in arrays.items()}
    data, joint = both["data"][1], both["joint"][1]
    turns, aims = (np.array(rows) == kind for kind in (TURN, AIM))
    data[:, :3] = BODY_PLANE.points(data[:, :3])
    data[turns, 3:] = BODY_PLANE.points(data[turns, 3:])
    data[turns, :3] *= -1.0  # a rotation's first column is where the axis points that the frame has the other way
    data[aims, 3:] = BODY_PLANE.own(data[aims, 3:])
    joint[:] = np.asarray(other_side)[joint]
    return both


def mean_of(seen: Pose, mirrored: Pose, other_side: Sequence[int]) -> Pose:
    """The mean of a network's answers to a problem and to its mirror image.

    other_side: of each of the network's joints, the one across the middle; those beyond stay as `seen` has them.
    """
    count = len(other_side)
    back = BODY_PLANE.local_rotations(mirrored.rotations[:count], other_side)
    rotations = np.array(seen.rotations)
    rotations[:count] = interpolate(rotations[:count], back, 0.5)
    root = 0.5 * (seen.root_position + BODY_PLANE.points(mirrored.root_position))
    return Pose(root.astype(np.float32), rotations)
