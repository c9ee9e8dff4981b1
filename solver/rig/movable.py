"""What solvers see of a rig: only its movable joints, as a skeleton of our own kind.

Solvers, networks, joint limits and the pose prior are made for joints that stand in the world's axes at rest, are
named by their roles and come in the body's order. So the variables are changed at the boundary, and nothing behind it
needs to know other rigs:

- a joint's frame: with B its rest rotation and B_p its parent's, L = B_p L' Bᵀ is the local rotation in the world's
  axes (for the root L = L' Bᵀ) and B_p o' the offset. That is exact, there and back;
- rigid joints (fingers, jaw, eyes, and any without a role) are left out. They keep the rotations of the base pose,
  and joints below them hang where those rotations put them;
- a rigid joint with an effector is carried: it is a leaf on the movable joint above it and hardly turns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solver.kinematics.pose import Pose
from solver.kinematics.skeleton import Skeleton
from solver.memoise import memoised
from solver.rig.rig import Rig
from solver.rig.roles import SMPL_ROLES, Role
from solver.values import FloatArray

Array = NDArray[np.float64]
CARRIED = "carried:"  # begins the name of a leaf that stands for a rigid joint; see `is_carried`
_ORDER = {role: i for i, role in enumerate(SMPL_ROLES)}
_AT_REST = 1e-6


def is_carried(name: str) -> bool:
    """Whether a joint of the solvers' skeleton stands for a rigid one, and so is not to turn."""
    return name.startswith(CARRIED)


@dataclass(frozen=True, eq=False)
class Movable:
    """A rig and the skeleton that solvers see of it.

    skeleton: K joints in the world's axes. joints: (K,) their indices in the rig, the carried ones last.
    twists: (K, 3, 3), the turns of the rigid joints between a joint and the one above it, or None if there are none.
    frames: (3, 3) by the rig's joint, its frame seen from the one that solvers see; only where these differ. A carried
    joint's frame is as the base pose has bent it.
    """

    rig: Rig
    skeleton: Skeleton
    joints: NDArray[np.int64]
    carried: int
    twists: Array | None
    frames: Mapping[int, FloatArray]

    @property
    def is_whole(self) -> bool:
        """Whether the solvers' skeleton is the rig itself, joint by joint, so that there is nothing to change."""
        return self.skeleton is self.rig

    @cached_property
    def of_joint(self) -> dict[int, int]:
        """The rig's joint -> its index in the solvers' skeleton."""
        return {int(j): k for k, j in enumerate(self.joints)}

    def reduced(self, pose: Pose) -> Pose:
        """The rig's pose as solvers see it. Carried joints are at rest."""
        if self.is_whole:
            return pose
        local = in_world_axes(self.rig, pose.rotations)[self.joints]
        if self.twists is not None:
            local = self.twists @ local
        if self.carried:
            local[-self.carried :] = np.eye(3)
        return Pose(pose.root_position, local.astype(np.float32))

    def expanded(self, pose: Pose, base: Pose) -> Pose:
        """The rig's pose for a solver's answer; rigid joints as `base`, a pose of the rig, has them."""
        if self.is_whole:
            return pose
        moved = len(self.joints) - self.carried
        local = pose.rotations[:moved].astype(np.float64)
        if self.twists is not None:
            local = np.swapaxes(self.twists[:moved], -1, -2) @ local
        rotations = np.array(base.rotations)
        rotations[self.joints[:moved]] = in_own_axes(self.rig, local, self.joints[:moved])
        return Pose(pose.root_position, rotations)


def movable(rig: Rig, base: Pose, asked: frozenset[int] = frozenset()) -> Movable:
    """What solvers see of a rig whose rigid joints stand as in `base`. asked: joints of the rig of which something is
    asked; the rigid ones among them are carried. The result is remembered for rigid joints at rest."""
    kept = movable_joints(rig)
    carried = tuple(sorted(asked.difference(kept)))
    if len(kept) == len(rig):
        return _at_rest(rig, carried)
    local = in_world_axes(rig, base.rotations)
    if np.abs(local[_rigid(rig)] - np.eye(3)).max() < _AT_REST:
        return _at_rest(rig, carried)
    return _movable(rig, carried, local)


@memoised(64, by_identity=True)
def movable_joints(rig: Rig) -> tuple[int, ...]:
    """The rig's joints that solvers move, in the order of the body: the root and those with one of SMPL's roles.

    All of them if the rig is not recognised as human.
    """
    if rig.find(Role.PELVIS) is None:
        return tuple(range(len(rig)))
    found = [j for j, role in enumerate(rig.roles) if j == 0 or role in _ORDER]
    rank = {j: _ORDER.get(rig.roles[j], -1) if rig.roles[j] else -1 for j in found}  # type: ignore[arg-type]
    waiting, placed = sorted(found, key=lambda j: rank[j]), list[int]()
    while waiting:  # a joint comes after the one above it, whatever its role
        j = next(j for j in waiting if not set(_line_above(rig, j)).intersection(waiting))
        waiting.remove(j)
        placed.append(j)
    return tuple(placed)


