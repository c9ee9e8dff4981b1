"""Effector recovery: the few effectors from which a solver brings a given pose about (SMPL-IK, section 5).

Greedy, from the empty set: every effector not yet taken is tried beside those taken, and the one that leaves the least
mean joint error stays. The solver starts each time from the natural pose, stood where and turned as the effectors
themselves tell: it learns nothing else of the pose. The first one is a position, for a turn alone places nobody.

A network is asked for all sets of a round at once, and the exact stage follows for each: what the network alone says
tells little of which set will do best. Only those effectors are tried then that the pose so far misses most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from solver.body.body import BodyShape
from solver.ik.catalog import load_solver
from solver.ik.effectors import Effector, LookAt, Position, Rotation
from solver.ik.placement import placed
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.ik.residuals import effector_errors
from solver.ik.solver import BatchProposer, Solver
from solver.kinematics.fk import forward_kinematics, forward_kinematics_batch
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.values import frozen_array

TRIED = 28  # effectors in a round with a network
ARM_M = 0.3  # by which an angle counts as a distance
LOOK_AT_DISTANCE = 1.0  # metres ahead of the face
Set = tuple[Effector, ...]
Solve = Callable[[Sequence[Set]], Sequence[Pose]]


@dataclass(frozen=True)
class RecoveryResult:
    """effectors: in the order in which they were taken. errors_m: the mean joint error with the first 1, 2, ... of
    them. pose: what the solver makes of all."""

    effectors: tuple[Effector, ...]
    errors_m: tuple[float, ...]
    pose: Pose


def candidate_effectors(skeleton: Skeleton, pose: Pose, kinds: frozenset[str]) -> tuple[Effector, ...]:
    """Position and rotation of every joint and the head's look-at, as they are in `pose`; only of these kinds."""
    joints = forward_kinematics(skeleton, pose)
    found: list[Effector] = []
    if "position" in kinds:
        found += [Position(name, p) for name, p in zip(skeleton.names, joints.positions, strict=True)]
    if "rotation" in kinds:
        found += [Rotation(name, r) for name, r in zip(skeleton.names, joints.rotations, strict=True)]
    if "lookat" in kinds and "head" in skeleton.names:
        head = skeleton.index("head")
        ahead = joints.positions[head] + LOOK_AT_DISTANCE * joints.rotations[head][:, 2]
        found.append(LookAt("head", ahead))
    return tuple(found)


def recover_effectors(
    skeleton: Skeleton,
    shape: BodyShape,
    pose: Pose,
    solver_id: str = "dls",
    *,
    max_effectors: int = 8,
    threshold_m: float = 0.01,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> RecoveryResult:
    """At most `max_effectors` effectors, fewer once the mean joint error is below `threshold_m` metres.

    progress: called with the share done, 0..1. cancelled: when it says so, what was found so far is the answer.
    Raises UnknownName for a solver that does not exist.
    """
    solver = load_solver(solver_id)
    wanted = forward_kinematics(skeleton, pose).positions
    few = False
    if solver_id == "dls":
        solve = _batched(skeleton)
    elif isinstance(solver, BatchProposer):
        solve, few = _proposed(solver, skeleton, shape), True
    else:
        solve = _one_by_one(solver, skeleton, shape)
    left = list(candidate_effectors(skeleton, pose, solver.spec.effector_kinds))
    taken: tuple[Effector, ...] = ()
    errors: list[float] = []
    best = natural_pose(skeleton)
    while len(taken) < max_effectors and left and not (errors and errors[-1] <= threshold_m):
        if cancelled and cancelled():
            break
        able = left if taken else [e for e in left if isinstance(e, Position)] or left
        if taken and few:
            able = _most_missed(skeleton, best, able)
        poses = solve([(*taken, candidate) for candidate in able])
        reached = forward_kinematics_batch(
            skeleton.parents, skeleton.offsets,
            np.stack([p.root_position for p in poses]), np.stack([p.rotations for p in poses]),
        ).positions  # fmt: skip
        means = np.linalg.norm(reached - wanted, axis=-1).mean(axis=-1)
        choice = int(np.argmin(means))
        if errors and means[choice] >= errors[-1]:
            break  # nothing that could be added brings the pose nearer
        taken, best = (*taken, able[choice]), poses[choice]
        errors.append(float(means[choice]))
        left = [e for e in left if e is not able[choice]]
        if progress:
            progress(len(taken) / max_effectors)
    return RecoveryResult(taken, tuple(errors), best)


def _most_missed(skeleton: Skeleton, pose: Pose, effectors: Sequence[Effector]) -> list[Effector]:
    off = effector_errors(skeleton, pose, effectors) * [1.0 if e.kind == "position" else ARM_M for e in effectors]
    return [effectors[i] for i in np.sort(np.argsort(-off, kind="stable")[:TRIED])]


def _batched(skeleton: Skeleton) -> Solve:
    """All sets of one round in one compiled call."""
    from solver.ik.exact import refine_batch

    natural = natural_pose(skeleton)

    def solve(sets: Sequence[Set]) -> Sequence[Pose]:
        return refine_batch(skeleton, sets, [placed(skeleton, natural, some) for some in sets])

    return solve


def _proposed(solver: BatchProposer, skeleton: Skeleton, shape: BodyShape) -> Solve:
    """All sets of one round in two runs of the network, which two threads take, and one compiled call."""
    from solver.ik.exact import refine_batch

    natural = natural_pose(skeleton)
    free = frozen_array(np.zeros(len(skeleton)), (None,), "mask")

    def solve(sets: Sequence[Set]) -> Sequence[Pose]:
        problems = [IKProblem(skeleton, shape, some, natural, free, free) for some in sets]
        half = len(problems) // 2
        with ThreadPoolExecutor(2) as pool:
            parts = pool.map(solver.propose_batch, (problems[:half], problems[half:]))
            proposals = [pose for part in parts for pose in part]
        return refine_batch(skeleton, sets, proposals)

    return solve


def _one_by_one(solver: Solver, skeleton: Skeleton, shape: BodyShape) -> Solve:
    natural = natural_pose(skeleton)
    free = frozen_array(np.zeros(len(skeleton)), (None,), "mask")

    def solve(sets: Sequence[Set]) -> Sequence[Pose]:
        return [
            solver.solve(IKProblem(skeleton, shape, some, placed(skeleton, natural, some), free, free)).pose
            for some in sets
        ]

    return solve
