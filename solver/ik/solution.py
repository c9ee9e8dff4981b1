"""The answer of a solver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from solver.effectors.effector import Effector
from solver.ik.memory import Memory
from solver.ik.problem import Residual
from solver.kinematics.pose import Pose


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
