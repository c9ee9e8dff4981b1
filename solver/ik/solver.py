"""What every solver is: a pure function from a problem and its previous state to a solution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from solver.ik.problem import IKProblem, IKSolution
from solver.kinematics.pose import Pose


@dataclass(frozen=True)
class SolverSpec:
    """A solver as the panel shows it, known without importing it.

    target: "package.module:Class". effector_kinds: of "position", "rotation", "lookat".
    shape, base_pose, sequences, pins: whether it heeds body shape, the base pose, past frames, and exact pins.
    learned: its proposal is a network's. body: id of the only body that it knows, "" for any.
    """

    id: str
    title: str
    target: str
    effector_kinds: frozenset[str]
    shape: bool
    base_pose: bool
    sequences: bool
    pins: bool
    summary: str = ""
    learned: bool = False
    body: str = ""


class Solver(Protocol):
    """Completes a pose. Stateless: what a sequential solver remembers comes in and goes out as a frozen `state`."""

    spec: SolverSpec

    def solve(self, problem: IKProblem, state: Any = None) -> IKSolution:
        """The pose for `problem`; with the `state` of the previous solution it starts from there.

        Raises UnsupportedEffector for an enabled effector of a kind that `spec` does not list.
        """
        ...


@runtime_checkable
class Proposer(Protocol):
    """A solver whose answer is its own proposal, brought to the effectors by the exact stage."""

    def propose(self, problem: IKProblem) -> Pose:
        """The proposal alone, before the exact stage."""
        ...


@runtime_checkable
class BatchProposer(Protocol):
    """A solver that proposes poses for many problems in little more time than for one."""

    def propose_batch(self, problems: Sequence[IKProblem]) -> Sequence[Pose]:
        """The proposals alone, in order."""
        ...
