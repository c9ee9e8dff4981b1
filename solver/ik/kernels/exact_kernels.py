"""Compiled exact stage: a search in which effectors give way a little, then the smallest correction that meets them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.contact.floor_kernels import NO_GROUND, Ground
from solver.contact.solid_kernels import NO_SOLIDS, Solids
from solver.effectors.residual_kernels import Rows, measure
from solver.ik.kernels.minimise_kernels import Search
from solver.ik.kernels.minimise_solids_kernels import minimise_with_solids
from solver.ik.kernels.prior_kernels import JointModel, Priors, Pulls, mean_pose_pulls, quaternions
from solver.jit import kernel
from solver.kinematics.fk_kernels import PlainPose, Tree
from solver.kinematics.limit_kernels import swing_twist

Array = NDArray[np.float64]
Indices = NDArray[np.int64]
Plain = tuple[Any, ...]

# By form: point (m), turn (rad), aim (rad).
SOFT_WEIGHT = (1e3, 1e2, 1e2)
SOFT_KNEE = (0.05, 0.2, 0.2)
SOFT_LIMITS = 300.0
SOFT_SOLID, HARD_SOLID = 1e5, 1e8  # per m²: floors and solids give way to nothing that is asked
HARD_ITERATIONS = 20
HARD_SETTLED = 1e-6
HARD_TRIFLE = 1e-4  # a firm position 14 µm off, a pinned one 3 µm
STRICT = 3e5  # per m² or rad²: as firm as what is to be met exactly
OUT_OF_REACH = (2e-5, 2e-4)  # metres or radians by which that is missed: from here on, and beyond any doubt
CALM_ITERATIONS = 40  # of the correction that is made once more where it is missed
SAME_END = 0.01  # metres or a rotation's entries: a search that ends so near to another leads to the same answer


class StayNear(NamedTuple):
    """The poses that a solve stays near. proposal: of the solver. base (J, 3, 3): the base pose's rotations, which
    widen limits. hold (J,): stiffness per rad² with which joints keep them."""

    proposal: PlainPose
    base: Array
    hold: Array


@kernel
def widened(model: JointModel, turned: Array) -> JointModel:
    """The joints with limits so wide that the quaternions `turned` (J, 4) lie within."""
    v, low, high = np.empty(3), model.low.copy(), model.high.copy()
    for j in range(turned.shape[0]):
        swing_twist(turned[j], model.frames[j], v)
        for c in range(3):
            low[j, c] = min(low[j, c], v[c])
            high[j, c] = max(high[j, c], v[c])
    return JointModel(model.mean, model.stiffness, model.frames, low, high)


@kernel
def softened(kinds: Indices, strengths: Array) -> Array:
    """Strengths (E, 3) for the search: strict effectors pull no harder than firm ones, over a longer way."""
    soft = strengths.copy()
    for e in range(kinds.shape[0]):
        most = SOFT_WEIGHT[kinds[e]]
        if strengths[e, 0] > most:
            soft[e, 0] = most
            soft[e, 1] = min(strengths[e, 1] * strengths[e, 0] / most, SOFT_KNEE[kinds[e]])
    return soft


@kernel
def out_of_reach(strengths: Array, errors: Array) -> float:
    """From 0 where all that is strict is met to 1 where some of it is missed. strengths (E, 3), errors (E,)."""
    worst = 0.0
    for e in range(errors.shape[0]):
        if strengths[e, 0] >= STRICT:
            worst = max(worst, errors[e])
    share = min(max((worst - OUT_OF_REACH[0]) / (OUT_OF_REACH[1] - OUT_OF_REACH[0]), 0.0), 1.0)
    return share * share * (3.0 - 2.0 * share)


@kernel
def is_same_pose(root: Array, local: Array, other: PlainPose) -> bool:
    """Whether root (3,) and rotations local (J, 3, 3) are almost those of another pose, all of which are numbers."""
    for i in range(3):
        if not abs(root[i] - other.root[i]) < SAME_END:
            return False
    for j in range(local.shape[0]):
        for i in range(3):
            for k in range(3):
                if not abs(local[j, i, k] - other.local[j, i, k]) < SAME_END:
                    return False
    return True


@kernel
def solve_arrays(
    tree: Tree, model: JointModel, stay: StayNear, pulls: Pulls, rows: Rows, strengths: Array, ground: Ground,
    solids: Solids, iterations: int, settled: float, pose: PlainPose, soft: PlainPose, errors: Array,
) -> tuple[int, float]:  # fmt: skip
    """Move `pose` from the start to the answer; returns iterations used and the energy left.

    soft gets the pose from which the effectors were met to the last, errors (E,) how far each still is. Where soft has
    been filled with where another search has ended, and this one ends there too, the pose is left there, with infinite
    energy; where there is no other, soft is not a number.

    The search goes through a wide valley, in which the body finds how to stand. The correction that follows starts
    from there and stays near. Both in one energy would creep along a gorge. Where something is out of reach, the
    correction is made once more and stays nearer: to get closer by a hair a body would bow, nod and tremble.
    """
    bones = tree.parents.shape[0]
    q, base, near, leaning = np.empty((bones, 4)), np.empty((bones, 4)), np.empty((bones, 4)), np.empty((bones, 3))
    quaternions(pose.local, q)
    quaternions(stay.base, base)
    quaternions(stay.proposal.local, near)
    mean_pose_pulls(near, model, leaning)
    wide = widened(model, base)

    gentle = Pulls(
        pulls.near, pulls.mean, min(pulls.limits, SOFT_LIMITS), pulls.root, pulls.orientation, pulls.place, 1.0
    )
    priors = Priors(stay.proposal.root, near, leaning, base, stay.hold)
    search = Search(iterations, settled, 0.0, SOFT_SOLID)
    count, energy, found = minimise_with_solids(
        tree, wide, priors, gentle, rows, softened(rows.kinds, strengths), ground, solids, search, pose.root, q
    )
    known = is_same_pose(found.root, found.local, soft)
    soft.root[:], soft.local[:] = found.root, found.local
    if known:
        measure(rows, found.positions, found.world, errors)
        pose.root[:], pose.local[:] = found.root, found.local
        return count, np.inf

    priors = Priors(found.root, found.turns, leaning, base, stay.hold)
    closely, most, met = pulls.near, HARD_ITERATIONS, found
    for again in range(2):
        firm = Pulls(closely, 0.0, pulls.limits, pulls.root, pulls.orientation, pulls.place, 1.0)
        search = Search(most, HARD_SETTLED, HARD_TRIFLE, HARD_SOLID)
        more, energy, met = minimise_with_solids(
            tree, wide, priors, firm, rows, strengths, ground, solids, search, met.root, met.turns
        )
        count += more
        measure(rows, met.positions, met.world, errors)
        calm = out_of_reach(strengths, errors)
        if again or calm == 0.0 or pulls.calm == 1.0:
            break
        closely, most = (1.0 + (pulls.calm - 1.0) * calm) * pulls.near, CALM_ITERATIONS
    pose.root[:], pose.local[:] = met.root, met.local
    return count, energy


@kernel
def _solve(
    tree: Plain, model: Plain, proposal: Plain, base: Array, hold: Array, pulls: Plain, rows: Plain, strengths: Array,
    ground: Plain, solids: Plain, iterations: int, settled: float, pose: Plain, soft: Plain, errors: Array,
) -> tuple[int, float]:  # fmt: skip
    return solve_arrays(
        Tree(*tree), JointModel(*model), StayNear(PlainPose(*proposal), base, hold), Pulls(*pulls), Rows(*rows),
        strengths, Ground(*ground), Solids(*solids), iterations, settled, PlainPose(*pose), PlainPose(*soft), errors,
    )  # fmt: skip


def solve_from_python(
    tree: Tree, model: JointModel, stay: StayNear, pulls: Pulls, rows: Rows, strengths: Array, iterations: int,
    settled: float, pose: PlainPose, soft: PlainPose, errors: Array, ground: Ground = NO_GROUND,
    solids: Solids = NO_SOLIDS,
) -> tuple[int, float]:  # fmt: skip
    """`solve_arrays` called with plain tuples: named ones take numba ten microseconds longer to tell apart."""
    return _solve(
        tuple(tree), tuple(model), tuple(stay.proposal), stay.base, stay.hold, tuple(pulls), tuple(rows), strengths,
        tuple(ground), tuple(solids), iterations, settled, tuple(pose), tuple(soft), errors,
    )  # fmt: skip
