"""The answer of a solver, and which of two answers is taken for somebody who is led."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from solver.effectors.effector import Effector
from solver.effectors.form_ids import POINT, TURN
from solver.ik.memory import Memory
from solver.ik.problem import IKProblem, Residual
from solver.kinematics.pose import Pose
from solver.kinematics.pose_distance import apart

# How much further off what is asked may be, for being led: a share of the metres by which joints go less far in a step,
# and metres at most; and metres up to which it may stay as far off as it is shown.
PAID, MOST_M, LATE_M = 0.1, 0.02, 0.1


@dataclass(frozen=True)
class IKSolution:
    """A solver's answer. memory: for the next solve. residuals: one for each effector of the problem, in order."""

    pose: Pose
    memory: Memory
    residuals: tuple[Residual, ...]
    iterations: int
    elapsed_s: float


class Answer(NamedTuple):
    """One figure's solution among several. effectors: its problem's, their targets where their sources are by now."""

    solution: IKSolution
    effectors: tuple[Effector, ...]


def missed(problem: IKProblem, found: IKSolution) -> float:
    """Metres or radians by which the worst of what is asked and out of reach is missed."""
    from solver.ik.residuals import largest_miss  # it brings compiled code along

    return largest_miss(problem.effectors, found.residuals, lambda e: e.is_active)


def may_be_led(
    problem: IKProblem, shown: Pose, led: IKSolution, free: IKSolution, late_m: float, joints: Sequence[int] = ()
) -> bool:
    """Whether what was found with joints led is nearer to the pose shown than what was found without, and misses little
    more than that does, or each place than what is shown does, up to `late_m` metres; where it is out of reach by more,
    up to `MOST_M` beyond that. The nearer it is, the more may be missed for it: see PAID.

    late_m: with 0, nothing may be late. Else soft turns, as of feet, may be missed by anything on the way.
    joints: those that have to be nearer; all, if none are named.
    """
    from solver.ik.residuals import residuals  # it brings compiled code along

    which = list(joints) if joints else slice(None)
    goes = [float(apart(problem.skeleton, shown, one.pose)[which].max()) for one in (free, led)]
    more, most = min(PAID * (goes[0] - goes[1]), MOST_M), missed(problem, free)
    there = residuals(problem.skeleton, shown, problem.effectors)
    told = zip(problem.effectors, led.residuals, there, free.residuals, strict=True)
    late = late_m > 0.0

    def may_miss(e: Effector, was: float, then: float) -> float:
        stays = min(was, max(late_m, then + MOST_M)) if late and _is_strict_place(e) else 0.0
        return max(most, stays) + more

    return more > 0.0 and all(
        now.value <= may_miss(e, was.value, then.value)
        for e, now, was, then in told
        if e.is_active and now.state == "unreachable" and not (late and _is_soft_turn(e))
    )


def _is_strict_place(effector: Effector) -> bool:
    return effector.is_active and effector.is_strict and effector.form == POINT


def _is_soft_turn(effector: Effector) -> bool:
    return effector.form == TURN and not effector.is_strict
