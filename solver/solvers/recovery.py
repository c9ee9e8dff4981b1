"""Effector recovery: the few effectors from which a solver reproduces a given pose (SMPL-IK, section 5).

Greedy, from the empty set: every effector not yet taken is tried beside those taken, and the one that leaves the least
mean joint error stays. The solver starts each time from the natural pose, placed and turned by the effectors
themselves: it is told nothing else of the pose. The first one is a position, because a turn alone says nothing about
place.

A network is asked for all sets of a round at once, and the exact stage follows for each: the network's answer alone
says little about which set will do best. To choose among sets it is asked roughly, and those that seem best are solved
as they will be shown. Then only those effectors are tried that the pose so far misses most, and the search goes on with
the best two sets: the best one alone may lead nowhere for a pose that is rare in motion capture. If that still leaves
the pose far off, more are tried; and if none of those that seem best is better, all are solved as they will be shown.

Deviation from the paper: of sets that leave nearly the same error, the one that is handier to work with wins, see
`effector_costs`; and effectors that turn a joint are not strict.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.body.body import BodyShape
from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.effectors.kinds import kinds as every_kind
from solver.effectors.kinds import type_of
from solver.effectors.placement import placed
from solver.ik.pipeline.pipeline import Solver
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.ik.residuals import effector_errors
from solver.ik.rig_adapter import rig_effectors
from solver.kinematics.fk import forward_kinematics, forward_kinematics_batch
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.movable import movable
from solver.rig.rig import rig_of
from solver.solvers.catalog import load_solver
from solver.solvers.effector_costs import EffectorCosts, effector_costs, with_tolerance
from solver.values import FloatArray

KEPT, TRIED = 2, 12  # sets that the search goes on with, and effectors tried beside each, with a network
LOOKED_AT = 4  # how many of the sets that were solved roughly, the best, are solved as they will be shown
# A pose further off than this, metres, after as many effectors as wanted may have more; people from photos, so many.
FAR_M, MORE_IF_FAR = 0.025, 2
STUCK, STUCK_M = 4, 0.04  # after so many effectors a pose further off than this, metres, has twice as many tried
Set = tuple[Effector, ...]
Solve = Callable[[Sequence[Set]], Sequence[Pose]]


class _Solves(NamedTuple):
    """How sets are solved: as they will be shown, and to choose among many; the same if nothing is quicker."""

    shown: Solve
    roughly: Solve


@dataclass(frozen=True)
class RecoveryResult:
    """effectors: in the order in which they were taken. errors_m: the mean joint error with the first 1, 2, ... of
    them. pose: the solver's for all of them. cost: see `effector_costs`."""

    effectors: tuple[Effector, ...]
    errors_m: tuple[float, ...]
    pose: Pose
    cost: float = 0.0

    @property
    def error_m(self) -> float:
        """The mean joint error with all of them; infinite without any."""
        return self.errors_m[-1] if self.errors_m else float("inf")

    @property
    def score(self) -> float:
        """The error, raised by how unhandy the effectors are."""
        return self.error_m * (1.0 + self.cost)


_Grown = tuple[RecoveryResult, Set]  # a result, and its effectors with one more


def candidate_effectors(skeleton: Skeleton, pose: Pose, kinds: frozenset[str]) -> tuple[Effector, ...]:
    """Effectors as they are in `pose`: of these kinds, on the joints where each kind is tried; turns are not strict."""
    world = forward_kinematics(skeleton, pose)
    return tuple(
        with_tolerance(type_of(kind.id).on(skeleton, name, world))
        for kind in every_kind()
        if kind.id in kinds
        for name in skeleton.names
        if kind.recovered_on is None or name in kind.recovered_on
    )


