"""The body on the floor: where its soles are, and standing again after its shape has changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.kinematics.fk import skinning_matrices
from solver.kinematics.pose import Pose

STANDS_WITHIN = 0.01  # metres: a sole this near to the floor stands on it


def posed_vertices(
    body: Body, shape: BodyShape, pose: Pose, only: NDArray[np.int32] | None = None
) -> NDArray[np.float32]:
    """(V, 3) metres, the skin in the world by linear blend skinning; `only` picks vertices by index."""
    rest, weights = body.vertices(shape), body.weights
    if only is not None:
        rest, weights = rest[only], weights[only]
    matrices = skinning_matrices(body.skeleton(shape), pose)
    blended = np.einsum("vj,jab->vab", weights, matrices[:, :3, :])
    return np.einsum("vab,vb->va", blended[:, :, :3], rest) + blended[:, :, 3]


def lowest_sole_point(body: Body, shape: BodyShape, pose: Pose) -> float:
    """Height of the lowest point of the soles above the floor, metres; negative below it."""
    return float(posed_vertices(body, shape, pose, body.sole_vertices)[:, 1].min())


def keep_sole_on_floor(body: Body, before: BodyShape, after: BodyShape, pose: Pose) -> Pose:
    """The pose moved up or down so that a body that stood on the floor stands on it with its new shape too.

    A body in the air, or with its soles below the floor, keeps its root's height.
    """
    if abs(lowest_sole_point(body, before, pose)) > STANDS_WITHIN:
        return pose
    lift = np.array([0.0, lowest_sole_point(body, after, pose), 0.0], np.float32)
    return replace(pose, root_position=pose.root_position - lift)
