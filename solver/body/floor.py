"""The body on the floor: where its soles are, and how it stands again after its shape has changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.body.body import Body, BodyShape
from solver.kinematics.fk import forward_kinematics_batch, skinning_matrices
from solver.kinematics.pose import Pose

CHUNK = 1024  # frames worked on at once
STANDS_WITHIN = 0.01  # metres: a sole this near to the floor stands on it


def posed_vertices(
    body: Body,
    shape: BodyShape,
    pose: Pose,
    only: NDArray[np.int32] | None = None,
    rest: NDArray[np.float32] | None = None,
) -> NDArray[np.float32]:
    """(V, 3) metres, the skin in the world by linear blend skinning; `only` picks vertices by index.

    rest: (V, 3) the skin in the T-pose, if it is not as the shape has it.
    """
    rest, weights = body.vertices(shape) if rest is None else rest, body.weights
    if only is not None:
        rest, weights = rest[only], weights[only]
    matrices = skinning_matrices(body.skeleton(shape), pose)
    blended = (weights @ matrices[:, :3].reshape(len(matrices), 12)).reshape(-1, 3, 4)
    return np.einsum("vab,vb->va", blended[:, :, :3], rest) + blended[:, :, 3]


def lowest_point(
    body: Body,
    shape: BodyShape,
    pose: Pose,
    only: NDArray[np.int32] | None = None,
    rest: NDArray[np.float32] | None = None,
) -> float:
    """Height of the lowest point of the skin above the floor, metres; negative below it. `only`: among these vertices.

    rest: as in `posed_vertices`. Only heights are worked out, in a ninth of its time.
    """
    rest, weights = body.vertices(shape) if rest is None else rest, body.weights
    if only is not None:
        rest, weights = rest[only], weights[only]
    blended = weights @ skinning_matrices(body.skeleton(shape), pose)[:, 1]
    return float((np.einsum("va,va->v", blended[:, :3], rest) + blended[:, 3]).min())


def lowest_sole_point(body: Body, shape: BodyShape, pose: Pose) -> float:
    """Height of the lowest point of the soles above the floor, metres; negative below it."""
    return lowest_point(body, shape, pose, body.sole_vertices)


def sole_heights(
    body: Body, shape: BodyShape, root_positions: NDArray[np.floating], rotations: NDArray[np.floating]
) -> NDArray[np.float64]:
    """(F,) metres, the height of the lowest point of the soles above the floor at each frame of a motion.

    root_positions: (F, 3). rotations: (F, J, 3, 3), R_parent_joint.
    """
    skeleton, soles = body.skeleton(shape), body.sole_vertices
    weights, rest = body.weights[soles].astype(np.float64), body.vertices(shape)[soles].astype(np.float64)
    carriers = np.flatnonzero(weights.any(axis=0))
    # each vertex's share of each joint's (y axis, height), so that all heights of some frames are one product
    shares = weights[:, carriers, None] * np.concatenate([rest, np.ones((len(rest), 1))], axis=1)[:, None]
    joints = skeleton.rest_positions[carriers].astype(np.float64)
    lowest = np.empty(len(root_positions))
    for start in range(0, len(lowest), CHUNK):
        part = slice(start, start + CHUNK)
        world = forward_kinematics_batch(skeleton.parents, skeleton.offsets, root_positions[part], rotations[part])
        up = world.rotations[:, carriers, 1].astype(np.float64)
        height = world.positions[:, carriers, 1] - (up * joints).sum(axis=-1)
        rows = np.concatenate([up, height[..., None]], axis=-1)
        lowest[part] = (rows.reshape(len(rows), -1) @ shares.reshape(len(shares), -1).T).min(axis=1)
    return lowest


def keep_sole_on_floor(body: Body, before: BodyShape, after: BodyShape, pose: Pose) -> Pose:
    """The pose moved up or down so that a body that stood on the floor still stands on it in its new shape.

    A body in the air, or with its soles below the floor, keeps its root's height.
    """
    if abs(lowest_sole_point(body, before, pose)) > STANDS_WITHIN:
        return pose
    lift = np.array([0.0, lowest_sole_point(body, after, pose), 0.0], np.float32)
    return replace(pose, root_position=pose.root_position - lift)
