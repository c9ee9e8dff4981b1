"""Figures of which something was held that nobody asked for, and is not any more: they stay as they are shown.

Who bears a hand of another, or moves only the arms, is held by more than their own effectors (`own_ties`, `only_limb`).
Once that ends, the body that those alone would lead to is another one, by decimetres, though nobody has dragged it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from solver.effectors.effector import Effector
from solver.ik.anchor import key
from solver.ik.continuity import taken_from
from solver.ik.memory import Memory, Own, Rested
from solver.ik.problem import IKProblem
from solver.kinematics.pose import Pose


def kept_where_freed(memory: Memory, problem: IKProblem, shown: Pose) -> Memory:
    """What a solve goes on from: the pose shown as if the user had chosen it, where less is held than in the last solve
    though all effectors still ask; the memory itself otherwise."""
    if not isinstance(memory, Rested) or not isinstance(memory.own, Own):
        return memory
    trail = memory.own.left.trail
    if trail is None or not _is_freed(memory.asked.problem, trail.effectors, problem):
        return memory
    there = taken_from(problem.skeleton, shown, problem.effectors)
    left = memory.own.left._replace(pose=shown, chosen_for=there, trail=None)
    return replace(memory, own=Own(memory.own.solver, left))


def _is_freed(was: IKProblem, held: Sequence[Effector], problem: IKProblem) -> bool:
    """Whether joints no longer stay that did, or limbs are no longer the only ones to move.

    held: the effectors of that problem, and what stayed beside them.
    """
    if was.skeleton != problem.skeleton:
        return False
    if was.frozen and not problem.frozen:
        return True
    stayed = {key(e) for e in held if e.asks} - {key(e) for e in was.effectors}
    return not stayed <= {key(e) for e in problem.effectors if e.asks}
