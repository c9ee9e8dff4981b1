"""Other poses for the same effectors: few effectors leave much open, and the first answer may not be the one wanted.

Many starts are tried: the solver's answers to slightly different targets and to mirrored ones, the natural pose and the
base pose laid over the effectors, the body leaning and turning, elbows and knees swung about their limbs. Each is
brought to the effectors; of those that meet them as well, the ones that clearly differ make a ring to step through.
The ring depends on the problem alone, so undo and a second press find their place in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.effectors.forms import PointEffector
from solver.effectors.placement import placed
from solver.ik.memory import ChosenPose
from solver.ik.multi_solve.judge import Judge
from solver.ik.multi_solve.solve_from_proposal import (
    SolvedPose,
    Ties,
    as_chosen_solution,
    as_refined,
    cold_start_answer,
    try_from_proposal,
)
from solver.ik.options import NO_OPTIONS, Options
from solver.ik.pipeline.pipeline import Solver
from solver.ik.pose_prior import natural_pose
from solver.ik.problem import IKProblem
from solver.ik.rig_adapter import adapter_for
from solver.ik.solution import IKSolution
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.mirror import BODY_PLANE
from solver.kinematics.pose import Pose
from solver.kinematics.pose_distance import places_apart
from solver.kinematics.rotations import from_rotation_vector
from solver.kinematics.skeleton import Skeleton
from solver.rig.mirroring import mirror_pose
from solver.rig.rig import rig_of
from solver.rig.roles import ARMS, LEGS, Role

VISIBLE_M = 0.08  # how far at least one joint must be from its place in each of the others
MOST = 6  # poses of a ring
JITTER_M = 0.05
SWINGS = ((ARMS, (-1.4, -0.7, 0.7, 1.4)), (LEGS, (-0.7, 0.7)))  # radians about the limb
LEANS = ((0.45, 0.0, 0.0), (-0.3, 0.0, 0.0), (0.0, 0.6, 0.0), (0.0, -0.6, 0.0), (0.0, 0.0, 0.35), (0.0, 0.0, -0.35))


@dataclass(frozen=True)
class _Candidate:
    found: SolvedPose
    places: NDArray[np.floating]  # (J, 3)

    @property
    def pose(self) -> Pose:
        """The pose that was found."""
        return self.found.refined.pose


def never() -> bool:
    """False: the search is never cancelled."""
    return False


def other_solution(
    problem: IKProblem,
    solver: Solver,
    shown: Pose,
    cancelled: Callable[[], bool] = never,
    options: Options = NO_OPTIONS,
    ties: Ties | None = None,
) -> IKSolution | None:
    """The next pose of the problem's ring after the one shown; None if there is no other.

    Its memory makes the solver go on from that pose. cancelled: asked before each start; ends the search. ties: where
    targets are found again for each pose; None if they stay, as they do on a rig of another kind.
    """
    started = perf_counter()
    rigged = adapter_for(problem)
    if rigged:
        other = other_solution(rigged.solver_problem, solver, rigged.movable.reduced(shown), cancelled, options)
        if other is None:
            return None
        there = rigged.rig_solution(other)
        return replace(there, memory=ChosenPose(there.pose, problem.effectors))
    ring = ring_of(problem, solver, cancelled, options, ties)
    if cancelled():
        return None
    at = forward_kinematics(problem.skeleton, shown).positions
    far = [places_apart(at, found.places).max() for found in ring]
    here = int(np.argmin(far))
    if far[here] < VISIBLE_M:
        ring = ring[here + 1 :] + ring[:here]
    if not ring:
        return None
    return replace(as_chosen_solution(ring[0].found), elapsed_s=perf_counter() - started)


def ring_of(
    problem: IKProblem,
    solver: Solver,
    cancelled: Callable[[], bool] = never,
    options: Options = NO_OPTIONS,
    ties: Ties | None = None,
) -> list[_Candidate]:
    """Up to `MOST` poses that meet the effectors as well as the solver's own, which comes first; each next one is the
    one that differs most from those before it."""
    skeleton = problem.skeleton
    solution, effectors = cold_start_answer(solver, problem, problem.base_pose, ties, options)
    own = _candidate(skeleton, SolvedPose(as_refined(solution), effectors))
    if not any(e.is_active for e in problem.effectors):
        return [own]
    judge = Judge(problem, own.pose, solution.residuals)
    good = []
    for start in _starts(problem, solver, own.pose, options):
        if cancelled():
            break
        found = try_from_proposal(problem, start, ties, judge.accepts)
        if found is not None:
            good.append(_candidate(skeleton, found))
    ring = [own]
    while len(ring) < MOST:
        good = [one for one in good if places_apart(one.places, ring[-1].places).max() >= VISIBLE_M]
        if not good:
            break
        gaps = [min(_joint_distance(one.places, taken.places) for taken in ring) for one in good]
        ring.append(good[int(np.argmax(gaps))])
    return ring


def _starts(problem: IKProblem, solver: Solver, own: Pose, options: Options) -> Iterator[Pose]:
    skeleton, active = problem.skeleton, [e for e in problem.effectors if e.is_active]
    if solver.spec.proposes:
        for effectors in _jittered(active):
            yield solver.propose(replace(problem, effectors=effectors), options)
        mirrored = replace(
            problem,
            effectors=tuple(e.mirrored(BODY_PLANE, rig_of(skeleton).mirrored_name(e.joint)) for e in active),
            base_pose=mirror_pose(skeleton, problem.base_pose),
        )
        yield mirror_pose(skeleton, solver.propose(mirrored, options))
    for pose in (natural_pose(skeleton), problem.base_pose):
        yield placed(skeleton, pose, active)
    for lean in LEANS:
        rotations = np.array(own.rotations)
        rotations[0] = rotations[0] @ from_rotation_vector(lean)
        yield Pose(own.root_position, rotations)
    there = {role for role in Role if role in skeleton.names}
    pairs = [(pair, angles) for pair, angles in SWINGS if all({limb.root, limb.end} <= there for limb in pair)]
    for pair, angles in pairs:
        for limb in pair:
            for angle in angles:
                yield swung(skeleton, own, limb.root, limb.end, angle)
    for (left, right), angles in pairs:
        for angle in angles:
            yield swung(skeleton, swung(skeleton, own, left.root, left.end, angle), right.root, right.end, -angle)


def swung(skeleton: Skeleton, pose: Pose, upper: str, end: str, angle: float) -> Pose:
    """The limb between two joints turned about the line between them: both stay in place, the middle goes round."""
    joints, j = forward_kinematics(skeleton, pose), skeleton.index(upper)
    line = joints.positions[skeleton.index(end)] - joints.positions[j]
    turn = from_rotation_vector(angle * line / max(float(np.linalg.norm(line)), 1e-6))
    rotations = np.array(pose.rotations)
    rotations[j] = joints.rotations[skeleton.parents[j]].T @ turn @ joints.rotations[j]
    return Pose(pose.root_position, rotations)


def _jittered(effectors: Sequence[Effector]) -> Iterator[tuple[Effector, ...]]:
    rng = np.random.default_rng(1)
    for tolerance in (0.0, 0.0, 0.3, 0.6):
        shifts = rng.normal(0.0, JITTER_M, (len(effectors), 3)).astype(np.float32)
        yield tuple(
            replace(e, target=e.target + shift, tolerance=max(e.tolerance, tolerance), pinned=False)
            if isinstance(e, PointEffector)
            else e
            for e, shift in zip(effectors, shifts, strict=True)
        )


def _candidate(skeleton: Skeleton, found: SolvedPose) -> _Candidate:
    return _Candidate(found, forward_kinematics(skeleton, found.refined.pose).positions)


def _joint_distance(a: NDArray[np.floating], b: NDArray[np.floating]) -> float:
    """Metres, over all joints: a body that leans is more unlike than an elbow that swings."""
    return float(np.sqrt(((a - b) ** 2).sum(axis=1).mean()))
