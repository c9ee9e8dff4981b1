"""DragPoser's poses of a motion, averaged with those of a solver that sees each frame by itself.

The search loses what its latent space cannot hold, the other one forgets what was before: they err in different ways,
and the mean of both is nearer to the truth than either. The exact stage that follows meets the sensors.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from solver.errors import InputRefused
from solver.ik.options import PROPOSAL_ALONE, Options
from solver.ik.problem import IKProblem
from solver.ik.solver import Ask, Proposal, Proposer
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import interpolate
from solver.solvers.catalog import DRAGPOSER_SEARCH
from solver.solvers.latent.dragposer import DragPoser, Remembered
from solver.solvers.latent.dragposer import dragposer as search
from solver.solvers.learned.shipped import smplik

FEWEST = 4  # sensors: fewer leave so much open that what goes on from the frame before decides
SHARE = 0.5  # of the other's pose


class Ensemble(Proposer[Remembered]):
    """A search, and who is asked besides for frames of a motion."""

    def __init__(self, search: DragPoser, other: Proposer[None]) -> None:
        self._search, self._other = search, other

    def accepts(self, problem: IKProblem) -> str:
        """Why one of the two does not fit the skeleton; "" if both do."""
        return self._search.accepts(problem) or self._other.accepts(problem)

    def propose(self, ask: Ask[Remembered]) -> Proposal[Remembered]:
        """The mean of both poses, and the motion as the search alone followed it."""
        found = self._search.propose(ask)
        if not is_averaged(ask.problem, ask.options):
            return found
        other = self._other.propose(Ask(ask.problem)).pose
        return found._replace(pose=mean_pose(found.pose, other))


def is_averaged(problem: IKProblem, options: Options) -> bool:
    """Whether a pose is averaged: of a motion, with enough sensors, and where nothing is set of the search, which the
    other one does not heed."""
    sensors = len({effector.joint for effector in problem.effectors if effector.asks})
    told = PROPOSAL_ALONE.of(options) or any(option.of(options) != option.default for option in DRAGPOSER_SEARCH)
    return problem.step_s > 0 and sensors >= FEWEST and not told


def mean_pose(first: Pose, second: Pose, share: float = SHARE) -> Pose:
    """The pose a share of the way from one to the other, each joint turned by the shortest way."""
    root = (1.0 - share) * first.root_position + share * second.root_position
    turns = interpolate(first.rotations, second.rotations, share)
    return replace(first, root_position=root.astype(np.float32), rotations=turns.astype(np.float32))


def dragposer() -> Proposer[Remembered]:
    """DragPoser with SMPL-IK beside it, or alone where that one's weights are missing.

    Raises InputRefused where DragPoser's own are missing or not those of our body.
    """
    alone = search()
    try:
        return Ensemble(alone, smplik())
    except InputRefused:
        return alone
