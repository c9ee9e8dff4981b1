"""Whether a pose may stand beside the solver's own: it meets the effectors as well, and is one that people can take."""

from __future__ import annotations

import numpy as np

from solver.ik.exact import Refined
from solver.ik.pose_prior import pose_prior
from solver.ik.problem import IKProblem, Residual
from solver.kinematics.limits import joint_limits
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import to_rotation_vector

AS_WELL = 3e-3  # metres or radians
STRAIN = 0.12  # radians beyond a joint's range that the first answer does not need
UNUSUAL = 2.5  # times as far from the natural pose, in standard deviations squared, as the first answer
USUAL = 40.0  # standard deviations squared up to which a pose counts as natural
FINE = ("met", "tolerated", "disabled")  # states of effectors that need nothing more


class Judge:
    """Compares other poses with the solver's own answer. own: its pose. residuals: how well it meets the effectors."""

    def __init__(self, problem: IKProblem, own: Pose, residuals: tuple[Residual, ...]) -> None:
        names = problem.skeleton.names
        self._residuals, self._prior, self._limits = residuals, pose_prior(names), joint_limits(names)
        self._strain = self._excess(own) + STRAIN
        self._doubt = max(USUAL, UNUSUAL * self._unusual(own))

    def accepts(self, solution: Refined, start: Pose | None = None) -> bool:
        """Whether it meets the effectors as well, and is within the joints' range and natural enough.

        start: the pose that the search began at, if people take it, such as a recorded one: the solution may bend as
        far beyond the range, and be as unusual, as that pose.
        """
        pairs = zip(solution.residuals, self._residuals, strict=True)
        strain, doubt = self._strain, self._doubt
        if start is not None:
            strain = max(strain, self._excess(start) + STRAIN)
            doubt = max(doubt, UNUSUAL * self._unusual(start))
        return (
            all(mine.value <= theirs.value + AS_WELL or mine.state in FINE for mine, theirs in pairs)
            and self._excess(solution.pose) < strain
            and self._unusual(solution.pose) < doubt
        )

    def _excess(self, pose: Pose) -> float:
        return float(self._limits.excess(pose.rotations).max())

    def _unusual(self, pose: Pose) -> float:
        """How far the joints are from the natural pose, in standard deviations squared, together."""
        turns = to_rotation_vector(np.swapaxes(self._prior.mean, -1, -2) @ pose.rotations)[1:]
        return float(np.einsum("ji,jik,jk->", turns, self._prior.stiffness[1:], turns))
