"""Other poses for the same effectors: few effectors leave much open, and the first answer need not be the one meant.

Many starts are tried: what the solver says to slightly other targets and to the mirrored ones, the natural pose and the
base pose laid over the effectors, the body leaning and turning, elbows and knees swung about their limbs. Each is
brought to the effectors; of those that meet them as well, the ones that clearly differ make a ring to go round in.
The ring depends on the problem alone, so undo and a second press find their place in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from solver.ik.continuity import Chosen
from solver.ik.effectors import Effector, LookAt, Position, Rotation
from solver.ik.exact import refine, state_at
from solver.ik.placement import placed
from solver.ik.pose_prior import natural_pose, pose_prior
from solver.ik.problem import IKProblem, IKSolution
from solver.ik.solver import Proposer, Solver
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.limits import joint_limits
from solver.kinematics.mirror import mirror_point, mirror_pose, mirror_rotation
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.kinematics.skeleton import Skeleton, mirrored_name

VISIBLE_M = 0.08  # how far some joint must be from where it is in each of the others
AS_WELL = 3e-3  # metres or radians
MOST = 6  # poses of a ring
STRAIN = 0.12  # radians beyond a joint's range that the first answer does not need
UNUSUAL = 2.5  # times as far from the natural pose, in standard deviations squared, as the first answer
USUAL = 40.0  # such squares that are no reason to doubt
JITTER_M = 0.05
LIMBS = (
    ("left_shoulder", "left_wrist"), ("right_shoulder", "right_wrist"),
    ("left_hip", "left_ankle"), ("right_hip", "right_ankle"),
)  # fmt: skip
SWINGS = {"shoulder": (-1.4, -0.7, 0.7, 1.4), "hip": (-0.7, 0.7)}  # radians about the limb
LEANS = ((0.45, 0.0, 0.0), (-0.3, 0.0, 0.0), (0.0, 0.6, 0.0), (0.0, -0.6, 0.0), (0.0, 0.0, 0.35), (0.0, 0.0, -0.35))


@dataclass(frozen=True)
class _Found:
    solution: IKSolution
    places: NDArray[np.floating]  # (J, 3)


def never() -> bool:
    """Nobody gives up."""
    return False


def other_solution(
    problem: IKProblem, solver: Solver, shown: Pose, cancelled: Callable[[], bool] = never
) -> IKSolution | None:
    """The next pose of the problem's ring after the one shown; None where there is no other.

    Its state makes the solver go on from that pose. cancelled: asked before each start; the search ends there.
    """
    started = perf_counter()
    ring = ring_of(problem, solver, cancelled)
    if cancelled():
        return None
    at = forward_kinematics(problem.skeleton, shown).positions
    far = [_apart(at, found.places) for found in ring]
    here = int(np.argmin(far))
    if far[here] < VISIBLE_M:
        ring = ring[here + 1 :] + ring[:here]
    if not ring:
        return None
    solution = ring[0].solution
    return replace(solution, state=Chosen(solution.pose, problem.effectors), elapsed_s=perf_counter() - started)


def ring_of(problem: IKProblem, solver: Solver, cancelled: Callable[[], bool] = never) -> list[_Found]:
    """Up to `MOST` poses that meet the effectors as well as the solver's own, which comes first; each then differs
    from those before it as much as any."""
    skeleton = problem.skeleton
    own = _found(skeleton, solver.solve(problem))
    if not any(e.asks for e in problem.effectors):
        return [own]
    judge = _Judge(problem, own.solution)
    good = []
    for start in _starts(problem, solver, own.solution.pose):
        if cancelled():
            break
        solution = refine(problem, start, state_at(start))
        if judge.accepts(solution):
            good.append(_found(skeleton, solution))
    ring = [own]
    while len(ring) < MOST:
        good = [one for one in good if _apart(one.places, ring[-1].places) >= VISIBLE_M]
        if not good:
            break
        gaps = [min(_unlike(one.places, taken.places) for taken in ring) for one in good]
        ring.append(good[int(np.argmax(gaps))])
    return ring


class _Judge:
    """Whether a pose may stand beside the solver's own."""

    def __init__(self, problem: IKProblem, own: IKSolution) -> None:
        names = problem.skeleton.names
        self._own, self._prior, self._limits = own, pose_prior(names), joint_limits(names)
        self._strain = float(self._limits.excess(own.pose.rotations).max()) + STRAIN
        self._doubt = max(USUAL, UNUSUAL * self._unusual(own.pose))

    def accepts(self, solution: IKSolution) -> bool:
        pairs = zip(solution.residuals, self._own.residuals, strict=True)
        return (
            all(mine.value <= theirs.value + AS_WELL or mine.state in ("met", "tolerated") for mine, theirs in pairs)
            and float(self._limits.excess(solution.pose.rotations).max()) < self._strain
            and self._unusual(solution.pose) < self._doubt
        )

    def _unusual(self, pose: Pose) -> float:
        """How far the joints are from the natural pose, in standard deviations squared, together."""
        turns = to_rotation_vector(np.swapaxes(self._prior.mean, -1, -2) @ pose.rotations)[1:]
        return float(np.einsum("ji,jik,jk->", turns, self._prior.stiffness[1:], turns))


def _starts(problem: IKProblem, solver: Solver, own: Pose) -> Iterator[Pose]:
    skeleton, active = problem.skeleton, [e for e in problem.effectors if e.asks]
    if isinstance(solver, Proposer):
        for effectors in _jittered(active):
            yield solver.propose(replace(problem, effectors=effectors))
        mirrored = replace(
            problem,
            effectors=tuple(_mirrored(e) for e in active),
            base_pose=mirror_pose(skeleton, problem.base_pose),
        )
        yield mirror_pose(skeleton, solver.propose(mirrored))
    for pose in (natural_pose(skeleton), problem.base_pose):
        yield placed(skeleton, pose, active)
    for lean in LEANS:
        rotations = np.array(own.rotations)
        rotations[0] = rotations[0] @ from_rotation_vector(lean)
        yield Pose(own.root_position, rotations)
    for upper, end in LIMBS:
        for angle in SWINGS[upper.partition("_")[2]]:
            yield swung(skeleton, own, upper, end, angle)
    for (left, left_end), (right, right_end) in (LIMBS[:2], LIMBS[2:]):
        for angle in SWINGS[left.partition("_")[2]]:
            yield swung(skeleton, swung(skeleton, own, left, left_end, angle), right, right_end, -angle)


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
            if isinstance(e, Position)
            else e
            for e, shift in zip(effectors, shifts, strict=True)
        )


def _mirrored(effector: Effector) -> Effector:
    joint = mirrored_name(effector.joint)
    if isinstance(effector, Rotation):
        return replace(effector, joint=joint, target=mirror_rotation(effector.target))
    if isinstance(effector, LookAt):
        axis = mirror_point(effector.local_axis)
        return replace(effector, joint=joint, target=mirror_point(effector.target), local_axis=axis)
    return replace(effector, joint=joint, target=mirror_point(effector.target))  # type: ignore[attr-defined, call-arg]


def _found(skeleton: Skeleton, solution: IKSolution) -> _Found:
    return _Found(solution, forward_kinematics(skeleton, solution.pose).positions)


def _unlike(a: NDArray[np.floating], b: NDArray[np.floating]) -> float:
    """Metres, over all joints: a body that leans is more unlike than an elbow that swings."""
    return float(np.sqrt(((a - b) ** 2).sum(axis=1).mean()))


def _apart(a: NDArray[np.floating], b: NDArray[np.floating]) -> float:
    return float(np.linalg.norm(a - b, axis=1).max())
