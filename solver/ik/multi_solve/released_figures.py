"""Figures that were held by more than their own effectors, and are not any more: they stay as they are shown.

Somebody who carries another one's hand, or moves only the arms, is held in place besides (`self_ties`, `only_limb`).
Once that ends, the own effectors alone would lead to another pose, decimetres away, though nobody has dragged anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from solver.effectors.effector import Effector
from solver.ik.anchor import effector_key, effectors_at_pose
from solver.ik.memory import LastSolve, Memory, SettledMemory, SolverMemory
from solver.ik.problem import IKProblem
from solver.kinematics.pose import Pose

SOUGHT_M = 0.05  # metres that a tie moves before a way around is looked for again that was of no use


def memory_after_release(memory: Memory, problem: IKProblem, shown: Pose) -> Memory:
    """The memory that a solve goes on from: the pose shown, as if the user had chosen it, if more held the figure in
    its last solve and all its effectors still ask; else the memory as it is."""
    if not isinstance(memory, SettledMemory) or not isinstance(memory.inner, SolverMemory):
        return memory
    start = memory.inner.warm_start
    if not _is_released(memory.record.problem, start.last_solve, problem):
        return memory
    there = effectors_at_pose(problem.skeleton, shown, problem.effectors)
    start = start._replace(pose=shown, chosen_for=there, last_solve=None)
    return replace(memory, inner=SolverMemory(memory.inner.solver, start))


def looks_for_way_around(memory: Memory, problem: IKProblem) -> bool:
    """Whether a figure that takes a hold anew may look for a way around what is in the way. A limb that goes on moving
    alone may not: it would be on the other side of the body from one step of a drag to the next."""
    goes_on = isinstance(memory, SettledMemory) and bool(memory.record.problem.frozen and problem.frozen)
    return problem.obstacles is not None and not goes_on


def has_sought_there(memory: Memory, problem: IKProblem, ties: Sequence[Effector]) -> bool:
    """Whether a way around has been looked for in vain where all these ties are now, or near there, by a body that
    moves as a whole. In a drag each step would look for it again, which takes several times as long as the step and
    makes the body jump."""
    if problem.frozen:
        return False
    sought = {effector_key(e): e for e in memory.sought} if isinstance(memory, SettledMemory) else {}
    return all((was := sought.get(effector_key(e))) and e.distance_from(was) < SOUGHT_M for e in ties)


def _is_released(was: IKProblem, last: LastSolve | None, problem: IKProblem) -> bool:
    """Whether it was held by joints that no longer stay, or by limbs that are no longer the only ones to move."""
    if was.skeleton != problem.skeleton or last is None:
        return False
    if was.frozen and not problem.frozen:
        return True
    asked = {effector_key(e) for e in was.effectors}
    stayed = {effector_key(e) for e in last.effectors if e.is_active} - asked
    return not stayed <= {effector_key(e) for e in problem.effectors if e.is_active}
