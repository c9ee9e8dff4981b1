"""A protocol's problems: what every solver is asked about true poses, and what it has to keep."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from solver.effectors.effector import Effector
from solver.effectors.placement import placed
from solver.evaluation.body_joints import BODY_JOINTS
from solver.evaluation.poses import TruePose
from solver.ik.pose_prior import natural_pose
from solver.ik.preserve_modes import PreserveMode
from solver.ik.problem import IKProblem
from solver.kinematics.pose import Pose

MODE = ":"  # between a protocol's family and the mode of preservation, or the kind of edit

Draw = Callable[[TruePose, np.random.Generator], Iterator[tuple[Effector, ...]]]


@dataclass(frozen=True)
class Trial:
    """One problem and the pose that it was taken from."""

    problem: IKProblem
    truth: TruePose


@dataclass(frozen=True)
class Protocol:
    """What every solver is asked. kinds: of the effectors given. draw: the sets of effectors of one pose.

    mode: what is to be kept of a base pose, which is another of the poses; None if no base pose is given.
    joints: those whose places may be asked for. words: for what is measured, and for one problem of it. classes: what
    the problems are sorted by.
    """

    words: ClassVar[tuple[str, str]] = "pose", "problem"
    classes: ClassVar[str] = "posture class of the true pose"

    id: str
    title: str
    kinds: frozenset[str]
    draw: Draw
    mode: PreserveMode | None = None
    joints: frozenset[str] = frozenset(BODY_JOINTS)

    @property
    def based(self) -> bool:
        """Whether there is a base pose besides the effectors."""
        return self.mode is not None

    @property
    def family(self) -> str:
        """Its name without a mode: all modes of a family get the same effectors and base poses."""
        return self.id.partition(MODE)[0]

    def trials(self, poses: tuple[TruePose, ...], seed: int = 0) -> Iterator[Trial]:
        """The problems of these poses; a pose's draw depends only on the seed and its number."""
        for place, truth in enumerate(poses):
            for effectors in self.effectors(truth, seed):
                problem = problem_of(truth, effectors)
                if self.mode is not None:
                    others = poses[:place] + poses[place + 1 :] or poses
                    rng = np.random.default_rng([seed, *self.family.encode(), truth.number, 1])
                    problem = keeping(problem, truth, others[int(rng.integers(len(others)))].pose, self.mode)
                yield Trial(problem, truth)

    def effectors(self, truth: TruePose, seed: int = 0) -> Iterator[tuple[Effector, ...]]:
        """The sets of effectors of one pose."""
        return self.draw(truth, np.random.default_rng([seed, *self.family.encode(), truth.number]))


def problem_of(truth: TruePose, effectors: tuple[Effector, ...]) -> IKProblem:
    """A problem that keeps nothing of its base pose: the natural pose, aligned with the effectors as one rigid piece.

    So every solver learns where the body stands and faces only from the effectors, and all learn the same.
    """
    base = placed(truth.skeleton, natural_pose(truth.skeleton), effectors)
    free = np.zeros(len(truth.skeleton), np.float32)
    return IKProblem(truth.skeleton, truth.shape, effectors, base, free, free)


def keeping(problem: IKProblem, truth: TruePose, base: Pose, mode: PreserveMode) -> IKProblem:
    """The problem with that base pose to keep, moved over the place on the floor where the true pose's pelvis is.

    It faces as it was recorded, so the body often has to turn. Joints with effectors are not kept.
    """
    root = np.array(base.root_position)
    root[[0, 2]] = truth.pose.root_position[[0, 2]]
    place, shape = mode.masks(problem.skeleton, problem.effectors)
    base = Pose(root, base.rotations)
    return replace(problem, base_pose=base, preserve_position=place, preserve_orientation=shape)
