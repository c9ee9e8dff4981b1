"""A problem on any rig as solvers see it, and their answers as the rig's; see `solver.rig.movable`.

A problem on a skeleton of our own kind passes as it is, at the cost of one table look-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from solver.effectors.effector import Effector
from solver.ik.problem import IKProblem, Residual
from solver.ik.residuals import residuals, with_states_of
from solver.ik.solution import IKSolution
from solver.ik.stance.leans import Lean
from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised_on_value
from solver.rig.movable import Movable, is_carried, movable, movable_joints
from solver.rig.rig import rig_of
from solver.values import FloatArray


@dataclass(frozen=True)
class RigAdapter:
    """A problem on a rig, and what solvers see of it: `inner`, with only those effectors that ask for something."""

    problem: IKProblem
    movable: Movable
    solver_problem: IKProblem

    @property
    def joints(self) -> int:
        """How many joints solvers see."""
        return len(self.solver_problem.skeleton)

    def solver_effectors(self, effectors: tuple[Effector, ...]) -> tuple[Effector, ...]:
        """Effectors of the rig as solvers see them."""
        return solver_effectors(self.movable, effectors)

    def solver_pose(self, pose: Pose) -> Pose | None:
        """A pose of the rig as solvers see it; None for one of another skeleton."""
        return self.movable.reduced(pose) if len(pose.rotations) == len(self.problem.skeleton) else None

    def rig_pose(self, inner: Pose) -> Pose:
        """The rig's pose; what solvers do not move is as in the base pose."""
        return self.movable.expanded(inner, self.problem.base_pose)

    def rig_solution(self, inner: IKSolution) -> IKSolution:
        """The solution on the rig, measured there."""
        pose = self.rig_pose(inner.pose)
        left = self.rig_residuals(residuals(self.problem.skeleton, pose, self.problem.effectors), inner.residuals)
        return replace(inner, pose=pose, memory=inner.memory.for_own_rig(pose), residuals=left)

    def rig_residuals(self, left: Sequence[Residual], inner: Sequence[Residual]) -> tuple[Residual, ...]:
        """Residuals of the rig's effectors, in the states that solvers give to those that ask for something."""
        of_asking = iter(inner)
        was = [next(of_asking) if e.is_active else one for e, one in zip(self.problem.effectors, left, strict=True)]
        return with_states_of(left, was)

    def rig_joint_name(self, inner: str) -> str:
        """What the rig calls a joint of the solvers' skeleton."""
        return self.problem.skeleton.names[self.movable.joints[self.solver_problem.skeleton.index(inner)]]


def adapter_for(problem: IKProblem) -> RigAdapter | None:
    """The problem as solvers see it; None if it is of their kind already."""
    if is_solver_skeleton(problem.skeleton):
        return None
    rig = rig_of(problem.skeleton)
    asking = tuple(e for e in problem.effectors if e.is_active)
    seen = movable(rig, problem.base_pose, frozenset(rig.index(e.joint) for e in asking))
    inner = IKProblem(
        seen.skeleton,
        problem.shape,
        solver_effectors(seen, asking),
        seen.reduced(problem.base_pose),
        _carried_mask(seen, problem.preserve_position),
        _own_mask(seen, problem.preserve_orientation),
        problem.body,
        problem.step_s,
        _solver_joints(seen, problem.frozen),
        floor=problem.floor,  # given in solvers' joints, as is the stance
        stance=problem.stance,
        leans=_solver_leans(seen, problem.leans),
        dragged=problem.dragged,
        arms_first=problem.arms_first,
        slid=_solver_joints(seen, problem.slid),
        seen=None if problem.seen is None else seen.reduced(problem.seen),
    )
    return RigAdapter(problem, seen, inner)


@memoised_on_value
def is_solver_skeleton(skeleton: Skeleton) -> bool:
    """Whether solvers see the skeleton as it is: our own joints' names, order and axes, and nothing rigid."""
    if any(map(is_carried, skeleton.names)):
        return True
    rig = rig_of(skeleton)
    kept = movable_joints(rig)
    return rig.rest_frames is None and kept == tuple(range(len(rig))) and rig.keys == rig.names


def with_carried_at_rest(skeleton: Skeleton, pose: Pose) -> Pose:
    """The pose with carried joints at rest: a proposer that knows nothing of them may have turned them."""
    carried = _carried(skeleton)
    if not carried:
        return pose
    rotations = np.array(pose.rotations)
    rotations[carried] = np.eye(3)
    return Pose(pose.root_position, rotations)


@memoised_on_value
def _carried(skeleton: Skeleton) -> list[int]:
    return [j for j, name in enumerate(skeleton.names) if is_carried(name)]


def solver_effectors(seen: Movable, effectors: tuple[Effector, ...]) -> tuple[Effector, ...]:
    """The rig's effectors on the joints that solvers see, given in the axes of those."""
    made = []
    for effector in effectors:
        j = seen.rig.index(effector.joint)
        if j in seen.of_joint:
            made.append(effector.on_joint(seen.skeleton.names[seen.of_joint[j]], seen.frames.get(j)))
    return tuple(made)


def _solver_leans(seen: Movable, leans: tuple[Lean, ...]) -> tuple[Lean, ...]:
    return tuple(
        Lean(effector, strength) for wanted, strength in leans for effector in solver_effectors(seen, (wanted,))
    )


def rig_effectors(seen: Movable, effectors: tuple[Effector, ...]) -> tuple[Effector, ...]:
    """Solvers' effectors as the rig's."""
    joints = [int(seen.joints[seen.skeleton.index(e.joint)]) for e in effectors]
    turns = [seen.frames.get(j) for j in joints]
    return tuple(
        e.on_joint(seen.rig.names[j], None if turn is None else turn.T)
        for e, j, turn in zip(effectors, joints, turns, strict=True)
    )


def _solver_joints(seen: Movable, names: Iterable[str]) -> frozenset[str]:
    """What solvers call these joints of the rig, of those that they see."""
    joints = map(seen.rig.index, names)
    return frozenset(seen.skeleton.names[seen.of_joint[j]] for j in joints if j in seen.of_joint)


def _own_mask(seen: Movable, mask: FloatArray) -> FloatArray:
    inside = mask[seen.joints]
    if seen.carried:
        inside[-seen.carried :] = 0.0
    return inside


def _carried_mask(seen: Movable, mask: FloatArray) -> FloatArray:
    """A rigid joint whose place is kept keeps the place of the joint that carries it."""
    inside = _own_mask(seen, mask)
    if not mask.any():
        return inside
    for joint in np.flatnonzero(mask).tolist():
        above = joint
        while seen.of_joint.get(above, len(inside)) >= len(inside) - seen.carried:
            above = seen.rig.parents[above]
        inside[seen.of_joint[above]] = max(inside[seen.of_joint[above]], mask[joint])
    return inside
