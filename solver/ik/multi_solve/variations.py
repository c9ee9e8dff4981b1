"""Variations: clearly different poses for the same effectors, each from another base pose.

Every base pose is laid over the effectors and brought to them by the exact stage, standing and holding as the problem
says. Of those that meet them as well as the solver's own answer, a few are chosen that differ from each other and from
the pose shown, so that each looks different.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from solver.effectors.forms import PointEffector
from solver.effectors.placement import placed
from solver.ik.exact import Refined
from solver.ik.memory import ChosenPose
from solver.ik.multi_solve.judge import Judge
from solver.ik.multi_solve.other_solutions import VISIBLE_M, never
from solver.ik.multi_solve.solve_from_proposal import (
    SolvedPose,
    Ties,
    as_chosen_solution,
    cold_start_answer,
    try_from_proposal,
)
from solver.ik.options import NO_OPTIONS, Options
from solver.ik.pipeline.pipeline import Solver
from solver.ik.preserve_modes import limb_of
from solver.ik.problem import IKProblem
from solver.ik.rig_adapter import RigAdapter, adapter_for
from solver.ik.solution import IKSolution
from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.pose_distance import places_apart
from solver.kinematics.rotations import from_rotation_vector, geodesic_angle
from solver.values import FloatArray

APART = float(np.radians(8.0))  # mean joint angle below which two poses look alike
MOST = 12
ROUND = 24  # base poses that are tried before it is asked whether there are enough
PLENTY = 2  # times as many good poses as are wanted are enough to choose from
PLENTY_ALIKE = 4  # if they are to be like one pose
OFF_LEVEL_M = (
    0.1  # how much higher or lower than now the lowest joint may be: nobody is to float, or to stand in the floor
)
GROUND_M = 0.12  # metres above the lowest joint up to which others count as standing
LEAN_M = 0.2  # metres that a body's middle may be from above its feet
LEAN_MORE_M = 0.05  # or this much more than now
BENT = float(np.radians(16.0))  # mean joint angle by which effectors may bend a base pose
THREADS = 2  # the compiled part runs without Python's lock


@dataclass(frozen=True)
class Variations:
    """solutions: the most different first. tried: how many base poses there were; seconds: what it took."""

    solutions: tuple[IKSolution, ...]
    tried: int
    seconds: float


def mean_joint_angle(a: Pose, b: Pose, joints: Sequence[int] | None = None) -> float:
    """The mean angle, radians, by which joints turn from one pose to the other: these joints, or all."""
    turned = geodesic_angle(a.rotations, b.rotations)
    return float((turned if joints is None else turned[list(joints)]).mean())


def joints_without_self_ties(problem: IKProblem, ties: Ties | None) -> list[int] | None:
    """The joints outside limbs that are held on the figure's own body: such limbs go where that takes them, whatever
    pose the search begins at. None for all joints."""
    held = [e.joint for e in problem.effectors if ties is not None and e.is_active and ties.has_self_ties((e,))]
    if not held:
        return None
    limbs = {j for joint in held for j in limb_of(problem.skeleton, problem.skeleton.index(joint))}
    return [j for j in range(len(problem.skeleton)) if j not in limbs] or None


def pick_different(poses: Sequence[Pose], taken: Sequence[Pose], count: int) -> list[int]:
    """Which of the poses to show: up to `count` indices, each at least APART from all shown and `taken` before it.

    The one that is furthest from all before it comes first (farthest-point sampling by mean joint angle).
    """
    return list(islice(_different(poses, taken), count))


def _different(poses: Sequence[Pose], taken: Sequence[Pose]) -> Iterator[int]:
    if not poses:
        return
    gaps = np.full(len(poses), np.inf)
    for before in taken:
        gaps = np.minimum(gaps, _angles(poses, before))
    while gaps[best := int(np.argmax(gaps))] >= APART:
        yield best
        gaps = np.minimum(gaps, _angles(poses, poses[best]))
        gaps[best] = -1.0


def _similar(poses: Sequence[Pose], model: Pose, taken: Sequence[Pose]) -> Iterator[int]:
    """The nearest to `model` first: more like that pose, and still visibly different."""
    before = list(taken)
    for i in np.argsort(_angles(poses, model), kind="stable").tolist():
        if all(mean_joint_angle(poses[i], other) >= APART for other in before):
            before.append(poses[i])
            yield i


def variations(
    problem: IKProblem,
    solver: Solver,
    bases: Sequence[Pose],
    shown: Pose,
    *,
    model: Pose | None = None,
    count: int = MOST,
    cancelled: Callable[[], bool] = never,
    options: Options = NO_OPTIONS,
    ties: Ties | None = None,
) -> Variations:
    """Up to `count` poses for the problem's effectors, from these base poses; fewer if fewer differ.

    shown: the pose that is there; no pose that looks like it is returned. model: a pose that they are to be like, None
    for poses as different as can be. cancelled: asked between rounds; the search ends with what it has. ties: where
    targets are found again for each pose; None if they stay, as they do on a rig of another kind.
    """
    started = perf_counter()
    rigged = adapter_for(problem)
    if rigged:
        seen = rigged.movable
        inner = variations(
            rigged.solver_problem, solver, [seen.reduced(base) for base in bases], seen.reduced(shown),
            model=model and seen.reduced(model), count=count, cancelled=cancelled, options=options,
        )  # fmt: skip
        return _on_rig(inner, rigged, problem, perf_counter() - started)
    own = cold_start_answer(solver, problem, shown, ties, options).solution
    judge = Judge(problem, own.pose, own.residuals)
    level, lean = _stance(problem, shown)
    lean = max(LEAN_M, lean + LEAN_MORE_M)
    counting = joints_without_self_ties(problem, ties)

    def fits(start: Pose) -> Callable[[Refined], bool]:
        return lambda answer: (
            mean_joint_angle(answer.pose, start, counting) < BENT
            and judge.accepts(answer, start)
            and _stands(problem, answer.pose, level, lean)
        )

    taken = [shown, *([model] if model is not None else [])]
    plenty = PLENTY if model is None else PLENTY_ALIKE
    good: list[SolvedPose] = []
    chosen: list[int] = []
    tried = 0
    with ThreadPoolExecutor(THREADS) as pool:
        while tried < len(bases) and not cancelled():
            some = bases[tried : tried + ROUND]
            tried += len(some)
            starts = [_placed_base(problem, base, shown, level) for base in some]
            answers = pool.map(lambda start: try_from_proposal(problem, start, ties, fits(start)), starts)
            good += [answer for answer in answers if answer is not None]
            poses = [one.refined.pose for one in good]
            picked = _different(poses, taken) if model is None else _similar(poses, model, taken)
            chosen = list(islice(_seen_apart(problem, poses, picked, shown), count))
            if len(chosen) == count and len(good) >= plenty * count:
                break
    return Variations(tuple(as_chosen_solution(good[i]) for i in chosen), tried, perf_counter() - started)


def _on_rig(found: Variations, rigged: RigAdapter, problem: IKProblem, seconds: float) -> Variations:
    """Variations found in solvers' joints, on the rig of the problem."""
    solutions = map(rigged.rig_solution, found.solutions)
    chosen = tuple(replace(one, memory=ChosenPose(one.pose, problem.effectors)) for one in solutions)
    return Variations(chosen, found.tried, seconds)


