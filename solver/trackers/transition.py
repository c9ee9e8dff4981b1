"""A smooth transition between poses: if targets change suddenly, an offset to the new pose fades out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.fk import forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.kinematics.skeleton import Skeleton

SHORTEST_S = 0.25
FASTEST = 1.2  # m/s of a joint on the way: 4 cm from one frame to the next at 30 a second
STEEPEST = 2.0  # slope of the fade, relative to its mean: it begins at once and ends gently
PARTS = 6  # of the way, in which joints are watched: it may be far longer than the straight line


@dataclass(frozen=True)
class PoseTransition:
    """The difference between the pose shown and the one solved when it was made, which fades. root: (3,) metres.
    turns: (J, 3) rotation vectors, in the parents' frames. began_s, lasts_s: seconds."""

    root: NDArray[np.floating]
    turns: NDArray[np.floating]
    began_s: float
    lasts_s: float

    @classmethod
    def between(cls, skeleton: Skeleton, shown: Pose, solved: Pose, now_s: float) -> PoseTransition:
        """The transition from the pose shown to the one solved."""
        turns = to_rotation_vector(shown.rotations @ np.swapaxes(solved.rotations, -1, -2))
        transition = cls(shown.root_position - solved.root_position, turns, now_s, 1.0)
        poses = (transition.left(solved, part / PARTS) for part in range(PARTS + 1))
        path = [forward_kinematics(skeleton, pose).positions for pose in poses]
        fastest = PARTS * float(np.linalg.norm(np.diff(path, axis=0), axis=-1).max())
        return replace(transition, lasts_s=max(SHORTEST_S, STEEPEST * fastest / FASTEST))

    def is_over(self, now_s: float) -> bool:
        """Whether it has faded."""
        return now_s >= self.began_s + self.lasts_s

    def pose(self, solved: Pose, now_s: float) -> Pose:
        """The solved pose with what is left of the difference."""
        done = min(max((now_s - self.began_s) / self.lasts_s, 0.0), 1.0)
        return self.left(solved, (1.0 - done) ** 2)

    def left(self, solved: Pose, share: float) -> Pose:
        """The solved pose with a share 0..1 of the difference."""
        turns = from_rotation_vector(share * self.turns) @ solved.rotations
        return Pose((solved.root_position + share * self.root).astype(np.float32), turns.astype(np.float32))
