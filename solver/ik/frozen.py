"""What does not move at all while the rest is solved: a frozen joint is where the base pose has it, to the last bit.

A frozen joint keeps its local rotation if its parent is frozen as well (the root: its place, too); it is copied from
the base pose. One below a joint that moves is held in the world, as hard as a pin holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.effectors.form_ids import POINT, TURN
from solver.effectors.kinds import Position, Rotation
from solver.effectors.residual_kernels import Rows
from solver.ik.kernels.prior_kernels import Pulls
from solver.ik.memory import ExactState
from solver.ik.problem import IKProblem
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.rig.rig import rig_of
from solver.rig.roles import TRUNK
from solver.values import FloatArray, read_only

Array = NDArray[np.float64]
STIFF = 1e9  # per rad² or m²: nothing that effectors can do turns such a joint by a visible angle


@dataclass(frozen=True)
class Frozen:
    """The frozen joints of a problem. joints: their indices. copied: those that keep their local rotation."""

    problem: IKProblem
    joints: frozenset[int]

    @cached_property
    def copied(self) -> list[int]:
        """Indices of frozen joints whose parent is frozen as well, and of a frozen root."""
        parents = self.problem.skeleton.parents
        return sorted(j for j in self.joints if parents[j] < 0 or parents[j] in self.joints)

    @cached_property
    def fixed(self) -> frozenset[int]:
        """Indices of joints that cannot move at all, because all joints up to the root are frozen."""
        fixed: set[int] = set()
        for j, parent in enumerate(self.problem.skeleton.parents):
            if j in self.joints and (parent < 0 or parent in fixed):
                fixed.add(j)
        return frozenset(fixed)

    @property
    def trunk_stays(self) -> bool:
        """Whether neither pelvis nor spine can move."""
        rig = rig_of(self.problem.skeleton)
        return self.fixed.issuperset(map(rig.index, rig.names_of(TRUNK)))

    def pose(self, pose: Pose) -> Pose:
        """The pose with what is copied from the base pose."""
        return Pose(self._root(pose.root_position), self._rotations(pose.rotations))

    def state(self, state: ExactState) -> ExactState:
        """A state to start from, with what is copied from the base pose."""
        return ExactState(self._root(state.root), self._rotations(state.rotations))

    def movable(self, effectors: Sequence[Effector]) -> tuple[Effector, ...]:
        """The effectors that something can still be done about."""
        index = self.problem.skeleton.index
        return tuple(e for e in effectors if index(e.joint) not in self.fixed)

    def stiffness(self, hold: Array) -> Array:
        """(J,) stiffness per rad² towards the base pose: raised for what is copied, none for what is held in the world.

        The foot of a leg that bends turns at its ankle to stay as it is.
        """
        raised = hold.copy()
        raised[self._held] = 0.0
        raised[self.copied] = STIFF
        return raised

    def pulls(self, pulls: Pulls) -> Pulls:
        """The strengths, with a root that stays if it is frozen."""
        return pulls._replace(root=STIFF / pulls.near) if 0 in self.joints else pulls

    def with_rows(self, rows: Rows, strengths: Array) -> tuple[Rows, Array]:
        """The effectors, followed by the place and the turn of each frozen joint below one that moves."""
        held = self._held
        if not held:
            return rows, strengths
        base = self._base
        targets = np.zeros((2 * len(held), 3, 3))
        targets[::2, 0], targets[1::2] = base.positions[held], base.rotations[held]
        more = np.tile([kind.spec.strength(True, 0.0) for kind in (Position, Rotation)], (len(held), 1))
        both = Rows(
            np.concatenate([rows.kinds, np.tile([POINT, TURN], len(held))]),
            np.concatenate([rows.joints, np.repeat(held, 2)]),
            np.concatenate([rows.targets, targets]),
        )
        return both, np.concatenate([strengths, more])

    @cached_property
    def _held(self) -> list[int]:
        return sorted(self.joints - set(self.copied))

    @property
    def _base(self) -> WorldJoints:
        return forward_kinematics(self.problem.skeleton, self.problem.base_pose)

    def _root(self, root: FloatArray) -> FloatArray:
        return self.problem.base_pose.root_position if 0 in self.joints else root

    def _rotations(self, rotations: FloatArray) -> FloatArray:
        own = np.array(rotations, np.float32)
        own[self.copied] = self.problem.base_pose.rotations[self.copied]
        read_only(own)
        return own


def frozen_of(problem: IKProblem) -> Frozen | None:
    """What is frozen in the problem; None if nothing is."""
    names = problem.frozen | problem.fixed
    return Frozen(problem, frozenset(map(problem.skeleton.index, names))) if names else None
