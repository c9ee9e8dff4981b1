"""A seam between poses: where what is asked changes at once, the body goes over to the new pose in its own time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.kinematics.skeleton import Skeleton

SHORTEST_S = 0.25
SECONDS_PER_M = 1.7  # so that no joint is faster than 1.3 m/s for it: 4 cm from one frame to the next at 30 a second


@dataclass(frozen=True)
class Seam:
    """How the pose shown differed from the one solved when it was cut: it fades. root: (3,) metres. turns: (J, 3)
    rotation vectors, in the parents' frames. began_s, lasts_s: seconds."""

    root: NDArray[np.floating]
    turns: NDArray[np.floating]
    began_s: float
    lasts_s: float

    @classmethod
    def between(cls, skeleton: Skeleton, shown: Pose, solved: Pose, now_s: float) -> Seam:
        """The seam from the pose shown to the one solved."""
        before, after = (forward_kinematics(skeleton, pose).positions for pose in (shown, solved))
        farthest = float(np.linalg.norm(before - after, axis=1).max())
        turns = to_rotation_vector(shown.rotations @ np.swapaxes(solved.rotations, -1, -2))
        lasts = max(SHORTEST_S, SECONDS_PER_M * farthest)
        return cls(shown.root_position - solved.root_position, turns, now_s, lasts)

    def over(self, now_s: float) -> bool:
        """Whether it has faded."""
        return now_s >= self.began_s + self.lasts_s

    def pose(self, solved: Pose, now_s: float) -> Pose:
        """The solved pose with what is left of the difference."""
        done = min(max((now_s - self.began_s) / self.lasts_s, 0.0), 1.0)
        left = 1.0 - done * done * (3.0 - 2.0 * done)
        turns = from_rotation_vector(left * self.turns) @ solved.rotations
        return Pose((solved.root_position + left * self.root).astype(np.float32), turns.astype(np.float32))
