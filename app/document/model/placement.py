"""Where a clip stands: a rigid transform over the floor, applied when it is read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import cos, pi, remainder, sin

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.effectors.effector import Effector
from solver.kinematics.pose import Motion, Pose
from solver.kinematics.rigid_motion import RigidMotion


@dataclass(frozen=True)
class Placement:
    """p -> turn p + shift. turn: radians about the vertical, from +Z to +X, within ±pi. shift: metres, x, y and z.

    It is a value of its own beside the poses, so that moving a long motion copies none of it, and moving it there and
    back leaves no trace.
    """

    turn: float = 0.0
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        if not -pi <= self.turn <= pi:
            object.__setattr__(self, "turn", remainder(self.turn, 2 * pi))

    @cached_property
    def rigid(self) -> RigidMotion:
        """The placement as a rigid transform of the world."""
        c, s = cos(self.turn), sin(self.turn)
        return RigidMotion(np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]), np.asarray(self.shift))

    @property
    def inverse(self) -> Placement:
        """The placement that undoes this one."""
        back = Placement(-self.turn)
        return back.moved(back.rigid.turn @ -np.array(self.shift))

    def moved(self, by: ArrayLike) -> Placement:
        """Moved on by (3,) metres in the world."""
        x, y, z = np.asarray(self.shift) + np.asarray(by, dtype=np.float64)
        return replace(self, shift=(float(x), float(y), float(z)))

    def turned(self, angle: float, centre: ArrayLike) -> Placement:
        """Turned on by radians about the vertical through `centre`, (3,) metres in the world."""
        middle, on = np.asarray(centre, dtype=np.float64), Placement(angle).rigid.turn
        x, y, z = middle + on @ (np.asarray(self.shift) - middle)
        return Placement(self.turn + angle, (float(x), float(y), float(z)))

    def points(self, points: NDArray[np.floating]) -> NDArray[np.floating]:
        """(..., 3) metres of the clip's space in the world."""
        return points if self == HERE else self.rigid.points(points.astype(np.float64))

    def pose(self, pose: Pose) -> Pose:
        """A pose of the clip in the world."""
        return pose if self == HERE else Pose(self.points(pose.root_position), self._local(pose.rotations))

    def motion(self, motion: Motion) -> Motion:
        """A motion of the clip in the world."""
        if self == HERE:
            return motion
        return Motion(self.points(motion.root_positions), self._local(motion.rotations), motion.fps)

    def effector(self, effector: Effector) -> Effector:
        """An effector of the clip in the world."""
        return effector if self is HERE or self == HERE else effector.moved_by(self.rigid)

    def _local(self, rotations: NDArray[np.floating]) -> NDArray[np.floating]:
        """(..., J, 3, 3) with the root's turned."""
        if not self.turn:
            return rotations
        result = np.array(rotations)
        result[..., 0, :, :] = self.rigid.rotations(result[..., 0, :, :])
        return result


HERE = Placement()
