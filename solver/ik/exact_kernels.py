"""Compiled exact stage: preserved places become rows beside the effectors, limits make room for the base pose."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solver.ik.minimise_kernels import minimise
from solver.ik.prior_kernels import leanings, quaternions
from solver.ik.residual_kernels import POSITION, measure
from solver.jit import kernel
from solver.kinematics.fk_kernels import forward
from solver.kinematics.limit_kernels import swing_twist
from solver.kinematics.rotation_kernels import orthonormalise

Array = NDArray[np.float64]
Single = NDArray[np.float32]
Indices = NDArray[np.int64]

PLACE_KNEE = 4e-3  # metres
LEAST = 1e-3  # masks below it are none

# Position (m), rotation (rad), look-at (rad).
SOFT_WEIGHT = (1e3, 1e2, 1e2)
SOFT_KNEE = (0.05, 0.2, 0.2)
SOFT_LIMITS = 300.0
HARD_ITERATIONS = 20
HARD_SETTLED = 1e-6


@kernel
def room_for(turned: Array, frames: Array, low: Array, high: Array) -> tuple[Array, Array]:
    """Limits (J, 3) widened so that the quaternions `turned` (J, 4) lie within."""
    wide_low, wide_high = low.copy(), high.copy()
    v = np.empty(3)
    for j in range(1, turned.shape[0]):
        swing_twist(turned[j], frames[j], v)
        for c in range(3):
            wide_low[j, c] = min(low[j, c], v[c])
            wide_high[j, c] = max(high[j, c], v[c])
    return wide_low, wide_high


@kernel
def free_limb(parents: Indices, children: Indices, joint: int, kept: NDArray[np.bool_]) -> None:
    """Let go of a joint that has been given a place, and of its limb: between two branchings of the tree."""
    kept[joint] = False
    if children[joint] == 1:
        for j in range(joint + 1, parents.shape[0]):
            p = parents[j]
            if (p == joint or (p > joint and not kept[p])) and children[p] == 1:
                inside = p
                while inside > joint:
                    inside = parents[inside]
                if inside == joint:
                    kept[j] = False
    j = parents[joint]
    while j >= 0 and children[j] == 1:
        kept[j] = False
        j = parents[j]


@kernel
def with_places(
    parents: Indices, offsets: Array, base_root: Array, base: Array, keep_place: Single, place_pull: float,
    kinds: Indices, joints: Indices, targets: Array, strengths: Array,
) -> tuple[Indices, Indices, Array, Array]:  # fmt: skip
    """The effectors, and behind them a position row for every joint whose place in the base pose is to be kept."""
    bones, effectors = parents.shape[0], kinds.shape[0]
    kept, children = np.zeros(bones, np.bool_), np.zeros(bones, np.int64)
    for j in range(bones):
        kept[j] = keep_place[j] > LEAST
        if j > 0:
            children[parents[j]] += 1
    for e in range(effectors):
        if kinds[e] == POSITION:
            free_limb(parents, children, joints[e], kept)
    total = effectors
    for j in range(bones):
        total += kept[j]
    all_kinds, all_joints, all_targets = np.empty(total, np.int64), np.empty(total, np.int64), np.zeros((total, 3, 3))
    all_strengths = np.empty((total, 3))
    all_kinds[:effectors], all_joints[:effectors], all_targets[:effectors] = kinds, joints, targets
    all_strengths[:effectors] = strengths
    if total > effectors:
        positions, world = np.empty((bones, 3)), np.empty((bones, 3, 3))
        forward(parents, offsets, base_root, base, positions, world)
        e = effectors
        for j in range(bones):
            if kept[j]:
                all_kinds[e], all_joints[e], all_targets[e, 0] = POSITION, j, positions[j]
                all_strengths[e, 0] = place_pull * keep_place[j] ** 2
                all_strengths[e, 1], all_strengths[e, 2] = PLACE_KNEE, 0.5
                e += 1
    return all_kinds, all_joints, all_targets, all_strengths


@kernel
def softened(kinds: Indices, strengths: Array) -> Array:
    """Strengths for the search: strict effectors pull no harder than firm ones, and over a longer way."""
    soft = strengths.copy()
    for e in range(kinds.shape[0]):
        most = SOFT_WEIGHT[kinds[e]]
        if strengths[e, 0] > most:
            soft[e, 0] = most
            soft[e, 1] = min(strengths[e, 1] * strengths[e, 0] / most, SOFT_KNEE[kinds[e]])
    return soft


@kernel
def orthonormal(rotations: Single) -> Array:
    """A float64 copy (J, 3, 3), rid of rounding."""
    out = rotations.astype(np.float64)
    for j in range(out.shape[0]):
        orthonormalise(out[j])
    return out


@kernel
def solve_arrays(
    parents: Indices, offsets: Array, paths: Indices, depths: Indices,
    mean: Array, stiffness: Array, frames: Array, low: Array, high: Array,
    anchor_root: Single, anchor: Single, base_root: Single, base: Single, keep_place: Single, keep_turn: Single,
    anchor_pull: float, mean_pull: float, limit_pull: float, root_pull: float, turn_pull: float, place_pull: float,
    kinds: Indices, joints: Indices, targets: Array, strengths: Array, iterations: int, settled: float,
    start_root: Array, start: Array, root: Array, local: Array, soft_root: Array, soft: Array, errors: Array,
) -> tuple[int, float]:  # fmt: skip
    """Fill root (3,) and local (J, 3, 3) with the answer, soft_root and soft with the pose from which the effectors
    were met to the last, and errors (E,); returns the iterations used and the energy left.

    First a search in which effectors give way a little: a wide valley, in which the body finds how to stand. Then the
    smallest correction that meets them, limits stay in force. Both in one energy would creep along a gorge.
    """
    bones = parents.shape[0]
    positions, world = np.empty((bones, 3)), np.empty((bones, 3, 3))
    exact_base = orthonormal(base)
    base_q, anchor_q, soft_q = np.empty((bones, 4)), np.empty((bones, 4)), np.empty((bones, 4))
    quaternions(exact_base, base_q)
    quaternions(orthonormal(anchor), anchor_q)
    hold, leaning = np.zeros(bones), np.empty((bones, 3))
    for j in range(bones):
        if keep_turn[j] > LEAST:
            hold[j] = turn_pull * keep_turn[j] ** 2
    leanings(anchor_q, mean, stiffness, leaning)
    low, high = room_for(base_q, frames, low, high)
    kinds, joints, targets, strengths = with_places(
        parents, offsets, base_root.astype(np.float64), exact_base, keep_place, place_pull,
        kinds, joints, targets, strengths,
    )  # fmt: skip
    soft_strengths = softened(kinds, strengths)
    soft_root[:], soft[:] = start_root, start
    for j in range(bones):
        orthonormalise(soft[j])
    count, _ = minimise(
        parents, offsets, paths, depths, anchor_root.astype(np.float64), anchor_q, mean, leaning, stiffness,
        np.array([anchor_pull, mean_pull, min(limit_pull, SOFT_LIMITS), anchor_pull * root_pull]),
        base_q, hold, frames, low, high, kinds, joints, targets, soft_strengths,
        iterations, settled, soft_root, soft, positions, world,
    )  # fmt: skip
    root[:], local[:] = soft_root, soft
    quaternions(soft, soft_q)
    more, energy = minimise(
        parents, offsets, paths, depths, soft_root, soft_q, mean, leaning, stiffness,
        np.array([anchor_pull, 0.0, limit_pull, anchor_pull * root_pull]),
        base_q, hold, frames, low, high, kinds, joints, targets, strengths,
        HARD_ITERATIONS, HARD_SETTLED, root, local, positions, world,
    )  # fmt: skip
    measure(kinds[: errors.shape[0]], joints, targets, positions, world, errors)
    return count + more, energy


@kernel
def solve_batch(
    parents: Indices, offsets: Array, paths: Indices, depths: Indices,
    mean: Array, stiffness: Array, frames: Array, low: Array, high: Array,
    anchor_roots: Single, anchors: Single, keep_place: Single, keep_turn: Single,
    anchor_pull: float, mean_pull: float, limit_pull: float, root_pull: float, turn_pull: float, place_pull: float,
    kinds: Indices, joints: Indices, targets: Array, strengths: Array, iterations: int, settled: float,
    roots: Array, locals_: Array, errors: Array,
) -> None:  # fmt: skip
    """The same for B problems of one skeleton with E effectors each; every problem starts at its anchor.

    anchor_roots, roots: (B, 3). anchors, locals_: (B, J, 3, 3). kinds, joints, strengths, errors: (B, E).
    """
    soft_root, soft = np.empty(3), np.empty(anchors.shape[1:])
    for b in range(kinds.shape[0]):
        solve_arrays(
            parents, offsets, paths, depths, mean, stiffness, frames, low, high,
            anchor_roots[b], anchors[b], anchor_roots[b], anchors[b], keep_place, keep_turn,
            anchor_pull, mean_pull, limit_pull, root_pull, turn_pull, place_pull,
            kinds[b], joints[b], targets[b], strengths[b], iterations, settled,
            anchor_roots[b].astype(np.float64), anchors[b].astype(np.float64), roots[b], locals_[b],
            soft_root, soft, errors[b],
        )  # fmt: skip