def _seen_apart(problem: IKProblem, poses: Sequence[Pose], picked: Iterable[int], shown: Pose) -> Iterator[int]:
    """Those of the picked with some joint elsewhere than in all before: a limb may only have turned about itself."""
    seen = [forward_kinematics(problem.skeleton, shown).positions]
    for i in picked:
        places = forward_kinematics(problem.skeleton, poses[i]).positions
        if all(places_apart(places, before).max() >= VISIBLE_M for before in seen):
            seen.append(places)
            yield i


def _placed_base(problem: IKProblem, base: Pose, shown: Pose, level: float) -> Pose:
    """A base pose as upright as it is, standing as high as the shown one, turned and shifted over the effectors."""
    there = _turned(base, _heading(shown) - _heading(base), shown.root_position)
    over = placed(problem.skeleton, there, problem.effectors)
    turn = over.rotations[0] @ there.rotations[0].T
    there = _turned(there, float(np.arctan2(turn[0, 2] - turn[2, 0], turn[0, 0] + turn[2, 2])), shown.root_position)
    joints = forward_kinematics(problem.skeleton, there)
    points = [e for e in problem.effectors if e.is_active and isinstance(e, PointEffector)]
    shift = np.mean([e.target - e.held_at(problem.skeleton, joints) for e in points] or [np.zeros(3)], axis=0)
    shift[1] = level - float(joints.positions[:, 1].min())
    return Pose(there.root_position + shift.astype(np.float32), there.rotations)


def _stands(problem: IKProblem, pose: Pose, level: float, lean: float) -> bool:
    """Whether the lowest joint is about at that level, and the body's middle no further than `lean` off its support."""
    low, off = _stance(problem, pose)
    return abs(low - level) < OFF_LEVEL_M and off < lean


def _stance(problem: IKProblem, pose: Pose) -> tuple[float, float]:
    """Metres: the height of the lowest joint, and how far the middle of all is off that of those on the ground."""
    places = forward_kinematics(problem.skeleton, pose).positions
    low = float(places[:, 1].min())
    ground = places[places[:, 1] < low + GROUND_M].mean(axis=0)
    return low, float(np.linalg.norm((places.mean(axis=0) - ground)[[0, 2]]))


def _turned(pose: Pose, angle: float, root: FloatArray) -> Pose:
    rotations = np.array(pose.rotations)
    rotations[0] = from_rotation_vector([0.0, angle, 0.0]) @ pose.rotations[0]
    return Pose(root, rotations)


def _heading(pose: Pose) -> float:
    """Radians about the vertical; for somebody lying, where the chest points."""
    return float(np.arctan2(pose.rotations[0, 0, 2], pose.rotations[0, 2, 2]))


def _angles(poses: Sequence[Pose], other: Pose) -> NDArray[np.float32]:
    if not poses:
        return np.empty(0, np.float32)
    return geodesic_angle(np.stack([pose.rotations for pose in poses]), other.rotations).mean(axis=-1)
