"""Damped Gauss–Newton over a person's pose, place and proportions, against landmarks, limits and a natural prior."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.body.body import SHAPE_COMPONENTS, Body, BodyShape
from solver.estimators.evidence import Evidence
from solver.ik.pose_prior import pose_prior
from solver.kinematics.limits import joint_limits
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.kinematics.skeleton import SMPL_JOINTS, SMPL_PARENTS

Array = NDArray[np.float64]
J = len(SMPL_JOINTS)
_NUDGE = 1e-4


@dataclass(frozen=True)
class Weights:
    """How much each kind of evidence counts, as standard deviations.

    pixel: of a landmark on the picture, as a share of the person's size there. lateral, depth: of the landmark
    network's metres across and along the view; depth is heavy-tailed, for limbs pointing at the camera fool it.
    prior: standard deviations of the natural spread taken as one. limit: radians beyond a joint's range.
    """

    pixel: float = 0.02
    lateral: float = 0.15
    depth: float = 0.12
    prior: float = 2.5
    limit: float = 0.06
    shape: float = 0.7


@dataclass(frozen=True, eq=False)
class Fit:
    """root: (3,) metres, the pelvis in the camera's frame. rotations: (24, 3, 3) local. betas: (10,). cost: the misfit."""

    root: Array
    rotations: Array
    betas: Array
    cost: float = np.inf


@lru_cache(maxsize=4)
def _basis(body: Body) -> tuple[Array, Array]:
    """Bone offsets as an affine function of betas: (24, 3) and (24, 3, 10); measured, so that any body will do."""
    mean = body.skeleton(BodyShape()).offsets.astype(np.float64)
    directions = [body.skeleton(BodyShape(np.eye(SHAPE_COMPONENTS)[k])).offsets - mean for k in range(SHAPE_COMPONENTS)]
    mean, stacked = mean.copy(), np.stack(directions, axis=-1).astype(np.float64)
    mean[0], stacked[0] = 0.0, 0.0
    return mean, stacked


@lru_cache(maxsize=1)
def _ancestors() -> NDArray[np.bool_]:
    """(24, 24): whether joint k lies on the way from joint j to the root, j itself included."""
    table = np.eye(J, dtype=bool)
    for j, p in enumerate(SMPL_PARENTS):
        if p >= 0:
            table[j] |= table[p]
    return table


def posed_joints(body: Body, fit: Fit) -> tuple[Array, Array, Array]:
    """(24, 3) places, (24, 3, 3) world rotations, (24, 3, 10) how places move with betas; camera frame."""
    template, directions = _basis(body)
    offsets = template + directions @ fit.betas
    places, turns, drift = np.empty((J, 3)), np.empty((J, 3, 3)), np.zeros((J, 3, SHAPE_COMPONENTS))
    for j, p in enumerate(SMPL_PARENTS):
        if p < 0:
            places[j], turns[j] = fit.root, fit.rotations[j]
            continue
        turns[j] = turns[p] @ fit.rotations[j]
        places[j] = places[p] + turns[p] @ offsets[j]
        drift[j] = drift[p] + turns[p] @ directions[j]
    return places, turns, drift


def minimise(body: Body, seen: Evidence, start: Fit, weights: Weights, steps: int) -> Fit:
    """The best fit within `steps` damped Gauss–Newton steps from `start`; its cost is comparable between starts."""
    residuals, jacobian = _system(body, seen, start, weights)
    best = replace(start, cost=float(residuals @ residuals))
    damping = 1e-2
    for _ in range(steps):
        normal, gradient = jacobian.T @ jacobian, jacobian.T @ residuals
        normal[np.diag_indices_from(normal)] *= 1 + damping
        normal[np.diag_indices_from(normal)] += 1e-6
        tried = _moved(best, -np.linalg.solve(normal, gradient))
        residuals_tried, jacobian_tried = _system(body, seen, tried, weights)
        cost = float(residuals_tried @ residuals_tried)
        if cost < best.cost:
            gain = best.cost - cost
            best, residuals, jacobian = replace(tried, cost=cost), residuals_tried, jacobian_tried
            damping = max(damping / 4, 1e-5)
            if gain < 1e-3 * cost:
                break
        else:
            damping *= 8
            if damping > 1e4:
                break
    return best


def _moved(fit: Fit, step: Array) -> Fit:
    turned = fit.rotations @ from_rotation_vector(step[: 3 * J].reshape(J, 3))
    betas = np.clip(fit.betas + step[3 * J + 3 :], -3, 3)
    return Fit(fit.root + step[3 * J : 3 * J + 3], turned, betas)


def _system(body: Body, seen: Evidence, fit: Fit, w: Weights) -> tuple[Array, Array]:
    """Residuals and their Jacobian by (rotations 72, root 3, betas 10); squares add up to the cost."""
    places, turns, drift = posed_joints(body, fit)
    joint = seen.points.joint
    points = places[joint] + np.einsum("pab,pb->pa", turns[joint], seen.points.offset)
    moves = _point_jacobian(points, places, turns, drift, joint)
    rows = [
        _on_picture(seen, points, moves, w),
        _in_metres(seen, points, moves, w),
        _natural(fit, w),
        _within_limits(fit, w),
        _ordinary_shape(fit, w),
    ]
    return np.concatenate([r for r, _ in rows]), np.concatenate([j for _, j in rows])