@memoised(64, by_identity=True)
def _rigid(rig: Rig) -> NDArray[np.int64]:
    return np.setdiff1d(np.arange(len(rig)), movable_joints(rig))


def _line_above(rig: Rig, joint: int) -> list[int]:
    """The joints above it, up to the root."""
    line = [rig.parents[joint]]
    while line[-1] >= 0:
        line.append(rig.parents[line[-1]])
    return line[:-1]


def in_world_axes(rig: Rig, rotations: NDArray[np.floating]) -> Array:
    """(..., J, 3, 3) local rotations of the rig's joints as they would be if all stood in the world's axes at rest."""
    local, frames = np.asarray(rotations, dtype=np.float64), rig.rest_frames
    if frames is None:
        return local
    return np.asarray(_above(rig) @ local @ np.swapaxes(frames.astype(np.float64), -1, -2))


def in_own_axes(rig: Rig, rotations: Array, joints: NDArray[np.int64] | None = None) -> Array:
    """(..., K, 3, 3) the inverse of `in_world_axes`, for these joints of the rig, or for all."""
    frames = rig.rest_frames
    if frames is None:
        return rotations
    which = np.arange(len(rig)) if joints is None else joints
    above = _above(rig)[which]
    return np.asarray(np.swapaxes(above, -1, -2) @ rotations @ frames[which].astype(np.float64))


@memoised(64, by_identity=True)
def _above(rig: Rig) -> Array:
    """(J, 3, 3), the rest rotation of each joint's parent; the identity for the root."""
    assert rig.rest_frames is not None
    above = rig.rest_frames[list(rig.parents)].astype(np.float64)
    above[0] = np.eye(3)
    return above


def _at_rest(rig: Rig, carried: tuple[int, ...]) -> Movable:
    known = _known_of(rig)
    found = known.get(carried)
    if found is None:
        if len(known) > 64:
            known.clear()
        found = known[carried] = _movable(rig, carried, np.broadcast_to(np.eye(3), (len(rig), 3, 3)))
    return found


@memoised(64, by_identity=True)
def _known_of(rig: Rig) -> dict[tuple[int, ...], Movable]:
    return {}


def _movable(rig: Rig, carried: tuple[int, ...], local: Array) -> Movable:
    """local: (J, 3, 3) in the world's axes, of which only the rigid joints' count."""
    kept = movable_joints(rig)
    joints = np.array([*kept, *carried], np.int64)
    names = tuple(str(rig.keys[j]) for j in kept) + tuple(CARRIED + rig.names[j] for j in carried)
    place = {j: k for k, j in enumerate(kept)}
    frames = rig.rest_frames
    offsets = rig.offsets.astype(np.float64)
    if frames is not None:
        offsets = (_above(rig) @ offsets[:, :, None])[:, :, 0]
    parents, reached, twists = [-1], [offsets[0]], [np.eye(3)]
    for j in joints[1:].tolist():
        between = []
        up = rig.parents[j]
        while up not in place:
            between.append(up)
            up = rig.parents[up]
        at, turn = np.zeros(3), np.eye(3)
        for middle in (*reversed(between), j):
            at = at + turn @ offsets[middle]
            turn = turn @ (local[middle] if middle != j else np.eye(3))
        parents.append(place[up])
        reached.append(at)
        twists.append(turn)
    turned = np.abs(np.array(twists) - np.eye(3)).max() > _AT_REST
    whole = frames is None and names == rig.names and tuple(parents) == rig.parents
    skeleton = rig if whole else Skeleton(names, tuple(parents), np.array(reached, np.float32))
    seen = (
        _frame(rig, j, twist @ local[j] if j in carried else np.eye(3)) for j, twist in zip(joints, twists, strict=True)
    )
    frames_of = {int(j): turn for j, turn in zip(joints, seen, strict=True) if turn is not None}
    return Movable(rig, skeleton, joints, len(carried), np.array(twists) if turned else None, frames_of)


def _frame(rig: Rig, joint: int, bent: Array) -> FloatArray | None:
    """(3, 3), the frame of a joint that is bent that way in the world's axes; None if those are its axes."""
    turn = bent if rig.rest_frames is None else bent @ rig.rest_frames[joint]
    return turn.astype(np.float32) if np.abs(turn - np.eye(3)).max() > _AT_REST else None