def recover_effectors(
    skeleton: Skeleton,
    shape: BodyShape,
    pose: Pose,
    solver_id: str = "dls",
    *,
    max_effectors: int = 8,
    more: int = 0,
    threshold_m: float = 0.01,
    kinds: frozenset[str] | None = None,
    progress: Callable[[float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> RecoveryResult:
    """At most `max_effectors` effectors, fewer once the mean joint error is below `threshold_m` metres.

    more: how many more there may be for as long as the error is above FAR_M, as with crossed legs.
    kinds: those that may be taken; by default all that the solver knows. Nothing is found if it knows none of them.
    progress: called with the share done, 0..1. cancelled: when it returns true, what was found so far is the answer.
    Raises UnknownName for a solver that does not exist.
    """
    seen = movable(rig_of(skeleton), pose)
    if not seen.is_whole:
        inner = recover_effectors(
            seen.skeleton, shape, seen.reduced(pose), solver_id, progress=progress, cancelled=cancelled,
            max_effectors=max_effectors, more=more, threshold_m=threshold_m, kinds=kinds,
        )  # fmt: skip
        effectors = rig_effectors(seen, inner.effectors)
        return RecoveryResult(effectors, inner.errors_m, seen.expanded(inner.pose, pose))
    solver = load_solver(solver_id)
    wanted = forward_kinematics(skeleton, pose).positions
    kept, tried = 1, None
    if not solver.spec.proposes:
        solve = _batched(skeleton)
        solves = _Solves(solve, solve)
    elif solver.spec.learned:
        solves = _Solves(_proposed(solver, skeleton, shape), _proposed(solver, skeleton, shape, roughly=True))
        kept, tried = KEPT, TRIED
    else:
        solve = _one_by_one(solver, skeleton, shape)
        solves = _Solves(solve, solve)
    allowed = solver.spec.kinds if kinds is None else solver.spec.kinds & kinds
    every = candidate_effectors(skeleton, pose, allowed)
    candidates = [effector for effector in every if solver.spec.takes(effector.kind, effector.joint)]
    best = [RecoveryResult((), (), natural_pose(skeleton))]
    dear = effector_costs(skeleton, pose, candidates)
    while not best[0].error_m <= threshold_m:
        if len(best[0].effectors) >= max_effectors + (more if best[0].error_m > FAR_M else 0):
            break
        if cancelled and cancelled():
            break
        stuck = len(best[0].effectors) >= STUCK and best[0].error_m > STUCK_M
        found = _better(skeleton, best, candidates, wanted, solves, dear, 2 * tried if tried and stuck else tried)
        if not found and tried is not None:  # rough answers may be wrong about all that were looked at
            found = _better(skeleton, best, candidates, wanted, solves._replace(roughly=solves.shown), dear, None)
        if not found:
            break  # nothing that could be added brings the pose nearer
        best = found[:kept]
        if progress:
            progress(min(len(best[0].effectors) / max_effectors, 1.0))
    return best[0]


def _better(
    skeleton: Skeleton,
    results: Sequence[RecoveryResult],
    candidates: Sequence[Effector],
    wanted: FloatArray,
    solves: _Solves,
    dear: EffectorCosts,
    tried: int | None,
) -> list[RecoveryResult]:
    """The results with one more effector that are better than all of these, by score."""
    grown = _grown(skeleton, results, candidates, tried)
    if solves.roughly is not solves.shown and results[0].effectors:  # for only one, rough answers say too little
        grown = [one[:2] for one in _scored(skeleton, grown, wanted, solves.roughly, dear)[:LOOKED_AT]]
    least = results[0].error_m
    return [
        result
        for before, _, result in _scored(skeleton, grown, wanted, solves.shown, dear)
        if result.error_m < min(least, before.error_m)
    ]


def _scored(
    skeleton: Skeleton, grown: Sequence[_Grown], wanted: FloatArray, solve: Solve, dear: EffectorCosts
) -> list[tuple[RecoveryResult, Set, RecoveryResult]]:
    """Sets with the results that they grew from and what they lead to, the best ones first."""
    poses = solve([effectors for _, effectors in grown]) if grown else ()
    means = _mean_errors(skeleton, poses, wanted)
    found = [
        (
            before,
            effectors,
            RecoveryResult(
                effectors,
                (*before.errors_m, float(mean)),
                pose,
                before.cost + dear.cost_of(effectors[-1], before.effectors),
            ),
        )
        for (before, effectors), mean, pose in zip(grown, means, poses, strict=True)
    ]
    return sorted(found, key=lambda one: one[2].score)


def _grown(
    skeleton: Skeleton, results: Sequence[RecoveryResult], candidates: Sequence[Effector], tried: int | None
) -> list[_Grown]:
    """Every result with one more effector, the same set only once. tried: how many of the most missed; None for all."""
    found: dict[frozenset[int], _Grown] = {}
    for result in results:
        able = [e for e in candidates if all(e is not taken for taken in result.effectors)]
        if not result.effectors:
            able = [e for e in able if isinstance(e, PointEffector)] or able
        elif tried is not None:
            able = _most_missed(skeleton, result.pose, able, tried)
        for effector in able:
            effectors = (*result.effectors, effector)
            found.setdefault(frozenset(map(id, effectors)), (result, effectors))
    return list(found.values())


def _mean_errors(skeleton: Skeleton, poses: Sequence[Pose], wanted: FloatArray) -> NDArray[np.float64]:
    """(P,) metres, the mean distance of each pose's joints from those wanted."""
    if not poses:
        return np.zeros(0)
    reached = forward_kinematics_batch(
        skeleton.parents, skeleton.offsets,
        np.stack([p.root_position for p in poses]), np.stack([p.rotations for p in poses]),
    ).positions  # fmt: skip
    return np.linalg.norm(reached - wanted, axis=-1).mean(axis=-1)


def _most_missed(skeleton: Skeleton, pose: Pose, effectors: Sequence[Effector], count: int) -> list[Effector]:
    off = effector_errors(skeleton, pose, effectors) * [e.spec.metres_per_unit for e in effectors]
    return [effectors[i] for i in np.sort(np.argsort(-off, kind="stable")[:count])]


def _batched(skeleton: Skeleton) -> Solve:
    """All sets of one round in one compiled call."""
    from solver.ik.exact import refine_batch

    natural = natural_pose(skeleton)

    def solve(sets: Sequence[Set]) -> Sequence[Pose]:
        return refine_batch(skeleton, sets, [placed(skeleton, natural, some) for some in sets])

    return solve


def _proposed(solver: Solver, skeleton: Skeleton, shape: BodyShape, roughly: bool = False) -> Solve:
    """All sets of one round in two runs of the network, which two threads take, and one compiled call."""
    from solver.ik.exact import refine_batch

    natural = natural_pose(skeleton)

    def solve(sets: Sequence[Set]) -> Sequence[Pose]:
        problems = [IKProblem.without_masks(skeleton, some, natural, shape) for some in sets]
        half = len(problems) // 2
        with ThreadPoolExecutor(2) as pool:
            halves = problems[:half], problems[half:]
            parts = pool.map(lambda some: solver.propose_batch(some, roughly=roughly), halves)
            proposals = [pose for part in parts for pose in part]
        return refine_batch(skeleton, sets, proposals, roughly)

    return solve


def _one_by_one(solver: Solver, skeleton: Skeleton, shape: BodyShape) -> Solve:
    natural = natural_pose(skeleton)

    def solve(sets: Sequence[Set]) -> Sequence[Pose]:
        return [
            solver.solve(IKProblem.without_masks(skeleton, some, placed(skeleton, natural, some), shape)).pose
            for some in sets
        ]

    return solve