def _point_jacobian(points: Array, places: Array, turns: Array, drift: Array, joint: NDArray[np.intp]) -> Array:
    """(P, 3, 85): how points move."""
    arm = points[:, None] - places[None]  # P, J, 3
    zero = np.zeros(arm.shape[:-1])
    x, y, z = np.moveaxis(arm, -1, 0)
    cross = np.stack([zero, z, -y, -z, zero, x, y, -x, zero], axis=-1).reshape(*arm.shape[:-1], 3, 3)
    spin = (cross @ turns[None]) * _ancestors()[joint][:, :, None, None]
    count = len(points)
    return np.concatenate(
        [
            spin.transpose(0, 2, 1, 3).reshape(count, 3, 3 * J),
            np.broadcast_to(np.eye(3), (count, 3, 3)),
            drift[joint],
        ],
        axis=2,
    )


def _heavy_tailed(residuals: Array, jacobian: Array) -> tuple[Array, Array]:
    """Rows (N, k) whose squared sum s counts as log(1 + s): far misses lose their grip."""
    squares = np.einsum("nk,nk->n", residuals, residuals)
    value = np.sqrt(np.log1p(squares) / np.maximum(squares, 1e-12))
    slope = np.sqrt(1 / (1 + squares))
    # Residuals keep the cost's value, the Jacobian its curvature: together their product is the true gradient.
    share = slope**2 / np.maximum(value, 1e-12)
    return (residuals * value[:, None]).ravel(), (jacobian * share[:, None, None]).reshape(-1, jacobian.shape[-1])


def _on_picture(seen: Evidence, points: Array, moves: Array, w: Weights) -> tuple[Array, Array]:
    depth = np.maximum(-points[:, 2], 0.1)
    shown = seen.focal_px * points[:, :2] / depth[:, None]
    by_point = np.zeros((len(points), 2, 3))
    by_point[:, 0, 0] = by_point[:, 1, 1] = seen.focal_px / depth
    by_point[:, :, 2] = shown / depth[:, None]
    scale = np.sqrt(seen.weight) / (w.pixel * seen.size_px)
    residuals = (shown - seen.pixels) * scale[:, None] / 3
    jacobian = (by_point @ moves) * scale[:, None, None] / 3
    tailed, slopes = _heavy_tailed(residuals, jacobian)
    return 3 * tailed, 3 * slopes


def _in_metres(seen: Evidence, points: Array, moves: Array, w: Weights) -> tuple[Array, Array]:
    hips = [i for i, landmark in enumerate(seen.points.landmark) if landmark in (23, 24)]
    relative = points - points[hips].mean(axis=0) - seen.world
    slopes = moves - moves[hips].mean(axis=0)
    scale = np.sqrt(seen.weight)
    across = (relative[:, :2] * scale[:, None] / w.lateral).ravel()
    across_by = (slopes[:, :2] * scale[:, None, None] / w.lateral).reshape(-1, slopes.shape[-1])
    along, along_by = _heavy_tailed(
        relative[:, 2:] * scale[:, None] / w.depth, slopes[:, 2:] * scale[:, None, None] / w.depth
    )
    return np.concatenate([across, along]), np.concatenate([across_by, along_by])


def _natural(fit: Fit, w: Weights) -> tuple[Array, Array]:
    prior = pose_prior(SMPL_JOINTS)
    whiten = np.linalg.cholesky(prior.stiffness).transpose(0, 2, 1)[1:] / w.prior
    away = to_rotation_vector(_nudged(prior.mean.transpose(0, 2, 1)[None], fit.rotations)[:, 1:])
    residuals = np.einsum("jab,jb->ja", whiten, away[0])
    slopes = np.einsum("jab,kjb->jak", whiten, (away[1:] - away[0]) / _NUDGE)
    blocks = np.zeros((J - 1, 3, 3 * J + 3 + SHAPE_COMPONENTS))
    for j in range(1, J):
        blocks[j - 1, :, 3 * j : 3 * j + 3] = slopes[j - 1]
    return _heavy_tailed(residuals, blocks)


def _within_limits(fit: Fit, w: Weights) -> tuple[Array, Array]:
    limits = joint_limits(SMPL_JOINTS)
    c = limits.coordinates(_nudged(np.eye(3)[None, None], fit.rotations))
    beyond = (np.minimum(c - limits.low, 0.0) + np.maximum(c - limits.high, 0.0)) / w.limit
    blocks = np.zeros((J, 3, 3 * J + 3 + SHAPE_COMPONENTS))
    for j in range(J):
        blocks[j, :, 3 * j : 3 * j + 3] = ((beyond[1:, j] - beyond[0, j]) / _NUDGE).T
    return beyond[0].ravel(), blocks.reshape(3 * J, -1)


def _nudged(left: Array, rotations: Array) -> Array:
    """(4, 24, 3, 3): left times the rotations as they are, then turned a little about each of their own axes."""
    small = np.concatenate([np.eye(3)[None], from_rotation_vector(_NUDGE * np.eye(3))])
    return np.asarray(left @ rotations[None] @ small[:, None], dtype=np.float64)


def _ordinary_shape(fit: Fit, w: Weights) -> tuple[Array, Array]:
    columns = np.zeros((SHAPE_COMPONENTS, 3 * J + 3 + SHAPE_COMPONENTS))
    columns[:, 3 * J + 3 :] = np.eye(SHAPE_COMPONENTS) / w.shape
    return fit.betas / w.shape, columns
