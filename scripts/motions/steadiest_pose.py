"""The pose that meets its trackers and moves no joint further than it is allowed, as near as can be to a given one.

It is for studies alone: given how far the true joints move, it tells whether a body could have been as steady as they
are, whatever a follower did. Joint limits are left aside. The search is local: what it does not find may exist.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.effectors.effector import Effector
from solver.effectors.kinds import Position, Rotation
from solver.kinematics.fk import WorldJoints, forward_kinematics
from solver.kinematics.pose import Pose
from solver.kinematics.rotations import from_rotation_vector, to_rotation_vector
from solver.kinematics.skeleton import Skeleton

Array = NDArray[np.floating]

PLACE, TURN, NEAR = 1000.0, 50.0, 0.3  # pulls of places and of steps too long (a metre), turns, and nearness (a radian)
STAGES = ((0.05, 6), (0.25, 5), (1.0, 5))  # how firmly trackers pull, and iterations: at first they may be missed
TRIES, DAMPING, LEAST, CHANGE = 5, 0.03, 1e-4, 6.0  # of a step; damping at first and at least; what it changes by
ENOUGH = 0.01  # of the energy: what a step must take off, or a stage ends
LONGEST = 0.6  # radians or metres of one step


def steadiest_pose(skeleton: Skeleton, effectors: Sequence[Effector], pose: Pose, before: Array, room: Array) -> Pose:
    """A pose near `pose` that meets the effectors as well as that does, and is at most `room` (J,) metres from where
    joints were, `before` (J, 3) metres; where both cannot be had, something between."""
    search = _Search(skeleton, _as_met(skeleton, effectors, pose), pose, np.asarray(before, float), room)
    for share, iterations in STAGES:
        pose = search.descended(pose, share, iterations)
    return pose


def _as_met(skeleton: Skeleton, effectors: Sequence[Effector], pose: Pose) -> list[Effector]:
    """Effectors that ask for where the pose has their joints, so that it meets them all."""
    joints = forward_kinematics(skeleton, pose)
    return [effector.at_pose(skeleton, joints) for effector in effectors]


class _Search:
    """Damped Gauss–Newton over a turn of each joint, in world axes, and a shift of the root."""

    def __init__(
        self, skeleton: Skeleton, effectors: Sequence[Effector], near: Pose, before: Array, room: Array
    ) -> None:
        self._skeleton, self._near, self._before, self._room = skeleton, near, before, room
        self._count = len(skeleton)
        self._points = [(skeleton.index(e.joint), np.asarray(e.target, float))
                        for e in effectors if isinstance(e, Position)]  # fmt: skip
        self._turns = [(skeleton.index(e.joint), np.asarray(e.target, float))
                       for e in effectors if isinstance(e, Rotation)]  # fmt: skip
        self._above = np.zeros((self._count, self._count), bool)  # whether the second turns the first
        for joint in range(self._count):
            above = joint
            while above >= 0:
                self._above[joint, above] = True
                above = skeleton.parents[above]

    def descended(self, pose: Pose, share: float, iterations: int) -> Pose:
        """The pose after so many steps. share: of their pull that trackers have."""
        damping, (left, slopes) = DAMPING, self._linearised(pose, share)
        for _ in range(iterations):
            square, gradient = slopes.T @ slopes, slopes.T @ left
            for _ in range(TRIES):
                by = -np.linalg.solve(square + np.diag(damping * (np.diag(square) + 1.0)), gradient)
                by *= min(1.0, LONGEST / max(float(np.abs(by).max()), 1e-9))
                moved = self._moved(pose, by)
                after = self._residuals(moved, share)
                if after @ after < left @ left:
                    break
                damping *= CHANGE
            else:
                return pose
            pose, damping = moved, max(damping / CHANGE, LEAST)
            if left @ left - after @ after < ENOUGH * (left @ left):
                return pose
            left, slopes = self._linearised(pose, share)
        return pose

    def _moved(self, pose: Pose, by: Array) -> Pose:
        turns = from_rotation_vector(by[:-3].reshape(self._count, 3))
        above = self._parents(forward_kinematics(self._skeleton, pose))
        local = np.swapaxes(above, -1, -2) @ turns @ above @ pose.rotations
        return Pose((pose.root_position + by[-3:]).astype(np.float32), local.astype(np.float32))

    def _parents(self, joints: WorldJoints) -> Array:
        """(J, 3, 3): the world rotations of joints' parents."""
        above = np.asarray(joints.rotations, float)[list(self._skeleton.parents)]
        above[0] = np.eye(3)
        return above

    def _residuals(self, pose: Pose, share: float) -> Array:
        joints = forward_kinematics(self._skeleton, pose)
        steps = np.linalg.norm(joints.positions - self._before, axis=1)
        turned = to_rotation_vector(pose.rotations @ np.swapaxes(self._near.rotations, -1, -2))
        return np.concatenate(
            [share * PLACE * (joints.positions[j] - target) for j, target in self._points]
            + [share * TURN * to_rotation_vector(joints.rotations[j] @ target.T) for j, target in self._turns]
            + [PLACE * np.maximum(steps - self._room, 0.0), NEAR * turned.ravel()]
        )

    def _linearised(self, pose: Pose, share: float) -> tuple[Array, Array]:
        """The residuals and how they change with each turn and the root's shift."""
        joints, count = forward_kinematics(self._skeleton, pose), self._count
        positions = np.asarray(joints.positions, float)
        levers = (positions[:, None] - positions) * self._above[..., None]
        places = np.zeros((count, 3, count + 1, 3))
        for axis in range(3):  # a turn w moves the end of a lever l by w × l
            left, right = (axis + 1) % 3, (axis + 2) % 3
            places[:, axis, :count, left], places[:, axis, :count, right] = levers[..., right], -levers[..., left]
        places[:, :, count] = np.eye(3)
        ways = positions - self._before
        steps = np.linalg.norm(ways, axis=1)
        along = np.where(steps > self._room, PLACE / np.maximum(steps, 1e-9), 0.0)[:, None] * ways
        turns = np.zeros((count, 3, count + 1, 3))
        turns[:, :, :count] = self._above[:, None, :, None] * np.eye(3)[:, None]
        own = np.zeros((count, 3, count + 1, 3))
        own[np.arange(count), :, np.arange(count)] = NEAR * np.swapaxes(self._parents(joints), -1, -2)
        of_places, of_turns = places.reshape(count, 3, -1), turns.reshape(count, 3, -1)
        slopes = [share * PLACE * of_places[j] for j, _ in self._points]
        slopes += [share * TURN * of_turns[j] for j, _ in self._turns]
        slopes += [np.einsum("ji,jic->jc", along, of_places), own.reshape(3 * count, -1)]
        return self._residuals(pose, share), np.concatenate(slopes)
