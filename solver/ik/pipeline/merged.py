"""A problem on the body of a character that lacks joints of ours: those stay at rest.

They remain among the joints that solvers see, since networks, floor and skin count 24, but are so stiff that they do
not bend. A base pose or a proposal that bends them is taken as the character is drawn in it.
"""

from __future__ import annotations

from dataclasses import dataclass

from solver.effectors.effector import Effector
from solver.ik.memory import Memory, SettledMemory, SolverMemory
from solver.ik.problem import IKProblem
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.rig.fewer_joints import unbent
from solver.rig.rig import rig_of
from solver.values import changed


@dataclass(frozen=True)
class _Unbent:
    """What a memory asks of a rig (`solver.ik.memory.ForeignRig`): the same joints, some of which stay at rest."""

    skeleton: Skeleton

    @property
    def joints(self) -> int:
        """How many joints there are."""
        return len(self.skeleton)

    def solver_pose(self, pose: Pose) -> Pose | None:
        """The pose with merged joints at rest; None for one of another skeleton."""
        return unbent(self.skeleton, pose) if len(pose.rotations) == len(self.skeleton) else None

    def solver_effectors(self, effectors: tuple[Effector, ...]) -> tuple[Effector, ...]:
        """The effectors as they are."""
        return effectors


def with_merged_unbent(problem: IKProblem) -> IKProblem:
    """The problem with a base pose that bends no merged joint; itself if there is none."""
    base = unbent(problem.skeleton, problem.base_pose)
    seen = None if problem.seen is None else unbent(problem.skeleton, problem.seen)
    if base is problem.base_pose and seen is problem.seen:
        return problem
    return changed(problem, base_pose=base, seen=seen)


def memory_unbent(skeleton: Skeleton, memory: Memory) -> Memory:
    """The memory at poses that bend no merged joint; itself if there is none."""
    if not rig_of(skeleton).merged_joints or (
        isinstance(memory, SettledMemory) and isinstance(memory.inner, SolverMemory)
    ):
        return memory  # what a solver has left behind bends none
    return memory.for_solver_rig(_Unbent(skeleton))
